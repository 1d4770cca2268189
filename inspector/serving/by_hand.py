"""What a server sends by itself, ready to be changed and sent by a person."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from inspector.protocol.jsonrpc import Id

REQUESTS = ("ping", "roots/list", "sampling/createMessage", "elicitation/create")
NOTIFICATIONS = (
    "notifications/tools/list_changed", "notifications/resources/list_changed",
    "notifications/prompts/list_changed", "notifications/resources/updated", "notifications/progress",
    "notifications/message", "notifications/cancelled",
)  # fmt: skip


def templates(uris: Iterable[str] = (), token: Id | None = None, *, requests: bool = True) -> dict[str, str]:
    """Params as JSON by method, empty where there are none. `uris` are resources that the client has subscribed to,
    `token` is the one of a request that runs; without `requests` there are notifications only."""
    uri = next(iter(uris), "file:///changed")
    params: Mapping[str, Any] = {
        "sampling/createMessage": {
            "messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
            "maxTokens": 100,
        },
        "elicitation/create": {
            "message": "What is your name?",
            "requestedSchema": {
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
        },
        "notifications/resources/updated": {"uri": uri},
        "notifications/progress": {"progressToken": 1 if token is None else token, "progress": 1, "total": 2},
        "notifications/message": {"level": "info", "logger": "by hand", "data": "hello"},
        "notifications/cancelled": {"requestId": 1, "reason": "by hand"},
    }
    return {
        method: json.dumps(params[method], ensure_ascii=False, indent=2) if method in params else ""
        for method in ((*REQUESTS, *NOTIFICATIONS) if requests else NOTIFICATIONS)
    }
