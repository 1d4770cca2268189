"""What a server logs over the protocol, by level and logger, and from which level on it is asked to."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Static

from inspector.base import numbers
from inspector.base.errors import Failed
from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.registry import bindings, titled
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.servers.line_log import LineLog
from inspector.workspace.message_log import LEVELS, LogMessage

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_CLOCK = 8
_LONG = 2000
_AROUND = 3
"""Cells of a button beside its title."""


class MessageLines(LineLog):
    """Lines of `line_of`, in tones of their levels."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"log--grave", "log--warning", "log--mild"}
    DEFAULT_CSS = """
    MessageLines {
        & > .log--grave { color: $text-error; }
        & > .log--warning { color: $text-warning; }
        & > .log--mild { color: $quiet; }
    }
    """
    HELP = (
        "What the server logs with notifications/message. Moving up stands still, end follows again. / filters by"
        " logger and text."
    )

    def look(self, line: str) -> str:
        level = line[_CLOCK + 2 :].split(" ", 1)[0]
        rank = LEVELS.index(level) if level in LEVELS else len(LEVELS)
        return (
            "log--mild"
            if rank == 0
            else "log--line"
            if rank < 3
            else "log--warning"
            if rank == 3
            else "log--grave"
        )


class MessagesPane(Vertical):
    """The level that the server was asked for, what is shown of it, and the messages as they come."""

    SCOPE = "messages"
    BINDINGS: ClassVar[list[BindingType]] = bindings("messages")
    DEFAULT_CSS = """
    MessagesPane {
        height: 1fr;
        & > .bar { height: 1; margin: 0 1 1 1; }
        & > .bar > Button { margin-right: 1; width: auto; min-width: 0; }
        & > .bar > Static { width: 1fr; height: 1; color: $quiet; text-wrap: nowrap; text-overflow: ellipsis; }
        & > Input { display: none; }
        & > LineLog { padding: 0 1; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connection = connection
        self._least = 0
        self._logger: str | None = None
        self._asked = Button("", name="level", compact=True)
        self._shown = Button("", name="least", compact=True)
        self._from = Button("", name="logger", compact=True)
        self._said = Static(markup=False)
        self._filter = Input(placeholder="logger or text; esc shows all", compact=True)
        self._lines = MessageLines(
            "No messages. A server that declares logging sends them here, from the asked level on."
        )
        self._drawn: tuple[Any, ...] = ()

    def compose(self) -> ComposeResult:
        with Horizontal(classes="bar"):
            yield self._asked
            yield self._shown
            yield self._from
            yield self._said
        yield self._filter
        yield self._lines

    def on_mount(self) -> None:
        self.refresh_state()
        self.set_interval(0.1, self._pull)

    def refresh_state(self) -> None:
        asked, least = self._connection.messages.level or self._unasked, LEVELS[self._least]
        titles = [
            titled(f"Asked for: {asked}", "messages.level"),
            titled(f"Shown: {f'from {least}' if self._least else 'all'}", "messages.least"),
            titled(f"Logger: {_named(self._logger)}", "messages.logger"),
        ]
        short = sum(cell_len(title) + _AROUND for title in titles) > self.size.width - 2
        self._said.display = not short
        if short:
            # The key bar has the keys.
            titles = [f"Asked: {asked}", f"Shown: {f'≥ {least}' if self._least else 'all'}"]
            left = self.size.width - 2 - sum(cell_len(title) + _AROUND for title in titles)
            titles.append(clip(f"Logger: {_named(self._logger)}", max(10, left - _AROUND)))
        for button, title in zip((self._asked, self._shown, self._from), titles, strict=True):
            self._retitle(button, title)
        self._pull()

    def on_resize(self) -> None:
        self.refresh_state()

    @property
    def _unasked(self) -> str:
        """What comes where no level was asked for: a server of the modern era sends none then."""
        session = self._connection.session
        handshake = session.handshake if session is not None else None
        return "none" if handshake is not None and handshake.era == "modern" else "anything"

    @staticmethod
    def _retitle(button: Button, title: str) -> None:
        if str(button.label) != title:
            button.label = Content(title)
            button.refresh(layout=True)

    def _pull(self) -> None:
        if not self.display:
            return
        log = self._connection.messages
        wanted = self._filter.value.strip().lower()
        state = (log.count, self._least, self._logger, wanted, self._lines.follow)
        if state == self._drawn:
            return
        self._drawn = state
        lines = [
            line_of(message)
            for message in log.messages
            if message.rank >= self._least and self._logger in (None, message.logger)
        ]
        lines = [line for line in lines if wanted in line.lower()] if wanted else lines
        # What is shown changes with the filter, too: the mark has to be another one each time.
        self._lines.show(lines, hash(state))
        counts = [f"{level} {log.levels[level]}" for level in (*LEVELS, "other") if log.levels[level]]
        self._said.update(Content(f"{log.count} · {' · '.join(counts)}" if counts else ""))

    def enter(self) -> None:
        self._lines.focus()

    def leave(self) -> bool:
        if not self._filter.display:
            return False
        self._filter.display = False
        self._filter.value = ""
        self._lines.resume(True)
        self._lines.focus()
        return True

    def open_filter(self) -> None:
        self._filter.display = True
        self._filter.focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._lines.resume(True)
        self._pull()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._lines.focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.name == "level":
            self.action_level()
        elif event.button.name == "logger":
            self.action_logger()
        else:
            self.action_least()

    @work(group="dialogs", exclusive=True)
    async def action_level(self) -> None:
        """Asks the server for another level."""
        now = self._connection.messages.level
        picked = await self.app.push_screen_wait(
            Picker("log messages from this level on", list(LEVELS), [LEVELS.index(now)] if now else [])
        )
        if not picked:
            return
        level = LEVELS[picked[0]]
        try:
            await self._connection.told.set_level(level)
        except Failed as failed:
            said = guard.message(failed.failure.message)
            self.notify(said, title="The level is as it was", severity="warning", markup=False)
            return
        self.refresh_state()
        self.notify(f"asked for messages from {level} on", title="Log", timeout=3, markup=False)

    @work(group="dialogs", exclusive=True)
    async def action_least(self) -> None:
        """Shows graver messages only."""
        picked = await self.app.push_screen_wait(
            Picker("show from this level on", list(LEVELS), [self._least])
        )
        if picked:
            self._least = picked[0]
            self._lines.resume(True)
            self.refresh_state()

    @work(group="dialogs", exclusive=True)
    async def action_logger(self) -> None:
        """Shows the messages of one logger only, or of all."""
        loggers = self._connection.messages.loggers
        names = [None, *sorted(loggers)]
        titles = [f"{_named(name)}  {loggers.total() if name is None else loggers[name]:,}" for name in names]
        now = names.index(self._logger) if self._logger in names else 0
        picked = await self.app.push_screen_wait(Picker("show messages of this logger", titles, [now]))
        if picked:
            self._logger = names[picked[0]]
            self._lines.resume(True)
            self.refresh_state()

    def action_follow(self) -> None:
        self._lines.resume(not self._lines.follow)
        self._pull()

    def copy_offer(self) -> tuple[str, str] | None:
        return ("The messages", "\n".join(self._lines.lines)) if self._lines.lines else None


def _named(logger: str | None) -> str:
    """What a choice of logger is called, in safe text."""
    if logger is None:
        return "all"
    return clip(guard.line(logger), 40) if logger else "(none)"


def line_of(message: LogMessage) -> str:
    """A message on one line; foreign."""
    data = message.data
    if not isinstance(data, str):
        try:
            data = numbers.dumps(data)
        except (ValueError, RecursionError):
            data = "(cannot be shown; see the traffic)"
    text = data if len(data) <= _LONG else f"{data[:_LONG]}… ({len(data):,} characters)"
    clock = time.strftime("%H:%M:%S", time.localtime(message.at))
    parts = [f"{message.level or '(no level)':<10}", message.logger, text]
    return f"{clock}  {'  '.join(part for part in parts if part)}"
