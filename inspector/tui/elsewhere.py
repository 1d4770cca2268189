"""What is said to a key that does nothing where the focus is, but something in another part of the screen."""

from __future__ import annotations

from inspector.tui.action import SCOPES, Scope
from inspector.tui.registry import ACTIONS, key_label, keys_of, label, spoken

_PLACES: dict[Scope, str] = {
    "tools": "focus_tools",
    "result": "zoom_result",
    "history": "history",
    "traffic": "focus_traffic",
    "frames": "focus_traffic",
}
_SCOPES: tuple[Scope, ...] = (
    "result",
    "history",
    "tools",
    "resources",
    "prompts",
    "overview",
    "traffic",
    "frames",
)
"""Where a key is looked for: the nearest first."""
OF_ITS_CLIENT = frozenset({
    "restart", "stop", "keep", "edit_server", "compose", "open_by_hand", "identity", "other_era", "baseline",
    "watch_files", "show_difference", "log_in", "log_out",
})  # fmt: skip
"""Actions of a server that a tap has no part in."""
_WITHOUT: tuple[Scope, ...] = ("traffic", "frames", "workspace", *_SCOPES[:-2])
"""The same where there is no server."""


def told(key: str, near: str, number: int | None = None) -> str:
    """A sentence about a key and where it works; empty where it means nothing anywhere. `near` is the tab on show,
    `number` that of it."""
    scopes: list[Scope] = sorted(_SCOPES, key=lambda scope: not _is_near(scope, near))
    scopes = [*(scope for scope in SCOPES if scope == near and scope not in scopes), *scopes]
    for scope in scopes:
        for action in ACTIONS:
            if action.scope == scope and action.bar and key in keys_of(action):
                way = _way(scope, key, number if scope == near else None)
                there = f"; {way} goes there" if way else ""
                where = SCOPES[scope][:1].lower() + SCOPES[scope][1:]
                return (
                    f"{key_label(key)} ({action.title}) can do nothing here. It is a key of: {where}{there}."
                )
    return ""


def _way(scope: Scope, key: str, number: int | None) -> str:
    """The key that goes there; empty where none does, or it is the very same."""
    if scope in _PLACES:
        return "" if key in keys_of(_PLACES[scope]) else label(_PLACES[scope])
    tabs = keys_of("tab")
    return key_label(tabs[number - 1]) if number is not None and number <= len(tabs) else ""


def told_of_tap(key: str, name: str, ended: bool) -> str:
    """The same for what is nobody's business with a server that a client of others started; `name` is safe."""
    if ended and key in keys_of("toggle_enabled"):
        return f"The tap of {name} has ended; {spoken('remove_server')} takes it off the list."
    for action in ACTIONS:
        if action.scope == "workspace" and action.id in OF_ITS_CLIENT and key in keys_of(action):
            return f"{key_label(key)} ({action.title}) is not for a tap: {name} belongs to the client that started it."
    return ""


def told_of_recording(key: str) -> str:
    """The same where a recording is read and there is no server."""
    meant = [action for action in ACTIONS if action.scope in _WITHOUT and key in keys_of(action)]
    if not meant:
        return ""
    action = min(meant, key=lambda action: _WITHOUT.index(action.scope))
    said = f"{key_label(key)} ({action.title})"
    if action.scope in ("traffic", "frames"):
        return f"{said} can do nothing in a recording."
    return f"{said} needs servers, and this is a recording. Open them: mcp-inspect FILE"


def _is_near(scope: Scope, near: str) -> bool:
    return scope == near or (near == "tools" and scope in ("result", "history"))
