"""What a person may send to a server by hand: a template for every method, with names that the server has listed."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.check.names import CAPABILITY_OF
from inspector.protocol.methods import templates
from inspector.protocol.revisions import LATEST_LEGACY
from inspector.session.handshake import Handshake
from inspector.workspace.connection import Connection

_NAMED_BY: Mapping[str, str] = {"tools": "name", "prompts": "name", "resources": "uri"}


def offered(connection: Connection) -> dict[str, str]:
    """Params as JSON by method, empty where it needs none; foreign where a server's names are in them."""
    listings = connection.catalog.listings if connection.catalog is not None else {}
    names: dict[str, str] = {}
    for kind, listing in listings.items():
        member = _NAMED_BY.get(kind)
        found = (entry.get(member) for entry in listing.entries if member and isinstance(entry, dict))
        if (first := next((name for name in found if isinstance(name, str)), None)) is not None:
            names[kind] = first
    return templates(names, _opening(connection.handshake))


def _opening(handshake: Handshake | None) -> Mapping[str, object]:
    """As it was sent, or as any client might send it."""
    if handshake is not None and handshake.era == "legacy":
        return handshake.sent
    info = {"name": "NAME", "version": "1"}
    return {"protocolVersion": LATEST_LEGACY, "capabilities": {}, "clientInfo": info}


def undeclared(connection: Connection) -> dict[str, str]:
    """The capability that a method belongs to, where the server said what it has and that is not among it."""
    handshake = connection.handshake
    if handshake is None or not handshake.declared:
        return {}
    return {
        method: lacked for method, lacked in CAPABILITY_OF.items() if lacked not in handshake.capabilities
    }
