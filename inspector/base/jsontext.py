"""A lossless view of JSON text: where each value starts and ends, found on demand, spelling kept.

Nothing here decodes more than it is asked for, so that a result of megabytes can be shown folded at once and
numbers, escapes and duplicate keys stay as they were on the wire. Offsets are character offsets into the text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from inspector.base.patterns import pattern

_SPACE = pattern(r"[ \t\n\r]*")
_STRING_SOURCE = r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"'
_STRING = pattern(_STRING_SOURCE, re.DOTALL)
_SCALAR = pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|-?Infinity|NaN")
_MARK = pattern(r'["{}\[\]]')
_DEPTH = 8


class Malformed(ValueError):
    """The text is no JSON at `position`."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class Member(NamedTuple):
    """A child of an object (`key` is its decoded name) or of a list (`key` is its index): text[start:end]."""

    key: str | int
    start: int
    end: int


def skip_space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def end_of_value(text: str, start: int) -> int:
    """The offset behind the value that begins at `start`. Raises Malformed.

    Depth costs nothing: brackets are counted, not recursed into. What is between them is only looked at by
    whoever opens the value.
    """
    if start >= len(text):
        raise Malformed("the text ends where a value was expected", start)
    first = text[start]
    if first == '"':
        return _end_of_string(text, start)
    if first not in "{[":
        scalar = _SCALAR.match(text, start)
        if scalar is None:
            raise Malformed("no JSON value", start)
        return scalar.end()
    match = _nested().match(text, start)
    return match.end() if match else _end_by_brackets(text, start)


@cache
def _nested() -> re.Pattern[str]:
    """A list or object that is not too deep, passed over without making anything of it; compiled when it is needed."""
    inside = rf'(?:[^"{{}}\[\]]++|{_STRING_SOURCE})*+'
    for _ in range(_DEPTH):
        inside = rf'(?:[^"{{}}\[\]]++|{_STRING_SOURCE}|[{{\[]{inside}[}}\]])*+'
    return re.compile(rf"[{{\[]{inside}[}}\]]", re.DOTALL)


def _end_of_string(text: str, start: int) -> int:
    match = _STRING.match(text, start)
    if match is None:
        raise Malformed("a string that does not end", start)
    return match.end()


def _end_by_brackets(text: str, start: int) -> int:
    depth = 0
    position = start
    while True:
        mark = _MARK.search(text, position)
        if mark is None:
            raise Malformed("a list or object that does not end", start)
        char = mark.group()
        if char == '"':
            position = _end_of_string(text, mark.start())
            continue
        position = mark.end()
        depth += 1 if char in "{[" else -1
        if depth == 0:
            return position


def children(text: str, start: int) -> list[Member]:
    """The children of the object or list at `start`, in order, duplicates too. Raises Malformed."""
    return list(each_child(text, start))


def each_child(text: str, start: int) -> Iterator[Member]:
    """The same one by one: no more is scanned than is asked for. Raises Malformed where the text breaks off."""
    return _members(text, start) if text[start] == "{" else _items(text, start)


def _members(text: str, start: int) -> Iterator[Member]:
    position = skip_space(text, start + 1)
    if text[position : position + 1] == "}":
        return
    while True:
        if text[position : position + 1] != '"':
            raise Malformed("a member without a name", position)
        end = _end_of_string(text, position)
        try:
            key = _name(text[position:end])
        except ValueError as error:
            raise Malformed("a member name with a broken escape", position) from error
        position = skip_space(text, end)
        if text[position : position + 1] != ":":
            raise Malformed("a member without a colon", position)
        position = skip_space(text, position + 1)
        end = end_of_value(text, position)
        yield Member(key, position, end)
        position = skip_space(text, end)
        mark = text[position : position + 1]
        if mark == "}":
            return
        if mark != ",":
            raise Malformed("members without a comma between them", position)
        position = skip_space(text, position + 1)


def _name(spelled: str) -> str:
    name = spelled[1:-1]
    # Most names say what they mean, and a decoder is a lot to begin for each of a million.
    return name if "\\" not in name and name.isprintable() else str(json.loads(spelled))


def _items(text: str, start: int) -> Iterator[Member]:
    position = skip_space(text, start + 1)
    if text[position : position + 1] == "]":
        return
    index = 0
    while True:
        end = end_of_value(text, position)
        yield Member(index, position, end)
        index += 1
        position = skip_space(text, end)
        mark = text[position : position + 1]
        if mark == "]":
            return
        if mark != ",":
            raise Malformed("items without a comma between them", position)
        position = skip_space(text, position + 1)


def pick(text: str, *path: str | int) -> str | None:
    """The text of the value at `path`, as it stands; None where it is not there or the text is no JSON.

    Of duplicate members the last counts, as readers of JSON commonly decide.
    """
    place = _place(text, path)
    return text[slice(*place)] if place is not None else None


def put(text: str, path: Sequence[str | int], new: str) -> str:
    """The text with `new` in place of the value at `path`, all else as it stands; the same text where there is no such
    value. Of duplicate members the last is replaced."""
    place = _place(text, path)
    return f"{text[: place[0]]}{new}{text[place[1] :]}" if place is not None else text


def _place(text: str, path: Sequence[str | int]) -> tuple[int, int] | None:
    try:
        start = skip_space(text, 0)
        end = end_of_value(text, start)
        for key in path:
            child = _child(text, start, key)
            if child is None:
                return None
            start, end = child.start, child.end
    except Malformed:
        return None
    return start, end


