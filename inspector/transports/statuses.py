"""What an HTTP status asks of somebody who wants to reach an MCP server."""

from __future__ import annotations

HINTS = {
    304: "a cache in front takes the request for a page that was read before: it must leave this path alone",
    400: "the server refused the request as it is; its words above may say what it wants",
    402: "the account behind it has to pay, or to change its plan",
    404: "nothing is served at this path; check it (often /mcp), or the server speaks the older HTTP+SSE (often /sse)",
    405: "this path takes no POST; it may be an HTTP+SSE endpoint, or the path is wrong",
    406: "the server refuses our Accept header, which names both types the protocol demands",
    408: "the server waited for the rest of the request: something on the way may hold it back",
    410: "the endpoint was withdrawn; look for its successor (often /mcp)",
    411: "a gateway in front loses the length of the request",
    413: "the request is too large for the server or for a gateway in front",
    415: "the server refuses application/json here; is this its MCP endpoint?",
    421: "the server refuses this host name; try localhost in place of 127.0.0.1, or the other way round",
    426: "the server wants another protocol here, as a WebSocket, which MCP does not use: is this its MCP endpoint?",
    429: "the server limits the rate; wait and try again",
    431: "the headers are too large for the server: see those of its entry in the config, and its cookies",
    501: "what serves this path takes no POST (a file server, perhaps); is this the MCP endpoint?",
    502: "a gateway stands in front and cannot reach the server",
    503: "the server is not available now",
    504: "a gateway stands in front and the server did not answer it in time",
    511: "the network wants a login first: open any page in a browser",
    520: "a gateway stands in front and got no sound answer from the server",
    521: "a gateway stands in front and the server is down, or refuses it",
    522: "a gateway stands in front and the server did not answer it in time",
    523: "a gateway stands in front and cannot reach the server",
    524: "a gateway stands in front and the server did not answer it in time",
    525: "a gateway stands in front and its TLS with the server failed",
    526: "a gateway stands in front and its TLS with the server failed",
    530: "a gateway stands in front and cannot reach the server: its tunnel or its name may be down",
}
FROM_GATEWAYS = frozenset(status for status in HINTS if status in (502, 503, 504) or status > 510)
"""What does not even come from the server, and says nothing of it."""


def hint_of(status: int) -> str:
    """The next step after a status that is none of success."""
    return HINTS.get(status) or (
        "the server failed inside; its own log says more"
        if status >= 500
        else "the server refused the request as it is; its words above may say what it wants"
    )
