"""The views of a tool: its form, the form that a model sees, the definition, JSON, the calls so far. Beside them the
frame that what is entered would be sent as."""

from __future__ import annotations

import asyncio
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from inspector.base.numbers import unwritten, verbatim
from inspector.lenses.java_sdk.clients import tool_report
from inspector.lenses.paicli import Sanitized, sanitize
from inspector.lenses.paicli_answer import global_name, name_troubles
from inspector.schema.field import Issue
from inspector.schema.form import FormModel
from inspector.schema.validate import is_large
from inspector.tui import guard
from inspector.tui.calls import Call, book_of
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.forms.schema_form import SchemaForm
from inspector.tui.widgets.lists.filter_list import FilterList
from inspector.tui.widgets.tools.call_list import CallList
from inspector.tui.widgets.tools.definition_view import DefinitionView
from inspector.tui.widgets.tools.frame_preview import FramePreview, veiled
from inspector.tui.widgets.tools.model_view import ModelView
from inspector.tui.widgets.tools.rewrite_list import RewriteList
from inspector.workspace.longtasks import TTL, may_be_task

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

ASK = "tools/call"
_ENTERED = ("form", "json", "model")
"""The views in which arguments are entered."""
_CALM = 0.1
"""Seconds without a key before the frame on show follows."""


