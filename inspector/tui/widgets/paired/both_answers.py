"""Both answers to one request: how each went, what differs and counts, and both side by side."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from inspector.base.text import bytes_size, clip, duration
from inspector.tui import guard
from inspector.tui.calls import MARKS, Call
from inspector.tui.paired_model import Both
from inspector.tui.registry import spoken
from inspector.tui.widgets.text.change_list import ChangeList
from inspector.tui.widgets.text.diff_lines import DiffLines, compare_lines
from inspector.tui.widgets.text.facts import Part, fit


class BothAnswers(Vertical):
    """Shows one request; `show` again where something of it has changed."""

    DEFAULT_CSS = """
    BothAnswers {
        height: 1fr;
        & > Static { height: auto; max-height: 6; padding: 0 1; }
        & > ChangeList { display: none; height: auto; max-height: 30%; padding: 0 1; }
        & > DiffLines { height: 1fr; padding: 0 1; border-top: solid $line; }
        &.-differs > ChangeList { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.both: Both | None = None
        self._head = Static(id="both-head", markup=False)
        self.changes = ChangeList(id="both-changes")
        self.lines = DiffLines(id="both-lines", wide=72, whole=True)
        self._loaded: tuple[list[str], list[str]] | None = None

    def compose(self) -> ComposeResult:
        yield self._head
        yield self.changes
        yield self.lines

    def on_resize(self) -> None:
        self.tell()

    async def show(self, both: Both | None) -> None:
        """None where nothing was asked yet."""
        self.both = both
        changes = list(both.changes or ()) if both is not None else []
        self.changes.load(changes, "")
        self.changes.styles.height = max(1, len(changes))
        self.set_class(bool(changes), "-differs")
        self.tell()
        lines = both.lines if both is not None and not both.running else ([], [])
        if lines is self._loaded:
            return
        self._loaded = lines
        blocks = await asyncio.to_thread(compare_lines, *lines)
        if self._loaded is lines:
            self.lines.load(*lines, blocks)
            self.lines.step(1)

    def tell(self) -> None:
        """The head, whose clocks move on."""
        both = self.both
        if both is None:
            said = f"Nothing was asked yet: {spoken('paired.send')} sends it to both."
            self._head.update(Content.styled(said, "$quiet"))
            return
        room = max(20, self.size.width - 2 - 3)
        left, right = _went(both.left, room // 2), _went(both.right, room - room // 2)
        parts: list[Part] = [*left, (" │ ", "$quiet"), *right, ("\n", "")]
        parts.append(_verdict(both))
        for sign, tone, call in (("−", "$text-error", both.left), ("+", "$text-success", both.right)):
            if not call.running and (why := _complaint(call)):
                parts += [("\n", ""), (f"{sign} ", f"bold {tone}"), (clip(why, 400), "")]
        self._head.update(Content.assemble(*parts))

    def enter(self) -> None:
        (self.changes if self.has_class("-differs") else self.lines).focus()


def _went(call: Call, width: int) -> list[Part]:
    """How one of the two went, in so many cells."""
    mark, tone = MARKS[call.badge]
    begin = f"{mark} {call.badge}"
    facts = [duration(call.elapsed)]
    if call.running:
        facts.append("waits for you" if call.waits_for_person else "")
    if call.row is not None:
        facts += [bytes_size(call.size), f"frame {call.row}"]
    rest = "  " + " · ".join(filter(None, facts))
    return [
        (fit(begin, min(width, len(begin))), f"bold {tone}"),
        (fit(rest, max(0, width - len(begin))), "$quiet"),
    ]


def _verdict(both: Both) -> tuple[str, str]:
    if both.running:
        return (f"… {spoken('paired.cancel')} gives both up", "$text-warning")
    if both.changes is None:
        answered = both.left.row is not None or both.right.row is not None
        return ("≠ one has no answer" if answered else "no answers to compare", "$text-error")
    if both.changes:
        count = len(both.changes)
        return (f"≠ {count:,} difference{'' if count == 1 else 's'}", "$text-warning")
    if both.spared:
        return (f"= the same, but for what may differ ({spoken('paired.rules')})", "$text-success")
    return ("= the same", "$text-success")


def _complaint(call: Call) -> str:
    """Why a side has no result, with what to do about it; safe."""
    why = call.why
    return "" if why is None else guard.message(f"{why.message}; {why.hint}" if why.hint else why.message)
