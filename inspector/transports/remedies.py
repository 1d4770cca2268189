"""What a person can do about words that servers say before they die or fall silent, as the field writes them."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.base.patterns import pattern
from inspector.base.text import clip
from inspector.transports.last_words import DEATHS, Remedy
from inspector.transports.process import signal_name
from inspector.transports.stderr import without_colours

_SILENCES = (
    Remedy(
        pattern(
            r"(?i)(?:running|listening|serving|started|available|ready)\b.{0,60}?(https?://[\w.:\[\]-]{3,80}(?:/[\w./-]{0,80})?)"
        ),
        "it serves HTTP, not stdio: connect to that URL ({0}, often with /mcp behind it), or ask it for stdio in args",
    ),
    Remedy(
        pattern(r"(?is)\bSSE\b.{0,200}?(?:listening|running) on (?:port )?:?(\d{2,5})\b"),
        "it serves HTTP+SSE, not stdio: connect to http://127.0.0.1:{0}/sse, or ask it for stdio in args",
    ),
    Remedy(
        pattern(r"(?i)(?:listening|running) on (?:port )?:?(\d{2,5})\b"),
        "it serves HTTP, not stdio: connect to http://127.0.0.1:{0}/mcp, or ask it for stdio in args",
    ),
    Remedy(
        pattern(r"(?i)Need to install the following packages|Ok to proceed\?"),
        "npx waits for a yes: put -y first in args",
    ),
    Remedy(
        pattern(r"(?i)(?:password|passphrase|api key|token|continue\?|\[y/n\])[^\n]{0,20}[:?>]?\s*$"),
        "it waits for an answer on its terminal, and has none: give it in args or env",
    ),
    Remedy(
        pattern(r"(?i)open (?:this|the following) (?:url|link|page)|to authenticate|visit https?://"),
        "it waits for a login in a browser: do as its stderr says",
    ),
    Remedy(
        pattern(r"(?i)download|\bfetch|installing|resolving|building|compiling|\bpull(?:ing)?\b|\d{1,3}\s?%"),
        "it still downloads or builds: allow more with --connect-timeout; what it has fetched, the next start finds",
    ),
)
_ASKING = _SILENCES[3:5]
_PROMPT = pattern(r"(?:>|[$#%])\s*$")
_SIGNALS = {
    "SIGKILL": "nobody but the system or a person kills like that; where memory ran out, its kernel log says so",
    "SIGSEGV": "native code in it crashed: another version of it, or of its runtime, may not",
    "SIGILL": "it was built for another processor: install it anew on this machine",
    "SIGABRT": "it gave up by itself: its last stderr lines say why",
    "SIGTERM": "another program or a person ended it",
    "SIGINT": "another program or a person interrupted it",
}
_BY_SIGNAL = 128
_CODES = {
    126: "the shell found the program and may not run it: chmod +x",
    127: "the shell did not find the program: correct the name, or PATH in env",
    9009: "the shell did not find the program: correct the name, or PATH in env",
}


def after_death(stderr: Sequence[str], reason: str | None, exit_code: int | None, signal: str | None) -> str:
    """The next step where a server ended by itself; `reason` is the line of `stderr` that most likely says why.
    Foreign words that it quotes are not escaped."""
    known = for_words(stderr, reason) or _of_status(exit_code, signal)
    if known is not None:
        return known
    said = sum(bool(line.strip()) for line in stderr)
    if said:
        return (
            "its last stderr lines say more"
            if said > 1
            else "its words above are all it said; run it by hand"
        )
    if exit_code == 0:
        return "it ended as if it were done: does this command serve MCP on stdio, or does it want a word more in args?"
    return "it wrote nothing on stderr; run the command by hand"


def for_words(lines: Sequence[str], reason: str | None) -> str | None:
    """The next step after these lines, of which `reason` is the one that most likely says why."""
    return _known(DEATHS, [reason or ""]) or _known(DEATHS, lines)


def _of_status(exit_code: int | None, signal: str | None) -> str | None:
    if signal is None and exit_code is not None and exit_code > _BY_SIGNAL:
        # So a shell, npx or Docker tells that a signal ended what it started.
        inner = _SIGNALS.get(signal_name(exit_code - _BY_SIGNAL))
        return inner and f"{exit_code} is {_BY_SIGNAL} and a signal: {inner}"
    return _SIGNALS.get(signal or "") or _CODES.get(exit_code or 0)


def in_silence(stderr: Sequence[str]) -> str | None:
    """The next step where a server lives and does not answer; None where its words are none of the known ones."""
    return _known(_SILENCES, stderr[-8:]) or _known(DEATHS, stderr[-8:])


def of_unfinished(start: str) -> str:
    """The next step where a line on stdout began with these words and never ended."""
    if '"jsonrpc"' in start:
        return "end every message with a line feed and flush it: a message is one line"
    if _PROMPT.search(start):
        return (
            "it waits at a prompt: is this the command that serves MCP, and does it want a word more in args?"
        )
    return _known(_ASKING, [start]) or "stdout may carry nothing but one JSON-RPC message a line"


def _known(remedies: Sequence[Remedy], stderr: Sequence[str]) -> str | None:
    """The first remedy that fits anywhere, with what fits last; some words go over several lines."""
    text = "\n".join(clip(without_colours(line), 500) for line in stderr)
    if not text.strip():
        return None
    for remedy in remedies:
        if found := [*remedy.words.finditer(text)]:
            return remedy.hint.format(*filter(None, found[-1].groups()))
    return None
