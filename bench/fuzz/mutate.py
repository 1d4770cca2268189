"""Changes bytes: as bytes, and as JSON where they hold some. All chance comes from the generator that is given."""

from __future__ import annotations

import json
from random import Random
from typing import Any

_ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, 10**40, 2**63, "", "\u202e\x1b]52;c;eA==\x07", "a/b~0", "../..", "http://[",
    "${env:HOME}", "#/$defs/a", "\ud83d", "x" * 5000, [], [[]], [None], {}, {"": None}, {"type": []}, {"$ref": "#"},
]  # fmt: skip
_BYTES = [
    b"", b"\n", b"\r", b"\r\n", b"\n\n", b"\0", b"\x1b[", b"\x1b]52;c;eA==\x07", b"\x9b", b"\xff", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"{", b"}", b"[", b"]", b'"', b"\\", b":", b",", b"null", b"NaN", b"-0", b"1e999",
    b"9" * 400, b"[" * 3000, b'{"a":' * 1500, b"%", b"#", b"${", b"//", b"/*",
]  # fmt: skip


def mutated(data: bytes, chance: Random, others: list[bytes]) -> bytes:
    """The data with some changes; `others` are inputs to take parts from."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = (_as_json(data, chance, others) if chance.random() < 0.6 else None) or _as_bytes(
            data, chance, others
        )
    return data


def _as_bytes(data: bytes, chance: Random, others: list[bytes]) -> bytes:
    at, to = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
    if chance.random() < 0.7:
        to = min(to, at + chance.choice((0, 1, 2, 8)))
    piece = chance.choice(
        (chance.choice(_BYTES), bytes([chance.randrange(256)]), data[at:to] * 2, _part(chance, others))
    )
    return data[:at] + piece + data[to:]


def _part(chance: Random, others: list[bytes]) -> bytes:
    other = chance.choice(others) if others else b""
    at = chance.randint(0, len(other))
    return other[at : at + chance.choice((4, 20, 200))]


def _as_json(data: bytes, chance: Random, others: list[bytes]) -> bytes | None:
    """None where there is no JSON to be changed: neither the whole nor a line that is picked."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    for before, piece, after in (
        (b"", data, b""),
        (b"\n".join(lines[:at]), lines[at], b"\n".join(lines[at + 1 :])),
    ):
        try:
            value = json.loads(piece)
        except (ValueError, RecursionError):
            continue
        try:
            changed = json.dumps(_changed(value, chance, _values(chance, others))).encode()
        except (ValueError, RecursionError):
            return None
        return b"\n".join(
            [*([before] if at and piece is not data else []), changed, *([after] if after else [])]
        )
    return None


def _values(chance: Random, others: list[bytes]) -> list[Any]:
    """Values from somewhere inside of another input."""
    try:
        value = json.loads(chance.choice(others)) if others else None
    except (ValueError, RecursionError):
        return _ODD
    found = []
    for _ in range(6):
        found.append(value)
        inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        if not inner:
            break
        value = chance.choice(inner)
    return found


def _changed(value: Any, chance: Random, others: list[Any]) -> Any:
    """One place below is another one."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        name = chance.choice(list(value))
        what = chance.random()
        if what < 0.08:
            return {key: member for key, member in value.items() if key != name}
        if what < 0.16:
            return {**value, chance.choice([*value, "", "$ref", "type", "id"]): chance.choice(others)}
        return {**value, name: _changed(value[name], chance, others)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        what = chance.random()
        if what < 0.08:
            return value[:at] + value[at + 1 :]
        if what < 0.16:
            return [*value[:at], chance.choice(others), *value[at:]]
        return [*value[:at], _changed(value[at], chance, others), *value[at + 1 :]]
    return chance.choice((chance.choice(_ODD), chance.choice(others), [value], {"a": value}))
