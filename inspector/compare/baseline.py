"""What a server listed when a person accepted it, kept in a file: ours, or one that belongs into a repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.errors import fail
from inspector.base.fifo import read_named
from inspector.base.text import visible_json
from inspector.compare.listings import Lists
from inspector.protocol.listing import LISTS

FORMAT = "mcp-inspect/baseline"
VERSION = 1
_MOST_BYTES = 64 << 20


def read(path: Path) -> dict[str, Lists] | None:
    """The lists by server; None where nothing was accepted yet. Raises Failed: io, config, unsupported."""
    try:
        data = read_named(path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise fail(
            "io", f"{path} cannot be read: {error.strerror or error}", "name a baseline file"
        ) from error
    try:
        value = numbers.spelled(data.decode("utf-8-sig")) if len(data) <= _MOST_BYTES else None
    except ValueError:
        value = None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise fail(
            "config", f"{path} is no baseline", "name another file, or remove this one and use --accept"
        )
    if value.get("version") != VERSION:
        version = str(value.get("version"))[:20]
        raise fail(
            "unsupported", f"{path} has version {version} of the baseline format", "update mcp-inspect"
        )
    servers = value.get("servers")
    return {
        name: {kind: lists[kind] for kind in LISTS if isinstance(lists.get(kind), list)}
        for name, lists in (servers if isinstance(servers, dict) else {}).items()
        if isinstance(lists, dict)
    }


def of(path: Path, name: str) -> Lists | None:
    """Those of one server; a file for one is for it whatever it is called now. None where nothing was accepted. Raises
    Failed: io, config, unsupported."""
    accepted = read(path)
    if accepted is None:
        return None
    return next(iter(accepted.values())) if len(accepted) == 1 else accepted.get(name)


def text(servers: Mapping[str, Lists]) -> str:
    """The content of a baseline file, in an order and layout that is easy to compare by lines."""
    value: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "servers": {
            name: {kind: sorted(lists[kind], key=_name(LISTS[kind].key)) for kind in LISTS if kind in lists}
            for name, lists in sorted(servers.items())
        },
    }
    return visible_json(numbers.dumps(value, indent=1)) + "\n"


def _name(key: str) -> Any:
    return lambda entry: str(entry.get(key)) if isinstance(entry, dict) else ""
