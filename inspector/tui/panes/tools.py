"""The tools of a server: what to choose from, and the chosen one with all that was done with it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from inspector.lenses.weight import Weight, weigh
from inspector.schema.form import FormModel
from inspector.schema.takeover import take_over
from inspector.tui import wording
from inspector.tui.calls import book_of, restored
from inspector.tui.panes import tool_list
from inspector.tui.panes.tool import ToolView
from inspector.tui.registry import bindings
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.lists.filter_list import FilterList
from inspector.tui.widgets.tools.call_bar import CallBar
from inspector.tui.widgets.tools.call_list import CallList
from inspector.tui.widgets.tools.definition_view import DefinitionView

if TYPE_CHECKING:
    from inspector.session.listings import Listing
    from inspector.workspace.connection import Connection

_ROOMY = 110
"""Cells from which long names of tools and the whole form have room beside each other."""
NARROW = 72
"""Cells of width below which the list and the tool take turns."""
_OF_A_TOOL = (
    "call",
    "next_view",
    "previous_view",
    "description",
    "copy_as",
    "save_call",
    "preview",
    "fill_last",
    "edit_outside",
)
_KEPT = 16
"""Tool views that are kept as widgets; the ones left longest ago go first, and leave behind what was entered."""


class ToolsPane(Horizontal):
    """The list at the left, the tool at the right; on a narrow screen one after the other. What was entered for a tool
    is kept as long as the server is, whatever it lists anew: a tool is known by its name."""

    SCOPE = "tools"
    BINDINGS: ClassVar[list[BindingType]] = bindings("tools")
    DEFAULT_CSS = """
    ToolsPane {
        height: 1fr;
        & > FilterList { width: 33%; min-width: 22; max-width: 52; border-right: vkey $line; }
        & > ContentSwitcher { width: 1fr; height: 1fr; }
        & .empty { padding: 1 2; color: $quiet; }
        &.-roomy > FilterList { width: 38%; }
        &.-narrow > FilterList { width: 1fr; max-width: 100%; border-right: none; }
        &.-narrow > ContentSwitcher { display: none; }
        &.-narrow.-open > FilterList { display: none; }
        &.-narrow.-open > ContentSwitcher { display: block; }
        &.-result > FilterList { display: none; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connection = connection
        self._list = tool_list.ToolList(placeholder="filter tools", empty="This server lists no tools.")
        self._switcher = ContentSwitcher()
        self._listing: Listing | None = None
        self._places: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        """Tools that were looked at and are not listed any more, with the place that they had."""
        self._shown: dict[str, Widget] = {}
        self._entered: dict[str, FormModel] = {}
        """What was entered for tools that have no view any more."""
        self._built = 0
        self._wanted: str | None = None
        self._book = book_of(connection)
        self._weights: list[Weight] = []
        self._order = 0
        self._counts: Counter[str] = Counter()
        self._zoomed_by_us = False

    def compose(self) -> ComposeResult:
        yield self._list
        yield self._switcher

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")
        self.set_class(event.size.width >= _ROOMY, "-roomy")

    def refresh_state(self) -> None:
        catalog = self._connection.catalog
        listing = catalog.listings.get("tools") if catalog is not None else None
        if listing is not self._listing and listing is not None:
            self._listing = listing
            self._gone |= self._places
            self._places = {key: place for place, key in enumerate(tool_list.keys(listing))}
            self._weights = [weigh(entry) for entry in listing.entries]
            self._show_list()
            if listing.failure is not None:
                self._list.say_empty(wording.unread(listing.failure))
            self._renew(listing)
        self._show_running()
        if self._wanted is not None and listing is not None:
            wanted, self._wanted = self._wanted, None
            self.open_tool(wanted)

    def _renew(self, listing: Listing) -> None:
        """The tools that are looked at are listed anew, differently, or not any more."""
        for key, view in self._shown.items():
            if not isinstance(view, ToolView):
                continue
            if (place := self._places.get(key)) is None:
                view.say_gone()
            elif view.stands_for(listing.entries[place]):
                view.renew(listing.entries[place], tool_list.reasons(listing, place), place)
            elif view is self.view:
                self.call_later(self._show, key)

    def _show_list(self) -> None:
        if self._listing is not None:
            items = tool_list.items(self._listing, self._places, self._counts, self._weights)
            if self._order == 1:
                items.sort(key=lambda item: -self._weights[self._places[item.key]].size)
            elif self._order == 2:
                items.sort(key=lambda item: item.text.casefold())
            for key, place in self._gone.items():
                if key not in self._places and isinstance(view := self._shown.get(key), ToolView):
                    items.insert(place, tool_list.gone(key, view.name_))
            self._list.show(items)
            self._list.sum_up(tool_list.total(self._weights, tool_list.ORDERS[self._order]))

    def action_sort_tools(self) -> None:
        """As listed, the largest first, by name."""
        self._order = (self._order + 1) % len(tool_list.ORDERS)
        self._show_list()

    def _show_running(self) -> None:
        """Tools with calls under way are marked in the list."""
        running = Counter(call.subject for call in self._book.running("tools/call"))
        if running != self._counts:
            self._counts = running
            self._show_list()

    @on(CallBar.Began)
    @on(CallBar.Ended)
    def _call_moved(self) -> None:
        self._show_running()

    @property
    def view(self) -> ToolView | None:
        current = self._switcher.current
        views = (each for each in self._shown.values() if isinstance(each, ToolView))
        return next((view for view in views if view.id == current), None)

    def open_tool(self, name: str) -> None:
        """Puts the cursor on the first tool of that name, and opens it."""
        if self._listing is None:
            self._wanted = name
            return
        if (key := f"1 {name}") in self._places:
            self._list.select(key)
            self.post_message(FilterList.Opened(key))

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
        if (view := self.view) is not None:
            await view.enter()

    async def _show(self, key: str) -> None:
        if self._listing is None:
            return
        if (place := self._places.get(key)) is not None:
            entry, old = self._listing.entries[place], self._shown.get(key)
            if not (isinstance(old, ToolView) and old.is_attached and old.stands_for(entry)):
                await self._build(key, place, old)
        if (widget := self._shown.get(key)) is not None and widget.is_attached:
            self._switcher.current = widget.id
            self.refresh_bindings()

    async def _build(self, key: str, place: int, old: Widget | None) -> None:
        """A view for an entry that has none yet, or had another schema when its view was made."""
        assert self._listing is not None
        entry, reasons = self._listing.entries[place], tool_list.reasons(self._listing, place)
        self._built += 1
        id_ = f"tool-{self._built}"
        widget: Widget
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            widget = Static(tool_list.unusable(reasons), classes="empty", markup=False, id=id_)
        else:
            await self._make_room()
            before = old.model if isinstance(old, ToolView) else self._entered.pop(key, None)
            model = before
            if before is None or before.schema != entry.get("inputSchema"):
                model = FormModel(entry.get("inputSchema"))
                if before is not None:
                    take_over(before.root, model.root)
            widget = ToolView(self._connection, entry, reasons, place=place, model=model, id=id_)
        self._shown[key] = widget
        await self._switcher.add_content(widget)
        if old is not None:
            if isinstance(widget, ToolView) and isinstance(old, ToolView) and widget.is_attached:
                self._switcher.current = id_
                await widget.follow(old)
            await old.remove()

    async def _make_room(self) -> None:
        views = [(key, view) for key, view in self._shown.items() if isinstance(view, ToolView)]
        views.sort(key=lambda each: each[1].seen)
        spare = [(key, view) for key, view in views if not view.running and view is not self.view]
        for key, view in spare[: max(0, len(views) - _KEPT + 1)]:
            if view.model.root.touched:
                self._entered[key] = view.model
            del self._shown[key]
            await view.remove()

    def enter(self) -> None:
        self._list.enter()

    def leave(self) -> bool:
        if self._list.has_focus_within:
            return self._list.end_filter()
        if (view := self.view) is not None and view.has_focus_within:
            if view.query_one(AnswerView).leave():
                return True
            if view.has_class("-result"):
                self.action_zoom_result()
            elif not view.leave():
                self.remove_class("-open")
                self._list.enter()
            return True
        return False

    def open_filter(self) -> None:
        self.remove_class("-open")
        self._list.open_filter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        view = self.view if self.is_mounted else None
        if action in ("cancel_call", "extend_call", "clocks"):
            return view is not None and view.running
        if action == "history":
            return view is not None and bool(view.calls)
        if action == "as_task":
            return view is not None and bool(view.task_support)
        if action == "app_page":
            return view is not None and view.page is not None
        if action == "zoom_result":
            return view is not None and view.has_class("-answered")
        if action == "call" and view is None:
            return self.is_mounted and self._list.key is not None
        return view is not None if action in _OF_A_TOOL else True

    def title_here(self, action: str) -> str:
        """What a key of the pane does where the focus is, where its title says something else; else empty."""
        return "Open" if action == "call" and self.view is None else ""

    async def action_call(self) -> None:
        """Where no tool is on show yet, the one under the cursor is opened first: nothing is called unseen."""
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.call()
        elif (key := self._list.key) is not None:
            self.post_message(FilterList.Opened(key))

    def action_cancel_call(self) -> None:
        if (view := self.view) is not None:
            view.cancel()

    def action_extend_call(self) -> None:
        if (view := self.view) is not None:
            view.extend()

    def action_clocks(self) -> None:
        if (view := self.view) is not None:
            view.set_clocks()

    def action_zoom_result(self) -> None:
        """The result alone on the screen, and back."""
        if (view := self.view) is None:
            return
        self.add_class("-open")
        if not view.zoom_result():
            return
        large = view.has_class("-result")
        self.set_class(large, "-result")
        zoomed = getattr(self.screen, "zoomed", None)
        if large and zoomed is None:
            self.screen.add_class("-zoom-connection", "-zoomed")
            self._zoomed_by_us = True
        elif not large and self._zoomed_by_us:
            self.screen.remove_class("-zoom-connection", "-zoomed")
            self._zoomed_by_us = False

    async def action_copy_as(self) -> None:
        from inspector.tui.screens.copy_as import CopyAsScreen

        if (view := self.view) is not None:
            self.app.push_screen(CopyAsScreen(self._connection, view.copyable()))

    def action_save_call(self) -> None:
        from inspector.tui.screens.save_call import SaveCallScreen

        if (view := self.view) is not None:
            call = view.copyable()
            answer = restored(call, self.app.workspace.traffic.raw)  # type: ignore[attr-defined]
            self.app.push_screen(SaveCallScreen(self._connection, call, answer))

    @on(AnswerView.Linked)
    def _linked(self, event: AnswerView.Linked) -> None:
        """A resource that an answer links to is read where resources are read."""
        event.stop()
        self._read(event.uri)

    def action_app_page(self) -> None:
        if (view := self.view) is not None and view.page is not None:
            self._read(view.page)

    def _read(self, uri: str) -> None:
        for node in self.ancestors:
            if (opener := getattr(node, "open_resource", None)) is not None:
                opener(uri)
                return

    def owners(self) -> list[Any]:
        """The widgets inside that own scopes of actions."""
        view = self.view
        kinds = (AnswerView, CallList, DefinitionView)
        return [widget for kind in kinds for widget in view.query(kind)] if view is not None else []

    async def action_history(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.show_history()

    async def action_next_view(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.next_view()

    async def action_previous_view(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.next_view(-1)

    def action_preview(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            view.toggle_preview()

    def action_as_task(self) -> None:
        if (view := self.view) is not None:
            view.toggle_task()

    async def action_fill_last(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            await view.fill_last()

    def action_edit_outside(self) -> None:
        if (view := self.view) is not None:
            self.add_class("-open")
            self.run_worker(view.edit_outside(), exclusive=True, group="editor")

    def action_description(self) -> None:
        if (view := self.view) is not None:
            view.unfold_description()
