"""The state of a connection as data: the rows of `status --json`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector.protocol.listing import ListKind
from inspector.workspace.connection import Connection

KINDS: tuple[ListKind, ...] = ("tools", "resources", "templates", "prompts")


def status(
    connection: Connection, mask: Callable[[str], str], mask_served: Callable[[str], str]
) -> dict[str, Any]:
    """One member of `servers` in the contract. `mask` hides secrets in texts of failures and steps, `mask_served` in
    what the server says of itself."""
    session = connection.session
    handshake = session.handshake if session is not None else None
    failure = connection.error
    error = None
    if failure is not None:
        error = masked(failure.as_json(), mask)
    return {
        "name": connection.name,
        "state": connection.state,
        "transport": connection.transport,
        "protocolVersion": handshake.version if handshake is not None else None,
        "era": handshake.era if handshake is not None else None,
        "serverInfo": masked(handshake.server_info, mask_served) if handshake is not None else None,
        "counts": {kind: connection.count(kind) for kind in KINDS},
        "pid": connection.facts.pid if connection.facts is not None else None,
        "uptime_s": None if connection.uptime is None else round(connection.uptime, 3),
        "error": error,
        "noise": session.noise if session is not None else 0,
        "findings": 0,
        "steps": [
            {
                "step": step.step,
                "ms": None if step.ms is None else round(step.ms, 3),
                "outcome": mask(step.outcome),
            }
            for step in connection.steps.steps
        ],
    }


def masked(value: Any, mask: Callable[[str], str]) -> Any:
    """A value of plain JSON with every string masked, names of members too."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [masked(item, mask) for item in value]
    if isinstance(value, dict):
        return {mask(key): masked(member, mask) for key, member in value.items()}
    return value
