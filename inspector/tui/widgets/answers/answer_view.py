"""What came of a call: how it went, what it holds, the frame itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, Static

from inspector.base import jsontext
from inspector.base.errors import Failure
from inspector.base.text import bytes_size, clip, decode
from inspector.protocol.jsonrpc import LINKS_FIRST
from inspector.schema.field import Issue
from inspector.schema.validate import check_result, check_result_apart
from inspector.session.answer import Answer
from inspector.tui import guard
from inspector.tui.calls import restored
from inspector.tui.registry import bindings
from inspector.tui.widgets.answers import blocks, verdict
from inspector.tui.widgets.answers.block_view import BlockView
from inspector.tui.widgets.answers.blocks import Block
from inspector.tui.widgets.answers.failure_card import failure_parts
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.inbox.required_links import RequiredLinks, required_links
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.json_view import JsonView

if TYPE_CHECKING:
    from inspector.tui.calls import Call

_LONG = 1 << 18
"""Characters of an answer from which what is to be said about it comes when it is on show already."""


class AnswerView(Vertical):
    """`show` takes a call that is over; the views of it are built when they are looked at. Posts `Linked` when the
    person wants to read a resource that the answer links to."""

    HELP = (
        "What came of a call: first how it went, then what it holds, then the frame as it was on the wire. / searches,"
        " y copies."
    )
    SCOPE = "result"
    BINDINGS: ClassVar[list[BindingType]] = bindings("result")
    DEFAULT_CSS = """
    AnswerView {
        height: 1fr;
        & > #answer-head {
            height: 1; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis;
        }
        & > #answer-notes { height: auto; max-height: 4; padding: 0 1; display: none; }
        & > Input { display: none; }
        & > ContentSwitcher { height: 1fr; }
        & #answer-why { padding: 0 1; }
        & #answer-why > Static { height: auto; }
        & JsonView, & BlockView { height: 1fr; padding: 0 1; }
    }
    """

    class Linked(Message):
        """A resource is to be read; the URI is foreign."""

        def __init__(self, uri: str) -> None:
            super().__init__()
            self.uri = uri

    class AgainWanted(Message):
        """The same call is to be made once more."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    class CompareWanted(Message):
        """This answer is to be compared with the one before it."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._call: Call | None = None
        self._answer: Answer | None = None
        self._raw = ""
        self._texts: dict[str, str] = {}
        self._block: Block | None = None
        self._first = "content"
        self._head = Static(id="answer-head", markup=False)
        self._notes = Static(id="answer-notes", markup=False)
        self._strip = TabStrip([], id="answer-tabs")
        self._content = BlockView(id="answer-content")
        self._why_text = Static(markup=False)
        self._why = Scroll(self._why_text, id="answer-why")
        self._search = Input(placeholder="search; enter finds the next place, esc closes", compact=True)
        self._switcher = ContentSwitcher(self._content, self._why, initial="answer-content")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._notes
        yield self._strip
        yield self._search
        yield self._switcher

    @property
    def call(self) -> Call | None:
        return self._call

    async def show(self, call: Call) -> None:
        """Shows how a call ended."""
        self._call = call
        answer = self._answer = restored(call, self._raw_of)
        self._raw = decode(answer.raw) if answer is not None else ""
        why = call.failure or (answer.failure if answer is not None else None)
        if answer is None and why is None:
            why = Failure(
                kind="io",
                message="This answer is not held any more: the traffic has reached its bounds.",
                hint="repeat the call, or record before you begin (R)",
            )
        self._texts = {"raw": self._raw}
        result = answer.result if answer is not None else None
        # Only where it is there: to find its text, all members of the result are gone through.
        if why is None and isinstance(result, dict) and "structuredContent" in result:
            self._texts["structured"] = blocks.structured(self._raw) or ""
        shown = blocks.result_blocks(result) if why is None else []
        self._block = next((block for block in shown if block.holds_json), None)
        self._head.update(verdict.summary(call, answer))
        self._notes.display = False
        self._content.load(shown)
        parts = failure_parts(why, data=why.code != LINKS_FIRST) if why is not None else []
        self._why_text.update(Content.assemble(*parts))
        await self._why.query(RequiredLinks).remove()
        if (links := required_links(why)) is not None:
            # They are what there is to do: on a small screen what is below them is not seen.
            await self._why.mount(links, before=self._why_text)
        if why is not None and isinstance(why.data, dict | list):
            self._texts["data"] = jsontext.pick(self._raw, "error", "data") or ""
        for view in self._switcher.children:
            if view not in (self._content, self._why):
                await view.remove()
        self._strip.show(self._tabs(shown, why))
        self._first = "json" if len(shown) == 1 and shown[0].holds_json else self._strip.tabs[0].id
        await self._open(self._first)
        self._why.scroll_home(animate=False)
        if why is None and answer is not None:
            # What takes a moment to find out about a long answer must not keep it from being seen.
            if len(self._raw) > _LONG:
                self.run_worker(self._remark_later(call, answer, shown), exclusive=True, group="remarks")
            else:
                promise, kept = verdict.promise(call, answer)
                issues = check_result(promise, kept) if promise is not None else []
                self._remark(call, answer, shown, issues)

    async def _remark_later(self, call: Call, answer: Answer, shown: list[Block]) -> None:
        promise, kept = verdict.promise(call, answer)
        issues = await check_result_apart(promise, kept) if promise is not None else []
        self._remark(call, answer, shown, issues)

    def _remark(self, call: Call, answer: Answer, shown: list[Block], issues: list[Issue]) -> None:
        if call is self._call:
            notes = verdict.remarks(call, answer, shown, self._texts.get("structured"), issues)
            self._notes.display = bool(notes)
            self._notes.update(Content("\n").join(notes))

    def _raw_of(self, row: int) -> bytes:
        workspace = getattr(self.app, "workspace", None)
        if workspace is None:
            raise IndexError(row)
        raw: bytes = workspace.traffic.raw(row)
        return raw

    def _tabs(self, shown: list[Block], why: Failure | None) -> list[Tab]:
        tabs = [Tab("why", "Answer")] if why is not None else [Tab("content", "Answer")] if shown else []
        if self._texts.get("data"):
            tabs.append(Tab("data", "Data"))
        if any(block.holds_json for block in shown):
            tabs.append(Tab("json", "As JSON"))
        if any(block.markdown for block in shown):
            tabs.append(Tab("markdown", "Markdown"))
        if "structured" in self._texts:
            tabs.append(Tab("structured", "Structured"))
        if why is None and shown and self._answer is not None:
            tabs.append(Tab("model", "Model"))
        if self._raw:
            size = len(self._answer.raw) if self._answer is not None else 0
            tabs.append(Tab("raw", "Raw", bytes_size(size)))
        return tabs or [Tab("content", "Answer")]

    # Views

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        await self._open(event.tab)

    async def _open(self, tab: str) -> None:
        self._strip.active = tab
        id_ = f"answer-{tab}"
        if not self._switcher.query(f"#{id_}"):
            await self._switcher.mount(self._build(tab, id_))
        focused = self._switcher.has_focus_within
        self._switcher.current = id_
        if focused:
            self.enter()
        self.refresh_bindings()

    def _build(self, tab: str, id_: str) -> Widget:
        if tab == "markdown":
            from inspector.tui.widgets.text.markdown_view import MarkdownView

            block = self._content.block
            if block is None or not block.markdown:
                block = next((each for each in self._content.blocks if each.markdown), None)
            return MarkdownView(block.text if block is not None else "", id=id_)
        if tab == "model":
            view = BlockView(id=id_)
            result = self._answer.result if self._answer is not None else None
            ask = self._call.ask if self._call is not None else ""
            view.load([*blocks.model_blocks(result), *blocks.java_blocks(ask, result)])
            return view
        if tab == "json":
            return JsonView(self._block.text if self._block is not None else "", id=id_)
        return JsonView(self._texts.get(tab, ""), id=id_)

    @property
    def has_tabs(self) -> list[str]:
        return [tab.id for tab in self._strip.tabs]

    async def action_result_view(self) -> None:
        names = self.has_tabs
        await self._open(names[(names.index(self._strip.active) + 1) % len(names)])
        self.enter()

    async def action_markdown(self) -> None:
        """Sets the text as Markdown, or goes back to it as it came."""
        await self._open("content" if self._strip.active == "markdown" else "markdown")
        self.enter()

    @on(RequiredLinks.Again)
    def _again(self, event: RequiredLinks.Again) -> None:
        event.stop()
        if self._call is not None:
            self.post_message(self.AgainWanted(self._call))

    @on(BlockView.Opened)
    async def _block_opened(self, event: BlockView.Opened) -> None:
        event.stop()
        block = event.block
        if block.does == "save":
            self._save(block)
        elif block.does == "read":
            self.post_message(self.Linked(block.uri))
        elif block.does == "json":
            self._block = block
            await self._switcher.query("#answer-json").remove()
            if "json" in self.has_tabs:
                await self._open("json")
                self.enter()

    # What is done with it

    def action_save_result(self) -> None:
        """The block under the cursor, or what is on show."""
        block = self._content.block
        if self._strip.active == "content" and block is not None and block.data is not None:
            self._save(block)
        elif text := self._texts.get(self._strip.active) or self._raw:
            self._push_save(
                "The answer as JSON", f"{_file_name(self._call)}.json", text.encode("utf-8", "replace")
            )

    def _save(self, block: Block) -> None:
        if block.data is not None:
            self._push_save(block.head or "text", block.name, block.data())

    def _push_save(self, what: str, name: str, data: bytes) -> None:
        from inspector.tui.screens.save import SaveScreen

        self.app.push_screen(SaveScreen(clip(what, 60), name, data))

    def action_compare_before(self) -> None:
        if self._call is not None:
            self.post_message(self.CompareWanted(self._call))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "markdown":
            return "markdown" in self.has_tabs
        if action in ("save_result", "compare_before", "result_view"):
            return self._call is not None and not self._search.has_focus
        return True

    def copy_offer(self) -> tuple[str, str] | None:
        if self._call is None:
            return None
        tab = self._strip.active
        if tab == "raw":
            return "The frame", self._raw
        if tab == "structured":
            return "The structured content", self._texts["structured"]
        if tab in self._texts or tab == "json":
            return "JSON", self._texts.get(tab) or (self._block.text if self._block is not None else "")
        if tab == "why":
            shown = self._why_text.content
            return "The reason", shown.plain if isinstance(shown, Content) else str(shown)
        return self._content.copy_offer()

    # Search

    def open_filter(self) -> None:
        """Searches what is on show."""
        if self._raw:
            self.call_later(self._open_search)

    async def _open_search(self) -> None:
        if not isinstance(self._switcher.visible_content, JsonView):
            await self._open("json" if "json" in self.has_tabs else "raw")
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

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()

    def leave(self) -> bool:
        """Ends the search, or goes back from a view of a part; False where there is nothing to leave."""
        if self._search.display:
            self._search.display = False
            self._search.value = ""
            for view in self._switcher.query(JsonView):
                view.search("")
            self.enter()
            return True
        part = self._strip.active in ("json", "markdown") and self._strip.active != self._first
        if part and self._switcher.has_focus_within:
            self.call_later(self._open, self._first)
            return True
        return False

    def enter(self) -> None:
        """The focus goes to what is read."""
        current = self._switcher.visible_content
        if current is not None:
            current.focus()


def _file_name(call: Call | None) -> str:
    from inspector.base.saving import proposed_name

    return proposed_name(call.subject if call is not None else "answer", otherwise="answer").removesuffix(
        ".json"
    )
