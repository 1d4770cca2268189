"""Frames as bytes: what may be changed in one without touching the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence

from inspector.base.jsontext import pick, put
from inspector.protocol.jsonrpc import Id

_LINE_ENDS = bytes.maketrans(b"\r\n", b"  ")


def one_line(raw: bytes) -> bytes:
    """A frame for where a line end ends it. In JSON such ends can only stand between values."""
    return raw.translate(_LINE_ENDS) if b"\n" in raw or b"\r" in raw else raw


def with_value(raw: bytes, path: Sequence[str], value: Id, old: Id | None = None) -> bytes:
    """A frame with another value at a place, if it has that place (and `old` there, where that is given); else the
    same."""
    if not all(name.encode() in raw for name in path):
        return raw
    text = raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if old is not None and pick(text, *path) != json.dumps(old, ensure_ascii=False):
        return raw
    return put(text, path, json.dumps(value, ensure_ascii=False)).encode("utf-8", "surrogateescape")
