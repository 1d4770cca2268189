"""Recordings written in other formats, one module each, in pieces, so that no recording is too long for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from inspector.traffic.exports.source import Source

FORMATS = {
    "jsonl": "a recording of the chosen frames, one JSON object a line",
    "text": "a transcript to read",
    "har": "HAR 1.2, for browsers and proxies",
    "html": "one page without anything from outside",
    "otlp": "OpenTelemetry spans, one ExportTraceServiceRequest a line",
}

SUFFIXES = {"jsonl": ".mcprec", "text": ".txt", "har": ".har", "html": ".html", "otlp": ".otlp.jsonl"}
"""How files of each format end, where nobody says otherwise."""


def export(name: str, source: Source) -> Iterator[bytes]:
    """The pieces of the file, in their order."""
    pieces: Callable[[Source], Iterator[bytes]] = import_module(f"{__name__}.{name}").pieces
    return pieces(source)
