"""Pings by which clients keep their connections alive: they say nothing, and would drown what does."""

from __future__ import annotations

from collections.abc import Iterable

EVERY = "-(method:ping -kind:error)"
"""The filter that leaves all pings out, but for those that were answered with an error."""


def calm(servers: Iterable[str]) -> str:
    """The same of these servers alone; empty where there are none."""
    safe = ("".join("?" if letter in '"\\[' else letter for letter in name) for name in servers)
    names = " | ".join(f'server:"{name}"' for name in safe)
    return f"{EVERY[:-1]} ({names}))" if names else ""
