"""What resources and prompts have in common: a list, and the chosen entry with what was asked for of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ContentSwitcher, Static

from inspector.base.text import clip
from inspector.protocol.listing import json_type
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.panes.tools import NARROW
from inspector.tui.panes.uri_tree import Entry
from inspector.tui.widgets.call_bar import CallBar
from inspector.tui.widgets.content_view import ContentView, summary
from inspector.tui.widgets.facts import Part
from inspector.tui.widgets.uri_list import Mark, UriLines, UriList

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.listings import Listing
    from inspector.workspace.connection import Connection

_KEPT = 16
"""Views that are kept as widgets; the ones left longest ago go first and are built again from their visit."""
_HELD = 256 << 20
"""Bytes of answers that are held altogether."""


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


V = TypeVar("V", bound=ChosenView)


class ChoosingPane(Horizontal, Generic[V]):
    """The list at the left, the chosen one at the right; on a narrow screen one after the other. What was asked for
    keeps its answer while one walks about."""

    SCOPE = ""
    KINDS: ClassVar[tuple[ListKind, ...]] = ()
    TITLES: ClassVar[tuple[str, ...]] = ()
    NOTHING: ClassVar[str] = ""
    CHOOSE: ClassVar[str] = ""
    FLAT: ClassVar[bool] = False
    DEFAULT_CSS = """
    ChoosingPane {
        height: 1fr;
        & > UriList { width: 38%; min-width: 24; max-width: 60; border-right: vkey $line; }
        & > ContentSwitcher { width: 1fr; height: 1fr; }
        & .empty { padding: 1 2; color: $quiet; }
        &.-narrow > UriList { width: 1fr; max-width: 100%; border-right: none; }
        &.-narrow > ContentSwitcher { display: none; }
        &.-narrow.-open > UriList { display: none; }
        &.-narrow.-open > ContentSwitcher { display: block; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.connection = connection
        self.list = UriList(list(self.TITLES), self.mark, flat=self.FLAT)
        self.visits: dict[str, Visit] = {}
        self._switcher = ContentSwitcher(
            Static(self.CHOOSE, classes="empty", markup=False, id="none"), initial="none"
        )
        self._listings: dict[ListKind, Listing] = {}
        self._places: dict[str, tuple[ListKind, int]] = {}
        self._texts: dict[ListKind, list[str]] = {}
        self._views = 0

    def compose(self) -> ComposeResult:
        yield self.list
        yield self._switcher

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    # What is listed

    @property
    def is_listed(self) -> bool:
        """The lists were read, with whatever outcome."""
        return bool(self._listings)

    def refresh_state(self) -> None:
        """Looks at the connection again."""
        catalog = self.connection.catalog
        held = catalog.listings if catalog is not None else {}
        listings = {kind: held[kind] for kind in self.KINDS if kind in held}
        if listings and any(self._listings.get(kind) is not listing for kind, listing in listings.items()):
            self._listings = listings
            self._texts.clear()
            self._plant()
            self.call_later(self._renew_views)

    def _plant(self) -> None:
        self._places = {}
        sections = [self._entries(kind) for kind in self.KINDS]
        failures = [listing.failure for listing in self._listings.values() if listing.failure is not None]
        said = ""
        if failures and not any(sections):
            said = f"The list could not be read: {guard.message(failures[0].message)}"
        elif not any(sections):
            said = self.NOTHING
        self.list.show([*sections, *self.more()], said)

    def more(self) -> list[list[Entry]]:
        """Sections behind those that are listed."""
        return []

    def _entries(self, kind: ListKind) -> list[Entry]:
        from inspector.protocol.listing import LISTS

        listing = self._listings.get(kind)
        if listing is None:
            return []
        odd = {oddity.index for oddity in listing.invalid}
        found: list[Entry] = []
        for index, raw in enumerate(listing.entries):
            entry = raw if isinstance(raw, dict) else {}
            name = entry.get(LISTS[kind].key)
            name = name if isinstance(name, str) else ""
            key = f"{kind} {name}" if name else f"{kind} #{index}"
            if key in self._places:
                key = f"{kind} #{index} {name}"
            self._places[key] = (kind, index)
            title = entry.get("title") or entry.get("name")
            title = title if isinstance(title, str) else ""
            found.append(Entry(key, name, title, self.note(entry), index in odd or not isinstance(raw, dict)))
        return found

    def note(self, entry: dict[str, Any]) -> str:
        """A safe word behind an entry."""
        raise NotImplementedError

    def mark(self, entry: Entry) -> Mark:
        visit = self.visits.get(entry.key)
        return ("•", "uri--branch", "") if visit is not None and visit.read else ("", "", "")

    async def _renew_views(self) -> None:
        """What they show is listed anew; what is not listed any more stays as it was."""
        for view in self.views():
            if (place := self._places.get(view.visit.key)) is not None:
                visit = self._visit_of(view.visit.key, *place)
                await view.renew(visit.entry, visit.listing, visit.reasons)

    def _visit_of(self, key: str, kind: ListKind, index: int) -> Visit:
        listing = self._listings[kind]
        raw = listing.entries[index]
        if kind not in self._texts:
            self._texts[kind] = listing.texts()
        texts = self._texts[kind]
        reasons = [oddity.reason for oddity in listing.invalid if oddity.index == index]
        if not isinstance(raw, dict) and not reasons:
            reasons = [f"this entry is {json_type(raw)}, not an object"]
        entry = raw if isinstance(raw, dict) else {}
        return Visit(key, kind, entry, texts[index] if index < len(texts) else "null", reasons)

    def visit(self, key: str) -> Visit | None:
        """What was looked at under that key, or is now for the first time; None where it is not listed."""
        place = self._places.get(key)
        return self._visit_of(key, *place) if place is not None else None

    # The chosen one

    def build(self, visit: Visit, id_: str) -> V:
        raise NotImplementedError

    def views(self) -> list[V]:
        return [view for view in self._switcher.children if isinstance(view, ChosenView)]  # type: ignore[misc]

    @property
    def view(self) -> V | None:
        current = self._switcher.current
        return next((view for view in self.views() if view.id == current), None)

    @on(UriList.Pointed)
    async def _pointed(self, event: UriList.Pointed) -> None:
        event.stop()
        if not self.has_class("-narrow"):
            await self.show(event.key)

    @on(UriLines.Opened)
    async def _opened(self, event: UriLines.Opened) -> None:
        event.stop()
        await self.open(event.key)

    async def open(self, key: str) -> None:
        """Asks at once where nothing is to be filled in; otherwise the fields get the focus."""
        await self.show(key)
        self.add_class("-open")
        view = self.view
        if view is None:
            return
        if not view.is_ready:
            view.enter()
        elif view.visit.read:
            view.enter_content()
        else:
            view.ask()
            if self.has_class("-narrow"):
                view.enter_content()

    async def show(self, key: str) -> None:
        view = next((each for each in self.views() if each.visit.key == key), None)
        if view is None:
            visit = self.visits.get(key) or self.visit(key)
            if visit is None:
                return
            self.visits[key] = visit
            await self._make_room()
            self._views += 1
            view = self.build(visit, f"view-{self._views}")
            await self._switcher.mount(view)
        if not view.is_attached:
            # The app is closing: nothing is mounted any more.
            return
        view.visit.at = time.monotonic()
        self._switcher.current = view.id
        view.show_state()
        self.refresh_bindings()

    async def _make_room(self) -> None:
        views = sorted(self.views(), key=lambda view: view.visit.at)
        spare = [view for view in views if not view.running]
        for view in spare[: max(0, len(views) - _KEPT + 1)]:
            await view.remove()

    @on(CallBar.Ended)
    def _answered(self, event: CallBar.Ended) -> None:
        event.stop()
        held = 0
        for visit in sorted(self.visits.values(), key=lambda visit: -visit.at):
            if visit.call is not None and visit.call.answer is not None:
                held += len(visit.call.answer.raw)
                if held > _HELD:
                    visit.call = None
        self.list.restyle()
        self.refresh_bindings()

    # Where the focus is

    def enter(self) -> None:
        self.list.enter()

    def leave(self) -> bool:
        if self.list.has_focus_within:
            return self.list.end_filter()
        if (view := self.view) is not None and view.has_focus_within:
            if not view.leave():
                self.remove_class("-open")
                self.list.enter()
            return True
        return False

    def open_filter(self) -> None:
        self.remove_class("-open")
        self.list.open_filter()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        view = self.view if self.is_mounted else None
        if action in ("read", "get"):
            return view is not None and not view.running
        if action == "cancel_call":
            return view is not None and view.running
        if action in ("next_view", "description"):
            return view is not None
        if action == "next_part":
            return view is not None and view.content.has_parts
        if action in ("save", "copy_all"):
            return view is not None and view.content.can_save
        return True

    def ask(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            view.ask()

    def action_cancel_call(self) -> None:
        if (view := self.view) is not None:
            view.bar.cancel()

    async def action_next_view(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.content.next_view()

    async def action_next_part(self) -> None:
        if (view := self.view) is not None:
            await view.content.next_part()

    def action_description(self) -> None:
        if (view := self.view) is not None:
            view.unfold()

    def action_save(self) -> None:
        if (view := self.view) is not None:
            view.content.save()


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
    if isinstance(meta := entry.get("_meta"), dict) and meta:
        keys = clip(", ".join(guard.line(str(key)) for key in meta), 120)
        parts.append((f"_meta: {keys}; see Listing\n", "$quiet"))
    return parts
