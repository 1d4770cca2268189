"""The resources of a server and its templates: what to choose from, and the chosen one with what was read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import BindingType

from inspector.base.errors import Failed
from inspector.base.text import bytes_size
from inspector.tui import guard
from inspector.tui.panes.choosing import ChoosingPane
from inspector.tui.panes.chosen import Visit
from inspector.tui.panes.resource import ResourceView
from inspector.tui.panes.uri_tree import Entry
from inspector.tui.registry import bindings
from inspector.tui.widgets.answers.app_page import browse, can_browse
from inspector.tui.widgets.lists.uri_list import Mark
from inspector.tui.widgets.tools.call_bar import CallBar

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.workspace.connection import Connection

_ANY = "any"


class ResourcesPane(ChoosingPane[ResourceView]):
    """Enter reads a resource; the variables of a template are filled in first."""

    SCOPE = "resources"
    KINDS: ClassVar[tuple[ListKind, ...]] = ("resources", "templates")
    TITLES = ("Resources", "Templates", "")
    NOTHING = "This server lists no resources."
    CHOOSE = "Choose a resource: enter reads it, / filters, o takes any URI."
    BINDINGS: ClassVar[list[BindingType]] = bindings("resources")

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(connection, id=id)
        self._watched: object = None
        self._asked: str | None = None

    def refresh_state(self) -> None:
        super().refresh_state()
        if self._asked is not None and self.is_listed:
            self.call_later(self.open_uri, self._asked)
        subscriptions = self.connection.subscriptions
        rereading = self.connection.rereading
        watched = (
            frozenset(subscriptions.active), frozenset(subscriptions.wanted), frozenset(subscriptions.refused),
            sum(subscriptions.updates.values()), frozenset(rereading.wanted), rereading.count,
        )  # fmt: skip
        if watched != self._watched:
            self._watched = watched
            self._show_marks()

    def more(self) -> list[list[Entry]]:
        return [[Entry(_ANY, "any other URI …", note="o")] if self.is_listed else []]

    def note(self, entry: dict[str, Any]) -> str:
        mime, size = entry.get("mimeType"), entry.get("size")
        kind = mime.partition(";")[0].rpartition("/")[2].rpartition("+")[2] if isinstance(mime, str) else ""
        kind = {"octet-stream": "binary", "plain": "text", "x-yaml": "yaml"}.get(kind, kind)
        facts = [guard.line(kind)[:10], bytes_size(size) if type(size) is int and size >= 0 else ""]
        return " ".join(fact for fact in facts if fact)

    def mark(self, entry: Entry) -> Mark:
        subscriptions, visit, uri = self.connection.subscriptions, self.visits.get(entry.key), entry.uri
        if entry.key == _ANY:
            return ("›", "uri--head", "")
        news = subscriptions.updates_of(uri) - (visit.seen if visit is not None else 0)
        if news > 0 and (uri in subscriptions.wanted or (visit is not None and visit.read)):
            return ("◉" if uri in subscriptions.wanted else "●", "uri--changed", "changed")
        if uri in subscriptions.active:
            return ("◉", "uri--on", "")
        return ("◌", "uri--odd", "") if uri in subscriptions.wanted else super().mark(entry)

    def _show_marks(self) -> None:
        self.list.restyle()
        if (view := self.view) is not None:
            view.adopt()
            view.show_state()
        self.refresh_bindings()

    async def show(self, key: str) -> None:
        await super().show(key)
        if (view := self.view) is not None:
            view.adopt()

    @on(CallBar.Ended)
    def _was_read(self, event: CallBar.Ended) -> None:
        """What the person read is what the next reading is compared with."""
        if event.call.answer is not None:
            self.connection.rereading.took(event.call.subject, event.call.answer)

    def visit(self, key: str) -> Visit | None:
        return Visit(_ANY, None, {}, "", []) if key == _ANY else super().visit(key)

    def build(self, visit: Visit, id_: str) -> ResourceView:
        return ResourceView(self.connection, visit, id=id_)

    async def open_uri(self, uri: str) -> None:
        """Reads a URI, listed or not, as soon as what is listed is known."""
        self._asked = None if self.is_listed else uri
        if not self.is_listed:
            return
        key = f"resources {uri}"
        key = key if self.visit(key) is not None else _ANY
        self.list.select(key)
        await self.show(key)
        self.add_class("-open")
        if (view := self.view) is not None:
            view.take(uri)
            view.ask()
            view.enter_content()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "watch":
            view = self.view if self.is_mounted else None
            return view is not None and self._may_subscribe and bool(view.uri)
        if action == "reread":
            return self.check_action("watch", ())
        if action == "compare_readings":
            view = self.view if self.is_mounted else None
            return view is not None and len(self.connection.rereading.readings(view.uri)) == 2
        if action == "browse":
            view = self.view if self.is_mounted else None
            return view is not None and can_browse(view.content.piece)
        return super().check_action(action, parameters)

    @property
    def _may_subscribe(self) -> bool:
        session = self.connection.session
        if session is None or session.handshake is None:
            return False
        offered = session.handshake.capabilities.get("resources")
        return self.connection.ungated or (isinstance(offered, dict) and offered.get("subscribe") is True)

    def action_read(self) -> None:
        self.ask()

    @work(group="watch")
    async def action_reread(self) -> None:
        """Has the resource on show read again on every change, or no longer."""
        view = self.view
        if view is None:
            return
        uri, subscriptions, rereading = view.uri, self.connection.subscriptions, self.connection.rereading
        on = uri not in rereading.wanted
        try:
            if on and uri not in subscriptions.active:
                view.visit.seen = subscriptions.updates_of(uri)
                await subscriptions.subscribe(uri)
        except Failed as failed:
            self.notify(
                guard.message(failed.failure.message), title="Refused", severity="warning", markup=False
            )
            return
        rereading.want(uri, on)
        if on and not rereading.readings(uri):
            view.ask()
        said = "Read again on every change" if on else "Not read again by itself any more"
        self.notify(said, title=guard.line(uri)[:100], timeout=3, markup=False)

    def action_compare_readings(self) -> None:
        """What was read last beside what it was before."""
        from inspector.tui.screens.diff import DiffScreen

        if (view := self.view) is not None and len(texts := view.texts()) == 2:
            view.visit.seen = self.connection.subscriptions.updates_of(view.uri)
            self._show_marks()
            self.app.push_screen(DiffScreen(*texts[0], *texts[1]))

    @work(group="dialogs", exclusive=True)
    async def action_browse(self) -> None:
        """Opens the page on show, after a yes."""
        view = self.view
        if view is not None and can_browse(piece := view.content.piece):
            pages = self.app.workspace.pages  # type: ignore[attr-defined]
            await browse(self.app, pages, piece, view.visit.entry.get("_meta"))

    async def action_any_uri(self) -> None:
        self.list.select(_ANY)
        await self.open(_ANY)

    @work(group="watch")
    async def action_watch(self) -> None:
        """Subscribes to the resource on show, or ends that."""
        view = self.view
        if view is None:
            return
        uri, subscriptions = view.uri, self.connection.subscriptions
        try:
            if uri in subscriptions.wanted:
                self.connection.rereading.want(uri, False)
                await subscriptions.unsubscribe(uri)
                said = "Not subscribed any more"
            else:
                view.visit.seen = subscriptions.updates_of(uri)
                await subscriptions.subscribe(uri)
                said = "Subscribed: a change is marked with ◉ changed"
        except Failed as failed:
            self.notify(
                guard.message(failed.failure.message), title="Refused", severity="warning", markup=False
            )
        else:
            self.notify(said, title=guard.line(uri)[:100], timeout=3, markup=False)
