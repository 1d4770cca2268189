"""What came of a call: how it went, what it holds, the frame itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import ContentSwitcher, Input, Static

from inspector.base.errors import Failure
from inspector.base.text import bytes_size, decode, duration
from inspector.tui import guard
from inspector.tui.calls import MARKS
from inspector.tui.registry import bindings
from inspector.tui.widgets import blocks
from inspector.tui.widgets.facts import Part
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.tab_strip import Tab, TabStrip

if TYPE_CHECKING:
    from inspector.tui.calls import Call


class AnswerView(Vertical):
    """`show` takes a call that is over; the views of it are built when they are looked at."""

    HELP = (
        "What came of a call: first how it went, then what it holds, then the frame as it was on the wire. / searches,"
        " y copies."
    )
    SCOPE = "result"
    BINDINGS: ClassVar[list[BindingType]] = bindings("result")
    DEFAULT_CSS = """
    AnswerView {
        height: 1fr;
        & > #answer-head { height: 1; padding: 0 1; background: $surface; }
        & > Input { display: none; }
        & > ContentSwitcher { height: 1fr; }
        & #answer-content { padding: 1 1 0 1; }
        & #answer-text { height: auto; }
        & JsonView { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._call: Call | None = None
        self._raw = ""
        self._structured: str | None = None
        self._parts: list[Part] = []
        self._head = Static(id="answer-head", markup=False)
        self._strip = TabStrip([], id="answer-tabs")
        self._text = Static(id="answer-text", markup=False)
        self._scroll = VerticalScroll(self._text, id="answer-content")
        self._search = Input(placeholder="search; enter finds the next place, esc closes", compact=True)
        self._switcher = ContentSwitcher(self._scroll, initial="answer-content")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._strip
        yield self._search
        yield self._switcher

    @property
    def call(self) -> Call | None:
        return self._call

    async def show(self, call: Call) -> None:
        """Shows how a call ended."""
        self._call = call
        answer = call.answer
        self._raw = decode(answer.raw) if answer is not None else ""
        self._structured = blocks.structured(self._raw) if answer is not None and call.why is None else None
        self._parts = self._content(call)
        self._head.update(self._summary(call))
        self._text.update(Content.assemble(*self._parts))
        await self._switcher.query(JsonView).remove()
        tabs = [Tab("content", "Answer")]
        if self._structured is not None:
            tabs.append(Tab("structured", "Structured"))
        if self._raw:
            tabs.append(Tab("raw", "Raw", bytes_size(len(answer.raw) if answer is not None else 0)))
        self._strip.show(tabs)
        only = self._structured is not None and not blocks.plain(self._parts).strip()
        await self._open("structured" if only else "content")
        self._scroll.scroll_home(animate=False)

    def _content(self, call: Call) -> list[Part]:
        why = call.why
        parts = _why(why) if why is not None else self._result(call)
        for note in _notes(call):
            parts += [("\n▲ ", "$text-warning"), (guard.message(note), "$foreground")]
        return parts

    def _result(self, call: Call) -> list[Part]:
        result = call.answer.result if call.answer is not None else None
        if call.ask == "resources/read":
            contents = result.get("contents") if isinstance(result, dict) else None
            if not isinstance(contents, list):
                return [("The answer has no list of contents; see Raw.\n", "$text-warning")]
            return [part for entry in contents for part in (*blocks.contents_parts(entry), ("\n", ""))]
        if call.ask == "prompts/get":
            messages = result.get("messages") if isinstance(result, dict) else None
            if not isinstance(messages, list):
                return [("The answer has no list of messages; see Raw.\n", "$text-warning")]
            return [part for message in messages for part in (*blocks.message_parts(message), ("\n", ""))]
        return blocks.result_parts(result)

    @staticmethod
    def _summary(call: Call) -> Content:
        mark, tone = MARKS[call.badge]
        facts = [duration(call.elapsed)]
        if call.answer is not None:
            facts.append(blocks.counted(call.answer.result))
            facts.append(bytes_size(len(call.answer.raw)))
            facts.append(f"frame {call.answer.row}")
        said = " · ".join(fact for fact in facts if fact)
        return Content.assemble((f"{mark} {call.badge}", f"bold {tone}"), (f"  {said}", "$quiet"))

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        await self._open(event.tab)

    async def _open(self, tab: str) -> None:
        self._strip.active = tab
        id_ = f"answer-{tab}"
        if not self._switcher.query(f"#{id_}"):
            text = self._raw if tab == "raw" else self._structured or ""
            await self._switcher.mount(JsonView(text, id=id_))
        self._switcher.current = id_

    def copy_offer(self) -> tuple[str, str] | None:
        if self._call is None:
            return None
        if self._strip.active == "raw":
            return "The frame", self._raw
        if self._strip.active == "structured":
            return "The structured content", self._structured or ""
        return "The answer", blocks.plain(self._parts)

    def open_filter(self) -> None:
        """Searches the frame; where the answer is shown as text, the frame is opened first."""
        if self._raw:
            self.call_later(self._open_search)

    async def _open_search(self) -> None:
        if self._strip.active == "content":
            await self._open("raw")
        self._search.display = True
        self._search.focus()

    @on(Input.Submitted)
    def _searched(self, event: Input.Submitted) -> None:
        event.stop()
        view = self._switcher.visible_content
        if isinstance(view, JsonView):
            view.search(event.value)

    @on(JsonView.NotFound)
    def _not_found(self, event: JsonView.NotFound) -> None:
        event.stop()
        self.notify(f"{guard.line(event.needle)} is not in it", timeout=3, markup=False)

    def leave(self) -> bool:
        """Ends the search; False where there is none."""
        if not self._search.display:
            return False
        self._search.display = False
        self._search.value = ""
        for view in self._switcher.query(JsonView):
            view.search("")
        self.enter()
        return True

    def enter(self) -> None:
        """The focus goes to what is read."""
        current = self._switcher.visible_content
        if current is not None:
            current.focus()


def _notes(call: Call) -> list[str]:
    """What is odd about an answer that could be used all the same."""
    if call.answer is None:
        return []
    notes = list(call.answer.notes)
    result = call.answer.result
    if isinstance(call.promised, dict) and call.badge == "ok" and isinstance(result, dict):
        from inspector.schema.validate import check_result

        if "structuredContent" not in result:
            notes.append("the tool has an outputSchema, but the answer has no structuredContent")
        else:
            found = check_result(call.promised, result["structuredContent"])
            notes += [f"structuredContent{path}: {message}" for path, message in found[:10]]
    return notes


def _why(failure: Failure) -> list[Part]:
    parts: list[Part] = [(guard.message(failure.message) + "\n", "bold $foreground")]
    if failure.hint:
        parts += [("→ ", "bold $text-accent"), (guard.message(failure.hint) + "\n", "$foreground")]
    if failure.code is not None:
        parts.append((f"code {failure.code}\n", "$quiet"))
    if failure.data is not None:
        parts += [("data  ", "$quiet"), (guard.block(_json(failure.data)) + "\n", "$foreground")]
    if failure.stderr:
        parts.append(("\nlast lines of stderr\n", "$quiet"))
        parts.append(("\n".join(guard.message(line) for line in failure.stderr[-8:]) + "\n", "$foreground"))
    return parts


def _json(value: object) -> str:
    import json

    try:
        return json.dumps(value, ensure_ascii=False, indent=2)[: blocks.MOST_TEXT]
    except (ValueError, RecursionError):
        return "data that is too deep to show; see Raw"