def _child(text: str, start: int, key: str | int) -> Member | None:
    if isinstance(key, int):
        found = text[start : start + 1] == "["
        return next((item for item in _items(text, start) if item.key == key), None) if found else None
    if text[start : start + 1] != "{":
        return None
    last = None
    for member in _members(text, start):
        if member.key == key:
            last = member
    return last


def elements(text: str) -> list[str]:
    """The texts of the items of a list; empty where the text is no list."""
    try:
        start = skip_space(text, 0)
        if text[start : start + 1] != "[":
            return []
        return [text[item.start : item.end] for item in _items(text, start)]
    except Malformed:
        return []


def envelope(text: str) -> dict[str, Any] | None:
    """The top-level members of a message that cannot be decoded whole: short scalars decoded, the rest as None.

    None where the text is not even an object. Serves to tell which request a broken answer belongs to.
    """
    start = skip_space(text, 0)
    if text[start : start + 1] != "{":
        return None
    members: dict[str, Any] = {}
    try:
        for key, begin, end in _members(text, start):
            scalar = text[begin] not in "{[" and end - begin < 200
            members[str(key)] = json.loads(text[begin:end]) if scalar else {}
    except (Malformed, ValueError):
        return None
    return members


_LEADING_ID = pattern(r'"id"\s*:\s*(-?\d{1,18}|"(?:[^"\\\x00-\x1f]|\\.){0,200}")\s*[,}]')


def leading_id(head: str) -> str | int | None:
    """The id that stands near the start of a message of which only the beginning is known; None if there is none."""
    match = _LEADING_ID.search(head)
    if match is None:
        return None
    try:
        value = json.loads(match.group(1))
    except ValueError:
        return None
    return value if isinstance(value, str | int) else None


class Verbatim(str):
    """JSON text that `dump` writes as it is; it must hold one valid JSON value."""

    __slots__ = ()


class Spelled(float):
    """A number whose JSON text is not what Python would write for it; equal to its value."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Spelled:
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __reduce__(self) -> tuple[type[Spelled], tuple[str]]:
        return Spelled, (self.text,)


_FLAT = 100
"""Below this depth nothing is indented: the blanks would outgrow what they indent."""
_LONG = 14_000
"""Bits of an integer that Python would refuse to write, or nearly so."""


def dump(value: Any, indent: int | None = 2, *, blanks: bool = True) -> str:
    """JSON text of plain values, however deep: on one line where `indent` is None, else indented; without `blanks` with
    none between the tokens of a line.

    `Verbatim` parts are inlined as they are, `Spelled` numbers keep their spelling. What was read as infinite was a
    number beyond a double, and is written as one. Raises ValueError for NaN.
    """
    return "".join(pieces(value, indent, blanks=blanks))


_PART = pattern(_STRING_SOURCE + r"|[{}\[\]:,]|[^\s{}\[\]:,\"]+", re.DOTALL)


def indented(text: str) -> str:
    """Valid JSON text with every member and item on a line of its own, spelled as it is, duplicates too."""
    parts: list[str] = []
    lines = ["\n" + "  " * depth for depth in range(_FLAT + 1)]
    depth, before = 0, ""
    for part in _PART.findall(text):
        if part == "}" or part == "]":
            depth -= 1
            if before != "{" and before != "[" and depth <= _FLAT:
                parts.append(lines[depth])
        elif (before == "{" or before == "[" or before == ",") and depth <= _FLAT:
            parts.append(lines[depth])
        parts.append(": " if part == ":" else part)
        if part == "{" or part == "[":
            depth += 1
        before = part
    return "".join(parts)


def pieces(value: Any, indent: int | None = None, *, blanks: bool = True) -> Iterator[str]:
    """The same bit by bit, for whoever needs only the beginning."""
    open_levels: list[tuple[Iterator[tuple[str, Any]], str]] = []
    here, blank = value, " " if blanks else ""
    while True:
        if isinstance(here, dict | list | tuple) and here:
            depth = len(open_levels)
            line = "" if indent is None or depth > _FLAT else "\n" + " " * indent * depth
            inner = line and line + " " * indent if indent is not None else ""
            first, last = "{}" if isinstance(here, dict) else "[]"
            open_levels.append((_marked(here, first + inner, "," + (inner or blank), blank), line + last))
        else:
            yield _scalar(here)
        while open_levels:
            following = next(open_levels[-1][0], None)
            if following is not None:
                break
            yield open_levels.pop()[1]
        else:
            return
        mark, here = following
        yield mark


def _marked(value: Any, first: str, comma: str, blank: str) -> Iterator[tuple[str, Any]]:
    """The parts of a list or object, each with the text in front of it."""
    mark = first
    if isinstance(value, dict):
        for key, member in value.items():
            yield f"{mark}{json.dumps(str(key), ensure_ascii=False)}:{blank}", member
            mark = comma
    else:
        for item in value:
            yield mark, item
            mark = comma


def _scalar(value: Any) -> str:
    if type(value) is Verbatim:
        return value
    if type(value) is Spelled:
        return value.text
    if type(value) is int and value.bit_length() > _LONG:
        from decimal import Decimal

        return str(Decimal(value))
    if type(value) is float and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
