"""Servers that stand in no file: a command line after `--`, or a URL."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from inspector.base.errors import fail
from inspector.config.dialects import ADHOC
from inspector.config.entry import Entry, Overrides, Source
from inspector.config.spelling import transport_of


def from_command(argv: Sequence[str], overrides: Overrides | None = None) -> Entry:
    """A server that is started by `argv`, verbatim, in the current directory; named after the command's base name."""
    name = os.path.basename(argv[0].rstrip("/\\")) or argv[0]
    stem, extension = os.path.splitext(name)
    if extension.lower() in (".exe", ".cmd", ".bat"):
        name = stem
    entry = _entry(name, overrides)
    entry.declared = "stdio"
    entry.command, *entry.args = argv
    return entry


def from_url(url: str, overrides: Overrides | None = None) -> Entry:
    """A server at `url`, verbatim, named after its host. The transport is `auto` unless overridden."""
    try:
        host = urlsplit(url).hostname
    except ValueError as error:
        raise fail(
            "config", f"{url} is no URL: {error}", "write http://HOST... or https://HOST..."
        ) from error
    entry = _entry(host or url, overrides)
    entry.declared = "auto"
    entry.url = url
    return entry


def _entry(name: str, overrides: Overrides | None) -> Entry:
    here = os.getcwd()
    return Entry(
        name=name,
        dialect=ADHOC,
        source=Source(),
        raw=None,
        home=str(Path.home()),
        project=here,
        base=here,
        folder=here,
        overrides=overrides or Overrides(),
    )


def parse_overrides(
    headers: Iterable[str] = (),
    env: Iterable[str] = (),
    cwd: str | None = None,
    transport: str | None = None,
    *,
    insecure: bool = False,
    ca: str | None = None,
    message_url: str | None = None,
) -> Overrides:
    """Our own options `--header 'K: V'`, `--env K=V` ... as overrides. Raises Failed (config) naming the bad one."""
    if transport is not None and transport_of(transport).startswith("unsupported:"):
        raise fail("config", f"unknown transport {transport}", "use auto, stdio, http or sse")
    return Overrides(
        headers=dict(_pair(text, ":", "--header 'NAME: VALUE'") for text in headers),
        env=dict(_pair(text, "=", "--env NAME=VALUE") for text in env),
        cwd=cwd,
        transport=transport_of(transport) if transport is not None else None,
        insecure=insecure,
        ca=ca,
        message_url=message_url,
    )


def _pair(text: str, mark: str, usage: str) -> tuple[str, str]:
    name, found, value = text.partition(mark)
    if not found or not name.strip():
        raise fail("config", f"{name.strip() or 'an empty name'} is no name and value", f"write {usage}")
    return name.strip(), value.strip() if mark == ":" else value
