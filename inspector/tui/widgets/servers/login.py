"""The login to a server, for Overview: how it stands, and its steps with what was decided and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rich.cells import cell_len

from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.registry import label
from inspector.tui.widgets.text.facts import Part, fold, heading

if TYPE_CHECKING:
    from inspector.auth.timeline import Step
    from inspector.base.errors import Failure
    from inspector.workspace.connection import Connection

_STATES = {"none": "not logged in", "authorized": "logged in", "expired": "logged in, but the token is over"}
_LONGEST = 400


def exchanges(connection: Connection) -> list[Step]:
    """The steps of the login of this run that an exchange in the traffic belongs to."""
    server = connection.server
    if server is None or server.transport == "stdio":
        return []
    return [step for step in connection.authorization.timeline.steps if step.exchange is not None]


def pathed(step: str) -> str:
    """The name of a step with only the path of its URL, by which they differ."""
    return " ".join(urlsplit(word).path or word if "://" in word else word for word in step.split(" "))


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
    state = "logging in …" if connection.authorization.busy else _STATES[shown["state"]]
    at = f" at {guard.message(shown['issuer'])}" if shown["issuer"] else ""
    parts.append((f"  {clip(f'{state}{at}', width - 2)}\n", "$foreground"))
    if shown["state"] != "none":
        scopes = guard.message(" ".join(shown["scopes"])) or "none named"
        lasts = "" if not shown["expires_s"] else f" · ends in {duration(shown['expires_s'])}"
        renewed = " · renewed by itself" if shown["renewable"] else ""
        parts += [("  scopes ", "$quiet"), (f"{clip(scopes, _LONGEST)}{lasts}{renewed}\n", "$foreground")]
    if (failure := _refusal(connection)) is not None:
        for mark, text, tone in (
            ("✗", failure.message, "$text-error"),
            ("→", failure.hint or "", "$foreground"),
        ):
            if text:
                parts += [
                    (f"  {mark} ", tone),
                    ("\n    ".join(fold(_said(text), width - 4)), tone),
                    ("\n", ""),
                ]
    # While it goes on one line of each tells enough, so that the newest is in view.
    told = _terse if connection.authorization.busy else _step
    for step in shown["steps"]:
        parts += told(step, width)
    key = label("log_in")
    parts += [
        (f"  {key}", "bold $text-accent"),
        (" logs in" + (" anew" if shown["steps"] else ""), "$quiet"),
    ]
    if exchanges(connection):
        parts += [("   ", ""), (label("login_step"), "bold $text-accent"), (" shows what was sent", "$quiet")]
    parts.append(("\n", ""))
    return parts


def comes_first(connection: Connection) -> bool:
    """Whether it is what the person waits for, or has to know first."""
    server = connection.server
    if server is None or server.transport == "stdio" or not connection.is_ours:
        return False
    return connection.authorization.busy or _refusal(connection) is not None


def _refusal(connection: Connection) -> Failure | None:
    """Why the last login came to nothing, as long as the server does not let us in."""
    return connection.authorization.failure if connection.state != "ready" else None


def _terse(step: dict[str, Any], width: int) -> list[Part]:
    mark, tone = _mark(step)
    told = "  ".join(filter(None, (_said(step.get("step")), _said(step.get("outcome")))))
    return [(f"  {mark} ", tone), (f"{clip(told, max(10, width - 4))}\n", "$foreground")]


def _mark(step: dict[str, Any]) -> tuple[str, str]:
    if step.get("ms") is None:
        return "…", "$text-warning"
    return ("✓", "$text-success") if step.get("ok") else ("✗", "$text-error")


def _step(step: dict[str, Any], width: int) -> list[Part]:
    """What came stands beside what was asked, and the rule beside what was concluded, where there is room for both."""
    fine = step.get("ok")
    mark, tone = _mark(step)
    name, outcome, why, spec = (_said(step.get(member)) for member in ("step", "outcome", "why", "spec"))
    parts: list[Part] = [(f"  {mark} ", tone)]
    parts += _beside((name, "$foreground"), (outcome, "$foreground" if fine else "$text-error"), width)
    why = f"→ {why}" if why else ""
    return (
        [*parts, ("    ", ""), *_beside((why, "$foreground"), (spec, "$quiet"), width)]
        if why or spec
        else parts
    )


def _beside(first: tuple[str, str], second: tuple[str, str], width: int) -> list[Part]:
    """On one line, else each from a line of its own on, at the column after the mark."""
    there = [(text, tone) for text, tone in (first, second) if text]
    room = max(10, width - 4)
    if sum(cell_len(text) for text, _ in there) + 2 <= room:
        return _joined(there, "  ")
    return _joined([("\n    ".join(fold(text, room)), tone) for text, tone in there], "\n    ")


def _joined(there: list[tuple[str, str]], gap: str) -> list[Part]:
    parts: list[Part] = []
    for at, (text, tone) in enumerate(there):
        parts += [(gap if at else "", ""), (text, tone)]
    return [*parts, ("\n", "")]


def _said(text: Any) -> str:
    return clip(guard.message(str(text)), _LONGEST) if text else ""
