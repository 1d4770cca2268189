"""What a recording says of itself: when it was made and by what, of which servers, and what is missing from it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets import Static

from inspector.tui import guard
from inspector.tui.registry import label
from inspector.tui.widgets.findings.summary import levels
from inspector.tui.widgets.text.facts import Part, fold

if TYPE_CHECKING:
    from inspector.traffic.store import Session
    from inspector.workspace.workspace import Workspace

_LOOK = 0.2
_MOST_LINES = 3
"""Lines that the servers may take."""


class RecordingHead(Static):
    """Some lines above the traffic of a recording; they grow while the file is still being read and judged."""

    DEFAULT_CSS = """
    RecordingHead { height: auto; max-height: 9; padding: 0 1; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(markup=False)
        self._workspace = workspace
        self._traffic = workspace.traffic
        self._said = Content()

    def on_mount(self) -> None:
        self.set_interval(_LOOK, self._tell)
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def _tell(self) -> None:
        said = self._content(max(20, self.size.width - 2))
        if said != self._said:
            self._said = said
            self.update(said)

    def _content(self, width: int) -> Content:
        header = self._traffic.header
        redaction = header.get("redaction")
        masked = isinstance(redaction, dict) and redaction.get("applied") is True
        base = self._traffic.base_time
        made = (
            time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(base)) if base else _word(header.get("created"))
        )
        parts: list[Part] = [
            (made or "at a time it does not tell", "bold $foreground"),
            (f"  by {_word(header.get('tool')) or 'another program'}", "$quiet"),
            ("  secrets masked", "$text-success") if masked else ("  SECRETS NOT MASKED", "bold $text-error"),
        ]
        parts.append(("" if self._traffic.complete else "  reading …", "$text-warning"))
        sessions = [session for session in self._traffic.sessions.values() if session.label]
        if sessions:
            said = " · ".join(_server(session) for session in sessions)
            parts += [(f"\n{line}", "$quiet") for line in fold(said, width, _MOST_LINES)]
        if (judged := self._workspace.judged) is not None and judged.told:
            key = (label("findings"), "bold $text-accent")
            parts += [("\n", ""), *levels(judged.told), key, (" lists them", "$quiet")]
        for note in self._traffic.notes[:3]:
            parts += [("\n▲ ", "bold $text-warning"), (guard.message(note), "$text-warning")]
        return Content.assemble(*parts)


def _server(session: Session) -> str:
    """One session on part of a line: its name, what the server calls itself, the protocol."""
    info = session.facts.get("serverInfo")
    info = info if isinstance(info, dict) else {}
    own = " ".join(filter(None, (_word(info.get("name")), _word(info.get("version")))))
    known = [own, _word(session.facts.get("transport")), _word(session.facts.get("protocolVersion"))]
    about = ", ".join(filter(None, known))
    return f"{guard.line(session.label)} ({about})" if about else guard.line(session.label)


def _word(value: Any) -> str:
    return guard.line(value)[:80] if isinstance(value, str) else ""
