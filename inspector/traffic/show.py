"""Rows as lines of plain text, as `log` prints them. Foreign text is made visible; nothing is ever markup."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from inspector.base.text import bytes_size, clip, duration, visible
from inspector.traffic.remarks import note_line
from inspector.traffic.rows import Row
from inspector.traffic.store import Traffic

ARROWS = {"c2s": "→", "s2c": "←", "err": "!", "sys": "·", "http": "⇄"}
WAYS = {"c2s": "to the server", "s2c": "from the server", "err": "stderr", "sys": "", "http": "HTTP"}
KINDS = {
    "request": "req", "notification": "ntf", "response": "res", "error": "err", "batch": "bat", "invalid": "???",
    "stderr": "std", "sys": "sys", "http": "htp", "part": "prt",
}  # fmt: skip
_TIMED = ("response", "error", "http")
_TOLD_STATES = ("cancelled", "late", "duplicate", "unknown", "pending")


def clock(moment: float) -> str:
    """A moment, in seconds since the epoch, as local time of day with milliseconds."""
    try:
        whole = time.strftime("%H:%M:%S", time.localtime(moment))
    except (OverflowError, ValueError, OSError):
        return "--:--:--.---"
    return f"{whole}.{int(moment % 1 * 1000):03}"


def outcome(row: Row) -> str:
    """Method and subject, or what came of it, with what is odd about it; foreign and unescaped."""
    told = row.summary
    if row.kind in ("response", "error") and row.method:
        told = f"{row.method} {told}"
    marks: list[str] = [row.state] if row.state in _TOLD_STATES and row.kind not in ("http", "part") else []
    marks += [flag for flag in row.flags if flag != "problem"]
    return f"{told} [{', '.join(marks)}]" if marks else told


def note(row: Row, mask: Callable[[str], str] | None = None) -> str:
    """The note on a row; empty where there is none."""
    return f"✎ {visible(row.note if mask is None else mask(row.note))}" if row.note else ""


def text_line(row: Row, base_time: float, mask: Callable[[str], str] | None = None) -> str:
    """number, time, server, direction, kind, method or outcome, id, size, took."""
    told = outcome(row)
    if mask is not None:
        told = mask(told)
    id_ = "" if not row.has_id else visible(repr(row.id) if type(row.id) is not str else f'"{row.id}"')
    took = duration(row.took) if row.took is not None and row.kind in _TIMED else ""
    fields = (
        f"{row.number:>6}",
        clock(base_time + row.time),
        f"{clip(visible(row.server), 16):<16}",
        ARROWS[row.channel],
        KINDS[row.kind],
        f"{clip(id_, 12):>6}",
        f"{bytes_size(row.size):>9}",
        f"{took:>8}",
        visible(told),
        note(row, mask),
    )
    return "  ".join(fields).rstrip()


def plain_line(row: Row, base_time: float, mask: Callable[[str], str] | None = None) -> str:
    """The same to be read out: words and commas in place of signs and columns."""
    told = outcome(row)
    shown = visible(told if mask is None else mask(told))
    id_ = "" if not row.has_id else f"id {visible(str(row.id))}"
    took = f"took {duration(row.took)}" if row.took is not None and row.kind in _TIMED else ""
    said = note(row, mask).replace("✎", "note:", 1)
    facts = (f"frame {row.number}", clock(base_time + row.time), visible(row.server), WAYS[row.channel],
             row.kind, id_, bytes_size(row.size), took, said)  # fmt: skip
    return f"{', '.join(filter(None, facts))}: {shown}" if shown else ", ".join(filter(None, facts))


def text_lines(
    traffic: Traffic,
    rows: Iterable[int],
    mask: Callable[[str], str] | None = None,
    notes_of: Iterable[int] = (),
    *,
    plainly: bool = False,
) -> Iterator[str]:
    """The lines of some rows, without line ends, then the notes alone of others."""
    line = plain_line if plainly else text_line
    for number in rows:
        yield line(traffic.row(number), traffic.base_time, mask)
    for number in notes_of:
        yield f"{number:>6}  {note(traffic.row(number), mask)}"


def json_lines(traffic: Traffic, rows: Iterable[int], notes_of: Iterable[int] = ()) -> Iterator[bytes]:
    """The recorded lines of some rows as they are, without line ends, each followed by that of its note; then the notes
    alone of others."""
    for number in rows:
        yield traffic.line(number)
        if (text := traffic.remarks.get(number)) is not None:
            yield note_line(number, text).rstrip(b"\n")
    for number in notes_of:
        yield note_line(number, traffic.remarks[number]).rstrip(b"\n")


def notes(traffic: Traffic) -> list[str]:
    """What a person should know about a recording that was printed."""
    loud = ["SECRETS ARE NOT MASKED in this recording: it was made with --no-redact"]
    return [*(loud if traffic.tells_secrets else ()), *traffic.notes]
