"""Who we say that we are to one server: a client of those that are known, or one that is written."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList, Static, TextArea

from inspector.base import numbers
from inspector.base.errors import Failed, fail
from inspector.protocol.capabilities import unanswered
from inspector.protocol.identity import OURS, PRESETS, Identity, as_written, written
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.lists.moving import Options
from inspector.workspace.connection import Connection

_CLIENTS = {"mcp-inspect": OURS, **PRESETS}


class IdentityScreen(Asks[Identity | None]):
    """Ends with the identity, or with None where it was left."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    IdentityScreen {
        & > Dialog { width: 96%; max-width: 100; height: 90%; max-height: 34; }
        & .about { height: auto; color: $quiet; }
        & OptionList { height: auto; max-height: 8; margin-bottom: 1; background: $surface; border: none; padding: 0; }
        & TextArea { height: 1fr; min-height: 4; background: $panel; border: none; padding: 0 1; }
        & #warning { height: auto; max-height: 4; color: $text-warning; }
    }
    """
    HELP = (
        "Name, version, capabilities, protocol version and ids that are sent to this server, as its client sends them."
        " A client of the list fills in what is known of it; everything can be changed. It counts until you quit; --as,"
        " settings.json or a file say it for good."
    )

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        now = connection.identity or connection.options.identity
        self._list = Options(*_CLIENTS, compact=True)
        known = [name for name, identity in _CLIENTS.items() if identity == now]
        self._list.highlighted = list(_CLIENTS).index(known[0]) if known else None
        self._text = TextArea(_json(now), tab_behavior="focus", compact=True)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = f"Who we are to {guard.line(self._connection.name)}"
            yield Static(
                "enter takes a client, as far as its sources say how it is", classes="about", markup=False
            )
            yield self._list
            yield Static(
                "What is sent: name and version; capabilities in place of ours; protocol, which strict insists on; "
                "ids (number, uuid) from first on",
                classes="about",
                markup=False,
            )
            yield self._text
            yield Static(id="warning", markup=False)
            yield from self.buttons("Connect")

    def on_mount(self) -> None:
        self._list.focus()
        self._warn()

    @on(OptionList.OptionSelected)
    def _taken(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._text.text = _json(list(_CLIENTS.values())[event.option_index])
        self._text.focus()

    @on(TextArea.Changed)
    def _warn(self) -> None:
        """What is declared and not answered, as far as it can be read already."""
        self.tell("")
        try:
            declared = self._written().capabilities or {}
        except Failed:
            declared = {}
        found = unanswered(declared, self._connection.inbox.capabilities)
        said = f"Nobody here answers what is declared: {', '.join(found)}. A server that uses it is refused."
        self.query_one("#warning", Static).update(said if found else "")

    def _written(self) -> Identity:
        """Raises Failed (config)."""
        try:
            value = numbers.loads(self._text.text)
        except (ValueError, RecursionError) as error:
            raise fail(
                "config", f"this is no JSON: {error}", "take a client of the list to begin with"
            ) from error
        return written(value)

    def action_accept(self) -> None:
        try:
            self.dismiss(self._written())
        except Failed as failed:
            self.complain(failed)
            self._text.focus()


def _json(identity: Identity) -> str:
    return numbers.dumps(as_written(identity), 2)
