"""What a person can do about words that servers say before they die or fall silent, as the field writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inspector.base.patterns import pattern
from inspector.base.text import clip


class _Remedy(NamedTuple):
    words: re.Pattern[str]
    hint: str
    """`{0}` is what the first group of the words matched."""


_NAME = r"[\w@./~+-]{1,120}"
_MISSING = (
    r"(?:is |are |was |be |been )*"
    r"(?:not (?:set|provided|found|defined|configured)|missing|required|needed|undefined|unset|empty)"
)

_DEATHS = (
    _Remedy(
        pattern(r"No module named '?([\w.]{1,120})"),
        "the Python that runs it lacks {0}: install it there, or give as command the interpreter that has it",
    ),
    _Remedy(
        pattern(r"(?:Cannot find (?:module|package)|Module not found:?) '?(" + _NAME + ")"),
        "check the path in args, and install or build the server first (npm install, npm run build)",
    ),
    _Remedy(
        pattern(
            r"(?i)npm (?:error|ERR!) (?:code )?E?404|is not in this registry|not found in the package registry|"
            r"No matching distribution|404 Not Found - GET"
        ),
        "check the name of the package in args: the registry does not have it",
    ),
    _Remedy(
        pattern(r"(?i)could not determine executable|executable .{1,80} (?:is )?not provided by package"),
        "the package has no program of this name: give the program beside the package (npx -p PACKAGE PROGRAM, "
        "uvx --from PACKAGE PROGRAM)",
    ),
    _Remedy(
        pattern(r"(?i)certificate verify failed|self[- ]signed certificate|UNABLE_TO_(?:VERIFY|GET)"),
        "the server does not trust a certificate: give it the authority in env (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE)",
    ),
    _Remedy(
        pattern(r"EAI_AGAIN|ENOTFOUND|(?i:getaddrinfo|name resolution|network is unreachable)"),
        "the server could not reach the network: check the connection, and the proxy variables in its env",
    ),
    _Remedy(
        pattern(r"(?i)Cannot connect to the Docker daemon|docker daemon (?:is )?not running"),
        "start Docker first",
    ),
    _Remedy(
        pattern(r"EADDRINUSE|(?i:address already in use)"),
        "another process has its port, perhaps an earlier start of it: end that one, or give it another port",
    ),
    _Remedy(
        pattern(
            r"(?i)(?:unsupported engine|requires (?:python|node)|EBADENGINE|requires a different python)"
        ),
        "start it with a version of its runtime that it supports",
    ),
    _Remedy(
        pattern(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b.{0,60}?\b" + _MISSING),
        "set {0} in env of this server, or with --env {0}=...",
    ),
    _Remedy(
        pattern(
            r"(?i)(?:"
            + _MISSING
            + r"|please set|must set|provide|specify).{0,60}?\b(?-i:([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+))\b"
        ),
        "set {0} in env of this server, or with --env {0}=...",
    ),
    _Remedy(
        pattern(r"(?i)\b(?:api[ _-]?key|token|credentials?|password)\b.{0,40}?\b" + _MISSING),
        "give it what it asks for, in env or args of this server",
    ),
    _Remedy(
        pattern(
            r"(?i)^usage:|arguments? (?:is|are) required|unrecognized arguments?|unexpected argument|"
            r"unknown (?:option|argument|flag|command)|missing (?:required )?argument"
        ),
        "its args are not what it takes: correct them as its words say",
    ),
    _Remedy(pattern(r"ENOSPC|(?i:no space left)"), "the disk is full: make room, then restart it"),
    _Remedy(
        pattern(r"(?i)heap out of memory|MemoryError|Cannot allocate memory"),
        "it ran out of memory: ask it for less, or give it more",
    ),
    _Remedy(
        pattern(r"(?i)ECONNREFUSED|connection refused"),
        "something that the server needs does not answer: start that first, or correct its address",
    ),
    _Remedy(
        pattern(r"EACCES|EPERM|(?i:permission denied|operation not permitted)"),
        "it may not use what it names: correct the permissions, or the path in args",
    ),
    _Remedy(
        pattern(r"ENOENT|(?i:no such file or directory|does not exist)"),
        "a path that it was given does not exist: correct args or env; it starts in the working directory of its entry",
    ),
)
_SILENCES = (
    _Remedy(
        pattern(
            r"(?i)(?:running|listening|serving|started|available|ready)\b.{0,60}?(https?://[\w.:\[\]-]{3,80}(?:/[\w./-]{0,80})?)"
        ),
        "it serves HTTP, not stdio: connect to that URL ({0}, often with /mcp behind it), or ask it for stdio in args",
    ),
    _Remedy(
        pattern(r"(?i)(?:listening|running) on (?:port )?:?(\d{2,5})\b"),
        "it serves HTTP, not stdio: connect to http://127.0.0.1:{0}/mcp, or ask it for stdio in args",
    ),
    _Remedy(
        pattern(r"(?i)Need to install the following packages|Ok to proceed\?"),
        "npx waits for a yes: put -y first in args",
    ),
    _Remedy(
        pattern(r"(?i)(?:password|passphrase|api key|token|continue\?|\[y/n\])[^\n]{0,20}[:?>]?\s*$"),
        "it waits for an answer on its terminal, and has none: give it in args or env",
    ),
    _Remedy(
        pattern(r"(?i)open (?:this|the following) (?:url|link|page)|to authenticate|visit https?://"),
        "it waits for a login in a browser: do as its stderr says",
    ),
    _Remedy(
        pattern(r"(?i)download|\bfetch|installing|resolving|building|\bpull(?:ing)?\b|\d{1,3}\s?%"),
        "it still downloads or builds: allow more with --connect-timeout; what it has fetched, the next start finds",
    ),
)
_SIGNALS = {
    "SIGKILL": "nobody but the system or a person kills like that; where memory ran out, its kernel log says so",
    "SIGSEGV": "native code in it crashed: another version of it, or of its runtime, may not",
    "SIGILL": "it was built for another processor: install it anew on this machine",
    "SIGABRT": "it gave up by itself: its last stderr lines say why",
}
_CODES = {
    126: "the shell found the program and may not run it: chmod +x",
    127: "the shell did not find the program: correct the name, or PATH in env",
}


def after_death(stderr: Sequence[str], exit_code: int | None, signal: str | None) -> str:
    """The next step where a server ended by itself. Foreign words that it quotes are not escaped."""
    known = _known(_DEATHS, stderr)
    if known is None and signal in _SIGNALS:
        known = _SIGNALS[signal]
    if known is None and exit_code in _CODES:
        known = _CODES[exit_code]
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


def in_silence(stderr: Sequence[str]) -> str | None:
    """The next step where a server lives and does not answer; None where its words are none of the known ones."""
    return _known(_SILENCES, stderr[-8:]) or _known(_DEATHS, stderr[-8:])


def of_unfinished(start: str) -> str:
    """The next step where a line on stdout began with these words and never ended."""
    if '"jsonrpc"' in start:
        return "end every message with a line feed and flush it: a message is one line"
    return _known(_SILENCES[2:4], [start]) or "stdout may carry nothing but one JSON-RPC message a line"


def _known(remedies: Sequence[_Remedy], stderr: Sequence[str]) -> str | None:
    """The first remedy that fits any line; the order of the remedies counts, not that of the lines."""
    lines = [clip(line, 500) for line in stderr]
    for remedy in remedies:
        for line in reversed(lines):
            if found := remedy.words.search(line):
                return remedy.hint.format(*(group or "" for group in found.groups()))
    return None
