"""The resources of a server and its templates, and a reader for them."""

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


class ResourcesPane(ChoosingPane):
    """Enter reads a resource; of a template the URI is filled in first."""

    SCOPE = "resources"
    KINDS: ClassVar[tuple[ListKind, ...]] = ("resources", "templates")
    VERB = "Read"
    EMPTY = "This server lists no resources."
    BINDINGS: ClassVar[list[BindingType]] = bindings("resources")

    def item(self, key: str, entry: dict[str, Any]) -> Item:
        name, uri = entry.get("name"), entry.get("uri", entry.get("uriTemplate"))
        text = guard.line(name if isinstance(name, str) else uri if isinstance(uri, str) else "(no name)")
        mark = ("◇", "$text-accent") if key.startswith("templates") else ("·", "$quiet")
        updates = self._connection.updated.get(uri, 0) if isinstance(uri, str) else 0
        return Item(key, text, mark=mark, note=f"updated ×{updates}" if updates else "")

    def inputs(self, entry: dict[str, Any]) -> list[tuple[str, str, str]]:
        uri = entry.get("uri", entry.get("uriTemplate"))
        label = "URI; put values in place of the braces" if "uriTemplate" in entry else "URI"
        return [("uri", label, uri if isinstance(uri, str) else "")]

    def request(self, entry: dict[str, Any], values: dict[str, str]) -> Call:
        return Call("resources/read", {"uri": values["uri"]})

    def action_read(self) -> None:
        self.ask()
