"""All rules there are, by the modules that hold them."""

from __future__ import annotations

from importlib import import_module

MODULES = (
    "framing", "lifecycle", "http", "sessions", "streams", "tools", "lists", "results", "refusals", "asking", "notices",
    "tasks", "metadata",
)  # fmt: skip


def load() -> None:
    """Registers every rule."""
    for name in MODULES:
        import_module(f"inspector.check.{name}")
