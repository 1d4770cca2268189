"""One line of a recording: how a row is written, and how its head is read back.

A line is one JSON object. The payload comes last and is put there byte for byte, so that the original bytes
can be sliced out again without parsing them:

    {"t":0.012345,"q":4,"s":1,"d":"s2c","e":7,"f":["redacted"],"m":{"jsonrpc":"2.0",...}}

`t` seconds since the base of the header, `q` row number, `s` session, `d` channel (c2s s2c err sys http), `e`
HTTP exchange, `f` flags, `n` true size in bytes where the payload does not tell. The payload is `m` (the raw
JSON text of a frame that is strict JSON on one line), else `x` (its text as a JSON string), else `b` (base64:
not UTF-8).
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from inspector.base import jsontext

Channel = Literal["c2s", "s2c", "err", "sys", "http"]
C2S, S2C, ERR, SYS, HTTP = range(5)
LATEST = 1 << 40
"""Seconds that no time of a row reaches."""
CHANNELS: tuple[Channel, ...] = ("c2s", "s2c", "err", "sys", "http")
CHANNEL_OF: dict[str, int] = {name: number for number, name in enumerate(CHANNELS)}

# Flags of a row. The first three are facts about the bytes and are written; the others are conclusions.
TRUNCATED, REDACTED, BROKEN, PROBLEM, ID_TYPE, REUSED_ID, LOST, PROBE = (1 << bit for bit in range(8))
FLAGS = {
    "truncated": TRUNCATED,
    "redacted": REDACTED,
    "broken": BROKEN,
    "problem": PROBLEM,
    "id type": ID_TYPE,
    "reused id": REUSED_ID,
    "lost": LOST,
    "probe": PROBE,
}
_WRITTEN = (("truncated", TRUNCATED), ("redacted", REDACTED), ("lost", LOST))

# A mark tells where the payload of a line starts and how it is written: start | encoding << 14. The fourth
# encoding is `m` with a carriage return behind it, as servers on Windows end their lines: flag `cr`.
JSON, TEXT, BASE64, JSON_CR = range(4)
START = (1 << 14) - 1

_HEADS = tuple(b'{"t":%%.6f,"q":%%d,"s":%%d,"d":"%s"' % name.encode() for name in CHANNELS)
ROW = re.compile(
    rb'(\{"t":(-?\d{1,20}\.\d{1,20}),"q":\d{1,20},"s":(\d{1,9}),"d":"(c2s|s2c|err|sys|http)"(?:,"e":(\d{1,20}))?'
    rb'(?:,"f":\[([a-z",]{0,99})\])?(?:,"n":(\d{1,20}))?,"([mxb])":)([^\n]*)\}\n'
)
"""The head as we write it: (head, t, s, d, e, f, n, payload key, payload)."""


def _constant(name: str) -> Any:
    raise ValueError(name)


_decoder = json.JSONDecoder(parse_constant=_constant)
_scan: Callable[[str, int], tuple[Any, int]] = vars(_decoder)["scan_once"]
_lenient = json.JSONDecoder(strict=False)


def decoded(raw: bytes) -> Any:
    """The value of strict JSON; raises ValueError, StopIteration or RecursionError for everything else."""
    text = raw.decode("utf-8")
    value, end = _scan(text, 0)
    if end != len(text):
        return _decoder.decode(text)
    return value


def is_strict_line(raw: bytes) -> bool:
    """True for strict JSON in UTF-8 on one line, that every reader of the file can take."""
    if b"\n" in raw or b"\r" in raw:
        return False
    try:
        decoded(raw)
    except (ValueError, StopIteration, RecursionError):
        return False
    return True


def encode(
    raw: bytes,
    t: float,
    row: int,
    session: int,
    channel: int,
    exchange: int = 0,
    flags: int = 0,
    size: int = -1,
) -> tuple[bytes, int]:
    """The line of one row, and its mark. `size` is given where it is not the length of `raw`."""
    head = _HEADS[channel] % (t, row, session)
    if exchange:
        head += b',"e":%d' % exchange
    if channel == HTTP or (channel <= S2C and size < 0 and is_strict_line(raw)):
        head += b',"f":[%s],"m":' % _names(flags) if flags else b',"m":'
        return head + raw + b"}\n", len(head)
    return _encode_odd(head, raw, channel, flags, size)


def _encode_odd(head: bytes, raw: bytes, channel: int, flags: int, size: int) -> tuple[bytes, int]:
    names = _names(flags)
    if channel <= S2C and size < 0 and raw.endswith(b"\r") and is_strict_line(raw[:-1]):
        head += b',"f":[%s],"m":' % b",".join(filter(None, (names, b'"cr"')))
        return head + raw[:-1] + b"}\n", len(head) | JSON_CR << 14
    if names:
        head += b',"f":[%s]' % names
    head += b',"n":%d' % (len(raw) if size < 0 else size)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        head += b',"b":'
        return head + b'"' + b64encode(raw) + b'"}\n', len(head) | BASE64 << 14
    head += b',"x":'
    return head + json.dumps(text, ensure_ascii=False).encode() + b"}\n", len(head) | TEXT << 14


def _names(flags: int) -> bytes:
    return b",".join(b'"%s"' % name.encode() for name, bit in _WRITTEN if flags & bit)


def start_of(mark: int) -> int:
    return mark & START


def encoding_of(mark: int) -> int:
    return mark >> 14


def original(rest: bytes, encoding: int) -> bytes:
    """The bytes that crossed the wire, from the payload of kind `x` or `b` and what follows it on its line.

    A payload that is not what its key promises is given as it stands.
    """
    try:
        text, _ = _lenient.raw_decode(rest.decode("utf-8"))
        return text.encode("utf-8", "surrogatepass") if encoding == TEXT else b64decode(text, validate=True)
    except (ValueError, TypeError, AttributeError, NotBase64, RecursionError):
        return rest


class Parsed(NamedTuple):
    """A row read from a line: `mark` as of `encode`, `size` of the original bytes."""

    t: float
    session: int
    channel: int
    exchange: int
    flags: int
    mark: int
    size: int


def flags_of(names: list[str]) -> int:
    flags = 0
    for name, bit in _WRITTEN:
        if name in names:
            flags |= bit
    return flags


def parse(line: bytes) -> Parsed | dict[str, Any] | None:
    """A line in any spelling: a row, the members of another kind of line, or None where it cannot be read."""
    try:
        text = line.decode("utf-8")
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if type(value) is not dict:
        return None
    if "d" not in value:
        return value
    key = next((key for key in ("m", "x", "b") if key in value), None)
    channel = CHANNEL_OF.get(value["d"]) if type(value["d"]) is str else None
    if key is None or channel is None:
        return value
    return _row(text, value, key, channel)


def _row(text: str, value: dict[str, Any], key: str, channel: int) -> Parsed | None:
    member = [child for child in jsontext.children(text, jsontext.skip_space(text, 0)) if child.key == key][
        -1
    ]
    start = len(text[: member.start].encode())
    payload = text[member.start : member.end].encode()
    names = [name for name in _list(value.get("f")) if type(name) is str]
    encoding = {"m": JSON_CR if "cr" in names else JSON, "x": TEXT, "b": BASE64}[key]
    if start > START:
        return None
    size = value.get("n")
    if encoding in (JSON, JSON_CR):
        size = len(payload) + (encoding == JSON_CR)
    elif type(size) is not int or not 0 <= size < 1 << 32:
        size = len(original(payload, encoding))
    return Parsed(
        t=_time(value.get("t")),
        session=_count(value.get("s"), 1 << 16),
        channel=channel,
        exchange=_count(value.get("e"), 1 << 32),
        flags=flags_of(names),
        mark=start | encoding << 14,
        size=size,
    )


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []


def _time(value: Any) -> float:
    """Seconds; 0 for what is none, or nothing that a clock can show."""
    return float(value) if type(value) in (float, int) and abs(value) < LATEST else 0.0


def _count(value: Any, limit: int) -> int:
    return value if type(value) is int and 0 <= value < limit else 0
