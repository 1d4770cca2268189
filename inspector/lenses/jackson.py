"""JSON as the Java library Jackson writes it: what PaiCLI puts into texts must come out letter for letter."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, Literal

from inspector.base.jsontext import Spelled
from inspector.base.patterns import pattern

_BITS = {"int": 31, "long": 63}
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DECIMAL = pattern(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?|NaN|-?(Infinity|INF)")
_HEX = pattern(r"\\u[0-9a-f]{4}")


def real(value: float) -> str:
    """`Double.toString`: plain between a thousandth and ten million, else with an exponent."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign, magnitude = ("-", -value) if math.copysign(1.0, value) < 0 else ("", value)
    if magnitude == 0:
        return f"{sign}0.0"
    shortest = repr(magnitude)
    # Where one digit would do, Java takes the nearest decimal of two.
    text = f"{magnitude:.1e}" if float(f"{magnitude:.1e}") == magnitude else f"{_scientific(shortest)}"
    digits, _, exponent = text.partition("e")
    whole, _, rest = digits.partition(".")
    power = int(exponent)
    if -3 <= power < 7:
        every = whole + rest
        if power < 0:
            return f"{sign}0.{'0' * (-power - 1)}{every.rstrip('0') or '0'}"
        every = every.ljust(power + 2, "0")
        return f"{sign}{every[: power + 1]}.{every[power + 1 :].rstrip('0') or '0'}"
    return f"{sign}{whole}.{rest.rstrip('0') or '0'}E{power}"


def _scientific(text: str) -> str:
    """`123.4` as `1.234e2`, digit for digit."""
    mantissa, _, exponent = text.partition("e")
    whole, _, rest = mantissa.partition(".")
    power = int(exponent or 0) + len(whole) - 1
    digits = whole + rest
    stripped = digits.lstrip("0")
    power -= len(digits) - len(stripped)
    return f"{stripped[0]}.{stripped[1:].rstrip('0') or '0'}e{power}"


def scalar(value: Any) -> str:
    """A number, boolean or null as text, a string as it is: `asText` of a value node."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _number(value)
    from inspector.base.jsontext import dump

    return dump(value, None)


def _number(value: float) -> str:
    # An integer that is spelled by itself (-0, or longer than anybody reads) is no double to Jackson.
    text = value.text if isinstance(value, Spelled) else ""
    if text.lstrip("-").isdigit():
        return "0" if text == "-0" else text
    return real(value)


def number(value: Any) -> Any:
    """A number as Jackson keeps it: its own spelling where that is another than ours."""
    if not isinstance(value, float) or math.isinf(value):
        return value
    text = _number(value)
    if text == "0":
        return 0
    return float(value) if repr(float(value)) == text else Spelled(text)


class Refused(ValueError):
    """Jackson binds no such value to that type."""


def coerced(value: Any, to: Literal["text", "boolean", "decimal", "int", "long"]) -> Any:
    """A scalar as Jackson binds it to a type of Java by its defaults, null as null; raises `Refused`."""
    if isinstance(value, dict | list):
        raise Refused
    if value is None or to == "text":
        return None if value is None else scalar(value)
    if isinstance(value, str):
        return _parsed(value.strip(), to)
    if to == "boolean":
        if isinstance(value, float):
            raise Refused
        return bool(value)
    if isinstance(value, bool):
        raise Refused
    return float(value) if to == "decimal" else _whole(value, to)


def _parsed(text: str, to: str) -> Any:
    if not text:
        return None
    if to == "boolean":
        if text not in _BOOLEANS:
            raise Refused
        return _BOOLEANS[text]
    if "_" in text or (to == "decimal" and not _DECIMAL.fullmatch(text)):
        raise Refused
    try:
        return float(text) if to == "decimal" else _whole(int(text), to)
    except ValueError:
        raise Refused from None


def _whole(value: float, to: str) -> int:
    if not math.isfinite(value) or not -(1 << _BITS[to]) <= value < 1 << _BITS[to]:
        raise Refused
    return int(value)


def compact(value: Any) -> str:
    """JSON without blanks, however deep the value is."""
    return "".join(_pieces(value))


def _pieces(value: Any) -> Iterator[str]:
    waiting: list[Any] = [(value,)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
            continue
        (here,) = part
        if isinstance(here, dict):
            inside: list[Any] = ["{"]
            for key, member in here.items():
                inside += [",", _quoted(str(key)) + ":", (member,)]
            inside[1:2] = []
            waiting += reversed([*inside, "}"])
        elif isinstance(here, list):
            inside = ["["]
            for item in here:
                inside += [",", (item,)]
            inside[1:2] = []
            waiting += reversed([*inside, "]"])
        elif isinstance(here, str):
            yield _quoted(here)
        elif isinstance(here, float) and math.isinf(here) and not _number(here).lstrip("-").isdigit():
            yield f'"{real(here)}"'
        else:
            yield scalar(here)


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    if "\\u" not in quoted:
        return quoted
    return _escapes(quoted)


def _escapes(quoted: str) -> str:
    # Jackson writes the digits of control characters in capitals; a backslash of the text itself is doubled.
    parts = quoted.split("\\\\")
    return "\\\\".join(_HEX.sub(lambda match: "\\u" + match.group()[2:].upper(), part) for part in parts)


def units(text: str) -> int:
    """Length in UTF-16 code units, as Java counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def first_units(text: str, count: int) -> str:
    """The first code units. A pair that is split leaves its first half, a lone surrogate."""
    if text.isascii():
        return text[:count]
    data = text[:count].encode("utf-16-le", "surrogatepass")[: count * 2]
    return data.decode("utf-16-le", "surrogatepass")


def is_blank(text: str) -> bool:
    """`String.isBlank`: the space that breaks no line is not blank to Java."""
    return all(_is_space(char) for char in text)


def _is_space(char: str) -> bool:
    return char.isspace() and char not in "\x85\xa0\u2007\u202f"
