"""Our own file of servers: a plain `mcpServers` map that the app adds to and a person may edit too.

What stands in it stays as it is, comments included: members are put into its text and taken out of it. A file that
cannot be read is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspector.base import jsontext
from inspector.base.errors import Failed, fail
from inspector.base.jsontext import Member
from inspector.base.locks import locked
from inspector.base.paths import paths, private_folder, write_private
from inspector.base.patterns import pattern
from inspector.config import jsonc, shapes
from inspector.config.dialects import COMMON
from inspector.config.jsonc import Document

_EMPTY = '{\n  "mcpServers": {}\n}\n'
_KEY = pattern(r'"(?:[^"\\]|\\.)*"\s*:\s*$')
_COMMA_OR_COMMENT = pattern(r"//[^\r\n]*|/\*.*?\*/|,", re.DOTALL)


def keep(name: str, raw: dict[str, Any], *, replace: bool = False) -> str:
    """Puts a server into our file and returns its name there: one that is taken gets a number, unless its entry is to
    be replaced. Blocks for a moment. Raises Failed (io, config), and then nothing was changed."""
    with _held() as path:
        document = _read(path)
        servers = _servers(path, document)
        number, free = 2, name
        while free in servers and not replace:
            free, number = f"{name} ({number})", number + 1
        _write(path, document, _with(document, free, raw), {**servers, free: raw})
    return free


def forget(name: str) -> dict[str, Any] | None:
    """Takes a server out of our file and returns what stood there, which `keep` takes; None, and nothing happens, where
    it is not there. Raises like `keep`."""
    with _held() as path:
        document = _read(path)
        servers = _servers(path, document)
        if name in servers:
            left = {other: raw for other, raw in servers.items() if other != name}
            _write(path, document, _without(document, name), left)
        found = servers.get(name)
        return found if isinstance(found, dict) else None


@contextmanager
def _held() -> Iterator[Path]:
    """Two apps at once do not lose each other's additions."""
    path = paths().servers
    try:
        private_folder(path.parent)
        with locked(path.with_name(path.name + ".lock")):
            yield path.resolve()
    except OSError as error:
        why = error.strerror or str(error)
        raise fail(
            "io", f"{path} was not changed: {why}", "look at its folder, then keep it again"
        ) from error


def _read(path: Path) -> Document:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raw = b""
    try:
        return jsonc.parse(raw if raw.strip() else _EMPTY)
    except jsonc.Broken as broken:
        where = f"{path}:{broken.line}:{broken.column}"
        hint = "correct the file, then keep it again; nothing in it was changed"
        raise fail("config", f"{where}: {broken.message}", hint) from broken


def _root(document: Document) -> tuple[str, ...]:
    """Where the servers are read from, or would be; the file may be nothing but a map of them."""
    bare = shapes.is_bare_map(document.value)
    return next(iter(shapes.roots_in(document.value, COMMON)), () if bare else COMMON.roots[0])


def _servers(path: Path, document: Document) -> dict[str, Any]:
    found = shapes.pick(document.value, _root(document)) if isinstance(document.value, dict) else None
    if found is shapes.ABSENT and not shapes.is_bare_entry(document.value):
        return {}
    if not isinstance(found, dict):
        raise _odd(path)
    return found


def _odd(path: Path) -> Failed:
    return fail(
        "config",
        f"{path} holds no map of servers",
        'it should read {"mcpServers": {...}}; nothing in it was changed',
    )


def _write(path: Path, before: Document, text: str, expected: dict[str, Any]) -> None:
    """Writes what says exactly what it should, and nothing else."""
    try:
        after = jsonc.parse(text)
        found = shapes.pick(after.value, _root(before))
    except jsonc.Broken:
        found = None
    if found != expected:
        raise _odd(path)
    write_private(path, text)


def _with(document: Document, name: str, raw: dict[str, Any]) -> str:
    root = _root(document)
    start = _offset(document, root)
    if start is None:
        return with_member(document, jsontext.skip_space(document.strict_text, 0), root[0], {name: raw})
    return with_member(document, start, name, raw)


def with_member(document: Document, start: int, name: str, value: Any) -> str:
    """The text with a member of the object at offset `start` set to `value`; all else stays, comments included."""
    text = document.text
    for child in reversed(jsontext.children(document.strict_text, start)):
        if child.key == name:
            indent = _indent(text, child.start)
            return text[: child.start] + _spelled(value, indent) + text[child.end :]
    return _insert(document, start, name, value)


def _offset(document: Document, path: tuple[str, ...]) -> int | None:
    offset = jsontext.skip_space(document.strict_text, 0)
    for key in path:
        children = jsontext.children(document.strict_text, offset)
        matches = [child.start for child in children if child.key == key]
        if not matches:
            return None
        offset = matches[-1]
    return offset


def _insert(document: Document, start: int, name: str, value: Any) -> str:
    """The text with one member more at the end of the object at `start`; comments stay beside what they are about."""
    text, strict = document.text, document.strict_text
    children = jsontext.children(strict, start)
    close = jsontext.end_of_value(strict, start) - 1
    outer = _indent(text, start)
    last = children[-1].end if children else start + 1
    between = text[last:close]
    ends = any(found == "," for found in _COMMA_OR_COMMENT.findall(between))
    comma = "," if children and not ends else ""
    inner = outer + "  "
    if children and text[: children[-1].start].count("\n") > text[:start].count("\n"):
        inner = _indent(text, children[-1].start)
    member = f"{json.dumps(name, ensure_ascii=False)}: {_spelled(value, inner)}"
    return f"{text[:last]}{comma}{between.rstrip()}\n{inner}{member}\n{outer}{text[close:]}"


def _without(document: Document, name: str) -> str:
    text, strict = document.text, document.strict_text
    start = _offset(document, _root(document))
    assert start is not None
    children = jsontext.children(strict, start)
    index = max(index for index, child in enumerate(children) if child.key == name)
    before = children[index - 1].end if index else start + 1
    first, end = _key_start(strict, before, children[index]), children[index].end
    after = children[index + 1].start if index + 1 < len(children) else jsontext.end_of_value(strict, start)
    if (comma := _comma(text, end, after)) is not None:
        end = comma + 1
    elif index and (comma := _comma(text, before, first)) is not None:
        text = text[:comma] + " " + text[comma + 1 :]
    head = text[:first].rstrip(" \t")
    tail = text[end:].lstrip(" \t")
    if head.endswith("\n") and tail.startswith(("\n", "\r\n")):
        tail = tail.removeprefix("\r").removeprefix("\n")
    elif tail.startswith("}"):
        head = head.rstrip()
    return head + tail


def _key_start(strict: str, after: int, child: Member) -> int:
    match = _KEY.search(strict[after : child.start])
    assert match is not None
    return after + match.start()


def _comma(text: str, start: int, end: int) -> int | None:
    """The first comma there that is in no comment."""
    for match in _COMMA_OR_COMMENT.finditer(text, start, end):
        if match.group() == ",":
            return match.start()
    return None


def _indent(text: str, offset: int) -> str:
    """The blanks at the beginning of the line of `offset`."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def _spelled(value: Any, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n" + indent)
