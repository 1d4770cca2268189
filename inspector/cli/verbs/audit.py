"""`audit`: which tools were called, who allowed it, and what came of it."""

from __future__ import annotations

from itertools import islice
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Exit, fail
from inspector.base.text import bytes_size, clip, duration
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.tables import table
from inspector.policy import audit

_TITLES = ["TIME", "SERVER", "TOOL", "OUTCOME", "TOOK", "SIZE", "ALLOWED BY", "ARGUMENTS"]
_WIDEST = 60


def run(arguments: Arguments) -> int:
    """The newest calls in which each WORD stands; `name=value` looks into one member. Raises Failed (io)."""
    trail = audit.trail()
    found = (
        record
        for record in trail.newest()
        if audit.matches(record, arguments.operands)
        and (not arguments.server or record.get("server") in arguments.server)
    )
    try:
        records = list(islice(found, None if arguments.all else arguments.last))
    except OSError as error:
        raise fail("io", f"the audit trail in {trail.folder} cannot be read: {error.strerror}") from error
    output = Output(arguments.output, None)
    if arguments.json:
        document = {"folder": str(trail.folder), "calls": records, "unreadable": trail.unread}
        output.document({**document, "calls": [output.value(record) for record in records]})
    elif records:
        output.text(table([_TITLES, *map(_row, records)]))
    else:
        told = "no call fits that" if arguments.operands or arguments.server else "no tool was called yet"
        Diagnostics(None).say(f"{told}; the trail is in {trail.folder}")
    if trail.unread and not arguments.json:
        Diagnostics(None).say(f"{trail.unread} lines of {trail.folder} are no records and were passed over")
    return Exit.OK


def _row(record: dict[str, Any]) -> list[str]:
    took, size, why = record.get("duration_ms"), record.get("size"), record.get("reason")
    return [
        _text(record.get("time")),
        _text(record.get("server")),
        _text(record.get("tool")),
        _text(record.get("outcome")) + (f": {_text(why)}" if why else ""),
        duration(took / 1000) if isinstance(took, int | float) else "",
        bytes_size(size) if type(size) is int and size >= 0 else "",
        _text(record.get("approver")),
        _text(record.get("arguments")),
    ]


def _text(member: Any) -> str:
    if member is None:
        return ""
    return clip(member if isinstance(member, str) else numbers.brief(member, _WIDEST), _WIDEST)
