"""The resources of a server and its templates: what to choose from, and the chosen one with what was read of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import ContentSwitcher, Static

from inspector.base.errors import Failed
from inspector.base.text import bytes_size
from inspector.protocol.listing import json_type
from inspector.tui import guard
from inspector.tui.panes.resource import ResourceView, Visit
from inspector.tui.panes.tools import NARROW
from inspector.tui.panes.uri_tree import Entry
from inspector.tui.registry import bindings
from inspector.tui.widgets.uri_list import Mark, UriLines, UriList

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.listings import Listing
    from inspector.workspace.connection import Connection

_KEPT = 16
"""Views that are kept as widgets; the ones left longest ago go first and are built again from their visit."""
_HELD = 256 << 20
"""Bytes of answers that are held altogether."""
_FREE = "free"
_KINDS: tuple[ListKind, ...] = ("resources", "templates")


class ResourcesPane(Horizontal):
    """The list at the left, the resource at the right; on a narrow screen one after the other. What was read keeps its
    answer while one walks about."""

    SCOPE = "resources"
    BINDINGS: ClassVar[list[BindingType]] = bindings("resources")
    DEFAULT_CSS = """
    ResourcesPane {
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
        self._connection = connection
        self._list = UriList(["Resources", "Templates", ""], self._mark)
        self._switcher = ContentSwitcher(
            Static("Choose a resource: enter reads it, / filters.", classes="empty", markup=False, id="none"),
            initial="none",
        )
        self._listings: dict[ListKind, Listing] = {}
        self._visits: dict[str, Visit] = {}
        self._places: dict[str, tuple[ListKind, int]] = {}
        self._texts: dict[ListKind, list[str]] = {}
        self._views = 0
        self._state: object = None
        self._asked: str | None = None

    def compose(self) -> ComposeResult:
        yield self._list
        yield self._switcher

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    # What is listed

    def refresh_state(self) -> None:
        catalog = self._connection.catalog
        listings = (
            {kind: catalog.listings[kind] for kind in _KINDS if kind in catalog.listings} if catalog else {}
        )
        if listings and any(self._listings.get(kind) is not listing for kind, listing in listings.items()):
            self._listings = listings
            self._texts.clear()
            self._plant()
            self.call_later(self._renew_views)
            if self._asked is not None:
                self.call_later(self.open_uri, self._asked)
        subscriptions = self._connection.subscriptions
        state = (
            sorted(subscriptions.active), sorted(subscriptions.wanted), list(subscriptions.refused),
            sum(subscriptions.updates.values()), self._connection.state,
        )  # fmt: skip
        if state != self._state:
            self._state = state
            self._show_marks()

    def _plant(self) -> None:
        self._places = {}
        sections = [self._entries(kind) for kind in _KINDS]
        free = [Entry(_FREE, "any other URI …", note="o")] if self._listings else []
        reasons = [
            guard.message(listing.failure.message)
            for listing in self._listings.values()
            if listing.failure is not None
        ]
        said = ""
        if reasons and not any(sections):
            said = f"The list could not be read: {reasons[0]}"
        elif self._listings and not any(sections):
            said = "This server lists no resources."
        self._list.show([*sections, free], said)

    def _entries(self, kind: ListKind) -> list[Entry]:
        listing = self._listings.get(kind)
        if listing is None:
            return []
        odd = {oddity.index for oddity in listing.invalid}
        found: list[Entry] = []
        for index, raw in enumerate(listing.entries):
            entry = raw if isinstance(raw, dict) else {}
            uri = entry.get("uri" if kind == "resources" else "uriTemplate")
            uri = uri if isinstance(uri, str) else ""
            key = f"{kind} {uri}" if uri else f"{kind} #{index}"
            if key in self._places:
                key = f"{kind} #{index} {uri}"
            self._places[key] = (kind, index)
            name = entry.get("title") or entry.get("name")
            name = name if isinstance(name, str) else ""
            found.append(Entry(key, uri, name, _note(entry), index in odd or not isinstance(raw, dict)))
        return found

    async def _renew_views(self) -> None:
        """What they show is listed anew; what is not listed any more stays as it was."""
        for view in self._switcher.query(ResourceView):
            if (place := self._places.get(view.visit.key)) is None:
                continue
            visit = self._visit_of(view.visit.key, *place)
            await view.renew(visit.entry, visit.listing, visit.reasons)

    def _visit_of(self, key: str, kind: ListKind, index: int) -> Visit:
        listing = self._listings[kind]
        raw = listing.entries[index]
        if kind not in self._texts:
            self._texts[kind] = listing.texts()
        texts = self._texts[kind]
        text = texts[index] if index < len(texts) else "null"
        reasons = [oddity.reason for oddity in listing.invalid if oddity.index == index]
        if not isinstance(raw, dict) and not reasons:
            reasons = [f"this entry is {json_type(raw)}, not an object"]
        entry = raw if isinstance(raw, dict) else {}
        return Visit(key, "resource" if kind == "resources" else "template", entry, text, reasons)

    def _visit(self, key: str) -> Visit | None:
        place = self._places.get(key)
        if key in self._visits:
            return self._visits[key]
        if key == _FREE:
            return Visit(_FREE, "free", {}, "", [])
        return self._visit_of(key, *place) if place is not None else None

    # Marks

    def _mark(self, entry: Entry) -> Mark:
        subscriptions = self._connection.subscriptions
        visit = self._visits.get(entry.key)
        uri = entry.uri
        if not uri or entry.key == _FREE:
            return ("", "", "")
        news = subscriptions.updates_of(uri) - (visit.seen if visit is not None else 0)
        read = visit is not None and visit.call is not None
        if news > 0 and (read or uri in subscriptions.wanted):
            return ("◉" if uri in subscriptions.wanted else "●", "uri--changed", "changed")
        if uri in subscriptions.active:
            return ("◉", "uri--on", "")
        if uri in subscriptions.wanted:
            return ("◌", "uri--odd", "")
        return ("•", "uri--branch", "") if read else ("", "", "")

    def _show_marks(self) -> None:
        self._list.restyle()
        if (view := self.view) is not None:
            view.show_state()
        self.refresh_bindings()

    # The chosen one

    @property
    def view(self) -> ResourceView | None:
        current = self._switcher.visible_content
        return current if isinstance(current, ResourceView) else None

    @on(UriList.Pointed)
    async def _pointed(self, event: UriList.Pointed) -> None:
        event.stop()
        if not self.has_class("-narrow"):
            await self._show(event.key)

    @on(UriLines.Opened)
    async def _opened(self, event: UriLines.Opened) -> None:
        """A resource is read at once; what has to be filled in gets the focus."""
        event.stop()
        await self._open(event.key)

    async def _open(self, key: str) -> None:
        await self._show(key)
        self.add_class("-open")
        view = self.view
        if view is None:
            return
        if not view.is_ready:
            view.enter()
        elif view.visit.call is None:
            view.read()
            if self.has_class("-narrow"):
                view.enter_content()
        else:
            view.enter_content()

    async def _show(self, key: str) -> None:
        view = next((each for each in self._switcher.query(ResourceView) if each.visit.key == key), None)
        if view is None:
            visit = self._visit(key)
            if visit is None:
                return
            self._visits[key] = visit
            await self._make_room()
            self._views += 1
            view = ResourceView(self._connection, visit, id=f"resource-{self._views}")
            await self._switcher.mount(view)
        view.visit.at = time.monotonic()
        self._switcher.current = view.id
        view.show_state()
        self.refresh_bindings()

    async def _make_room(self) -> None:
        views = sorted(self._switcher.query(ResourceView), key=lambda view: view.visit.at)
        spare = [view for view in views if not view.running]
        for view in spare[: max(0, len(views) - _KEPT + 1)]:
            await view.remove()

    @on(ResourceView.Answered)
    def _answered(self, event: ResourceView.Answered) -> None:
        event.stop()
        self._drop_old_answers()
        self._show_marks()

    def _drop_old_answers(self) -> None:
        held = 0
        for visit in sorted(self._visits.values(), key=lambda visit: -visit.at):
            if visit.call is not None and visit.call.answer is not None:
                held += len(visit.call.answer.raw)
                if held > _HELD:
                    visit.call = None

    # Where the focus is

    def enter(self) -> None:
        self._list.enter()

    def leave(self) -> bool:
        if self._list.has_focus_within:
            return self._list.end_filter()
        if (view := self.view) is not None and view.has_focus_within:
            if not view.leave():
                self.remove_class("-open")
                self._list.enter()
            return True
        return False

    def open_filter(self) -> None:
        self.remove_class("-open")
        self._list.open_filter()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        view = self.view if self.is_mounted else None
        if action == "read":
            return view is not None and not view.running
        if action == "cancel_call":
            return view is not None and view.running
        if action in ("next_view", "description"):
            return view is not None
        if action == "next_part":
            return view is not None and view.content.has_parts
        if action in ("save", "copy_all"):
            return view is not None and view.content.can_save
        if action == "watch":
            return view is not None and self._declares_subscribe and "{" not in view.uri and bool(view.uri)
        return True

    def action_read(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            view.read()

    def action_cancel_call(self) -> None:
        if (view := self.view) is not None:
            view.cancel()

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

    async def action_any_uri(self) -> None:
        self._list.select(_FREE)
        await self._open(_FREE)

    async def open_uri(self, uri: str) -> None:
        """Reads a URI, listed or not, as soon as what is listed is known."""
        self._asked = None if self._listings else uri
        if not self._listings:
            return
        key = f"resources {uri}" if f"resources {uri}" in self._places else _FREE
        self._list.select(key)
        await self._show(key)
        self.add_class("-open")
        if (view := self.view) is not None:
            view.read_uri(uri)
            view.enter_content()

    @property
    def _declares_subscribe(self) -> bool:
        session = self._connection.session
        if session is None or session.handshake is None:
            return False
        offered = session.handshake.capabilities.get("resources")
        return isinstance(offered, dict) and offered.get("subscribe") is True

    @work(group="watch")
    async def action_watch(self) -> None:
        """Subscribes to the resource on show, or ends that."""
        view = self.view
        if view is None:
            return
        uri, subscriptions = view.uri, self._connection.subscriptions
        try:
            if uri in subscriptions.wanted:
                await subscriptions.unsubscribe(uri)
                said = "Not subscribed any more"
            else:
                await subscriptions.subscribe(uri)
                said = "Subscribed: a change is marked with ◉ changed"
        except Failed as failed:
            self.notify(
                guard.message(failed.failure.message), title="Refused", severity="warning", markup=False
            )
        else:
            self.notify(said, title=guard.line(uri)[:100], timeout=3, markup=False)


def _note(entry: dict[str, Any]) -> str:
    """Kind and size in a few characters."""
    mime, size = entry.get("mimeType"), entry.get("size")
    kind = mime.partition(";")[0].rpartition("/")[2].rpartition("+")[2] if isinstance(mime, str) else ""
    kind = {"octet-stream": "binary", "plain": "text", "x-yaml": "yaml"}.get(kind, kind)
    facts = [guard.line(kind)[:10], bytes_size(size) if type(size) is int and size >= 0 else ""]
    return " ".join(fact for fact in facts if fact)
