"""How the state of a connection is said: marks, words, short facts. Pure, and shared by all that shows servers."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from inspector.base.text import duration
from inspector.tui import guard
from inspector.tui.registry import spoken
from inspector.workspace.keeping import TRIES

if TYPE_CHECKING:
    from inspector.base.errors import Failure
    from inspector.workspace.connection import Connection

MARKS = {"ready": "●", "starting": "…", "open": "◇", "error": "✗", "disabled": "○", "queued": "◌"}
TONES = {
    "ready": "$text-success",
    "starting": "$text-warning",
    "open": "$text-warning",
    "error": "$text-error",
    "disabled": "$quiet",
    "queued": "$quiet",
}
_ORDER = (
    ("ready", "ready"),
    ("starting", "starting"),
    ("open", "by hand"),
    ("queued", "queued"),
    ("error", "failed"),
    ("disabled", "off"),
)


def clock(seconds: float) -> str:
    """A running clock: `4s`, `3m`, `2h`, `5d`; coarse, so that it does not flicker."""
    whole = max(0, int(seconds))
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if whole >= unit:
            return f"{whole // unit}{name}"
    return f"{whole}s"


def waited(connection: Connection) -> float:
    """Seconds in the present state."""
    return max(0.0, time.monotonic() - connection.state_since)


def transport(connection: Connection) -> str:
    """Where there is room for more than its name."""
    name = guard.line(connection.transport)
    return f"{name} (deprecated)" if name == "sse" else name


def tools_word(count: int | None) -> str:
    if count is None:
        return ""
    return "1 tool" if count == 1 else f"{count} tools"


def clients_word(count: int) -> str:
    return "1 client" if count == 1 else f"{count} clients"


def brief(connection: Connection) -> str:
    """The one fact that matters most in the present state, in a few characters."""
    state = connection.state
    if state == "ready" and connection.is_served:
        return clients_word(connection.guests)
    if state == "ready":
        return tools_word(connection.count("tools"))
    if state == "open":
        return f"by hand: {connection.stage}"
    if state in ("starting", "queued"):
        return f"{state} {clock(waited(connection))}"
    if state == "error":
        again = connection.keeping.again
        if again is not None:
            return f"again in {clock(connection.keeping.seconds_left + 0.9)}"
        return failure_word(connection)
    if connection.is_tapped:
        return failure_word(connection) if connection.error is not None else "not looked at"
    return "off"


def state(connection: Connection) -> str:
    """The state in a few words more."""
    text = brief(connection)
    again = connection.keeping.again
    if connection.state == "error" and again is not None:
        return f"{failure_word(connection)} · {text}, {again.number} of {again.most}"
    return text


def failure_word(connection: Connection) -> str:
    """A failure in two words at most."""
    error = connection.error
    if error is None:
        return "failed"
    if error.signal:
        return error.signal
    if error.exit_code is not None:
        return f"exit {error.exit_code}"
    if error.http_status is not None:
        return f"HTTP {error.http_status}"
    return {
        "not_found": "not found", "bad_cwd": "bad cwd", "not_executable": "not executable", "not_mcp": "no MCP",
    }.get(error.kind, error.kind)  # fmt: skip


def ended_well(connection: Connection) -> bool:
    """An end as of one that was done. Who was done before the handshake was no server."""
    error = connection.error
    was_open = connection.is_tapped or connection.handshake is not None
    return was_open and error is not None and error.kind == "exited" and error.exit_code == 0


def looks(connection: Connection) -> str:
    """The state that a server looks like, in `MARKS` and `TONES`: one that ended as if it were done is no failure."""
    return "disabled" if connection.state == "error" and ended_well(connection) else connection.state


def reason(connection: Connection) -> str:
    """Why a server is not there, on one line; what the failure word says already is left out."""
    error = connection.error
    if error is None:
        return ""
    text = error.message
    if error.exit_code is not None or error.signal:
        if connection.is_tapped:
            return ""
        head, colon, rest = text.partition(": ")
        if colon and head.startswith(("exited", "killed")):
            text = rest
    text = guard.message(text)
    if connection.keeping.gave_up:
        return f"gave up after {TRIES} tries, {spoken('restart')} starts it · {text}"
    return text


def of_file(connection: Connection) -> str:
    """What its config file says by now that does not count yet; empty where there is nothing."""
    if connection.gone:
        return "no longer in its file"
    if connection.waiting is not None:
        if not connection.waiting.enabled:
            return "off in its file by now"
        return f"changed: {spoken('restart')} restarts it"
    return ""


def summary(connections: list[Connection]) -> list[tuple[str, str]]:
    """`3 ready`, `1 failed` ... as text and state, for the title line."""
    counts = Counter(connection.state for connection in connections)
    return [(f"{counts[state]} {word}", state) for state, word in _ORDER if counts[state]]  # type: ignore[index]


def unread(failure: Failure) -> str:
    """Why a list could not be read, as where it was not declared at all."""
    hint = f"; {guard.message(failure.hint)}" if failure.hint else ""
    return f"The list could not be read: {guard.message(failure.message)}{hint}"


def took(seconds: float) -> str:
    return duration(seconds)
