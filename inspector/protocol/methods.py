"""The methods that a client may send, for whoever writes one by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inspector.protocol.revisions import revision

REQUESTS = (
    "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
    "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete",
    "logging/setLevel", "tasks/list", "tasks/get", "tasks/result", "tasks/update", "tasks/cancel", "server/discover",
    "subscriptions/listen", "initialize",
)  # fmt: skip
NOTIFICATIONS = (
    "notifications/initialized", "notifications/cancelled", "notifications/progress",
    "notifications/roots/list_changed", "notifications/tasks/status", "notifications/elicitation/complete",
)  # fmt: skip

_LEGACY = {
    "initialize", "ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel",
    "notifications/initialized", "notifications/progress", "notifications/roots/list_changed",
}  # fmt: skip
_MODERN = {"server/discover", "subscriptions/listen", "tasks/update"}
_TASKS = {"tasks/list", "tasks/result", "notifications/tasks/status", "notifications/elicitation/complete"}
_TASKS_OF_BOTH = {"tasks/get", "tasks/cancel"}


def is_in(method: str, version: str) -> bool:
    """Whether a version has this method of `REQUESTS` or `NOTIFICATIONS`, extensions of 2026-07-28 included (spec:
    schema, ClientRequest and ClientNotification)."""
    rules = revision(version)
    modern = rules.era == "modern"
    if method in _TASKS_OF_BOTH:
        return modern or rules.tasks
    if method in _TASKS:
        return rules.tasks
    return not modern if method in _LEGACY else modern if method in _MODERN else True


def is_notification(method: str) -> bool:
    """By the name, which every method of the specification keeps to."""
    return method.startswith("notifications/")


def templates(names: Mapping[str, str], opening: Mapping[str, Any]) -> dict[str, str]:
    """Params as JSON by method, empty where a method needs none. `names` are the name of one of the server's "tools"
    and "prompts" and the URI of one of its "resources", as far as there are any; `opening` are params of
    `initialize`."""
    prompt, uri = names.get("prompts", "NAME"), {"uri": names.get("resources", "file:///NAME")}
    task = {"taskId": "ID"}
    at = "2025-11-25T00:00:00Z"
    params: Mapping[str, Any] = {
        "tools/call": {"name": names.get("tools", "NAME"), "arguments": {}},
        "resources/read": uri,
        "resources/subscribe": uri,
        "resources/unsubscribe": uri,
        "prompts/get": {"name": prompt, "arguments": {}},
        "completion/complete": {
            "ref": {"type": "ref/prompt", "name": prompt},
            "argument": {"name": "NAME", "value": ""},
        },
        "logging/setLevel": {"level": "info"},
        "tasks/get": task,
        "tasks/result": task,
        "tasks/update": {**task, "inputResponses": {}},
        "tasks/cancel": task,
        "subscriptions/listen": {"notifications": {"toolsListChanged": True}},
        "initialize": opening,
        "notifications/cancelled": {"requestId": 1, "reason": "by hand"},
        "notifications/progress": {"progressToken": 1, "progress": 1, "total": 2},
        "notifications/tasks/status": {
            **task, "status": "working", "ttl": None, "createdAt": at, "lastUpdatedAt": at
        },
        "notifications/elicitation/complete": {"elicitationId": "ID"},
    }  # fmt: skip
    return {
        method: json.dumps(params[method], ensure_ascii=False, indent=2) if method in params else ""
        for method in (*REQUESTS, *NOTIFICATIONS)
    }
