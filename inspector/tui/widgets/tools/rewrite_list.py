"""What another client makes of a schema: one change below the other, in the order of the document."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from rich.segment import Segment
from textual import events
from textual.message import Message

from inspector.lenses.paicli import Rewrite
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.text.wrapping import wrap

SIGNS = {"error": "✗", "warning": "▲", "info": "·"}
_INDENT = 2


class _Row(NamedTuple):
    rewrite: int
    text: str
    kind: Literal["head", "place", "said"]


class RewriteList(LineView):
    """Each rewrite takes its place and rule, and below them what was done."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rewrite-list--error", "rewrite-list--warning", "rewrite-list--info", "rewrite-list--place",
        "rewrite-list--quiet",
    }  # fmt: skip
    DEFAULT_CSS = """
    RewriteList {
        & > .rewrite-list--error { color: $text-error; text-style: bold; }
        & > .rewrite-list--warning { color: $text-warning; text-style: bold; }
        & > .rewrite-list--info { color: $quiet; }
        & > .rewrite-list--place { color: $text-primary; }
        & > .rewrite-list--quiet { color: $quiet; }
    }
    """
    HELP = (
        "What another client changes in the schema: the place in the raw one, the rule or the version, what is done."
        " · is harmless, ▲ means that less is known than the schema says, ✗ that something wrong is told, or that it"
        " cannot be read at all. Enter shows the place in the schema, y copies the report."
    )

    class Opened(Message):
        """The place of a rewrite in the raw schema is to be seen."""

        def __init__(self, pointer: str) -> None:
            super().__init__()
            self.pointer = pointer

    def __init__(
        self,
        report: Sequence[Rewrite],
        nothing: str = "Nothing is changed: a model sees the schema as it is served.",
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._report = report
        self._nothing = nothing
        self._rows: list[_Row] = []
        self._serial = 0

    def on_resize(self, event: events.Resize) -> None:
        self.reload()

    def reload(self) -> None:
        self._rows = list(self._lay_out(max(10, self.line_width - 2)))
        self._serial += 1
        self.lines_changed()
        self.repaint()

    def _lay_out(self, width: int) -> Iterator[_Row]:
        for number, rewrite in enumerate(self._report):
            place = guard.line(rewrite.pointer) or "(the whole)"
            for at, (first, last) in enumerate(wrap(place, width - _INDENT - 6)):
                yield _Row(number, place[first:last], "place" if at else "head")
            said = guard.line(rewrite.message)
            for first, last in wrap(said, width - _INDENT, words=True):
                yield _Row(number, said[first:last], "said")

    def line_count(self) -> int:
        return len(self._rows)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return self._nothing

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        row = self._rows[index]
        rewrite = self._report[row.rewrite]
        sign = SIGNS[rewrite.severity] if row.kind == "head" else " "
        yield Segment(f"{sign} ", self.component(f"rewrite-list--{rewrite.severity}"))
        if row.kind == "said":
            yield Segment(row.text)
            return
        yield Segment(row.text, self.component("rewrite-list--place"))
        if row.kind == "head":
            yield Segment(f"  {rewrite.rule}", self.component("rewrite-list--quiet"))

    def action_open(self) -> None:
        if self._rows:
            self.post_message(self.Opened(self._report[self._rows[self.cursor].rewrite].pointer))

    def copy_offer(self) -> tuple[str, str] | None:
        """The report as text, a line for each rewrite."""
        lines = [
            f"{rewrite.severity:<7}  {rewrite.pointer or '(the whole)'}: {rewrite.message} ({rewrite.by})"
            for rewrite in self._report
        ]
        return ("The report", guard.masked("\n".join(lines))) if lines else None
