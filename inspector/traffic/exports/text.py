"""A transcript: every frame as `log` prints it, with its JSON below."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.base.text import visible, visible_block
from inspector.traffic import show
from inspector.traffic.exports.source import Source


def pieces(source: Source) -> Iterator[bytes]:
    for session in sorted(source.traffic.sessions):
        yield f"{visible(_session(source, session))}\n".encode()
    for number in source.rows:
        row = source.row(number)
        lines = [show.text_line(row, source.traffic.base_time)]
        if row.channel in ("c2s", "s2c"):
            body = visible_block(source.pretty(number)).rstrip("\n")
            lines += [f"        {line}" for line in body.split("\n")]
        yield ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def _session(source: Source, session: int) -> str:
    facts = source.facts(session)
    command = facts.get("command")
    where = " ".join(map(str, command)) if type(command) is list else str(facts.get("url", ""))
    told = (
        source.traffic.label(session),
        str(facts.get("transport", "")),
        where,
        str(facts.get("protocolVersion", "")),
    )
    return f"session {session}: {'  '.join(filter(None, told))}"
