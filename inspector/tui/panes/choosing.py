"""What resources and prompts have in common: a list, the chosen entry with its inputs, a request, its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Label, Static

from inspector.base.text import bytes_size
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.panes.tools import NARROW
from inspector.tui.widgets.answer_view import AnswerView
from inspector.tui.widgets.call_bar import CallBar
from inspector.tui.widgets.facts import Part
from inspector.tui.widgets.filter_list import FilterList, Item

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.listings import Listing
    from inspector.workspace.connection import Connection


class ChoosingPane(Horizontal):
    """Whoever derives from it lists the items, names the inputs of an entry and makes the request of them."""

    SCOPE = ""
    KINDS: ClassVar[tuple[ListKind, ...]] = ()
    VERB: ClassVar[str] = ""
    EMPTY: ClassVar[str] = ""
    DEFAULT_CSS = """
    ChoosingPane {
        height: 1fr;
        & > FilterList { width: 34%; min-width: 22; max-width: 50; border-right: vkey $line; }
        & > .right { width: 1fr; height: 1fr; }
        & .head { height: auto; max-height: 6; padding: 0 1; margin-bottom: 1; }
        & .inputs { height: auto; max-height: 40%; overflow-y: auto; padding: 0 1; }
        & .inputs Label { color: $quiet; width: auto; }
        & .inputs Input { margin-bottom: 1; }
        & AnswerView { display: none; margin-top: 1; }
        &.-answered AnswerView { display: block; }
        &.-narrow > FilterList { width: 1fr; max-width: 100%; border-right: none; }
        &.-narrow > .right { display: none; }
        &.-narrow.-open > FilterList { display: none; }
        &.-narrow.-open > .right { display: block; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connection = connection
        self._list = FilterList(placeholder="filter", empty=self.EMPTY)
        self._head = Static(classes="head", markup=False)
        self._inputs = Vertical(classes="inputs")
        self._bar = CallBar(connection, self.VERB)
        self._answer = AnswerView()
        self._key: str | None = None
        self._entries: dict[str, dict[str, Any]] = {}

    def compose(self) -> ComposeResult:
        yield self._list
        with Vertical(classes="right"):
            yield self._head
            yield self._inputs
            yield self._bar
            yield self._answer

    def on_mount(self) -> None:
        self._bar.display = False
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    def refresh_state(self) -> None:
        catalog = self._connection.catalog
        entries: dict[str, dict[str, Any]] = {}
        if catalog is not None and all(
            (listing := catalog.listings.get(kind)) is not None and listing.failure is not None
            for kind in self.KINDS
        ):
            self._list.explain(self._refusal(catalog.listings[self.KINDS[0]]))
        for kind in self.KINDS:
            listing = catalog.listings.get(kind) if catalog is not None else None
            for index, entry in enumerate(listing.entries if listing is not None else []):
                if isinstance(entry, dict):
                    entries[f"{kind}-{index}"] = entry
        if entries != self._entries:
            self._entries = entries
            self._list.show([self.item(key, entry) for key, entry in entries.items()])

    @staticmethod
    def _refusal(listing: Listing) -> str:
        reason = guard.message(listing.failure.message) if listing.failure is not None else ""
        return f"The list could not be read: {reason}"

    def item(self, key: str, entry: dict[str, Any]) -> Item:
        raise NotImplementedError

    def inputs(self, entry: dict[str, Any]) -> list[tuple[str, str, str]]:
        """Name, label and first value of each input; the label is safe text."""
        raise NotImplementedError

    def request(self, entry: dict[str, Any], values: dict[str, str]) -> Call:
        raise NotImplementedError

    @on(FilterList.Pointed)
    async def _pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        if not self.has_class("-narrow"):
            await self._show(event.key)

    @on(FilterList.Opened)
    async def _opened(self, event: FilterList.Opened) -> None:
        event.stop()
        await self._show(event.key)
        self.add_class("-open")
        first = self._inputs.query(Input)
        if self.VERB == "Read" and "{" not in first.first().value:
            self.ask()
        elif first:
            first.first().focus()
        else:
            self.ask()

    async def _show(self, key: str) -> None:
        entry = self._entries.get(key)
        if entry is None or key == self._key:
            return
        self._key = key
        self._head.update(_head(entry))
        self._bar.display = True
        self.remove_class("-answered")
        await self._inputs.remove_children()
        for name, label, value in self.inputs(entry):
            await self._inputs.mount(
                Label(Content(label), markup=False), Input(value=value, name=name, compact=True)
            )
        self.screen.refresh_bindings()

    @property
    def running(self) -> bool:
        return self._bar.running

    def ask(self) -> None:
        """Sends the request with the inputs as they stand; does nothing while one runs."""
        entry = self._entries.get(self._key or "")
        if entry is None or self.running:
            return
        values = {field.name or "": field.value for field in self._inputs.query(Input)}
        self._bar.begin(self.request(entry, values))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.ask()

    @on(CallBar.Wanted)
    def _wanted(self, event: CallBar.Wanted) -> None:
        event.stop()
        self.ask()

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        event.stop()
        await self._answer.show(event.call)
        self.add_class("-answered")
        if self.has_class("-narrow") and self.has_class("-open"):
            # What was focused may have given way to the answer.
            self.call_after_refresh(self._answer.enter)

    def enter(self) -> None:
        self._list.enter()

    def leave(self) -> bool:
        if self._list.has_focus_within:
            return self._list.end_filter()
        if self._answer.leave():
            return True
        self.remove_class("-open")
        self._list.enter()
        return True

    def open_filter(self) -> None:
        self.remove_class("-open")
        self._list.open_filter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("read", "get"):
            return self._key is not None and not self.running
        return True


def _head(entry: dict[str, Any]) -> Content:
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(name) if isinstance(name, str) else "(no name)", "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {guard.line(title)[:200]}", "$quiet"))
    if isinstance(mime := entry.get("mimeType"), str):
        parts.append((f"  {guard.line(mime)[:80]}", "$quiet"))
    if type(size := entry.get("size")) is int and size >= 0:
        parts.append((f"  {bytes_size(size)}", "$quiet"))
    parts.append(("\n", ""))
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:4000], "$quiet"))
    return Content.assemble(*parts)
