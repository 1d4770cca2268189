"""All rules there are, by the modules that hold them."""

from __future__ import annotations

from importlib import import_module

MODULES = (
    "framing", "batches", "lifecycle", "eras", "processes", "http", "sessions", "streams", "tools", "lists", "results",
    "refusals", "asking", "rounds", "notices", "tasks", "metadata", "login",
)  # fmt: skip


def load() -> None:
    """Registers every rule."""
    for name in MODULES:
        import_module(f"inspector.check.{name}")
