"""The state of a connection as data: the rows of `status --json`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector.base.errors import Failure
from inspector.protocol.jsonrpc import METHOD_NOT_FOUND
from inspector.protocol.listing import ListKind
from inspector.workspace.connection import Connection

_ENTRIES = 20
"""Odd entries of a list that are told of one by one."""
KINDS: tuple[ListKind, ...] = ("tools", "resources", "templates", "prompts")


def status(
    connection: Connection, mask: Callable[[str], str], served: Callable[[Any], Any], findings: int
) -> dict[str, Any]:
    """One member of `servers` in the contract. `findings` is how many there are; `mask` hides secrets in
    texts of failures and steps; `served` makes what goes into the document of what the server says of itself, which
    may be of any shape and depth."""
    session = connection.session
    handshake = session.handshake if session is not None else None
    failure = connection.error
    return {
        "name": connection.name,
        "state": connection.state,
        "transport": connection.transport,
        "protocolVersion": handshake.version if handshake is not None else None,
        "era": handshake.era if handshake is not None else None,
        "serverInfo": served(handshake.server_info) if handshake is not None else None,
        "counts": {kind: connection.count(kind) for kind in KINDS},
        "pid": connection.facts.pid if connection.facts is not None else None,
        "uptime_s": None if connection.uptime is None else round(connection.uptime, 3),
        "error": None if failure is None else error(failure, mask, served),
        "noise": session.noise if session is not None else 0,
        "findings": findings,
        "warnings": [mask(text) for text in oddities(connection)],
        "steps": [
            {
                "step": step.step,
                "ms": None if step.ms is None else round(step.ms, 3),
                "outcome": mask(step.outcome),
            }
            for step in connection.steps.steps
        ],
    }


def oddities(connection: Connection) -> list[str]:
    """What is odd about a server and does not keep it from being used, one sentence each, foreign words unescaped."""
    session = connection.session
    if session is None:
        return []
    found = list(session.warnings)
    for kind, listing in (connection.catalog.listings if connection.catalog is not None else {}).items():
        found += [f"{kind}: {warning}" for warning in listing.warnings]
        found += [f"{kind}: entry {odd.index}: {odd.reason}" for odd in listing.invalid[:_ENTRIES]]
        if (more := len(listing.invalid) - _ENTRIES) > 0:
            found.append(f"{kind}: {more} more odd entries")
    found += unread(connection)
    if session.noise:
        lines = "1 line on stdout was" if session.noise == 1 else f"{session.noise} lines on stdout were"
        found.append(f"{lines} no message; see the traffic")
    return found


def unread(connection: Connection) -> list[str]:
    """The lists that were declared and could not be read, one sentence each. What is not implemented is said where
    capabilities are told."""
    listings = connection.catalog.listings if connection.catalog is not None else {}
    return [
        f"{kind} cannot be read: {listing.failure.message}"
        for kind, listing in listings.items()
        if listing.failure is not None and listing.failure.code != METHOD_NOT_FOUND
    ]


def error(failure: Failure, mask: Callable[[str], str], served: Callable[[Any], Any]) -> dict[str, Any]:
    """The one error shape, with its texts masked, and what the server sent with it as `served` gives it."""
    shown = failure.as_json()
    for member in ("message", "hint"):
        shown[member] = mask(shown[member]) if shown[member] is not None else None
    shown["data"] = served(failure.data)
    shown["stderr"] = [mask(line) for line in failure.stderr]
    return shown
