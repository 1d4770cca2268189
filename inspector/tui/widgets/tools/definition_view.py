"""A tool's definition as it was served: its schema beside the sanitized one, changes visible, each alone, and all of
it; what the Java SDK makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from inspector.base import jsontext, numbers
from inspector.base.jsonptr import tokens
from inspector.lenses.paicli import Rewrite, Sanitized
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.text.diff_lines import DiffLines, compare_lines
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.tools.rewrite_list import RewriteList

_WIDE = 72
"""Cells of width from which the two stand side by side."""
_LEGEND = Content.assemble(
    ("− ", "bold $text-error"), ("as served", "$text-error"), "   ",
    ("+ ", "bold $text-success"), ("as PaiCLI's model sees it", "$text-success"),
)  # fmt: skip


class DefinitionView(Vertical):
    """`text` is the entry of the list as it was on the wire."""

    SCOPE = "definition"
    BINDINGS: ClassVar[list[BindingType]] = bindings("definition")
    HELP = (
        "The definition as the server lists it. Compared has the input schema beside what PaiCLI makes of it; v goes on"
        " to each of them alone, to the whole definition with its output schema and annotations, and to what clients of"
        " the Java SDK refuse or drop of it."
    )
    DEFAULT_CSS = """
    DefinitionView {
        height: 1fr;
        & > #definition-legend { height: 1; padding: 0 1; display: none; }
        &.-compared > #definition-legend { display: block; }
        & > ContentSwitcher { height: 1fr; }
        & JsonView, & DiffLines, & RewriteList { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(
        self, text: str, found: Sanitized, java: Sequence[Rewrite], *, id: str | None = None
    ) -> None:
        """`java` is what the Java SDK makes of the entry."""
        super().__init__(id=id)
        self._text = text
        self._java = java
        self._schema = jsontext.pick(text, "inputSchema") or ""
        self._found = found
        self._strip = TabStrip(
            [Tab("compared", "Compared"), Tab("served", "Schema"), Tab("sanitized", "Sanitized"),
             Tab("entry", "Whole definition"), Tab("java", "Java SDK")],
            id="definition-tabs",
        )  # fmt: skip
        self._switcher = ContentSwitcher()

    def compose(self) -> ComposeResult:
        yield self._strip
        yield Static(_LEGEND, id="definition-legend", markup=False)
        yield self._switcher

    async def on_mount(self) -> None:
        await self._open("compared" if self._found.report else "served")

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        await self._open(event.tab)

    async def _open(self, tab: str) -> None:
        self._strip.active = tab
        self.set_class(tab == "compared", "-compared")
        id_ = f"definition-{tab}"
        if not self._switcher.query(f"#{id_}"):
            await self._switcher.mount(self._build(tab, id_))
        focused = self._switcher.has_focus_within
        self._switcher.current = id_
        if focused:
            self.enter()

    def _build(self, tab: str, id_: str) -> Widget:
        if tab == "compared":
            view = DiffLines(id=id_, wide=_WIDE, whole=True)
            old, new = _lines(self._schema), numbers.dumps(self._found.schema, 2).split("\n")
            view.load(old, new, compare_lines(old, new))
            return view
        if tab == "sanitized":
            return JsonView(numbers.dumps(self._found.schema), id=id_)
        if tab == "java":
            return RewriteList(self._java, "The Java SDK (0.10.0 and 2.0.1) reads all of it.", id=id_)
        return JsonView(self._schema if tab == "served" else self._text, id=id_)

    def enter(self) -> None:
        """The focus goes to what is on show."""
        if (current := self._switcher.visible_content) is not None:
            current.focus()

    @on(RewriteList.Opened)
    async def _place_wanted(self, event: RewriteList.Opened) -> None:
        event.stop()
        await self.show_place(event.pointer, "entry")

    async def show_place(self, pointer: str, tab: str = "served") -> None:
        """Goes to a place in the schema as served (`entry`: in the whole), or to the nearest one around it that there
        is."""
        await self._open(tab)
        if isinstance(view := self._switcher.visible_content, JsonView):
            view.focus()
            view.go_to(tokens(pointer))

    async def action_next(self) -> None:
        names = [tab.id for tab in self._strip.tabs]
        await self._open(names[(names.index(self._strip.active) + 1) % len(names)])
        self.enter()

    def action_next_change(self) -> None:
        """The next place where the two differ; from the last one on, the first."""
        if isinstance(view := self._switcher.visible_content, DiffLines) and not view.step(1):
            view.cursor = 0
            view.step(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "next_change" or isinstance(self._switcher.visible_content, DiffLines)


def _lines(text: str) -> list[str]:
    """JSON text set in lines, numbers as spelled; what is none as it is."""
    try:
        return numbers.dumps(numbers.spelled(text), 2).split("\n")
    except (ValueError, RecursionError):
        return text.split("\n")
