"""The changes between two JSON values, one a line: where, what was, what is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

from rich.segment import Segment
from textual.message import Message

from inspector.base import numbers
from inspector.base.jsondiff import Change
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView, fit

SIGNS = {"add": "+", "remove": "−", "replace": "~", "spelling": "≈"}
_TONES = {"add": "new", "remove": "old", "replace": "changed", "spelling": "quiet"}
_SHOWN = 2000


class ChangeList(LineView):
    """Posts `LineView.Moved` when another change is under the cursor, `Opened` on enter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "change-list--old", "change-list--new", "change-list--changed", "change-list--quiet", "change-list--pointer",
    }  # fmt: skip
    DEFAULT_CSS = """
    ChangeList {
        & > .change-list--old { color: $text-error; }
        & > .change-list--new { color: $text-success; }
        & > .change-list--changed { color: $text-warning; }
        & > .change-list--quiet { color: $quiet; }
        & > .change-list--pointer { color: $text-primary; }
    }
    """

    class Opened(Message):
        """The change under the cursor is to be read."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._changes: list[Change] = []
        self._nothing = ""
        self._own = 0
        self._serial = 0

    def load(self, changes: list[Change], nothing: str, *, own: int = 0) -> None:
        """`nothing` is said where there are none; safe text. The last `own` of them had to be."""
        self._changes, self._nothing, self._own = changes, nothing, own
        self._serial += 1
        self.lines_changed()
        self.repaint()

    @property
    def current(self) -> Change | None:
        return self._changes[self.cursor] if self.cursor < len(self._changes) else None

    def line_count(self) -> int:
        return len(self._changes)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return self._nothing

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        change = self._changes[index]
        quiet = self.component("change-list--quiet")
        must = index >= len(self._changes) - self._own
        sign, tone = (" ", "quiet") if must else (SIGNS[change.op], _TONES[change.op])
        yield Segment(f"{sign} ", self.component(f"change-list--{tone}"))
        room = max(12, width * 2 // 5)
        pointer = guard.line(change.pointer) or "(the whole)"
        if len(pointer) > room:
            # Its end tells more than its beginning.
            pointer = "…" + pointer[1 - room :]
        yield Segment(f"{pointer}  ", self.component("change-list--pointer"))
        left = width - 4 - len(pointer)
        if must:
            sides = _brief(change.old, left), _brief(change.new, left)
            yield Segment(fit(f"differs, as it must: {sides[0]} → {sides[1]}", left).rstrip(), quiet)
        elif change.op == "spelling":
            yield Segment("the same JSON, written differently", quiet)
        elif change.op == "add":
            yield Segment(_brief(change.new, left), self.component("change-list--new"))
        elif change.op == "remove":
            yield Segment(_brief(change.old, left), self.component("change-list--old"))
        else:
            half = max(4, (left - 3) // 2)
            old = _brief(change.old, max(half, left - 3 - len(_brief(change.new, left))))
            yield Segment(old, self.component("change-list--old"))
            yield Segment(" → ", quiet)
            yield Segment(_brief(change.new, max(4, left - 3 - len(old))), self.component("change-list--new"))

    def action_open(self) -> None:
        if self._changes:
            self.post_message(self.Opened())

    def text(self) -> str:
        """All changes as text, a line each, secrets masked."""
        lines = []
        for change in self._changes:
            sides = [
                spelled(side)
                for side, shown in ((change.old, change.op != "add"), (change.new, change.op != "remove"))
                if shown
            ]
            said = "the same JSON, written differently" if change.op == "spelling" else " -> ".join(sides)
            lines.append(f"{SIGNS[change.op]} {change.pointer or '(the whole)'}  {said}")
        return guard.masked("\n".join(lines))


def spelled(value: Any, indent: int | None = None) -> str:
    """JSON text of a value; never raises."""
    try:
        return numbers.dumps(value, indent)
    except ValueError:
        return repr(value)[:_SHOWN]


def _brief(value: Any, room: int) -> str:
    if isinstance(value, str):
        # Masked before it is cut, and no more of it is encoded than can be seen.
        text = spelled(value[: max(_SHOWN, 4 * room)])
    elif isinstance(value, dict | list) and len(value) > 200:
        kind = "members" if isinstance(value, dict) else "items"
        text = f"{'{' if kind == 'members' else '['}… {len(value):,} {kind}"
    else:
        text = spelled(value)
    text = guard.line(text[: max(_SHOWN, 4 * room)], cut=True)
    return fit(text, room) if len(text) > room else text
