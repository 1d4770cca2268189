"""What stands on both sides, a name a line: at the left, at the right, and between them whether it is the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.message import Message

from inspector.base import numbers
from inspector.compare.paired import Mark, Pair
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView, fit

_SIGNS: dict[Mark, tuple[str, str]] = {
    "same": ("=", "quiet"), "differs": ("≠", "changed"), "left": ("−", "old"), "right": ("+", "new"),
    "unknown": ("?", "quiet"),
}  # fmt: skip
_ABOUT = ("title", "description")
_NAME, _LEAST = 0.6, 12
"""How much of a side names take at the most where there is more to say, and cells that they always have."""
_LONGEST = 300


class PairList(LineView):
    """`load` takes all pairs; shown are those that the filter and the choice leave. The cursor stays with its name."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"pairs--{name}" for name in ("old", "new", "changed", "quiet", "breaking")
    }
    DEFAULT_CSS = """
    PairList {
        & > .pairs--old { color: $text-error; }
        & > .pairs--new { color: $text-success; }
        & > .pairs--changed { color: $text-warning; }
        & > .pairs--breaking { color: $text-error; text-style: bold; }
        & > .pairs--quiet { color: $quiet; }
    }
    """
    HELP = (
        "Both sides, aligned by name: = is the same, ≠ differs (red where that breaks who used the left one), − is only"
        " at the left and + only at the right."
    )

    class Opened(Message):
        """The line under the cursor is to be asked for."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pairs: Sequence[Pair] = ()
        self._shown: list[Pair] = []
        self._nothing = self._unfit = ""
        self._filter = ""
        self.only_different = False
        self._longest = 0
        self._serial = 0

    def load(
        self,
        pairs: Sequence[Pair],
        nothing: str,
        name: str | None = None,
        unfit: str = "Nothing fits the filter.",
    ) -> None:
        """`nothing` is said where there are none, `unfit` where the filter leaves none; safe texts. The cursor goes to
        `name`, else stays where it is."""
        at = name if name is not None else self.current.name if self.current is not None else None
        self._pairs, self._nothing, self._unfit = pairs, nothing, unfit
        self._sieve(at)

    def narrow(self, text: str | None = None, *, only_different: bool | None = None) -> None:
        """Shows what holds the text, or only what is not the same."""
        self._filter = self._filter if text is None else text.casefold()
        self.only_different = self.only_different if only_different is None else only_different
        self._sieve(self.current.name if self.current is not None else None)

    def _sieve(self, name: str | None) -> None:
        self._shown = [
            pair
            for pair in self._pairs
            if not (self.only_different and not _differs(pair)) and self._filter in pair.name.casefold()
        ]
        self._longest = max((cell_len(pair.name[:_LONGEST]) for pair in self._shown), default=0)
        self._serial += 1
        self.lines_changed()
        place = next((at for at, pair in enumerate(self._shown) if pair.name == name), None)
        if place is not None:
            self.cursor = place
        self.repaint()
        self.post_message(self.Moved(self, self.cursor))

    @property
    def current(self) -> Pair | None:
        return self._shown[self.cursor] if self.cursor < len(self._shown) else None

    def step(self, by: int) -> bool:
        """To the next line that is not the same, or the one before; False where there is none."""
        found = [at for at, pair in enumerate(self._shown) if _differs(pair) and (at - self.cursor) * by > 0]
        if found:
            self.cursor = found[0] if by > 0 else found[-1]
        return bool(found)

    def line_count(self) -> int:
        return len(self._shown)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        if self._pairs and self.only_different and not self._filter:
            return "Nothing differs."
        if self._filter and self._pairs:
            return self._unfit
        return self._nothing

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        pair = self._shown[index]
        sign, tone = _SIGNS[pair.mark]
        if pair.mark == "differs" and pair.breaking:
            tone = "breaking"
        half = (width - 3) // 2
        yield from self._half(pair, pair.left, half, tone)
        yield Segment(f" {sign} ", self.component(f"pairs--{tone}"))
        yield from self._half(pair, pair.right, width - 3 - half, tone)

    def _half(self, pair: Pair, value: Any, width: int, tone: str) -> Iterator[Segment]:
        if value is None:
            yield Segment(" " * width)
            return
        about = _about(value)
        room = min(width, max(_LEAST, min(self._longest, int(width * _NAME)))) if about else width
        name = guard.line(pair.name[:_LONGEST], cut=len(pair.name) > _LONGEST)
        if "/" in name and cell_len(name) > room:
            # Of a path the end tells more than the beginning.
            name = "…" + name[1 - room :]
        yield Segment(fit(name, room), None if tone == "quiet" else self.component(f"pairs--{tone}"))
        if width > room:
            yield Segment(f" {fit(about, width - room - 1)}", self.component("pairs--quiet"))

    def action_open(self) -> None:
        if self._shown:
            self.post_message(self.Opened())


def _differs(pair: Pair) -> bool:
    return pair.mark not in ("same", "unknown")


def _about(value: Any) -> str:
    """What there is to say of a side beside its name, safe: the words of an entry, else the value."""
    if isinstance(value, dict):
        said = next((value[key] for key in _ABOUT if isinstance(value.get(key), str) and value[key]), None)
        if said is not None:
            return guard.line(said[:_LONGEST], cut=len(said) > _LONGEST)
        return (
            ""
            if any(key in value for key in ("name", "uri", "uriTemplate"))
            else guard.line(numbers.brief(value))
        )
    text = value[:_LONGEST] if isinstance(value, str) else numbers.brief(value, _LONGEST)
    return guard.line(text, cut=True)
