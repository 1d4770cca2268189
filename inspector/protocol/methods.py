"""The methods that a client may send, for whoever writes one by hand."""

from __future__ import annotations

REQUESTS = (
    "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
    "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete",
    "logging/setLevel", "tasks/list", "tasks/get", "tasks/result", "tasks/update", "tasks/cancel", "server/discover",
    "initialize",
)  # fmt: skip
NOTIFICATIONS = (
    "notifications/initialized", "notifications/cancelled", "notifications/progress",
    "notifications/roots/list_changed", "notifications/tasks/status", "notifications/elicitation/complete",
)  # fmt: skip


def is_notification(method: str) -> bool:
    """By the name, which every method of the specification keeps to."""
    return method.startswith("notifications/")
