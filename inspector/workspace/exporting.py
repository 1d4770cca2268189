"""Writes frames to a file in another format without holding up the loop that they still come in on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from inspector.base import saving
from inspector.base.secrets import Secrets
from inspector.config.settings import load_settings
from inspector.traffic.exports import export
from inspector.traffic.exports.source import SESSION_IDS, Source
from inspector.traffic.redact import Redaction, patterns_of
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

_SLICE = 0.006
"""Seconds of work between two looks at what else there is to do."""


async def export_to(
    path: Path,
    form: str,
    traffic: Traffic,
    rows: Sequence[int] | None,
    secrets: Secrets | None,
    *,
    replace: bool = False,
    told: Callable[[int], None] = lambda size: None,
) -> int:
    """Writes the rows, or where there are none given all that lists show, and returns how many bytes that came to.

    `secrets` are masked with what the settings and names say; with None nothing is. `told` hears how many bytes there
    are so far. What cannot be written whole is not written at all, also where this is cancelled. Raises Failed: io, and
    config for a redaction pattern that cannot be used."""
    redaction = None
    if secrets is not None:
        redaction = Redaction(secrets, patterns_of((*SESSION_IDS, *load_settings().redact)))
    if rows is None:
        view = View(traffic)
        while traffic.advance(_SLICE) or view.extend(_SLICE):
            await asyncio.sleep(0)
        source = Source(traffic, view.rows[:], True, redaction)
    else:
        source = Source(traffic, rows, False, redaction)
    size, pause = 0, time.monotonic() + _SLICE
    with saving.writing(path, replace=replace) as write:
        for piece in export(form, source):
            write(piece)
            size += len(piece)
            if time.monotonic() > pause:
                told(size)
                await asyncio.sleep(0)
                pause = time.monotonic() + _SLICE
    return size
