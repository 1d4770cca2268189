"""Why an answer may not have come, from what else came in its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inspector.base.text import clip, decode
from inspector.protocol import jsonrpc
from inspector.session.dispatcher import Stray
from inspector.transports.base import Silence

_STDOUT = "stdout may carry nothing but one JSON-RPC message a line; send log text to stderr"
_OPENERS = (b"{", b"[", b'"jsonrpc"', b'"id"', b'"result"')


def in_place_of_an_answer(
    noise: Iterable[tuple[int, bytes]], strays: Sequence[Stray], after: int
) -> Silence | None:
    """What came after row `after` and may be the answer in a form that cannot be matched: `noise` are rows with their
    first bytes that were no message, `strays` answers that nobody waits for. None where nothing speaks for it."""
    lines = [raw.strip() for row, raw in noise if row > after]
    if any(line.lower().startswith(b"content-length:") for line in lines):
        return Silence(
            "it frames its messages with Content-Length, as language servers do",
            "MCP takes one JSON-RPC message a line, without a head before it",
        )
    if sum(line.startswith(_OPENERS) and not line.endswith(b"}") for line in lines) > 1:
        return Silence(
            f"its answer may be in {len(lines)} lines that are no message each: JSON written over several lines",
            "a message is one line: write JSON without line breaks and indent",
        )
    for line in lines:
        if b'"jsonrpc"' in line:
            told = clip(decode(line), 160)
            return Silence(
                f"its answer may be in the unreadable line {told!r}: text stands before the JSON on one line",
                _STDOUT,
            )
    for stray in strays:
        if stray.row > after and stray.why == "unknown":
            return Silence(
                f"an answer with the id {clip(decode(jsonrpc.encode(stray.id)), 60)} came, which nobody waits for",
                "an answer carries the id of its request, unchanged",
            )
    return None
