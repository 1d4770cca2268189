"""Why an answer may not have come, from what else came in its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from inspector.base.errors import Failure
from inspector.base.text import clip, decode, quoted
from inspector.protocol import jsonrpc
from inspector.session.dispatcher import Stray
from inspector.transports.base import Silence

_STDOUT = "stdout may carry nothing but one JSON-RPC message a line; send log text to stderr"
ONLY_MESSAGES = f"is this the command that serves MCP on stdio? If so: {_STDOUT}"
"""The next step where words came on stdout, and no answer."""
_OPENERS = (b"{", b"[{", b'"jsonrpc"', b'"id"', b'"result"')


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
        told = repr(clip(decode(line), 160))
        if b'"jsonrpc"' in line:
            return Silence(
                f"its answer may be in the unreadable line {told}: text stands before the JSON on one line",
                _STDOUT,
            )
        if b"jsonrpc" in line:
            return Silence(
                f"its answer may be in the line {told}, which looks like JSON and is none",
                "write messages with a JSON library: names and texts stand in double quotes",
            )
        if b"jsonrpc" in line.replace(b"\0", b""):
            return Silence(
                "its answer may be in lines of UTF-16", "JSON-RPC goes in UTF-8: write its stdout so"
            )
    for stray in strays:
        if stray.row > after and stray.why != "late":
            id_ = clip(decode(jsonrpc.encode(stray.id)), 60)
            known = "was answered before" if stray.why == "duplicate" else "nobody waits for"
            return Silence(
                f"an answer with the id {id_} came, which {known}",
                "an answer carries the id of its request, unchanged",
            )
    return None


def words_on_stdout(noise: Iterable[tuple[int, bytes]]) -> list[str]:
    """The lines that were no message."""
    return [decode(raw).strip() for _, raw in noise]


def flooded(lines: int, noise: Iterable[tuple[int, bytes]]) -> Failure:
    """Why nobody waits any longer for the first message among so many lines."""
    last = words_on_stdout(noise)[-1]
    told = (
        f"{lines:,} lines came on stdout, and none of them is a message; the last one is {quoted(last, 80)}"
    )
    return Failure(kind="not_mcp", message=told, hint=ONLY_MESSAGES)


def explained(failure: Failure, noise: Iterable[tuple[int, bytes]], *, was_ready: bool) -> Failure:
    """An end of a process that said nothing on stderr, by what it said on stdout: many print their errors there."""
    if failure.kind != "exited" or failure.stderr:
        return failure
    from inspector.transports.remedies import for_words
    from inspector.transports.stderr import StderrTail

    tail = StderrTail()
    tail.feed("".join(f"{line}\n" for line in words_on_stdout(noise)).encode())
    if reason := tail.reason():
        hint = for_words(tail.last(), reason) or failure.hint
        return replace(failure, message=f"{failure.message}; on stdout: {clip(reason, 200)}", hint=hint)
    if was_ready and failure.exit_code == 0:
        return replace(
            failure, hint="it ended by itself in the middle of the session; its own log may say why"
        )
    return failure
