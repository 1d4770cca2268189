"""What of a remote skill a server offers, and which of its tools a client keeps from the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base import numbers
from inspector.lenses.solon.clients import CLIENTS, Client
from inspector.protocol.solon import FORBIDDEN, GATEWAY, HIDE, MANAGEMENT, SKILL, TALENT

Why = Literal["marker", "management", "metadata"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A skill, or a part of one: `uris` are those of its metadata that are listed, `missing` what a whole one has
    besides, in words."""

    uris: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not self.missing

    @property
    def client(self) -> Client:
        """The newest one that could open it; where no metadata is listed, one that most servers are made for."""
        return CLIENTS["4.0"] if self.uris == (TALENT,) else CLIENTS["3.9.3"]


def offered(tools: Sequence[Any], resources: Sequence[Any]) -> Offer | None:
    """By the lists of a server; None where nothing in them looks like a skill. Never raises."""
    uris = {
        entry.get("uri")
        for entry in resources
        if isinstance(entry, dict) and isinstance(entry.get("uri"), str)
    }
    names = set(names_of(tools))
    found = tuple(uri for uri in (SKILL, TALENT) if uri in uris)
    if not found and names.isdisjoint(MANAGEMENT):
        return None
    missing = [] if found else [f"the resource {SKILL} or {TALENT}"]
    return Offer(found, (*missing, *(f"the tool {name}" for name in MANAGEMENT if name not in names)))


def names_of(tools: Iterable[Any]) -> list[str]:
    """The names of the tools of a list, those without one left out."""
    return [tool["name"] for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)]


def is_hidden(tool: Any) -> bool:
    """Whether a client keeps it from the model: `_meta` has the key `hide`, with whatever value."""
    meta = tool.get("_meta") if isinstance(tool, dict) else None
    return isinstance(meta, dict) and HIDE in meta


def remark(tool: Any) -> str:
    """Why a tool is hidden, or what of it would be expected to be; empty where there is nothing to tell."""
    meta = tool.get("_meta") if isinstance(tool, dict) else None
    if isinstance(meta, dict) and HIDE in meta:
        value = meta[HIDE]
        told = f"hidden by its marker, hide: {numbers.brief(value, 40)}"
        return told if value and value is not None else f"{told}; the key alone counts, so this hides too"
    name = tool.get("name") if isinstance(tool, dict) else None
    if name in MANAGEMENT:
        return "a management tool without the marker: the model is shown it"
    described = tool.get("description") if isinstance(tool, dict) else None
    if isinstance(described, str) and FORBIDDEN in described:
        return "its description forbids models to use it, but it has no marker: the model is shown it"
    return ""


def is_management(uri: str) -> bool:
    """Whether a resource is the metadata of a skill: its marker is lost on most transports, so its URI tells."""
    return uri in (SKILL, TALENT)


def has_gateway(tools: Iterable[Any]) -> bool:
    """Whether the three tools are there by which a model finds many others."""
    return set(GATEWAY) <= set(names_of(tools))
