"""Reads the session that a live tap writes, as it grows."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from inspector.tap.listing import Tap, is_live
from inspector.traffic.files import pread
from inspector.traffic.lines import JSON, JSON_CR, Parsed, encoding_of, original, parse, start_of

_STEP = 1 << 18
_BINARY = getattr(os, "O_BINARY", 0)


class Row(NamedTuple):
    """`t` is in seconds since the epoch, `size` that of the frame where `raw` is only its beginning, else -1. The rest
    is as `traffic.store.Traffic.append` takes it."""

    t: float
    channel: int
    raw: bytes
    exchange: int
    flags: int
    size: int


class Tail:
    """Raises OSError where the recording cannot be read."""

    def __init__(self, name: str, tap: Tap) -> None:
        self.facts: dict[str, Any] = {}
        """What is known of the session so far."""
        self.told_at = 0.0
        """When the last of them became known, in seconds since the epoch."""
        self.done = False
        """Nothing more will come."""
        self._name, self._session = name, tap.session
        self._descriptor = os.open(tap.path, os.O_RDONLY | _BINARY)
        self._at = tap.start
        self._rest = b""
        self._base = 0.0
        head = pread(self._descriptor, 1 << 16, 0).partition(b"\n")[0]
        try:
            self._base = float(json.loads(head)["base"])
        except (ValueError, TypeError, KeyError):
            pass

    def read(self) -> list[Row]:
        """What has come since, in bounds: more may be there when it gives something."""
        over = not is_live(self._name)
        data = pread(self._descriptor, _STEP, self._at)
        self._at += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        rows = [row for line in whole if (row := self._line(line)) is not None]
        if over and not data:
            self.done = True
        return rows

    def close(self) -> None:
        os.close(self._descriptor)

    def _line(self, line: bytes) -> Row | None:
        found = parse(line)
        if isinstance(found, Parsed):
            return self._row(found, line) if self._session in (None, found.session) else None
        if isinstance(found, dict) and "session" in found and self._session in (None, found["session"]):
            t = found.get("t")
            self.told_at = self._base + (t if isinstance(t, int | float) else 0.0)
            self.facts = {
                name: value for name, value in found.items() if name not in ("session", "t", "label")
            }
        return None

    def _row(self, found: Parsed, line: bytes) -> Row:
        start, encoding = start_of(found.mark), encoding_of(found.mark)
        if encoding == JSON:
            raw = line[start : start + found.size]
        elif encoding == JSON_CR:
            raw = line[start : start + found.size - 1] + b"\r"
        else:
            raw = original(line[start:], encoding)
        size = found.size if found.size != len(raw) else -1
        return Row(self._base + found.t, found.channel, raw, found.exchange, found.flags, size)
