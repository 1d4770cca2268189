"""Which methods there are, and in which versions (spec: schema)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.check.rules import ALL, LEGACY, MODERN, V06, V11

REQUESTS: Mapping[str, tuple[str, ...]] = {
    "ping": LEGACY,
    "roots/list": LEGACY,
    "sampling/createMessage": LEGACY,
    "elicitation/create": (V06, V11),
    "tasks/get": (V11,),
    "tasks/result": (V11,),
    "tasks/list": (V11,),
    "tasks/cancel": (V11,),
}
"""Those that a server may send."""
NOTIFICATIONS: Mapping[str, tuple[str, ...]] = {
    "notifications/cancelled": ALL,
    "notifications/progress": ALL,
    "notifications/message": ALL,
    "notifications/tools/list_changed": ALL,
    "notifications/prompts/list_changed": ALL,
    "notifications/resources/list_changed": ALL,
    "notifications/resources/updated": ALL,
    "notifications/tasks/status": (V11,),
    "notifications/elicitation/complete": (V11,),
    "notifications/subscriptions/acknowledged": MODERN,
    "notifications/tasks": MODERN,
}
REMOVED = ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
"""Requests of a client that 2026-07-28 does not have."""
CAPABILITY_OF: Mapping[str, str] = {
    "tools/list": "tools", "tools/call": "tools", "resources/list": "resources",
    "resources/templates/list": "resources",
    "resources/read": "resources", "prompts/list": "prompts", "prompts/get": "prompts",
    "completion/complete": "completions",
}  # fmt: skip
"""What a server declares that serves a method."""