class ToolWork(Container):
    """Keeps what was entered. `strip` is the row of tabs, for whoever composes this to put above it. Posts what the
    forms and the list of calls post."""

    DEFAULT_CSS = """
    ToolWork {
        layout: vertical; height: 1fr; min-height: 3;
        & > ContentSwitcher { height: 1fr; width: 1fr; }
        & > FramePreview { height: 45%; display: none; border-top: solid $line; }
        &.-low > FramePreview { height: 60%; }
        &.-beside { layout: horizontal; }
        &.-beside > FramePreview { height: 1fr; width: 45%; border-top: none; border-left: vkey $line; }
    }
    """

    class Opened(Message):
        """Another view is on show."""

    def __init__(
        self, connection: Connection, entry: dict[str, Any], place: int, model: FormModel | None, *, id: str
    ) -> None:
        super().__init__(id=id)
        self.entry = entry
        self._connection = connection
        self._place = place
        self.form = SchemaForm(model or FormModel(entry.get("inputSchema")), id="view-form")
        self.form_in_hand = self.form
        """The one whose arguments a call sends."""
        self.strip = TabStrip(self._tabs(), id="tool-tabs")
        self.previewing = False
        self.as_task = self.task_support == "required"
        """Whether calls are sent as tasks."""
        self._switcher = ContentSwitcher(id="tool-editor")
        self._preview = FramePreview(connection, id="tool-preview")
        self._drafting: Timer | None = None

    def compose(self) -> ComposeResult:
        yield self._switcher
        yield self._preview

    async def start(self) -> None:
        """Opens the view to begin with."""
        await self.open(self.first)
        self._remember(self.form)

    @property
    def task_support(self) -> str:
        """`required` or `optional` where the tool can be called as a task; else empty."""
        session = self._connection.session
        handshake = session.handshake if session is not None else None
        return may_be_task(self.entry, handshake.capabilities if handshake is not None else {})

    @property
    def first(self) -> str:
        """The view to fill arguments in with."""
        return "json" if self.form.model.raw_only else "form"

    @property
    def calls(self) -> list[Call]:
        """Those of this tool, newest first."""
        return list(book_of(self._connection).of(ASK, str(self.entry["name"])))

    async def renew(self, entry: dict[str, Any], place: int) -> None:
        """The list was read again, and holds the tool with the same schema."""
        self.entry, self._place = entry, place
        await self._switcher.query(DefinitionView).remove()
        if self.strip.active == "raw":
            await self.open("raw")

    # Views

    def _tabs(self) -> list[Tab]:
        tabs = [Tab("form", "Form"), Tab("model", "Model"), Tab("raw", "Raw"), Tab("json", "JSON")]
        if calls := self.calls:
            tabs.append(Tab("history", "History", str(len(calls))))
        return tabs

    async def open(self, tab: str) -> None:
        """Shows a view; it is built when it is looked at first."""
        id_ = "view-form" if tab == "json" else f"view-{tab}"
        if not self._switcher.is_attached:
            # The view is being taken down, as at the end of the app: nothing is mounted any more.
            return
        if not self._switcher.query(f"#{id_}"):
            await self._switcher.mount(self._build(tab, id_))
        if tab == "history":
            self._switcher.query_one(f"#{id_}", CallList).show_calls(self.calls)
        elif tab in ("form", "json"):
            self.form_in_hand = self.form
            await self.form.show("json" if tab == "json" else "form")
        elif tab == "model":
            self.form_in_hand = form = self._switcher.query_one(ModelView).form
            await form.show("json" if form.model.root.state == "json" else "form")
        self.strip.active = tab
        self._switcher.current = id_
        self.draft()
        self.post_message(self.Opened())

    def _build(self, tab: str, id_: str) -> Widget:
        if tab in ("form", "json"):
            return self.form
        if tab == "history":
            return CallList(id=id_)
        if tab == "model":
            view = ModelView(self.entry.get("inputSchema"), self._sanitized, self._global_name(), id=id_)
            self._remember(view.form)
            return view
        return DefinitionView(self._entry_text(), self._sanitized, tool_report(self.entry), id=id_)

    @cached_property
    def _sanitized(self) -> Sanitized:
        return sanitize(self.entry.get("inputSchema"), missing="inputSchema" not in self.entry)

    def _global_name(self) -> Content:
        server, tool = self._connection.name, str(self.entry["name"])
        troubles = [(f"\n▲ {trouble}", "$text-warning") for trouble in name_troubles(server, tool)]
        return Content.assemble((guard.line(global_name(server, tool)), "bold"), *troubles)

    def _entry_text(self) -> str:
        catalog = self._connection.catalog
        listing = catalog.listings.get("tools") if catalog is not None else None
        texts = listing.texts() if listing is not None else []
        return texts[self._place] if self._place < len(texts) else json.dumps(self.entry)

    async def step(self, by: int) -> None:
        """To the view so many tabs further to the right."""
        names = [tab.id for tab in self.strip.tabs]
        await self.open(names[(names.index(self.strip.active) + by) % len(names)])

    async def enter(self) -> bool:
        """The focus goes to what is on show; False where there is nothing to be done with it."""
        current = self._switcher.visible_content
        if self.strip.active in _ENTERED:
            form = self.form_in_hand
            if form.view == "form" and not form.model.fields:
                return False
            await form.enter()
        elif isinstance(current, FilterList | DefinitionView):
            current.enter()
        return True

    @property
    def height_wanted(self) -> int | None:
        """Rows of height that the form takes as a whole; None for what is no form."""
        return self.form.height_wanted if self.strip.active == "form" else None

    @on(RewriteList.Opened)
    async def _place_wanted(self, event: RewriteList.Opened) -> None:
        """What was rewritten is shown where it stands in the schema."""
        event.stop()
        await self.open("raw")
        await self._switcher.query_one(DefinitionView).show_place(event.pointer)

    # Calls so far

    @property
    def history(self) -> CallList | None:
        """The list of calls while it is on show."""
        return self._switcher.query_one(CallList) if self.strip.active == "history" else None

    def call_named(self, key: str) -> Call | None:
        """The call under a key of the list."""
        lists = self._switcher.query(CallList)
        return lists.first().by_key(key) if lists else None

    def refresh_calls(self) -> None:
        """A call began or ended."""
        self.strip.show(self._tabs())
        for view in self._switcher.query(CallList):
            view.show_calls(self.calls)
        self.draft()

    def _remember(self, form: SchemaForm) -> None:
        form.remember(lambda: [call.params.get("arguments") for call in self.calls])

    async def take_up(self, call: Call) -> None:
        """Shows the arguments of a call in the form."""
        if self.strip.active not in _ENTERED:
            await self.open(self.first)
        await self.form_in_hand.load(unwritten(call.params.get("arguments")))

    # What would be sent

    def params(self, arguments: Any) -> dict[str, Any]:
        """The parameters of a call with these arguments, numbers as they were typed."""
        try:
            arguments = verbatim(arguments)
        except ValueError:
            pass  # sending says what is wrong with it
        as_task = {"task": {"ttl": TTL}} if self.as_task else {}
        return {"name": str(self.entry["name"]), "arguments": arguments, **as_task}

    async def params_apart(self, arguments: Any) -> dict[str, Any]:
        """The same; what is large is written in a thread."""
        return (
            await asyncio.to_thread(self.params, arguments) if is_large(arguments) else self.params(arguments)
        )

    def misfits(self, arguments: Any) -> list[Issue]:
        """What the raw schema has against arguments that were entered as a model would enter them."""
        return (
            self._switcher.query_one(ModelView).misfits(arguments)
            if self.form_in_hand is not self.form
            else []
        )

    def show_preview(self, shown: bool, *, beside: bool, low: bool) -> None:
        """Where the frame that would be sent stands, if it does: beside what is entered, or below it."""
        self._preview.display = shown
        self.set_class(shown and beside, "-beside")
        self.set_class(low, "-low")

    def secrets(self) -> list[str]:
        """The texts in fields for passwords, as far as they are entered."""
        return [value for _, value in self.form_in_hand.model.secrets() if isinstance(value, str)]

    def preview(self, wanted: bool) -> None:
        """Whether the frame is wanted."""
        self.previewing = wanted
        self.draft()
        self.call_after_refresh(self._preview.bring_up)

    def draft(self) -> None:
        """Brings the frame in line with what is entered; one of megabytes is written in a thread."""
        if self.previewing:
            form = self.form_in_hand
            arguments = veiled(form.model.collect().arguments, form.veiled)
            self.workers.cancel_group(self, "draft")
            if is_large(arguments):
                self.run_worker(self._draft_apart(arguments), group="draft")
            else:
                self._preview.show(ASK, self.params(arguments))

    async def _draft_apart(self, arguments: Any) -> None:
        self._preview.show(ASK, await self.params_apart(arguments))

    @on(SchemaForm.Changed)
    def _changed(self) -> None:
        if self.previewing:
            if self._drafting is not None:
                self._drafting.stop()
            self._drafting = self.set_timer(_CALM, self.draft)

    async def edit_outside(self) -> None:
        """The arguments, or one field of them, in the person's own editor."""
        if self.strip.active not in _ENTERED:
            await self.open("json")
        if not await self.form_in_hand.edit_outside():
            return
        if self.form_in_hand is self.form and self.form.view == "json":
            await self.open("json")
        # What had the focus may have gone with the view.
        await self.enter()
