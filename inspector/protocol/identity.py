"""Who we say that we are to a server: our own name, or that of another client, to see what a server makes of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from inspector import __version__
from inspector.base import numbers
from inspector.base.errors import fail
from inspector.protocol.jsonrpc import Id
from inspector.protocol.revisions import REVISIONS

Style = Literal["number", "uuid"]


@dataclass(frozen=True, slots=True)
class Identity:
    """`info` is sent as `clientInfo`. `capabilities` are declared in place of those that we have, None for ours;
    whoever declares what nobody answers sees how a server takes that. `protocol` is the version that is asked for,
    None for our choice; where it is `strict` another one of the server ends the connection. `ids` of requests are
    numbers that begin with `first`, or that behind eight characters of a UUID."""

    info: Mapping[str, Any]
    capabilities: Mapping[str, Any] | None = None
    protocol: str | None = None
    strict: bool = False
    ids: Style = "number"
    first: int = 0


def _client(name: str, version: str, **more: Any) -> Identity:
    return Identity({"name": name, "version": version}, **more)


OURS = _client("mcp-inspect", __version__)
PRESETS: Mapping[str, Identity] = {
    "paicli": _client("paicli", "11.0.0", capabilities={"tools": {}}, protocol="2025-03-26", first=1),
    "java-sync": _client(
        "Java SDK MCP Client", "1.0.0", capabilities={}, protocol="2024-11-05", strict=True, ids="uuid"
    ),
    "java-async": _client(
        "Spring AI MCP Client", "0.3.1", capabilities={}, protocol="2024-11-05", strict=True, ids="uuid"
    ),
    "solon": _client("Solon-Mcp-Client", "1.0.0", capabilities={}, protocol="2025-11-25", ids="uuid"),
    "claude-code": _client("claude-code", "2.0.0", capabilities={"roots": {}}, protocol="2025-06-18"),
}
"""Clients as they introduce themselves, as far as their sources say so; of Claude Code it is what servers log of it."""
_MEMBERS = ("name", "version", "title", "capabilities", "protocol", "strict", "ids", "first")


class Ids:
    """The ids of the requests of one connection, in the style of an identity."""

    def __init__(self, identity: Identity = OURS) -> None:
        self._first = identity.first
        self._prefix = f"{os.urandom(4).hex()}-" if identity.ids == "uuid" else ""

    def at(self, place: int) -> Id:
        """The id of the request that is the `place`-th, from 0."""
        return f"{self._prefix}{self._first + place}" if self._prefix else self._first + place

    def place(self, id_: Any) -> int | None:
        """The other way round; None for what is no id of ours."""
        if self._prefix:
            number = id_.removeprefix(self._prefix) if isinstance(id_, str) else ""
            if not (number.isascii() and number.isdigit()) or f"{self._prefix}{number}" != id_:
                return None
            return int(number[:18]) - self._first
        return id_ - self._first if type(id_) is int else None


def identity_of(word: str) -> Identity:
    """A preset by its name, or what a JSON file says: `name` and `version`, and of `title`, `capabilities`, `protocol`,
    `strict`, `ids` (number, uuid) and `first` what differs from ours. Raises Failed (config)."""
    if word in PRESETS:
        return PRESETS[word]
    if word == "mcp-inspect":
        return OURS
    known = f"known: mcp-inspect, {', '.join(PRESETS)}; anything else is a JSON file"
    try:
        value = numbers.loads(Path(word).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise fail("config", f"no client can be read from {word}: {why}", known) from error
    return written(value, word)


def as_written(identity: Identity) -> dict[str, Any]:
    """What a file would say of it, in all members that it has."""
    capabilities = {} if identity.capabilities is None else {"capabilities": identity.capabilities}
    protocol = {} if identity.protocol is None else {"protocol": identity.protocol}
    ids = {"strict": identity.strict, "ids": identity.ids, "first": identity.first}
    return {**identity.info, **capabilities, **protocol, **ids}


def written(value: Any, where: str = "") -> Identity:
    """The identity that a decoded file describes, see `identity_of`; `where` stands before what is wrong. Raises Failed
    (config)."""

    def wrong(what: str) -> Exception:
        said = f"{where}: {what}" if where else what
        return fail("config", said, f"an identity has the members {', '.join(_MEMBERS)}")

    if not isinstance(value, dict):
        raise wrong("there is no object in it")
    if unknown := [name for name in value if name not in _MEMBERS]:
        raise wrong(f"{unknown[0]!r} is no member of an identity")
    info = {name: value[name] for name in ("name", "title", "version") if name in value}
    if not (
        info.get("name") and info.get("version") and all(isinstance(text, str) for text in info.values())
    ):
        raise wrong("name and version must be texts")
    capabilities, protocol = value.get("capabilities"), value.get("protocol")
    ids, first, strict = value.get("ids", "number"), value.get("first", 0), value.get("strict", False)
    if capabilities is not None and not isinstance(capabilities, dict):
        raise wrong("capabilities must be an object")
    if protocol is not None and protocol not in REVISIONS:
        raise wrong(f"protocol must be one of {', '.join(REVISIONS)}")
    if ids not in ("number", "uuid") or type(first) is not int or not isinstance(strict, bool):
        raise wrong("ids must be number or uuid, first a whole number, strict true or false")
    return Identity(info, capabilities, protocol, strict, ids, first)
