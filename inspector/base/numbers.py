"""JSON text to values and back without changing a number: digits, exponents and trailing zeros stay as typed."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Never

from inspector.base import jsontext
from inspector.base.jsontext import Malformed, Spelled, Verbatim
from inspector.base.patterns import pattern
from inspector.base.text import clip

_LONGEST_HELD = 1 << 20
"""Characters of a text that is looked into."""

NUMBER = pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
DIGITS = 50_000
"""Most digits of an integer: what is read and written in a blink."""
DEPTH = 200
"""Deepest nesting that is read: far from what the recursive readers and writers of JSON can take."""

_BRACKET = pattern(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


def number(text: str) -> int | float:
    """The value of a JSON number, spelling kept. Raises ValueError with a reason for people."""
    if NUMBER.fullmatch(text) is None:
        raise ValueError("not a number as JSON writes it, such as 12, -0.5 or 1e3")
    if text.lstrip("-").isdigit():
        if len(text) > DIGITS:
            raise ValueError(f"more than {DIGITS} digits")
        return Spelled(text) if text == "-0" else _whole(text)
    value = float(text)
    if math.isinf(value):
        raise ValueError("beyond the range of a double")
    return value if repr(value) == text else Spelled(text)


def integer(text: str) -> int:
    """The exact integer that a JSON number stands for: `1e3` is 1000, `5.0` is 5. Raises ValueError with a reason."""
    if NUMBER.fullmatch(text) is None:
        raise ValueError("not an integer as JSON writes it, such as 12 or -3")
    from decimal import Decimal

    _, digits, exponent = Decimal(text).as_tuple() if len(text) <= 2 * DIGITS else (0, (), DIGITS)
    if not isinstance(exponent, int) or len(digits) + max(exponent, 0) > DIGITS:
        if digits == (0,):
            return 0
        raise ValueError(f"more than {DIGITS} digits")
    if exponent < 0 and any(digits[exponent:]):
        raise ValueError("not a whole number")
    kept = digits[:exponent] if exponent < 0 else digits
    value: int = _whole("".join(map(str, kept)) or "0") * 10 ** max(exponent, 0)
    return -value if text[0] == "-" else value


def _whole(digits: str) -> int:
    """Python itself refuses to read more than 4300 digits."""
    if len(digits) <= 4300:
        return int(digits)
    from decimal import Decimal

    return int(Decimal(digits))


def _constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the member {json.dumps(key, ensure_ascii=False)} stands there twice")
            seen.add(key)
    return members


_decode = json.JSONDecoder(
    parse_float=number, parse_int=number, parse_constant=_constant, object_pairs_hook=_members
).decode


def loads(text: str) -> Any:
    """Strict JSON, numbers as spelled. Raises Malformed, with the offset where it is known.

    What would be lost on the way (a member that stands there twice) or could not be written again (NaN, numbers
    beyond range) is refused.
    """
    _check_depth(text)
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        raise Malformed(error.msg[0].lower() + error.msg[1:], error.pos) from error
    except ValueError as error:
        raise Malformed(str(error), 0) from error


def spelled(text: str) -> Any:
    """JSON of others as values to show, numbers as spelled, those beyond range too, and however deep. Raises
    ValueError for what is no JSON, NaN included; of members that stand there twice the last counts."""
    try:
        return _decode_any(text)
    except RecursionError:
        from inspector.base.deepjson import read

        return read(text, _any_integer, Spelled)


def held_in(text: str) -> dict[str, Any] | list[Any] | None:
    """The object or list that a text, as a string in JSON, holds as JSON; None where it holds none, or is very long."""
    if text.lstrip()[:1] not in ("{", "[") or len(text) > _LONGEST_HELD:
        return None
    try:
        value = spelled(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def spelled_from(text: str, start: int) -> tuple[Any, int]:
    """The same for the value that begins at an offset, with the offset behind it. Raises json.JSONDecodeError where the
    text breaks off or is no JSON."""
    try:
        return _any.raw_decode(text, start)
    except RecursionError:
        end = _end(text, start)
        return spelled(text[start:end]), end
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise json.JSONDecodeError(str(error), text, start) from error


def _end(text: str, start: int) -> int:
    try:
        return jsontext.end_of_value(text, start)
    except Malformed as error:
        raise json.JSONDecodeError(str(error), text, len(text)) from error


def _any_integer(text: str) -> int | float:
    return Spelled(text) if text == "-0" or len(text) > DIGITS else _whole(text)


_any = json.JSONDecoder(parse_float=Spelled, parse_int=_any_integer, parse_constant=_constant)
_decode_any = _any.decode


def _check_depth(text: str) -> None:
    depth = 0
    for mark in _BRACKET.finditer(text):
        first = text[mark.start()]
        if first in "[{":
            depth += 1
            if depth > DEPTH:
                raise Malformed(f"nested deeper than {DEPTH}", mark.start())
        elif first in "]}":
            depth -= 1


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column of an offset, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON text of plain values, numbers as spelled. Raises ValueError for what JSON cannot hold."""
    return jsontext.dump(value, indent)


