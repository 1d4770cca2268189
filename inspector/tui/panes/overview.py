"""What became of the connection: its steps with their times, what the server says of itself, why it failed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.widgets.facts import Part, blank, fact, facts, heading

if TYPE_CHECKING:
    from inspector.base.errors import Failure
    from inspector.session.session import Handshake
    from inspector.session.steps import Step
    from inspector.workspace.connection import Connection

_CAPABILITIES = ("tools", "resources", "prompts", "completions", "logging", "tasks")


class OverviewPane(VerticalScroll):
    """Reads only; `refresh_state` repaints where something changed."""

    SCOPE = "overview"
    DEFAULT_CSS = """
    OverviewPane { padding: 1 1 0 1; height: 1fr; }
    OverviewPane > Static { height: auto; width: 1fr; }
    OverviewPane > #failure {
        border-left: outer $text-error; background: $surface; padding: 0 1; margin-bottom: 1; display: none;
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connection = connection
        self._failure = Static(id="failure", markup=False)
        self._body = Static(id="body", markup=False)
        self._shown: tuple[Content, Content] | None = None

    def compose(self) -> ComposeResult:
        yield self._failure
        yield self._body

    def on_mount(self) -> None:
        self.refresh_state()

    def refresh_state(self) -> None:
        connection = self._connection
        failure = _failure(connection.error) if connection.error is not None else Content()
        body = self._content()
        if self._shown == (failure, body):
            return
        self._shown = (failure, body)
        self._failure.display = connection.error is not None
        self._failure.update(failure)
        self._body.update(body)

    def enter(self) -> None:
        self.focus()

    def leave(self) -> bool:
        return False

    def copy_offer(self) -> tuple[str, str] | None:
        shown = self._shown
        if shown is None:
            return None
        return "The overview", "\n".join(part.plain for part in shown if part.plain)

    def _content(self) -> Content:
        connection = self._connection
        parts: list[Part] = []
        if connection.state == "disabled":
            parts += [("This server is off. Press ", "$quiet"), ("d", "bold $text-accent")]
            parts += [(" to turn it on and start it.\n\n", "$quiet")]
        elif connection.state == "queued":
            parts.append(("Waiting for a free place: only some servers start at once.\n\n", "$quiet"))
        if connection.steps.steps:
            parts += [heading("Connection"), *_steps(connection.steps.steps), blank()]
        session = connection.session
        if session is not None and session.handshake is not None:
            parts += _server(session.handshake)
            warnings = [*session.warnings, *_listing_warnings(connection)]
            if session.noise:
                warnings.append(f"{session.noise} lines on stdout were no messages; see the traffic")
            if warnings:
                parts += [heading("Odd, but usable"), *_bullets(warnings), blank()]
            if session.handshake.instructions:
                parts += [
                    heading("Instructions"),
                    (guard.block(session.handshake.instructions) + "\n", "$foreground"),
                ]
        return Content.assemble(*parts)


def _failure(error: Failure) -> Content:
    parts: list[Part] = [
        ("✗ ", "bold $text-error"),
        (guard.message(error.message) + "\n", "bold $foreground"),
    ]
    if error.hint:
        parts += [("→ ", "bold $text-accent"), (guard.message(error.hint) + "\n", "$foreground")]
    facts_: list[str] = [f"kind {error.kind}"]
    if error.exit_code is not None:
        facts_.append(f"exit code {error.exit_code}")
    if error.http_status is not None:
        facts_.append(f"HTTP {error.http_status}")
    if error.code is not None:
        facts_.append(f"code {error.code}")
    parts.append(("  " + " · ".join(facts_), "$quiet"))
    if error.stderr:
        parts.append(("\n\n  last lines of stderr\n", "$quiet"))
        parts.append(("\n".join(f"  {guard.message(line)}" for line in error.stderr[-6:]), "$foreground"))
    return Content.assemble(*parts)


def _steps(steps: list[Step]) -> list[Part]:
    parts: list[Part] = []
    now = time.monotonic()
    for step in steps:
        running = step.ms is None
        mark, tone = (
            ("…", "$text-warning")
            if running
            else (("✓", "$text-success") if step.ok else ("✗", "$text-error"))
        )
        took = f"{int(now - step.started)}s" if running else duration((step.ms or 0) / 1000)
        outcome = "" if step.outcome == "ok" else clip(guard.message(step.outcome), 300)
        parts += [
            (f"  {mark} ", tone),
            (f"{step.step:<26}", "$foreground"),
            (f"{took:>8}  ", "$text-warning" if running else "$quiet"),
            (f"{outcome}\n", "$quiet" if step.ok else "$text-error"),
        ]
    return parts


def _server(handshake: Handshake) -> list[Part]:
    info = handshake.server_info
    said: dict[str, Any] = info if isinstance(info, dict) else {}
    parts: list[Part] = [heading("Server")]
    parts += facts(
        (
            ("name", _text(said.get("name"))),
            ("title", _text(said.get("title"))),
            ("version", _text(said.get("version"))),
            ("about", _text(said.get("description"))),
            ("website", _text(said.get("websiteUrl"))),
            ("protocol", f"{guard.line(handshake.version)} ({handshake.era})"),
        )
    )
    if not isinstance(info, dict):
        parts += fact("name", "not told (no serverInfo)", "$text-warning")
    return [*parts, blank(), heading("It offers"), *_capabilities(handshake.capabilities), blank()]


def _capabilities(declared: dict[str, Any]) -> list[Part]:
    parts: list[Part] = []
    for name in _CAPABILITIES:
        on = name in declared
        more = declared.get(name)
        extras = ", ".join(_spaced(key) for key in more if more[key]) if isinstance(more, dict) else ""
        parts += [("  ● " if on else "  ○ ", "$text-success" if on else "$quiet")]
        parts.append((f"{name:<14}", "$foreground" if on else "$quiet"))
        parts.append((f"{extras}\n" if on else "not declared\n", "$quiet"))
    for name in declared:
        if name not in _CAPABILITIES:
            parts += [("  ● ", "$text-success"), (f"{guard.line(name)}\n", "$foreground")]
    return parts


def _spaced(key: str) -> str:
    return {"listChanged": "tells of changes", "subscribe": "subscriptions"}.get(key, guard.line(key))


def _listing_warnings(connection: Connection) -> list[str]:
    found: list[str] = []
    for kind, listing in (connection.catalog.listings if connection.catalog is not None else {}).items():
        found += [f"{kind}: {warning}" for warning in listing.warnings]
        found += [f"{kind}: entry {odd.index}: {odd.reason}" for odd in listing.invalid[:20]]
        if listing.failure is not None:
            found.append(f"{kind}: {listing.failure.message}")
    return found


def _bullets(lines: list[str]) -> list[Part]:
    parts: list[Part] = []
    for line in lines[:40]:
        parts += [("  ▲ ", "$text-warning"), (guard.message(line) + "\n", "$foreground")]
    return parts


def _text(value: Any) -> str:
    return clip(guard.line(value), 500) if isinstance(value, str) else ""
