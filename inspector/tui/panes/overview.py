"""What became of the connection: its steps with their times, what the server says of itself, why it failed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.widgets.facts import Part, blank, fact, facts, fit, fold, heading

if TYPE_CHECKING:
    from inspector.base.errors import Failure
    from inspector.session.session import Handshake
    from inspector.session.steps import Step
    from inspector.workspace.connection import Connection

WIDE = 104
"""Cells of width from which steps and server stand side by side."""
_CAPABILITIES = ("tools", "resources", "prompts", "completions", "logging", "tasks")


class OverviewPane(VerticalScroll):
    """Reads only; `refresh_state` repaints where something changed. With room the parts stand side by side."""

    SCOPE = "overview"
    DEFAULT_CSS = """
    OverviewPane {
        padding: 1 1 0 1;
        height: 1fr;
        & Static { height: auto; width: 1fr; }
        & > #failure {
            border-left: outer $text-error; background: $surface; padding: 0 1; margin-bottom: 1; display: none;
        }
        & > Container { height: auto; layout: vertical; }
        &.-wide > Container { layout: horizontal; }
    }
    """

    def __init__(
        self, connection: Connection, tab_number: Callable[[str], int | None], *, id: str | None = None
    ) -> None:
        """`tab_number` tells the key that opens a tab beside this one; None where there is no such tab."""
        super().__init__(id=id)
        self._connection = connection
        self._tab_number = tab_number
        self._failure = Static(id="failure", markup=False)
        self._parts = [Static(id=name, markup=False) for name in ("steps", "server", "more")]
        self._shown: list[Content] = []

    def compose(self) -> ComposeResult:
        yield self._failure
        with Container():
            yield self._parts[0]
            yield self._parts[1]
        yield self._parts[2]

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")
        self.refresh_state()

    def refresh_state(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            # Not seen: it is painted when it gets its size again.
            return
        error = self._connection.error
        column = width // 2 if self.has_class("-wide") else width
        failure = self._why(error, width - 4) if error is not None else Content()
        shown = [failure, self._steps(column), self._server(column), self._more(width)]
        if shown == self._shown:
            return
        self._shown = shown
        self._failure.display = error is not None
        for widget, content in zip([self._failure, *self._parts], shown, strict=True):
            widget.update(content)

    def enter(self) -> None:
        self.focus()

    def leave(self) -> bool:
        return False

    def copy_offer(self) -> tuple[str, str] | None:
        error = self._connection.error
        why = [_failure(error, 10_000, [])] if error is not None else []
        text = "\n".join(part.plain for part in (*why, *self._shown[1:]) if part.plain)
        return ("The overview", text) if text else None

    def _why(self, error: Failure, width: int) -> Content:
        """The failure, and the keys that help with it."""
        keys = [("r", "restart")]
        if (process := self._tab_number("process")) is not None:
            keys.append((str(process), "all of stderr"))
        keys += [("f", "traffic"), ("y", "copy")]
        if self._connection.state == "disabled":
            keys = [("d", "start")]
        return _failure(error, width, keys)

    def _steps(self, width: int) -> Content:
        connection = self._connection
        parts: list[Part] = []
        if connection.state == "disabled":
            parts += [("This server is off. Press ", "$quiet"), ("d", "bold $text-accent")]
            parts += [(" to turn it on and start it.\n\n", "$quiet")]
        elif connection.state == "queued":
            parts.append(("Waiting for a free place: only some servers start at once.\n\n", "$quiet"))
        if connection.steps.steps:
            parts += [heading("Connection"), *_steps(connection.steps.steps, width), blank()]
        return Content.assemble(*parts)

    def _server(self, width: int) -> Content:
        session = self._connection.session
        if session is None or session.handshake is None:
            return Content()
        return Content.assemble(*_server(session.handshake, width))

    def _more(self, width: int) -> Content:
        connection = self._connection
        session = connection.session
        if session is None or session.handshake is None:
            return Content()
        parts: list[Part] = []
        warnings = [*session.warnings, *_listing_warnings(connection)]
        if session.noise:
            warnings.append(f"{session.noise} lines on stdout were no messages; see the traffic")
        if warnings:
            parts += [heading("Odd, but usable"), *_bullets(warnings, width), blank()]
        if session.handshake.instructions:
            parts += [
                heading("Instructions"),
                (guard.block(session.handshake.instructions) + "\n", "$foreground"),
            ]
        return Content.assemble(*parts)


def _failure(error: Failure, width: int, keys: list[tuple[str, str]]) -> Content:
    parts: list[Part] = [
        *_hang("✗", "bold $text-error", guard.message(error.message), "bold $foreground", width)
    ]
    if error.hint:
        parts += _hang("→", "bold $text-accent", guard.message(error.hint), "$foreground", width)
    facts_: list[str] = [f"kind {error.kind}"]
    if error.exit_code is not None:
        facts_.append(f"exit code {error.exit_code}")
    if error.http_status is not None:
        facts_.append(f"HTTP {error.http_status}")
    if error.code is not None:
        facts_.append(f"code {error.code}")
    parts.append(("  " + " · ".join(facts_), "$quiet"))
    beside = sum(cell_len(f"{key} {does}") + 3 for key, does in keys) <= width
    for number, (key, does) in enumerate(keys):
        gap = "\n  " if number == 0 or not beside else "   "
        parts += [(gap, ""), (key, "bold $text-accent"), (f" {does}", "$quiet")]
    if error.stderr:
        parts.append(("\n\n  last lines of stderr\n", "$quiet"))
        for line in error.stderr[-6:]:
            parts += _hang(" ", "", clip(guard.message(line), 400), "$foreground", width)
    return Content.assemble(*parts)


def _hang(mark: str, mark_tone: str, text: str, tone: str, width: int) -> list[Part]:
    lines = fold(text, width - 2)
    return [(f"{mark} ", mark_tone), ("\n  ".join(lines) + "\n", tone)]


def _steps(steps: list[Step], width: int) -> list[Part]:
    parts: list[Part] = []
    now = time.monotonic()
    name = min(26, max(cell_len(step.step) for step in steps) + 1)
    room = max(8, width - name - 14)
    for step in steps:
        running = step.ms is None
        mark, tone = (
            ("…", "$text-warning") if running else ("✓", "$text-success") if step.ok else ("✗", "$text-error")
        )
        took = f"{int(now - step.started)}s" if running else duration((step.ms or 0) / 1000)
        outcome = "" if step.outcome == "ok" else clip(guard.message(step.outcome), room)
        parts += [
            (f"  {mark} ", tone),
            (fit(step.step, name), "$foreground"),
            (f"{took:>7}  ", "$text-warning" if running else "$quiet"),
            (f"{outcome}\n", "$quiet" if step.ok else "$text-error"),
        ]
    return parts


def _server(handshake: Handshake, width: int) -> list[Part]:
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
        ),
        indent=10,
        width=width,
    )
    if not isinstance(info, dict):
        parts += fact("name", "not told (no serverInfo)", "$text-warning", indent=10)
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


def _bullets(lines: list[str], width: int) -> list[Part]:
    parts: list[Part] = []
    for line in lines[:40]:
        parts += [("  ", ""), *_hang("▲", "$text-warning", guard.message(line), "$foreground", width - 2)]
    return parts


def _text(value: Any) -> str:
    return clip(guard.line(value), 500) if isinstance(value, str) else ""
