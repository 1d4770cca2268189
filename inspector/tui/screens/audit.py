"""The audit trail: which tools were called, who allowed it, what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.base import numbers
from inspector.base.text import bytes_size, cells, clip, duration
from inspector.policy import audit
from inspector.policy.audit import Audit
from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.registry import bindings, label
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.text.facts import Part

_MOST = 500
_CALM = 0.15
"""Seconds without a key before the trail is searched: it is read from its files."""
_TONES = {"ok": "$text-success", "denied": "$quiet", "task": "$text-accent", "tool_error": "$text-warning"}
_WORD, _WHEN, _APPROVER = 11, 10, 14
"""Cells of an outcome, a time and who allowed it."""
_NARROW = 90
"""Cells of width from which the size is told."""


class AuditScreen(ModalScreen[int | None]):
    """Dismissed with a row of the traffic to go to, or None. `trail` is where the calls of this run are written."""

    SCOPE = "audit"
    BINDINGS: ClassVar[list[BindingType]] = bindings("audit")
    DEFAULT_CSS = """
    AuditScreen {
        & > Dialog { width: 140; max-width: 100%; height: 96%; padding: 0 1; }
        & #none { height: auto; color: $quiet; padding: 1 0; display: none; }
        & OptionList { height: 1fr; background: $surface; scrollbar-size-vertical: 1; text-wrap: nowrap; }
        & OptionList > .option-list--option-highlighted { background: $cursor; }
        & VerticalScroll { height: auto; max-height: 40%; border-top: solid $line; }
        & VerticalScroll > Static { height: auto; }
    }
    """

    def __init__(self, trail: Audit) -> None:
        super().__init__()
        self._trail = trail
        self._found: list[dict[str, Any]] = []
        self._words = Input(
            placeholder="words to look for; outcome=denied looks into one member", compact=True
        )
        self._none = Static(id="none", markup=False)
        self._list = Options(markup=False, compact=True)
        self._list.can_focus = False
        self._about = Static(markup=False)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = "Calls of tools, the newest first"
            yield self._words
            yield self._none
            yield self._list
            with VerticalScroll(can_focus=False):
                yield self._about

    def on_mount(self) -> None:
        self._words.focus()
        self._look()

    def on_resize(self) -> None:
        self._fill()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._look(_CALM)

    @work(group="audit", exclusive=True)
    async def _look(self, calm: float = 0.0) -> None:
        await asyncio.sleep(calm)
        self._trail.flush()
        words = self._words.value.split()
        trail = audit.trail(self._trail.folder)
        try:
            self._found = await asyncio.to_thread(
                lambda: list(islice((each for each in trail.newest() if audit.matches(each, words)), _MOST))
            )
        except OSError as error:
            self._say(f"{trail.folder} cannot be read: {error.strerror}")
            return
        self._say("" if self._found else "No call fits that." if words else "No tool was called yet.")
        more = f" · the newest {_MOST}" if len(self._found) == _MOST else ""
        keys = (("audit.frame", "to its frame"), ("audit.copy", "copies it"), ("audit.close", "back"))
        told = " · ".join(f"{label(key)} {what}" for key, what in keys)
        self.query_one(Dialog).border_subtitle = Content(f"{len(self._found):,} calls{more} · {told}")
        self._fill()

    def _say(self, text: str) -> None:
        self._none.display = bool(text)
        self._list.display = not text
        self._none.update(Content(guard.line(text)))

    def _fill(self) -> None:
        at = self._list.highlighted
        self._list.clear_options()
        room = max(40, min(140, self.size.width) - 5)
        self._list.add_options([Option(_line(record, room)) for record in self._found])
        self._list.highlighted = min(at or 0, len(self._found) - 1) if self._found else None
        self._tell()

    @property
    def _record(self) -> dict[str, Any] | None:
        at = self._list.highlighted
        return self._found[at] if at is not None and at < len(self._found) else None

    @on(OptionList.OptionHighlighted)
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._tell()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_frame()

    def _tell(self) -> None:
        record = self._record
        self._about.update(Content(guard.block(numbers.dumps(record, 2)) if record is not None else ""))

    def action_frame(self) -> None:
        """To the request in the traffic, where this run has sent it."""
        record = self._record
        row = self._trail.row_of(record) if record is not None else None
        if row is not None:
            self.dismiss(row)
        elif record is not None:
            self.notify("its frame is not in the traffic of this run", timeout=4, markup=False)

    def action_copy(self) -> None:
        if (record := self._record) is not None:
            self.app.post_message(CopyRequested("The record", guard.masked(numbers.dumps(record, 2))))

    def action_cursor(self, by: int) -> None:
        self._list.move(by)

    def action_page(self, by: int) -> None:
        self._list.action_page(by)

    def action_close(self) -> None:
        self.dismiss(None)


def _line(record: Mapping[str, Any], room: int) -> Content:
    outcome, took, size = str(record.get("outcome", "")), record.get("duration_ms"), record.get("size")
    facts = f"{duration(took / 1000) if isinstance(took, int | float) else '':>9}"
    if room >= _NARROW:
        facts += f"{bytes_size(size) if type(size) is int and size >= 0 else '':>10}"
    facts += f"  {clip(guard.line(str(record.get('approver', ''))), _APPROVER):<{_APPROVER}}"
    when = f"{_local(str(record.get('time', ''))):<{_WHEN}}"
    name = f"{guard.line(str(record.get('server', '')))} · {guard.line(str(record.get('tool', '')))}"
    left = max(10, room - len(when) - _WORD - len(facts) - 4)
    name = clip(name, left)
    parts: list[Part] = [
        (f"{when}  ", "$quiet"),
        (f"{clip(guard.line(outcome), _WORD):<{_WORD}}  ", _TONES.get(outcome, "$text-error")),
        (name, ""),
        (" " * (left - cells(name)), ""),
        (facts, "$quiet"),
    ]
    return Content.assemble(*parts)


def _local(time: str) -> str:
    """The time of day here, or the day where it was another one."""
    try:
        at = datetime.fromisoformat(time).astimezone()
    except (ValueError, OverflowError):
        return guard.line(time)[:_WHEN]
    return at.strftime("%H:%M:%S" if at.date() == datetime.now().astimezone().date() else "%Y-%m-%d")
