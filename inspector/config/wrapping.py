"""Puts words before the command of one entry in the text of a client's config, and takes them out again; every other
byte stays what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector.base import jsontext
from inspector.base.errors import Failed, fail
from inspector.base.jsontext import Member
from inspector.config import jsonc
from inspector.config.jsonc import Document
from inspector.config.shapes import ABSENT, pick

_OURS = re.compile(r'\s*,\s*"args"\s*:\s*')
"""How a list of arguments that we made stands behind the command."""
Keys = tuple[str | int, ...]


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def wrapped(document: Document, keys: Keys, words: Sequence[str]) -> str:
    """The text with `words` before the command of the entry at `keys`. Raises Failed (config) where the entry has no
    command of the usual shape."""
    command, args = _words(document, keys)
    text = document.text
    if command is None:
        assert args is not None
        edits = [_before_first(document, args, [json.dumps(word, ensure_ascii=False) for word in words])]
    else:
        first, *others = (json.dumps(word, ensure_ascii=False) for word in words)
        moved = [*others, text[command.start : command.end]]
        edits = [_Edit(command.start, command.end, first)]
        if args is not None:
            edits.append(_before_first(document, args, moved))
        else:
            edits.append(
                _Edit(command.end, command.end, f'{_between(document, command)}"args": [{", ".join(moved)}]')
            )
    return _edited(document, keys, edits, [*words, *command_of(document.value, keys)])


def unwrapped(document: Document, keys: Keys, count: int) -> str:
    """The text without the first `count` words of the command of the entry at `keys`. Raises Failed (config)."""
    command, args = _words(document, keys)
    children = jsontext.children(document.strict_text, args.start) if args is not None else []
    left = command_of(document.value, keys)[count:]
    if not left:
        raise _unusual(keys)
    edits = []
    if command is None:
        edits.append(_without_first(children, count))
    else:
        source = children[count - 1]
        edits.append(_Edit(command.start, command.end, document.text[source.start : source.end]))
        if (
            args is not None
            and count == len(children)
            and _OURS.fullmatch(document.text, command.end, args.start)
        ):
            edits.append(_Edit(command.end, args.end, ""))
        else:
            edits.append(_without_first(children, count))
    return _edited(document, keys, edits, left)


def command_of(value: Any, keys: Keys) -> list[str]:
    """The command line of the entry at `keys`, as it stands there; empty where it has none of the usual shape."""
    entry = pick(value, keys)
    if not isinstance(entry, dict):
        return []
    command, args = entry.get("command"), entry.get("args", [])
    words = [command, *args] if isinstance(command, str) and isinstance(args, list) else command
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return []
    return words


def _words(document: Document, keys: Keys) -> tuple[Member | None, Member | None]:
    """The program and the list of what follows it; without a program the list holds both."""
    if not command_of(document.value, keys):
        raise _unusual(keys)
    members = {child.key: child for child in jsontext.children(document.strict_text, _start(document, keys))}
    command, args = members["command"], members.get("args")
    return (command, args) if document.strict_text[command.start] == '"' else (None, command)


def _unusual(keys: Keys) -> Failed:
    return fail(
        "config",
        f"{keys[-1]} has no command of the usual shape (command and args)",
        "put mcp-inspect tap -- before its command by hand; nothing was changed",
    )


def _start(document: Document, keys: Keys) -> int:
    offset = jsontext.skip_space(document.strict_text, 0)
    for key in keys:
        children = jsontext.children(document.strict_text, offset)
        offset = [child.start for child in children if child.key == key][-1]
    return offset


def _before_first(document: Document, args: Member, words: Sequence[str]) -> _Edit:
    """New items at the beginning of a list, each placed as its first one is."""
    children = jsontext.children(document.strict_text, args.start)
    if not children:
        return _Edit(args.start + 1, args.start + 1, ", ".join(words))
    at = children[0].start
    space = document.strict_text[args.start + 1 : at]
    space = document.text[args.start + 1 : at] if space == document.text[args.start + 1 : at] else ""
    return _Edit(at, at, "".join(f"{word},{space or ' '}" for word in words))


def _without_first(children: Sequence[Member], count: int) -> _Edit:
    end = children[count].start if len(children) > count else children[-1].end
    return _Edit(children[0].start, end, "")


def _between(document: Document, command: Member) -> str:
    """What stands between two members there: a new line where the command has a line of its own."""
    line = document.text[document.text.rfind("\n", 0, command.start) + 1 : command.start]
    indent = line[: len(line) - len(line.lstrip())]
    if not line.lstrip().startswith('"command"'):
        return ", "
    end = "\r\n" if "\r\n" in document.text else "\n"
    return f",{end}{indent}"


def _edited(document: Document, keys: Keys, edits: list[_Edit], expected: list[str]) -> str:
    """Gives only what says exactly what it should."""
    text = document.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    try:
        after = jsonc.parse(text).value
    except jsonc.Broken:
        raise _unusual(keys) from None
    if command_of(after, keys) != expected or _others(after, keys) != _others(document.value, keys):
        raise _unusual(keys)
    return text


def _others(value: Any, keys: Keys) -> Any:
    """All but the command line of that entry."""
    if not keys:
        return {name: member for name, member in value.items() if name not in ("command", "args")}
    found = pick(value, keys[:1])
    assert found is not ABSENT
    rest = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    return [(key, _others(found, keys[1:]) if key == keys[0] else member) for key, member in rest]
