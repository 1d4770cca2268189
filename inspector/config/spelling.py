"""The many words of clients for the same few things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Keys = tuple[str | int, ...]

TRANSPORTS: Mapping[str, str] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "https": "http",
    "streamable": "http",
    "streamablehttp": "http",
    "streamablestateless": "http",
    "httpstream": "http",
    "sse": "sse",
    "httpsse": "sse",
    "remote": "auto",
    "auto": "auto",
    "autosse": "auto-sse",
}
"""Every spelling of a transport, without case, dashes, underscores and blanks."""

NAMES_OF_TRANSPORTS: Mapping[str, str] = {
    "stdio": "a program that is started",
    "http": "Streamable HTTP",
    "sse": "HTTP+SSE",
    "auto": "an address",
}
ALIASES: Mapping[str, str] = {
    "environment": "env",
    "envs": "env",
    "cmd": "command",
    "uri": "url",
    "http_headers": "headers",
    "working_directory": "cwd",
    "workingDirectory": "cwd",
}
"""Members that mean another one, where that is not there itself."""
_OPENED: Mapping[str, Mapping[str, str]] = {
    "transport": {},
    "command": {"path": "command"},
    "requestOptions": {"caBundlePath": "ca", "verifySsl": "verify", "timeout": "tool_timeout_sec"},
    "config": {},
}
"""Members that are objects whose own members belong to the entry, with those that are called otherwise there."""


def transport_of(spelling: str) -> str:
    """Our word for a client's; `unsupported:<x>` for one that nobody knows."""
    key = "".join(char for char in spelling.lower() if char.isalnum())
    return TRANSPORTS.get(key, f"unsupported:{spelling}")


def opened(raw: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Keys]]:
    """The members of an entry by their usual names; and where each one stands."""
    fields = dict(raw)
    origin: dict[str, Keys] = {key: (key,) for key in raw}
    for outer, names in _OPENED.items():
        nested = raw.get(outer)
        if not isinstance(nested, dict) or (outer == "config" and "type" not in nested):
            continue
        del fields[outer]
        for key, value in nested.items():
            name = names.get(key, key)
            fields[name] = value
            origin[name] = (outer, key)
    for alias, name in ALIASES.items():
        if alias in fields and name not in fields:
            fields[name] = fields.pop(alias)
            origin[name] = origin[alias]
    return fields, origin


def variable_name(id: str) -> str:
    """A name for an environment variable that holds what an input of that id asks for."""
    name = "".join(char if char.isascii() and char.isalnum() else "_" for char in id).upper()
    return f"_{name}" if name[:1].isdigit() or not name else name