def beginning(value: Any, most: int) -> str:
    """The first `most` characters of the JSON text, an ellipsis where it goes on; a large value costs no more than
    that. Raises ValueError as `dumps` does, for what it comes across."""
    text: list[str] = []
    size = 0
    for piece in jsontext.pieces(value):
        text.append(piece)
        size += len(piece)
        if size > most:
            break
    return clip("".join(text), most)


def brief(value: Any, most: int = 80) -> str:
    """The value in a line for people: its JSON text, cut with an ellipsis; foreign and unescaped. Never raises."""
    try:
        return clip(beginning(value, most + 1), most)
    except ValueError:
        return "…"


def verbatim(value: Any) -> Any:
    """The value itself, or its JSON text as `Verbatim` where the writer of JSON would change or refuse it: a number
    with a spelling of its own, a very long one, or more depth than `DEPTH`."""
    level = [value]
    for _ in range(DEPTH):
        if any(type(part) is Spelled or (type(part) is int and part.bit_length() > 14_000) for part in level):
            return Verbatim(dumps(value))
        level = [inner for part in level for inner in _parts(part)]
        if not level:
            return value
    return Verbatim(dumps(value))


def unwritten(value: Any) -> Any:
    """What was written by `verbatim`, as a value again."""
    return loads(value) if type(value) is Verbatim else value


def _parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def plain(value: Any, deepest: int | None = None, below: Any = None) -> Any:
    """The same value with ordinary floats, for libraries that look at exact types. Lists and objects deeper than
    `deepest` become `below`."""
    if isinstance(value, Spelled):
        return float(value)
    if not isinstance(value, dict | list | tuple):
        return value
    if deepest is not None:
        if deepest <= 0:
            return below
        deepest -= 1
    if isinstance(value, dict):
        return {key: plain(member, deepest, below) for key, member in value.items()}
    return [plain(item, deepest, below) for item in value]


def is_spelled(value: Any) -> bool:
    """Whether a number in the value has a spelling of its own, which `plain` would take from it."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict | list):
            waiting.extend(_parts(part))
        elif type(part) is Spelled:
            return True
    return False


def is_deep(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested in more levels."""
    level = [value]
    for _ in range(levels):
        level = [inner for part in level for inner in _parts(part)]
        if not level:
            return False
    return True


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values, types included: 1, 1.0, true and "1" are four things; member order is nothing."""
    waiting = [(left, right)]
    while waiting:
        ours, theirs = waiting.pop()
        if ours is theirs:
            continue
        if isinstance(ours, dict):
            if not isinstance(theirs, dict) or ours.keys() != theirs.keys():
                return False
            waiting += [(member, theirs[key]) for key, member in ours.items()]
        elif isinstance(ours, list):
            if not isinstance(theirs, list) or len(ours) != len(theirs):
                return False
            waiting += zip(ours, theirs, strict=True)
        elif isinstance(ours, float) and isinstance(theirs, float):
            if ours != theirs:
                return False
        elif type(ours) is not type(theirs) or ours != theirs:
            return False
    return True


def frozen(value: Any) -> Any:
    """Something hashable that is equal for values that are the `same`, as far as they are not nested too deeply."""
    if isinstance(value, dict):
        try:
            return frozenset((key, frozen(member)) for key, member in value.items())
        except RecursionError:
            return id(value)
    if isinstance(value, list):
        try:
            return tuple(map(frozen, value))
        except RecursionError:
            return id(value)
    return (float, float(value)) if isinstance(value, float) else (type(value), value)
