"""The tasks of a server: how each stands, what came of it, ways to look again and to end it."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.content import Content

from inspector.base import numbers
from inspector.base.errors import Failed
from inspector.base.text import clip, decode, duration
from inspector.tui import guard
from inspector.tui.panes.beside import Beside
from inspector.tui.registry import bindings, spoken
from inspector.tui.widgets.lists.filter_list import FilterList, Item
from inspector.tui.widgets.text.facts import Part, facts
from inspector.tui.widgets.text.json_view import JsonView

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection
    from inspector.workspace.longtasks import LongTask

_YEARS = 1e12
"""Milliseconds from which a time is no time any more, but what somebody wrote."""
_MARKS = {
    "working": ("…", "$text-warning"),
    "input_required": ("?", "$text-warning"),
    "completed": ("✓", "$text-success"),
    "failed": ("✗", "$text-error"),
    "cancelled": ("○", "$quiet"),
}


class TasksPane(Beside):
    """The table at the left, the chosen task with its result at the right."""

    SCOPE = "tasks"
    BINDINGS: ClassVar[list[BindingType]] = bindings("tasks")
    HELP = "Work that the server does by itself: it is asked how that stands, and for the result when it is over."
    DEFAULT_CSS = """
    TasksPane {
        & > .chosen > Static { margin-bottom: 1; }
        & > .chosen > JsonView { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        self._json = JsonView()
        empty = f"No tasks. {spoken('tasks.look')} asks the server."
        super().__init__(FilterList(placeholder="filter tasks", empty=empty), self._json, id=id)
        self._connection = connection
        self._tasks = connection.long_tasks
        self._shown: tuple[Any, ...] = ()

    def refresh_state(self) -> None:
        self._list.show([self._item(task) for task in reversed(self._tasks.tasks.values())])
        self._show()

    @staticmethod
    def _item(task: LongTask) -> Item:
        mark = _MARKS.get(task.status, ("·", "$quiet"))
        name = clip(guard.line(task.subject or task.id), 80)
        status = clip(guard.line(task.status), 20) or "(no status)"
        return Item(task.id, name, mark, clip(guard.line(task.message), 80), (status,))

    @property
    def task_(self) -> LongTask | None:
        """The one under the cursor."""
        key = self._list.key
        return self._tasks.tasks.get(key) if key is not None else None

    @on(FilterList.Pointed)
    def _pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        self._show()

    @on(FilterList.Opened)
    def _opened(self, event: FilterList.Opened) -> None:
        event.stop()
        self._show()
        self._json.focus()

    def _show(self) -> None:
        task = self.task_
        state = (task, task.seen_at if task else 0, task.result if task else None)
        if state == self._shown:
            return
        self._shown = state
        if task is None:
            self._facts.update(Content())
            self._json.load("")
            return
        self._facts.update(Content.assemble(*_facts(task, self._facts.size.width)).rstrip())
        self._json.load(decode(task.result.raw) if task.result is not None else numbers.dumps(task.value))

    # What is done with them

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        task = self.task_ if self.is_mounted else None
        if action == "end":
            return task is not None and not task.is_over
        if action == "result":
            return task is not None
        return True

    def action_look(self) -> None:
        """All of the server's, and the one under the cursor."""
        self._do(self._tasks.list())

    def action_poll(self) -> None:
        if (task := self.task_) is not None:
            self._do(self._tasks.look(task))

    def action_result(self) -> None:
        if (task := self.task_) is not None:
            self._do(self._tasks.fetch(task))

    def action_end(self) -> None:
        if (task := self.task_) is not None:
            self._do(self._tasks.cancel(task))

    @work(group="tasks")
    async def _do(self, work: Awaitable[Any]) -> None:
        try:
            await work
        except Failed as failed:
            said = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
            self.notify(said, title="Tasks", severity="warning", markup=False)
        if self._tasks.warning:
            self.notify(guard.message(self._tasks.warning), title="Tasks", severity="warning", markup=False)
        self.refresh_state()
        self.refresh_bindings()


def _facts(task: LongTask, width: int) -> list[Part]:
    mark, tone = _MARKS.get(task.status, ("·", "$quiet"))
    value = task.value

    def text(member: str) -> str:
        given = value.get(member)
        return "" if given is None else clip(guard.line(str(given)), 200)

    parts: list[Part] = [(f"{mark} {guard.line(task.status)[:60]}", f"bold {tone}")]
    parts += [(f"  {clip(guard.block(task.message), 400)}\n", "$foreground")]
    waiting = [key for key, question in task.asked.items() if question.is_open]
    asks = (
        f"{clip(', '.join(guard.line(key[:80]) for key in waiting), 120)}; answer in Inbox" if waiting else ""
    )
    lifetime = task.lifetime
    if isinstance(lifetime, int | float) and 0 <= lifetime < _YEARS:
        kept = duration(lifetime / 1000)
    else:
        kept = "" if lifetime is None else f"{clip(guard.line(str(lifetime)), 40)} ms"
    return parts + facts(
        (
            ("asks for", asks),
            ("task", clip(guard.line(task.id), 200)),
            ("tool", clip(guard.line(task.subject), 200)),
            ("created", text("createdAt")),
            ("updated", text("lastUpdatedAt")),
            ("told at", time.strftime("%H:%M:%S", time.localtime(task.seen_at))),
            ("kept for", kept),
            ("poll every", duration(task.pause)),
            ("design", "extension of 2026-07-28" if task.by_extension else "2025-11-25"),
        ),
        width=width,
    )
