"""The entry that was chosen, a resource or a prompt: what is listed of it, what was asked for, what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.containers import Vertical
from textual.widgets import Static

from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.widgets.answers.content_view import ContentView, summary
from inspector.tui.widgets.text.facts import Part
from inspector.tui.widgets.tools.call_bar import CallBar
from inspector.tui.widgets.tools.tool_head import extras

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.workspace.connection import Connection


@dataclass(eq=False)
class Visit:
    """What was looked at and what came of it. `listing` is the JSON text of the entry as served, `values` what was
    typed by name, `seen` how many updates there were when it was read last."""

    key: str
    kind: ListKind | None
    entry: dict[str, Any]
    listing: str
    reasons: list[str]
    values: dict[str, str] = field(default_factory=dict)
    call: Call | None = None
    seen: int = 0
    at: float = field(default_factory=time.monotonic)

    @property
    def read(self) -> bool:
        return self.call is not None


class ChosenView(Vertical):
    """Shows a visit and changes it. Whoever derives from it composes `bar` and `content`."""

    DEFAULT_CSS = """
    ChosenView {
        height: 1fr;
        & > .head { height: auto; max-height: 9; padding: 0 1; margin-bottom: 1; }
        & > ContentView { height: 1fr; margin-top: 1; }
        &.-short > .head { margin-bottom: 0; max-height: 4; }
        &.-short.-answered > .head { max-height: 1; }
        &.-short > ContentView { margin-top: 0; }
        &.-short.-answered.-reading > ArgumentForm { display: none; }
        &.-unfolded > .head { max-height: 60%; overflow-y: auto; }
    }
    """
    VERB: ClassVar[str] = ""
    GO: ClassVar[str] = ""
    """The action of that name."""
    CANCEL: ClassVar[str] = ""
    SHORT: ClassVar[int] = 17
    """Rows below which what is listed gives its room to the content once there is some."""

    def __init__(
        self, connection: Connection, visit: Visit, content: ContentView, *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.visit = visit
        self.connection = connection
        self.head = Static(classes="head", markup=False)
        self.bar = CallBar(connection, self.VERB, self.GO, self.CANCEL)
        self.content = content

    async def on_mount(self) -> None:
        self.show_state()
        if self.visit.call is not None and not self.visit.call.running:
            await self.show_answer(self.visit.call)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(0 < event.size.height < self.SHORT, "-short")

    @property
    def running(self) -> bool:
        return self.bar.running

    @property
    def is_ready(self) -> bool:
        """Nothing is to be filled in before it is asked for."""
        return True

    def show_state(self) -> None:
        """What is said above may be different now."""
        raise NotImplementedError

    def ask(self) -> None:
        """Sends the request with what is filled in; does nothing while one runs."""
        raise NotImplementedError

    async def fill(self, call: Call) -> None:
        """Shows what came of a call in `content`."""
        raise NotImplementedError

    def enter(self) -> None:
        """The focus goes to where work begins: a field that is to be filled in, or the content."""
        raise NotImplementedError

    async def renew(self, entry: dict[str, Any], listing: str, reasons: list[str]) -> None:
        """It is listed anew."""
        self.visit.entry, self.visit.reasons = entry, reasons
        if listing != self.visit.listing:
            self.visit.listing = listing
            await self.content.relist(listing)
        self.show_state()

    @on(CallBar.Wanted)
    def _wanted(self, event: CallBar.Wanted) -> None:
        event.stop()
        self.ask()

    def begin(self, call: Call) -> None:
        self.visit.call = call
        self.bar.begin(call)

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        # The pane hears of it as well.
        inside = self.has_focus_within
        await self.show_answer(event.call)
        self.show_state()
        if inside and self.has_class("-short"):
            self.call_after_refresh(self.enter_content)

    async def show_answer(self, call: Call) -> None:
        self.add_class("-answered", "-reading")
        self.bar.tell(*summary(call))
        await self.fill(call)

    def enter_content(self) -> None:
        self.add_class("-reading")
        self.content.enter()

    def leave(self) -> bool:
        """Ends a search, or goes from the content back to the fields that gave it their room."""
        if self.content.leave():
            return True
        if self.has_class("-short") and self.has_class("-reading") and not self.is_ready:
            self.remove_class("-reading")
            if self.content.has_focus_within:
                self.enter()
                return True
        return False

    def unfold(self) -> None:
        self.toggle_class("-unfolded")


def head_parts(visit: Visit, address: str, facts: list[str], watching: list[Part]) -> list[Part]:
    """What is listed of an entry: its names, what it is, what it is for, what is odd about it."""
    entry = visit.entry
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(name) if isinstance(name, str) else "(no name)", "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$foreground"))
    parts += [(f"  {' · '.join(facts)}" if facts else "", "$quiet"), ("\n", "")]
    if address:
        parts += [(guard.line(address), "$text-primary"), ("\n", "")]
    if watching:
        parts += [*watching, ("\n", "")]
    for reason in visit.reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:8000] + "\n", "$quiet"))
    return parts + extras(entry)
