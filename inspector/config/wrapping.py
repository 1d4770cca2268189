"""Puts words before the command of one entry in the text of a client's config, and takes them out again; every other
byte stays what it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector.base.errors import Failed, fail
from inspector.base.patterns import pattern
from inspector.config import document as documents
from inspector.config.document import Document, Keys
from inspector.config.jsonc import Broken
from inspector.config.shapes import ABSENT, pick
from inspector.config.spans import Spans, spans

_OURS = pattern(r'\s*,?\s*"?(?:[\w.-]+\.)?args"?\s*[:=]\s*\["')
"""How a list of arguments that we made stands behind the command."""


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


class _Place(NamedTuple):
    """Where in an entry its command line is: the object that holds it, the names of program and arguments there."""

    keys: Keys
    names: tuple[str, str]


def wrapped(document: Document, keys: Keys, words: Sequence[str]) -> str:
    """The text with `words` before the command of the entry at `keys`. Raises Failed (config) where the entry has no
    command of the usual shape."""
    found = _spans(document, keys)
    text = document.text
    first, *others = (json.dumps(word, ensure_ascii=False) for word in words)
    if found.program is None:
        edits = [_before_first(found, [first, *others])]
    else:
        moved = [*others, text[found.program.start : found.program.end]]
        edits = [_Edit(*found.program, first)]
        if found.arguments is not None:
            edits.append(_before_first(found, moved))
        else:
            end = found.program.end
            edits.append(_Edit(end, end, f"{found.member}[{', '.join(moved)}]"))
    return _edited(document, keys, edits, [*words, *command_of(document.value, keys)])


def unwrapped(document: Document, keys: Keys, count: int) -> str:
    """The text without the first `count` words of the command of the entry at `keys`. Raises Failed (config)."""
    found = _spans(document, keys)
    left = command_of(document.value, keys)[count:]
    text, items, arguments = document.text, found.items, found.arguments
    if not left or arguments is None or not items:
        raise _unusual(keys)
    edits = []
    if found.program is not None:
        edits.append(_Edit(*found.program, text[items[count - 1].start : items[count - 1].end]))
    if len(items) > count:
        edits.append(_Edit(items[0].start, items[count].start, ""))
    elif found.program is not None and _OURS.fullmatch(text, found.program.end, arguments.start + 2):
        edits.append(_Edit(found.program.end, arguments.end, ""))
    else:
        # An empty list that was there is told from one of ours by the blank behind its bracket.
        edits.append(_Edit(arguments.start + 1, items[-1].end, ""))
    return _edited(document, keys, edits, left)


def command_of(value: Any, keys: Keys) -> list[str]:
    """The command line of the entry at `keys`, as it stands there; empty where it has none of the usual shape."""
    place = _place(value, keys)
    holder = pick(value, place.keys)
    if not isinstance(holder, dict):
        return []
    command, args = holder.get(place.names[0]), holder.get(place.names[1], [])
    words = [command, *args] if isinstance(command, str) and isinstance(args, list) else command
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return []
    return words


def _place(value: Any, keys: Keys) -> _Place:
    entry = pick(value, keys)
    entry = entry if isinstance(entry, dict) else {}
    if isinstance(entry.get("command"), dict):
        return _Place((*keys, "command"), ("path", "args"))
    if isinstance(entry.get("transport"), dict):
        return _Place((*keys, "transport"), ("command", "args"))
    return _Place(keys, ("cmd" if "cmd" in entry and "command" not in entry else "command", "args"))


def _spans(document: Document, keys: Keys) -> Spans:
    found = None
    if command_of(document.value, keys):
        found = spans(document, *_place(document.value, keys))
    if found is None:
        raise _unusual(keys)
    return found


def _unusual(keys: Keys) -> Failed:
    return fail(
        "config",
        f"the server at {'.'.join(map(str, keys))} has no command of the usual shape (command and args)",
        "put mcp-inspect tap -- before its command by hand; nothing was changed",
    )


def _before_first(found: Spans, words: Sequence[str]) -> _Edit:
    assert found.arguments is not None
    if not found.items:
        start = found.arguments.start + 1
        return _Edit(start, start, f" {', '.join(words)}")
    at = found.items[0].start
    return _Edit(at, at, "".join(f"{word}{found.joint}" for word in words))


def _edited(document: Document, keys: Keys, edits: list[_Edit], expected: list[str]) -> str:
    """Gives only what says exactly what it should."""
    text = document.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    try:
        after = documents.parse(text, f".{document.language}").value
    except Broken:
        raise _unusual(keys) from None
    if command_of(after, keys) != expected or _others(after, keys) != _others(document.value, keys):
        raise _unusual(keys)
    return text


def _others(value: Any, keys: Keys) -> Any:
    """All but the command line of that entry."""
    place = _place(value, keys)
    return _without(value, place.keys, place.names)


def _without(value: Any, keys: Keys, names: tuple[str, str]) -> Any:
    if not keys:
        return {name: member for name, member in value.items() if name not in names}
    found = pick(value, keys[:1])
    assert found is not ABSENT
    rest = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    return [(key, _without(found, keys[1:], names) if key == keys[0] else member) for key, member in rest]
