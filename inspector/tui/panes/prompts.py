"""The prompts of a server, their arguments, and the messages that come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType

from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.panes.choosing import ChoosingPane
from inspector.tui.registry import bindings
from inspector.tui.widgets.filter_list import Item

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind


class PromptsPane(ChoosingPane):
    """Arguments that are left empty are not sent, unless they are required."""

    SCOPE = "prompts"
    KINDS: ClassVar[tuple[ListKind, ...]] = ("prompts",)
    VERB = "Get"
    EMPTY = "This server lists no prompts."
    BINDINGS: ClassVar[list[BindingType]] = bindings("prompts")

    def item(self, key: str, entry: dict[str, Any]) -> Item:
        name = entry.get("name")
        return Item(key, guard.line(name) if isinstance(name, str) else "(no name)", mark=("·", "$quiet"))

    def inputs(self, entry: dict[str, Any]) -> list[tuple[str, str, str]]:
        return [
            (name, f"{guard.line(name)}{' *' if required else ''}{about}", "")
            for name, required, about in _arguments(entry)
        ]

    def request(self, entry: dict[str, Any], values: dict[str, str]) -> Call:
        required = {name for name, needed, _ in _arguments(entry) if needed}
        arguments = {name: value for name, value in values.items() if value or name in required}
        return Call("prompts/get", {"name": entry.get("name"), "arguments": arguments})

    def action_get(self) -> None:
        self.ask()


def _arguments(entry: dict[str, Any]) -> list[tuple[str, bool, str]]:
    """Name, whether it is required, and what it is for, of each argument that has a name."""
    listed = entry.get("arguments")
    found: list[tuple[str, bool, str]] = []
    for argument in listed if isinstance(listed, list) else []:
        if isinstance(argument, dict) and isinstance(name := argument.get("name"), str):
            about = argument.get("description")
            text = f"  {guard.line(about)[:200]}" if isinstance(about, str) else ""
            found.append((name, argument.get("required") is True, text))
    return found
