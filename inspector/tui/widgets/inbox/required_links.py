"""Addresses that a server wants visited before it does what it was asked for (spec 2025-11-25: -32042)."""

from __future__ import annotations

from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static

from inspector.base.errors import Failure
from inspector.base.text import clip
from inspector.protocol.jsonrpc import LINKS_FIRST
from inspector.tui import guard
from inspector.tui.registry import titled
from inspector.tui.widgets.inbox.link import link_parts, open_link, openable
from inspector.tui.widgets.text.facts import Part

_MOST = 8


class RequiredLinks(Vertical):
    """Each address with a button that opens it after a yes, and one that calls again. Posts `Again`."""

    DEFAULT_CSS = """
    RequiredLinks {
        height: auto;
        margin-bottom: 1;
        & > Static { height: auto; margin-top: 1; padding: 0 1; border-left: outer $text-warning; }
        & > Static:first-of-type { margin-top: 0; }
        & > Button { margin: 0 0 0 1; width: auto; }
    }
    """

    class Again(Message):
        """The call is to be made once more."""

    def __init__(self, links: list[dict[str, Any]], more: int) -> None:
        super().__init__()
        self._links, self._more = links, more
        self._complete: set[int] = set()

    def compose(self) -> ComposeResult:
        for number, link in enumerate(self._links):
            yield Static(_told(link), id=f"link-{number}", markup=False)
            if openable(link.get("url")):
                yield Button(Content("Open…"), name=str(number), compact=True)
        if self._more:
            yield Static(f"… and {self._more} more; Data has all", markup=False)
        yield Button(Content(titled("Call again", "call")), name="again", variant="primary", compact=True)

    def on_mount(self) -> None:
        self.set_interval(0.5, self._look)

    def _look(self) -> None:
        """What the server has called complete since says so."""
        inboxes = (getattr(getattr(node, "connection", None), "inbox", None) for node in self.ancestors)
        inbox = next((inbox for inbox in inboxes if inbox is not None), None)
        if inbox is None:
            return
        for number, link in enumerate(self._links):
            if number not in self._complete and link.get("elicitationId") in inbox.completions:
                self._complete.add(number)
                self.query_one(f"#link-{number}", Static).update(_told(link, complete=True))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.name == "again":
            self.post_message(self.Again())
        else:
            self._open(self._links[int(event.button.name or 0)].get("url"))

    @work(group="dialogs", exclusive=True)
    async def _open(self, url: Any) -> None:
        if await open_link(self.app, url):
            self.notify("Opened. When you are done there, call again.", timeout=5, markup=False)


def _told(link: dict[str, Any], *, complete: bool = False) -> Content:
    message = link.get("message")
    parts: list[Part] = [("✓ The server says that it is complete.\n", "$text-success")] if complete else []
    if isinstance(message, str):
        parts.append((f"{clip(guard.block(message), 2000)}\n", "$foreground"))
    return Content.assemble(*parts, *link_parts(link.get("url"))).rstrip()


def required_links(failure: Failure | None) -> RequiredLinks | None:
    """For an error that asks for them; None for every other."""
    data = failure.data if failure is not None and failure.code == LINKS_FIRST else None
    listed = data.get("elicitations") if isinstance(data, dict) else None
    links = [link for link in listed if isinstance(link, dict)] if isinstance(listed, list) else []
    return RequiredLinks(links[:_MOST], len(links) - len(links[:_MOST])) if links else None
