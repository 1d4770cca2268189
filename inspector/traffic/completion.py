"""How a filter can go on: the names of fields, and the values that occur."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from inspector.traffic.index import KINDS, STATES
from inspector.traffic.lines import FLAGS
from inspector.traffic.store import Traffic

NOTES = {
    "dir:": "in, out: from the server or to it",
    "kind:": "request, response, error, notification …",
    "method:": "part of it, tools/*, /^tools/",
    "tool:": "the tool that is called",
    "server:": "by its name",
    "id:": '7 finds 7 and "7"',
    "status:": "ok, failed, pending, 404, 5xx …",
    "flag:": "what is odd about it",
    "text:": "anywhere in the frame; a word alone is text too",
    "note:": "rows that you put a note on; * any",
    "finding:": "what breaks a rule: T01, error …; * any",
    "size>": "bytes: 512, 10k, 3M; also <",
    "took>": "how long it took: 100ms, 1.5s; also <",
}
_KIND_NOTES = {
    "invalid": "what is no JSON-RPC", "stderr": "lines of stderr", "sys": "notes of mcp-inspect",
    "http": "one row for each HTTP exchange", "part": "what an exchange consists of", "all": "everything held",
}  # fmt: skip
_STATE_NOTES = {
    "ok": "answered well", "failed": "errors of any kind", "pending": "not answered yet",
    "tool": "the tool said isError", "late": "after the cancel or the answer", "duplicate": "a second answer",
    "unknown": "an answer that nothing asked for", "4xx": "HTTP", "5xx": "HTTP",
}  # fmt: skip
_WORD = re.compile(r"[^\s()|&]*$")
_FIELD = re.compile(r"([A-Za-z]+)(:|>=|<=|>|<)")
_QUOTES = re.compile(r'"(?:[^"\\]|\\.)*("|$)')
_MOST = 200


@dataclass(frozen=True, slots=True)
class Option:
    """`text` replaces what was begun; foreign and unescaped. `note` says what it means, in words of ours."""

    text: str
    note: str = ""


def complete(source: str, traffic: Traffic) -> tuple[int, list[Option]]:
    """The ways to go on at the end of a filter, and where what was begun starts. Those that begin with it come
    first; nothing is offered inside of quotes and expressions."""
    if any(match.end() == len(source) and not match[1] for match in _QUOTES.finditer(source)):
        return len(source), []
    match = _WORD.search(source)
    start = match.start() if match is not None else len(source)
    while source[start : start + 1] in ("-", "!"):
        start += 1
    word = source[start:]
    field = _FIELD.match(word)
    if field is None:
        return start, _fitting(word, [Option(name, note) for name, note in NOTES.items()], inside=False)
    name = field[1].lower()
    start += max(field.end(), word.rfind(",") + 1)
    begun = source[start:]
    if begun[:1] in ("/", '"') or (name in ("size", "took", "ms") and begun):
        return start, []
    return start, _fitting(begun, values(name, traffic), inside=True)


def _fitting(begun: str, options: Iterable[Option], *, inside: bool) -> list[Option]:
    low = begun.lower()
    starting, holding = [], []
    for option in options:
        text = option.text.lower().strip('"')
        if text == low:
            return []
        if text.startswith(low):
            starting.append(option)
        elif inside and low in text:
            holding.append(option)
    return (starting + holding)[:_MOST]


def values(name: str, traffic: Traffic) -> list[Option]:
    """What a field can be asked for: what there is, and where that is anything, what occurs."""
    columns, names = traffic.columns, traffic.columns.names
    if name == "dir":
        notes = ("from the server", "to the server", "stderr", "notes of mcp-inspect", "HTTP exchanges")
        return list(map(Option, ("in", "out", "err", "sys", "http"), notes))
    if name == "kind":
        return [Option(kind, _KIND_NOTES.get(kind, "")) for kind in (*KINDS, "all")]
    if name == "status":
        states = ["ok", "failed", *(state.partition(" ")[0] for state in STATES if state), "4xx", "5xx"]
        return [Option(state, _STATE_NOTES.get(state, "")) for state in states if state != "answered"]
    if name == "flag":
        return [Option(flag.replace(" ", "-")) for flag in FLAGS]
    if name == "finding":
        found = [Option(rule, level) for rule, level in sorted(traffic.judged.rules().items())]
        return [*map(Option, ("error", "warning", "info")), *found]
    if name == "method":
        return _named(map(names.name, columns.methods))
    if name == "tool":
        return _named(map(names.name, columns.tools))
    if name == "server":
        return _named(session.label for session in traffic.sessions.values())
    if name in ("took", "ms"):
        return [Option(text) for text in ("100ms", "1s", "10s")]
    if name == "size":
        return [Option(text) for text in ("1k", "100k", "1M")]
    return []


def _named(found: Iterable[str | None]) -> list[Option]:
    return [Option(_spelled(text)) for text in sorted({text for text in found if text})]


def _spelled(text: str) -> str:
    """A value as the filter takes it."""
    if re.fullmatch(r'[^\s|&(),"/][^\s|&(),"]*', text):
        return text
    return '"{}"'.format(text.replace('"', '\\"'))
