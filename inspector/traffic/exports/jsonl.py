"""A recording of the chosen frames, numbered anew: it opens wherever recordings do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from inspector.traffic.exports.source import Source
from inspector.traffic.header import header, line_of, session_line
from inspector.traffic.lines import LOST, REDACTED, TRUNCATED, encode
from inspector.traffic.remarks import note_line


def pieces(source: Source) -> Iterator[bytes]:
    digest, count = hashlib.sha256(), 0
    for line in _lines(source):
        digest.update(line)
        count += line.startswith(b'{"t":')
        yield line
    yield line_of({"end": {"rows": count, "sha256": digest.hexdigest()}})


def _lines(source: Source) -> Iterator[bytes]:
    traffic = source.traffic
    columns, first = traffic.columns, traffic.first
    yield header(traffic.base_time, _redaction(source))
    told: set[int] = set()
    for count, number in enumerate(source.with_company()):
        at = number - first
        session = columns.session[at]
        if session not in told:
            told.add(session)
            yield session_line(session, columns.time[at], traffic.label(session), source.facts(session))
        raw = traffic.raw(number)
        redacted = source.redacted(number, raw)
        flags = columns.flags[at] & (TRUNCATED | LOST | REDACTED) | (REDACTED if redacted is not raw else 0)
        size = columns.size[at]
        yield encode(
            redacted, columns.time[at], count, session, columns.channel[at], columns.exchange[at], flags,
            size if size != len(raw) else -1,
        )[0]  # fmt: skip
        if text := source.note(number):
            yield note_line(count, text)


def _redaction(source: Source) -> dict[str, object]:
    if source.redaction is None:
        before = source.traffic.header.get("redaction")
        return dict(before) if type(before) is dict else {"applied": False}
    return {"applied": True, "rules": source.redaction.rules}
