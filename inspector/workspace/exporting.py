"""Writes frames to a file in another format, or posts them, without holding up the loop that they still come in on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from inspector.base import saving
from inspector.base.errors import fail
from inspector.base.secrets import Secrets
from inspector.config.server import Server
from inspector.config.settings import load_settings
from inspector.session.dispatcher import IDLE
from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
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
    source = await _source(traffic, rows, secrets)
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


async def post_to(
    server: Server,
    traffic: Traffic,
    rows: Sequence[int] | None,
    secrets: Secrets | None,
    *,
    timeout: float = IDLE,
    told: Callable[[int], None] = lambda spans: None,
) -> tuple[int, list[str]]:
    """Posts the rows as spans to the collector at the URL of `server`, with its headers: how many, and what it said of
    spans that it did not take. The rest is as for `export_to`. Raises Failed, of the kinds of a connection too."""
    return await post(
        server, export("otlp", await _source(traffic, rows, secrets)), timeout=timeout, told=told
    )


async def post(
    server: Server,
    requests: Iterator[bytes],
    *,
    timeout: float = IDLE,
    told: Callable[[int], None] = lambda spans: None,
) -> tuple[int, list[str]]:
    """The same for requests that are made already."""
    from inspector.transports.collector import Collector

    if server.unresolved:
        raise fail("config", f"the variable {server.unresolved[0]} is not set", "set it, or leave it out")
    collector = Collector(
        server.launch.url or "",
        server.launch.headers,
        timeout=timeout,
        insecure=server.insecure,
        ca=server.ca,
    )
    count, refused = 0, []
    try:
        for body in requests:
            if said := await collector.post(body):
                refused.append(said)
            count += body.count(b'"spanId":')
            told(count)
    finally:
        await collector.aclose()
    return count, refused


async def _source(traffic: Traffic, rows: Sequence[int] | None, secrets: Secrets | None) -> Source:
    redaction = None
    if secrets is not None:
        redaction = Redaction(secrets, patterns_of(load_settings().redact))
    if rows is not None:
        return Source(traffic, rows, False, redaction)
    view = View(traffic)
    while traffic.advance(_SLICE) or view.extend(_SLICE):
        await asyncio.sleep(0)
    return Source(traffic, view.rows[:], True, redaction)
