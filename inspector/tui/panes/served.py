"""What the app serves: where it is reached, who its clients are and how far each has come, what it would say."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from inspector.base.text import clip
from inspector.tui import guard, wording
from inspector.tui.registry import bindings, label
from inspector.tui.widgets.lists.filter_list import FilterList, Item
from inspector.tui.widgets.text.facts import Part, facts, fold

if TYPE_CHECKING:
    from inspector.workspace.served_client import Client
    from inspector.workspace.serving import Served

_MARKS = {
    "begun": ("…", "$text-warning"),
    "ready": ("●", "$text-success"),
    "silent": ("◌", "$quiet"),
    "ended": ("○", "$quiet"),
}
_MOST = 200
"""The latest clients, which are listed; the frames of all are in the traffic."""
_LINES = 4
"""Of what it would say on stderr."""


class ServedPane(Vertical):
    """The address, the clients, and what there is to know of the one under the cursor."""

    SCOPE = "served"
    BINDINGS: ClassVar[list[BindingType]] = bindings("served")
    HELP = (
        "What the app serves, and the clients that have come. Their frames are in the traffic, where the client is the"
        " one who sends. y copies the URL."
    )
    DEFAULT_CSS = """
    ServedPane {
        height: 1fr;
        & > Static { height: auto; padding: 0 1; }
        & > #served-head { max-height: 50%; }
        & > #served-client { max-height: 40%; border-top: solid $line; display: none; }
        & > FilterList { height: 1fr; min-height: 2; }
    }
    """

    class Send(Message):
        """Something is to be sent to a client by hand."""

        def __init__(self, client: Client) -> None:
            super().__init__()
            self.client = client

    class SendToAll(Message):
        """Something is to be sent to all clients at once."""

        def __init__(self, clients: list[Client]) -> None:
            super().__init__()
            self.clients = clients

    class Frames(Message):
        """The frames of a client are wanted, and no others."""

        def __init__(self, client: Client) -> None:
            super().__init__()
            self.client = client

    def __init__(self, served: Served, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._served = served
        self._head = Static(id="served-head", markup=False)
        self._list = FilterList(placeholder="filter clients", empty="No client has come yet.")
        self._about = Static(id="served-client", markup=False)
        self._shown: tuple[Content, Content] | None = None

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._list
        yield self._about

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self) -> None:
        self.refresh_state()

    def refresh_state(self) -> None:
        width = self.size.width - 2
        if width <= 0:
            return
        self._list.show([_item(client) for client in reversed(self._served.clients[-_MOST:])])
        client = self.client
        about = Content.assemble(*_about(client, width)).rstrip() if client is not None else Content()
        shown = Content.assemble(*self._told(width)).rstrip(), about
        if shown != self._shown:
            self._shown = shown
            self._head.update(shown[0])
            self._about.display = bool(about.plain)
            self._about.update(about)
            self.refresh_bindings()

    @property
    def client(self) -> Client | None:
        """The one under the cursor."""
        key = self._list.key
        return next((client for client in self._served.clients if client.name == key), None)

    def _told(self, width: int) -> list[Part]:
        served = self._served
        parts: list[Part] = []
        if served.error is not None:
            hint = f"; {served.error.hint}" if served.error.hint else ""
            parts += _lines(f"✗ {guard.message(served.error.message)}{hint}", "$text-error", width)
        elif served.state == "disabled":
            parts += [("It is not served now. ", "$quiet"), (label("restart"), "bold $text-accent")]
            parts += [(" serves it again, at the same place.\n", "$quiet")]
        if served.served_at:
            parts += [
                (f"{guard.line(served.url)}", "bold $foreground"),
                (f"  {label('copy')} copies\n", "$quiet"),
            ]
            parts += _lines(f"{guard.line(served.sse)} there for clients of 2024-11-05", "$quiet", width)
        parts += _lines(guard.line(str(served.path)), "$quiet", width)
        if served.faults:
            kinds = ", ".join(dict.fromkeys(fault.kind for fault in served.faults))
            parts += _lines(f"▲ goes wrong on purpose: {kinds}", "$text-warning", width)
        for line in list(served.lines)[-_LINES:]:
            parts += _lines(f"▲ {clip(guard.message(line), 200)}", "$text-warning", width)
        return parts

    def copy_offer(self) -> tuple[str, str] | None:
        return ("The URL", self._served.url) if self._served.url else None

    @on(FilterList.Pointed)
    def _pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        self.refresh_state()

    @on(FilterList.Opened)
    def _opened(self, event: FilterList.Opened) -> None:
        event.stop()
        self.action_frames()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        client = self.client if self.is_mounted else None
        if action == "send":
            return client is not None and client.state != "ended"
        if action == "frames":
            return client is not None
        return True

    def action_send(self) -> None:
        if (client := self.client) is not None:
            self.post_message(self.Send(client))

    def action_send_to_all(self) -> None:
        self.post_message(self.SendToAll(list(self._served.clients)))

    def action_frames(self) -> None:
        if (client := self.client) is not None:
            self.post_message(self.Frames(client))

    def enter(self) -> None:
        self._list.enter()

    def leave(self) -> bool:
        return self._list.end_filter()

    def open_filter(self) -> None:
        self._list.open_filter()


def _lines(text: str, tone: str, width: int) -> list[Part]:
    return [("\n".join(fold(text, max(10, width), 3)) + "\n", tone)]


def _item(client: Client) -> Item:
    number, who = client.name.rpartition(" ")[2], _who(client)
    count = "1 request" if client.requests == 1 else f"{client.requests:,} requests"
    version = clip(guard.line(client.version), 20)
    sides = (f"{version}  {client.state}  {count}", f"{client.state}  {count}", client.state)
    return Item(
        client.name, f"{number} {who}", _MARKS[client.state], clip(guard.line(client.last), 40), sides
    )


def _who(client: Client) -> str:
    name, version = (_text(client.info.get(member)) for member in ("name", "version"))
    return f"{clip(name or 'a client without a name', 60)} {clip(version, 30)}".rstrip()


def _text(value: Any) -> str:
    return guard.line(value[:200]) if isinstance(value, str) else ""


def _moment(at: float | None) -> str:
    return "" if at is None else time.strftime("%H:%M:%S", time.localtime(at))


def _about(client: Client, width: int) -> list[Part]:
    mark, tone = _MARKS[client.state]
    ago = wording.clock(time.time() - client.last_at)
    last = clip(guard.line(client.last), 60)
    able = ", ".join(clip(guard.line(str(name)[:60]), 30) for name in list(client.capabilities)[:12])
    modern = "all clients of this version; the latest is told" if client.is_modern else ""
    return [
        (f"{mark} {client.state}", f"bold {tone}"),
        (f"  {_who(client)}\n", "bold $foreground"),
        *facts(
            (
                (
                    "protocol",
                    f"{clip(guard.line(client.version), 20)} · {client.era} era" if client.version else "",
                ),
                ("", modern),
                ("begun", _moment(client.began)),
                ("ready", _moment(client.ready_at)),
                ("ended", _moment(client.ended_at)),
                ("held", f"{client.held} until it is initialized" if client.held else ""),
                ("requests", f"{client.requests:,}"),
                ("last", f"{last}, {ago} ago" if last else ""),
                ("declares", able),
            ),
            width=width,
        ),
    ]
