"""What the panes of resources and prompts have in common: a list, the chosen entry, and what was asked for before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import ContentSwitcher, Static

from inspector.protocol.listing import json_type
from inspector.tui import wording
from inspector.tui.panes.chosen import ChosenView, Visit
from inspector.tui.panes.tools import NARROW
from inspector.tui.panes.uri_tree import Entry
from inspector.tui.widgets.lists.uri_list import Mark, UriLines, UriList
from inspector.tui.widgets.tools.call_bar import CallBar

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.listings import Listing
    from inspector.workspace.connection import Connection

_KEPT = 16
"""Views that are kept as widgets; the ones left longest ago go first and are built again from their visit."""
_HELD = 256 << 20
"""Bytes of answers that are held altogether."""


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
        self._gone: dict[str, tuple[ListKind, int]] = {}
        """Entries that are not listed any more, with the place that they had."""
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
        self._gone |= self._places
        self._places = {}
        sections = [self._entries(kind) for kind in self.KINDS]
        failures = [listing.failure for listing in self._listings.values() if listing.failure is not None]
        said = ""
        if failures and not any(sections):
            said = wording.unread(failures[0])
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
        self._gone = {key: place for key, place in self._gone.items() if key not in self._places}
        for view in self.views():
            # What was looked at stays in its place, so that nothing else takes it.
            of, place = self._gone.get(view.visit.key, (None, 0))
            if of == kind:
                name = str(view.visit.entry.get(LISTS[kind].key, ""))
                found.insert(place, Entry(view.visit.key, name, note="gone", odd=True))
        return found

    def note(self, entry: dict[str, Any]) -> str:
        """A safe word behind an entry."""
        raise NotImplementedError

    def mark(self, entry: Entry) -> Mark:
        visit = self.visits.get(entry.key)
        return ("•", "uri--branch", "") if visit is not None and visit.read else ("", "", "")

    async def _renew_views(self) -> None:
        """What was looked at is listed anew; what is not listed any more stays as it was."""
        for key, visit in self.visits.items():
            if (place := self._places.get(key)) is None:
                if key in self._gone and (left := self._view_of(visit)) is not None:
                    left.complain("The server does not list this any more. It is asked for all the same.")
                continue
            fresh = self._visit_of(key, *place)
            view = self._view_of(visit)
            if view is not None and not self.asks_otherwise(visit, fresh.entry):
                await view.renew(fresh.entry, fresh.listing, fresh.reasons)
                continue
            visit.entry, visit.listing, visit.reasons = fresh.entry, fresh.listing, fresh.reasons
            if view is not None:
                await self._replace(view)

    def _view_of(self, visit: Visit) -> V | None:
        return next((each for each in self.views() if each.visit is visit), None)

    def asks_otherwise(self, visit: Visit, entry: dict[str, Any]) -> bool:
        """Takes up in the visit what is to be filled in for an entry as it is listed now; whether that is something
        else than before."""
        return False

    async def _replace(self, view: V) -> None:
        """A new view of the same visit, with the focus in it where it was in the old one."""
        inside, shown = view.has_focus_within, view is self.view
        await view.remove()
        if shown:
            await self.show(view.visit.key)
        if inside and self.view is not None:
            self.view.enter()
            self.view.complain("The server has changed what this takes. What was entered is kept.")

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
            await self._switcher.add_content(view)
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
        if action in ("next_view", "description", "preview"):
            return view is not None
        if action == "fill_last":
            return view is not None and bool(view.visit.past)
        if action in ("show_as_json", "edit_outside"):
            return view is not None and view.form is not None
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

    def action_preview(self) -> None:
        if (view := self.view) is not None:
            view.toggle_preview()

    async def action_fill_last(self) -> None:
        if (view := self.view) is not None:
            await view.fill_last()

    async def action_show_as_json(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.show_as_json()

    def action_edit_outside(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            self.run_worker(view.edit_outside(), exclusive=True, group="editor")

    def action_description(self) -> None:
        if (view := self.view) is not None:
            view.unfold()

    def action_save(self) -> None:
        if (view := self.view) is not None:
            view.content.save()
