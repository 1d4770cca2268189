"""One tool: what it says of itself, its arguments as form or JSON, the call under way, the answer, those before."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher, Static, TextArea

from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.calls import MARKS, Call
from inspector.tui.widgets.answer_view import AnswerView
from inspector.tui.widgets.call_bar import CallBar
from inspector.tui.widgets.facts import Part
from inspector.tui.widgets.filter_list import FilterList, Item
from inspector.tui.widgets.tab_strip import Tab, TabStrip

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_HISTORY = 50
_HINTS = (
    ("readOnlyHint", True, "only reads", "$text-success"),
    ("destructiveHint", True, "may destroy", "bold $text-error"),
    ("idempotentHint", True, "safe to repeat", "$quiet"),
    ("openWorldHint", True, "reaches outside", "$quiet"),
)
SHORT = 22
"""Rows of height below which arguments and answer take turns."""


class ToolView(Vertical):
    """Keeps its arguments, answers and history as long as it lives. `key` is its place in the list of tools."""

    DEFAULT_CSS = """
    ToolView {
        height: 1fr;
        & > #tool-head { height: auto; max-height: 6; padding: 0 1; margin-bottom: 1; }
        &.-unfolded > #tool-head { max-height: 60%; overflow-y: auto; }
        & > #tool-editor { height: 1fr; min-height: 3; }
        & > #tool-problem { height: auto; max-height: 4; padding: 0 1; color: $text-error; display: none; }
        & > AnswerView { height: 1.2fr; display: none; margin-top: 1; }
        &.-answered > AnswerView { display: block; }
        &.-short.-answered.-reading > #tool-editor { display: none; }
        &.-short.-answered.-reading > #tool-head { display: none; }
        &.-short.-answered > AnswerView { display: none; }
        &.-short.-answered.-reading > AnswerView { display: block; margin-top: 0; }
        & TextArea { height: 1fr; }
        & JsonView { height: 1fr; padding: 0 1; }
        & .note { color: $quiet; padding: 1; height: auto; }
    }
    """

    def __init__(
        self,
        connection: Connection,
        entry: dict[str, Any],
        reasons: list[str],
        *,
        key: str,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.key = key
        self.seen = time.monotonic()
        self._connection = connection
        self._entry = entry
        self._reasons = reasons
        self._calls: deque[Call] = deque(maxlen=_HISTORY)
        self._head = Static(_head(entry, reasons), id="tool-head", markup=False)
        self._strip = TabStrip(self._tabs(), id="tool-tabs")
        self._editor = ContentSwitcher(id="tool-editor")
        self._problem = Static(id="tool-problem", markup=False)
        self._bar = CallBar(connection, "Call")
        self._answer = AnswerView()
        self._json: TextArea | None = None

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._strip
        yield self._editor
        yield self._problem
        yield self._bar
        yield self._answer

    async def on_mount(self) -> None:
        await self._open("json")

    def on_resize(self) -> None:
        self.set_class(self.size.height < SHORT, "-short")

    @property
    def running(self) -> bool:
        return self._bar.running

    @property
    def name_(self) -> str:
        return str(self._entry["name"])

    def renew(self, entry: dict[str, Any] | None) -> None:
        """The list was read again; a tool that is gone keeps what was done with it."""
        if entry == self._entry:
            return
        if entry is None or entry.get("name") != self._entry.get("name"):
            self._bar.tell("the server does not list this tool any more", "$text-warning")
            return
        self._entry = entry
        self._head.update(_head(entry, self._reasons))
        self._editor.query("#view-schema").remove()

    def _tabs(self) -> list[Tab]:
        tabs = [Tab("json", "JSON"), Tab("schema", "Schema")]
        if self._calls:
            tabs.append(Tab("history", "History", str(len(self._calls))))
        return tabs

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        if event.strip is self._strip:
            event.stop()
            self.remove_class("-reading")
            await self._open(event.tab)

    async def _open(self, tab: str) -> None:
        self.seen = time.monotonic()
        id_ = f"view-{tab}"
        if not self._editor.query(f"#{id_}"):
            await self._editor.mount(self._build(tab, id_))
        if tab == "history":
            self._editor.query_one(f"#{id_}", FilterList).show(self._history())
        self._strip.active = tab
        self._editor.current = id_

    def _build(self, tab: str, id_: str) -> Any:
        if tab == "json":
            self._json = TextArea(
                _skeleton(self._entry), id=id_, tab_behavior="focus", show_line_numbers=False
            )
            return self._json
        if tab == "history":
            return FilterList(placeholder="filter calls", empty="No calls yet.", id=id_)
        from inspector.tui.widgets.json_view import JsonView

        return JsonView(self._entry_text(), id=id_)

    def _entry_text(self) -> str:
        catalog = self._connection.catalog
        listing = catalog.listings.get("tools") if catalog is not None else None
        texts = listing.texts() if listing is not None else []
        return texts[int(self.key)] if int(self.key) < len(texts) else json.dumps(self._entry)

    def next_view(self) -> None:
        self._strip.action_step(1)

    def unfold_description(self) -> None:
        self.toggle_class("-unfolded")

    def enter(self) -> None:
        """The focus goes to the arguments."""
        self.remove_class("-reading")
        current = self._editor.visible_content
        if isinstance(current, FilterList):
            current.enter()
        elif current is not None:
            current.focus()

    def leave(self) -> bool:
        """From the answer back to the arguments, where they take turns."""
        if self.has_class("-short") and self.has_class("-reading"):
            self.enter()
            return True
        return False

    # Calling

    def _arguments(self) -> Any:
        """The arguments as they stand. Raises ValueError with the place of a mistake."""
        text = self._json.text if self._json is not None else ""
        try:
            return json.loads(text) if text.strip() else {}
        except json.JSONDecodeError as error:
            raise ValueError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
        except RecursionError:
            raise ValueError("nested too deeply") from None

    async def call(self) -> None:
        """Calls with the arguments as they stand; does nothing while a call runs."""
        if self.running:
            return
        try:
            arguments = self._arguments()
        except ValueError as error:
            self._complain(f"Not JSON, so it cannot be sent: {error}")
            return
        self._complain("")
        self._begin(Call("tools/call", {"name": self.name_, "arguments": arguments}))

    def _begin(self, call: Call) -> None:
        self._calls.appendleft(call)
        self._strip.show(self._tabs())
        self._bar.begin(call)

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        event.stop()
        await self._answer.show(event.call)
        self.add_class("-answered", "-reading")
        if self._strip.active == "history":
            await self._open("history")
        if self.has_class("-short") and self.has_focus_within:
            self.call_after_refresh(self._answer.enter)

    @on(CallBar.Wanted)
    async def _call_wanted(self, event: CallBar.Wanted) -> None:
        event.stop()
        await self.call()

    def cancel(self) -> None:
        self._bar.cancel()

    def _complain(self, text: str) -> None:
        self._problem.display = bool(text)
        self._problem.update(guard.safe(text))

    # What was called before

    def _history(self) -> list[Item]:
        return [
            Item(
                str(number),
                clip(guard.line(json.dumps(call.params.get("arguments"), ensure_ascii=False)), 200),
                mark=MARKS[call.badge],
                note=f"{time.strftime('%H:%M:%S', time.localtime(call.at))} · {duration(call.elapsed)}",
            )
            for number, call in enumerate(self._calls)
        ]

    @on(FilterList.Pointed)
    async def _past_pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        call = self._calls[int(event.key)]
        if not call.running and not self.running:
            await self._answer.show(call)
            self.add_class("-answered")

    @on(FilterList.Opened)
    async def _past_opened(self, event: FilterList.Opened) -> None:
        """Its arguments are taken up again, to be sent as they were or after a change."""
        event.stop()
        call = self._calls[int(event.key)]
        await self._open("json")
        if self._json is not None:
            self._json.text = json.dumps(call.params.get("arguments"), ensure_ascii=False, indent=2)
            self._json.focus()


def _head(entry: dict[str, Any], reasons: list[str]) -> Content:
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(str(name)), "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$quiet"))
    hints = entry.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    for member, value, word, tone in _HINTS:
        if hints.get(member) is value:
            parts.append((f"  {word}", tone))
    parts.append(("\n", ""))
    for reason in reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:8000], "$quiet"))
    return Content.assemble(*parts)


def _skeleton(entry: dict[str, Any]) -> str:
    """A start for the arguments as JSON: what is required, with defaults where there are some."""
    schema = entry.get("inputSchema")
    schema = schema if isinstance(schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    properties = properties if isinstance(properties, dict) else {}
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return json.dumps({name: _blank(properties.get(name)) for name in names}, ensure_ascii=False, indent=2)


def _blank(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return None
    for member in ("default", "const"):
        if member in schema:
            return schema[member]
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][0]
    kind = schema.get("type")
    blanks: dict[str, Any] = {
        "string": "",
        "number": 0,
        "integer": 0,
        "boolean": False,
        "array": [],
        "object": {},
    }
    return blanks.get(kind) if isinstance(kind, str) else None
