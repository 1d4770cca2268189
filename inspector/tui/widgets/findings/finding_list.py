"""Findings, one a line, in an order and as far as a filter lets them through; or their rules, with how often each was
broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.message import Message

from inspector.base.text import cells
from inspector.check.rules import LEVELS, RULES, Finding
from inspector.tui import guard
from inspector.tui.levels import SIGNS
from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.line_view import LineView, fit

_WIDE = 100
_RULE, _FRAMES = 5, 12
"""Cells of a rule, and the most of the frames."""
_ROOMY = 60
"""Cells of a line from which frames are told."""

ORDERS: tuple[tuple[str, Callable[[Finding], Any]], ...] = (
    ("worst first", lambda each: (-LEVELS.index(each.level), each.rule)),
    ("by rule", lambda each: each.rule),
    ("newest first", lambda each: -each.frames[-1] if each.frames else 0),
    ("oldest first", lambda each: each.frames[0] if each.frames else 0),
    ("by server", lambda each: (each.server, -LEVELS.index(each.level), each.rule)),
)
"""What they are called, and by what they sort."""


class FindingList(LineView):
    """Posts `Opened` on enter. While `by_rule` is set there is a line for each rule, with the first finding of it."""

    SCOPE = "finding_list"
    BINDINGS: ClassVar[list[BindingType]] = bindings("finding_list")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"findings--{name}" for name in ("error", "warning", "info", "quiet", "rule", "count")
    }
    DEFAULT_CSS = """
    FindingList {
        & > .findings--error { color: $text-error; text-style: bold; }
        & > .findings--warning { color: $text-warning; text-style: bold; }
        & > .findings--info { color: $text-secondary; }
        & > .findings--quiet { color: $quiet; }
        & > .findings--rule { text-style: bold; }
        & > .findings--count { text-style: bold; }
    }
    """
    HELP = (
        "What breaks the rules of the protocol: ✗ breaks a MUST, ▲ a SHOULD, • is odd but legal. Behind the message"
        " stands where it is in the frame, and in which frames."
    )

    class Opened(Message):
        """The finding under the cursor is wanted."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.by_rule = False
        self.order = 0
        self._all: Sequence[Finding] = ()
        self._shown: list[Finding] = []
        self._counts: Counter[str] = Counter()
        self._words: list[str] = []
        self._servers = self._frames = 0
        self._empty = ""
        self._serial = 0

    def load(self, findings: Sequence[Finding], empty: str) -> None:
        """The cursor stays on what it is on. `empty` is said where there is none; safe text."""
        self._all, self._empty = findings, empty
        self._arrange()

    def filter_by(self, source: str) -> None:
        """Shows those that have every word in their rule, level, server, message or pointer; a word behind a minus sign
        none of them may have."""
        self._words = source.lower().split()
        self._arrange()

    @property
    def shown(self) -> Sequence[Finding]:
        """Those that the filter lets through, in their order."""
        return self._shown

    @property
    def current(self) -> Finding | None:
        """The one under the cursor."""
        return self._shown[self.cursor] if self.cursor < len(self._shown) else None

    def show_as(self, order: int, by_rule: bool) -> None:
        """Another order, or rules instead of findings."""
        self.order, self.by_rule = order % len(ORDERS), by_rule
        self._arrange()

    def _arrange(self) -> None:
        before = self.current
        found = [each for each in self._all if self._fits(each)] if self._words else list(self._all)
        self._counts = Counter(each.rule for each in found)
        self._servers = max((cells(guard.line(name)) for name in {each.server for each in found}), default=0)
        several = len({each.server for each in self._all}) > 1
        self._servers = min(16, self._servers) if several else 0
        self._frames = min(_FRAMES, max((len(_frames(each)) for each in found), default=0))
        found.sort(key=ORDERS[self.order][1])
        if self.by_rule:
            found = list({each.rule: each for each in reversed(found)}.values())[::-1]
        self._shown = found
        self._serial += 1
        self.lines_changed()
        if before is not None:
            self.go_to(before)
        self.repaint()

    def go_to(self, finding: Finding) -> None:
        """Puts the cursor on it, where it is shown."""
        places = (at for at, each in enumerate(self._shown) if each is finding)
        if (place := next(places, None)) is not None and place != self.cursor:
            self.cursor = place

    def _fits(self, finding: Finding) -> bool:
        text = f"{finding.rule} {finding.level} {finding.server} {finding.message} {finding.pointer}".lower()
        return all(
            (word[1:] not in text) if word.startswith("-") and len(word) > 1 else word in text
            for word in self._words
        )

    def line_count(self) -> int:
        return len(self._shown)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return "nothing fits the filter; esc ends it" if self._words and self._all else self._empty

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        each = self._shown[index]
        quiet = self.component("findings--quiet")
        yield Segment(f" {SIGNS[each.level]} ", self.component(f"findings--{each.level}"))
        yield Segment(fit(each.rule, _RULE), self.component(f"findings--{each.level}"))
        room = width - 3 - _RULE
        if self.by_rule:
            rule = RULES.get(each.rule)
            yield Segment(f"{self._counts[each.rule]:>6,}  ", self.component("findings--count"))
            yield Segment(fit(rule.about if rule is not None else "", max(0, room - 8)))
            return
        if self._servers:
            yield Segment(f"{fit(guard.line(each.server), self._servers)}  ", quiet)
            room -= self._servers + 2
        message = " ".join(guard.message(each.message).split())
        frames = self._frames if width >= _ROOMY else 0
        room -= frames + 1 if frames else 0
        where = guard.line(each.pointer, cut=True) if width >= _WIDE else ""
        side = min(cells(where) + 2, max(0, room - cells(message) - 2), room // 2) if where else 0
        side = side if side > 8 else 0
        yield Segment(fit(message, max(8, room - side)))
        if side:
            yield Segment(fit(f"  {where}", side), quiet)
        if frames:
            yield Segment(f" {fit(_frames(each), frames, right=True)}", quiet)

    def action_open(self) -> None:
        if self._shown:
            self.post_message(self.Opened())

    def copy_offer(self) -> tuple[str, str] | None:
        """The finding under the cursor, as `check` prints it."""
        each = self.current
        return (f"finding {each.rule}", line_of(each)) if each is not None else None


def line_of(finding: Finding) -> str:
    """As a line of text, secrets masked."""
    where = f"  {finding.pointer}" if finding.pointer else ""
    rows = f"  [{', '.join(map(str, finding.frames[:6]))}]" if finding.frames else ""
    return guard.line(
        f"{finding.level:<7}  {finding.rule:<4} {finding.server}  {finding.message}{where}{rows}"
    )


def _frames(finding: Finding) -> str:
    if not finding.frames:
        return ""
    more = len(finding.frames) - 1
    return f"#{finding.frames[-1]}" + (f" ×{more + 1:,}" if more > 1 else "")
