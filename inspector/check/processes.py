"""How a process ends: what it left unanswered, and whether it ended when it should."""

from __future__ import annotations

from inspector.base.text import clip, quoted
from inspector.check.framing import WITHOUT_END
from inspector.check.rules import ALL, LEGACY, Findings, Found, rule
from inspector.check.talk import Talk
from inspector.transports.endings import CLOSED_STDIN, ITSELF, UNENDED, read_ending

_PROMPT = 4
"""Seconds after which a server that should exit promptly does not; on a busy machine one or two say nothing."""
_NAMED = 5


@rule("S06", "info", ALL, on="note")
def ended_while_asked(note: str, talk: Talk) -> Findings:
    """The process ends, or closes its stdout, while requests wait for their answer."""
    ending = read_ending(note)
    before: set[int] = talk.kept("S06", set)
    waiting = [
        frame
        for frame in talk.waiting()
        if frame.sent and frame.method not in WITHOUT_END and frame.seq not in before
    ]
    if ending is None or ending.by or not waiting:
        return
    methods = ", ".join(dict.fromkeys(clip(frame.method or "", 60) for frame in waiting[:_NAMED]))
    last = f"; its stderr ends with {quoted(talk.stderr[-1], 120)}" if talk.stderr else ""
    rows = (*(frame.seq for frame in waiting[:_NAMED]), talk.row)
    was = "was " if ending.how.startswith("killed") else ""
    before.update(frame.seq for frame in waiting)
    # A command that is started again, and ends again, is told of once.
    told: dict[str, str] = talk.known("S06", dict)
    message = f"the process {was}{ending.how}, and {methods} had no answer yet{last}"
    yield Found(told.setdefault(ending.how.partition(" after ")[0], message), "", rows)


@rule("S07", "info", ALL, on="note")
def no_line_end(note: str, talk: Talk) -> Findings:
    """The last line of stdout has no line end when the process is gone."""
    if note == UNENDED:
        rows = (talk.row,) if talk.last is None else (talk.last.seq, talk.row)
        yield Found("stdout ended in the middle of a line: clients that wait for its end lose it", "", rows)


@rule("L17", "warning", ALL, "basic/transports/stdio#shutdown", on="note")
def stays(note: str, talk: Talk) -> Findings:
    """The process does not exit when its stdin is closed."""
    ending = read_ending(note)
    if ending is None or ending.by in ("", ITSELF, CLOSED_STDIN):
        return
    if ending.grace >= _PROMPT or ending.by == "SIGKILL":
        told = f"{ending.grace} s after its stdin was closed the process still ran, and it took {ending.by} to end it"
        # Only 2026-07-28 has a sentence for servers.
        yield Found(told, level="info" if talk.version in LEGACY else None)
