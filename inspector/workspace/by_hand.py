"""What a person may send to a server by hand: a template for every method, with names that the server has listed."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.check.names import CAPABILITY_OF
from inspector.protocol.methods import NOTIFICATIONS, REQUESTS, is_in, templates
from inspector.protocol.revisions import LATEST_LEGACY
from inspector.session.eras.legacy import Legacy
from inspector.workspace.connection import Connection

_OPENING = ("initialize", "notifications/initialized")
_NAMED_BY: Mapping[str, str] = {"tools": "name", "prompts": "name", "resources": "uri"}


def offered(connection: Connection) -> dict[str, str]:
    """Params as JSON by method, empty where it needs none; foreign where a server's names are in them. First what opens
    a session by hand, as long as that is not done, then what is in the version that is spoken, and the rest last."""
    listings = connection.catalog.listings if connection.catalog is not None else {}
    names: dict[str, str] = {}
    for kind, listing in listings.items():
        member = _NAMED_BY.get(kind)
        found = (entry.get(member) for entry in listing.entries if member and isinstance(entry, dict))
        if (first := next((name for name in found if isinstance(name, str)), None)) is not None:
            names[kind] = first
    params = templates(names, _opening(connection))
    last, opening = unknown(connection), _OPENING if connection.state == "open" else ()
    return dict(sorted(params.items(), key=lambda item: (item[0] not in opening, item[0] in last)))


def unknown(connection: Connection) -> dict[str, str]:
    """The methods that the version of the session does not have, with that version; none before one is agreed on."""
    version = connection.handshake.version if connection.handshake is not None else None
    methods = (*REQUESTS, *NOTIFICATIONS)
    return {} if version is None else {each: version for each in methods if not is_in(each, version)}


def _opening(connection: Connection) -> Mapping[str, object]:
    """As it was sent, or as it would be."""
    handshake, session = connection.handshake, connection.session
    if handshake is not None and handshake.era == "legacy":
        return handshake.sent
    if session is not None and isinstance(session.era, Legacy):
        return session.era.params
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
