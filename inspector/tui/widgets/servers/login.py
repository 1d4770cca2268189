"""The login to a server, for Overview: how it stands, and its steps with what was decided and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.registry import label
from inspector.tui.widgets.text.facts import Part, fold, heading

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_STATES = {"none": "not logged in", "authorized": "logged in", "expired": "logged in, but the token is over"}
_LONGEST = 400


def login_parts(connection: Connection, width: int) -> list[Part]:
    """Nothing where there was no login and none is asked for."""
    server = connection.server
    if server is None or server.transport == "stdio":
        return []
    shown = connection.authorization.as_json(server)
    asked = connection.error is not None and connection.error.kind == "auth"
    if shown["state"] == "none" and not shown["steps"] and not asked:
        return []
    parts: list[Part] = [heading("Login")]
    told = "logging in …" if connection.authorization.busy else _STATES[shown["state"]]
    at = f" at {guard.message(shown['issuer'])}" if shown["issuer"] else ""
    parts.append((clip(f"{told}{at}", width) + "\n", "$foreground"))
    if shown["state"] != "none":
        scopes = guard.message(" ".join(shown["scopes"])) or "none named"
        lasts = "" if shown["expires_s"] is None else f" · ends in {duration(shown['expires_s'])}"
        renewed = " · renewed by itself" if shown["renewable"] else ""
        parts += [("scopes ", "$quiet"), (f"{clip(scopes, _LONGEST)}{lasts}{renewed}\n", "$foreground")]
    for step in shown["steps"]:
        parts += _step(step, width)
    key = label("log_in")
    parts += [(key, "bold $text-accent"), (" logs in" + (" anew\n" if shown["steps"] else "\n"), "$quiet")]
    return parts


def _step(step: dict[str, Any], width: int) -> list[Part]:
    running, fine = step.get("ms") is None, step.get("ok")
    mark, tone = (
        ("…", "$text-warning") if running else ("✓", "$text-success") if fine else ("✗", "$text-error")
    )
    parts: list[Part] = [(f"{mark} ", tone), (_folded(step.get("step"), width), "$foreground")]
    for member, mark, tone in (
        ("outcome", "", "$foreground" if fine else "$text-error"),
        ("why", "→ ", "$foreground"),
        ("spec", "", "$quiet"),
    ):
        if text := step.get(member):
            parts.append((f"  {mark}{_folded(text, width - 2)}", tone))
    return parts


def _folded(text: Any, width: int) -> str:
    return "\n    ".join(fold(clip(guard.message(str(text)), _LONGEST), max(10, width - 4))) + "\n"
