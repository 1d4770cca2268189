"""The process of a server: what was started and how, what it costs, how it ended, what it writes on stderr."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from inspector.base.secrets import mask_named
from inspector.base.text import bytes_size, clip, counted, duration
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.servers.line_log import LineLog
from inspector.tui.widgets.text.facts import Part, fact, facts
from inspector.workspace.health import Health, Pulse

if TYPE_CHECKING:
    from inspector.transports.base import ProcessFacts
    from inspector.workspace.connection import Connection


PULSE = 1.0
"""Seconds between two looks at CPU and memory, while the pane is on show."""


class ProcessPane(Vertical):
    """Facts above, stderr below with follow, search and copy."""

    SCOPE = "process"
    BINDINGS: ClassVar[list[BindingType]] = bindings("process")
    DEFAULT_CSS = """
    ProcessPane {
        height: 1fr;
        & > #facts { height: auto; max-height: 45%; padding: 1 1 0 1; }
        & #facts-text { height: auto; }
        & > #stderr-head { height: 1; padding: 0 1; margin-top: 1; background: $surface; }
        & > #search { display: none; }
        & > LineLog { padding: 0 1; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connection = connection
        self._facts = Static(id="facts-text", markup=False)
        self._head = Static(id="stderr-head", markup=False)
        self._search = Input(placeholder="search stderr; enter next, esc closes", id="search", compact=True)
        self._log = LineLog("Nothing on stderr. Servers write their log there; it shows up here as it comes.")
        self._shown: Content | None = None
        self._found = ""
        self._pulse = Pulse()
        self._health: Health | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="facts", can_focus=False):
            yield self._facts
        yield self._head
        yield self._search
        yield self._log

    def on_mount(self) -> None:
        self.refresh_state()
        self.set_interval(0.1, self._pull)
        self._beats = self.set_interval(PULSE, self._beat)

    def on_show(self) -> None:
        self._beats.reset()
        self.call_after_refresh(self._beat)

    def on_resize(self) -> None:
        self.refresh_state()

    def _pull(self) -> None:
        if self.display:
            stderr = self._connection.stderr
            self._log.show(stderr.lines, stderr.count)
            self._title()

    def _beat(self) -> None:
        """Looks at the process tree, if somebody sees it; CPU over a time nobody looked would mislead."""
        process = self._connection.facts
        if not (self.is_on_screen and self.screen.is_current):
            self._pulse, self._health = Pulse(), None
        elif process is not None and process.pid is not None and process.ended is None:
            self._health = self._pulse.sample(process.pid)
            self.refresh_state()

    def refresh_state(self) -> None:
        content = self._content()
        if content != self._shown:
            self._shown = content
            self._facts.update(content)
        self._pull()

    def _title(self) -> None:
        stderr = self._connection.stderr
        held = len(stderr.lines)
        count = f"{stderr.count} line{'' if stderr.count == 1 else 's'}"
        if held < stderr.count:
            count += f", last {held} held"
        state = ("follow ●", "$text-success") if self._log.follow else ("paused ‖", "$text-warning")
        found = (f"   {self._found}", "$quiet") if self._found else ("", "")
        self._head.update(
            Content.assemble(("stderr", "bold $text-primary"), (f"  {count}   ", "$quiet"), state, found)
        )

    def _content(self) -> Content:
        connection = self._connection
        process = connection.facts
        server = connection.server
        width = self.size.width - 3
        parts: list[Part] = []
        if process is None and server is None:
            return Content.styled("Nothing was started yet.", "$quiet")
        command = (
            process.command if process is not None else (server.command or "", *server.args) if server else ()
        )
        parts += fact("command", guard.message(shlex.join(command)), width=width)
        if process is None:
            return Content.assemble(*parts)
        # What changes stands before what may be long, and would push it out of sight.
        parts += facts((("PID", self._pid(process)), ("restarts", str(connection.restarts or ""))))
        if process.pid is not None and process.ended is None:
            parts += fact("process tree", self._tree(process.pid), width=width)
        count, size = connection.unwritten
        if count:
            waits = f"{counted(count, 'message')}, {bytes_size(size)}: it does not read its stdin"
            parts += fact("not written", waits, "$text-warning", width=width)
        if process.ended is not None or connection.closed is not None:
            parts += fact(
                "ended", self._ending(process), "$text-error" if connection.error else "$foreground"
            )
        if process.started_by:
            parts += fact("started by", guard.message(process.started_by), width=width)
        if process.program and process.program != process.command[0]:
            parts += fact("program", guard.line(process.program), width=width)
        parts += fact("cwd", guard.line(process.cwd), width=width)
        for number, (name, value) in enumerate(process.env_added.items()):
            shown = value if guard.revealed() else mask_named(name, value)
            shown = clip(guard.line(shown), 200)
            parts += fact("environment" if number == 0 else "", f"{guard.line(name)}={shown}", width=width)
        return Content.assemble(*parts)

    @staticmethod
    def _pid(process: ProcessFacts) -> str:
        if process.pid is None:
            return ""
        if process.started is None or process.ended is not None:
            return str(process.pid)
        since = time.strftime("%H:%M:%S", time.localtime(process.started))
        return f"{process.pid}, running since {since}"

    def _tree(self, pid: int) -> str:
        health = self._health
        if self._pulse.pid != pid:
            return "…"
        if health is None:
            return "nothing of it runs"
        cpu = "…" if health.cpu_percent is None else f"{health.cpu_percent:.0f}%"
        count = f"{health.processes} process{'' if health.processes == 1 else 'es'}"
        return f"CPU {cpu} · mem {bytes_size(health.memory_bytes)} · {count}"

    def _ending(self, process: ProcessFacts) -> str:
        said = []
        if process.signal:
            said.append(f"killed by {process.signal}")
        elif process.exit_code is not None:
            said.append(f"exit code {process.exit_code}")
        if process.started is not None and process.ended is not None:
            said.append(f"after {duration(max(0.0, process.ended - process.started))}")
        closed = self._connection.closed
        if closed is not None:
            said.append(f"ended by {closed.how}")
            if closed.leftovers:
                said.append(f"still alive: {', '.join(map(str, closed.leftovers))}")
        return " · ".join(said)

    def enter(self) -> None:
        self._log.focus()

    def leave(self) -> bool:
        if not self._search.display:
            return False
        self._search.display = False
        self._search.value = ""
        self._found = ""
        self._log.resume(True)
        self._log.focus()
        return True

    def open_filter(self) -> None:
        self._search.display = True
        self._search.focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        count = self._log.find(event.value)
        self._found = f"{count} found" if event.value else ""
        self._title()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._log.action_find(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "to_log" or self._search.has_focus

    def action_to_log(self) -> None:
        self._log.focus()

    def action_follow(self) -> None:
        self._log.resume(not self._log.follow)
        self._pull()

    def action_next_match(self) -> None:
        self._log.action_find(1)

    def copy_offer(self) -> tuple[str, str] | None:
        lines = self._log.lines
        if not lines:
            return None
        return f"{len(lines)} lines of stderr", "\n".join(lines)
