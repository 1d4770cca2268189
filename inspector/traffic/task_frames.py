"""Which frames speak of a task: they belong to the answer that made it (spec 2025-11-25: utilities/tasks; 2026-07-28:
ext-tasks)."""

from __future__ import annotations

from typing import Any

from inspector.protocol.jsonrpc import Message
from inspector.traffic.recent import Recent

_KEPT = 1 << 14
_RELATED = "io.modelcontextprotocol/related-task"


class TaskFrames:
    """Of all sessions; rows are numbers of the traffic."""

    def __init__(self) -> None:
        self._made: Recent[tuple[int, str]] = Recent(_KEPT)
        self._makers: Recent[int] = Recent(_KEPT)
        self._of: Recent[int] = Recent(_KEPT)

    def answered(self, session: int, method: str, result: dict[str, Any], row: int) -> None:
        """An answer, which may have made a task."""
        task = result if result.get("resultType") == "task" else result.get("task")
        id_ = task.get("taskId") if type(task) is dict else None
        if type(id_) is str and not method.startswith("tasks/"):
            self._made.add((session, id_), row)
            self._makers.add(row, row)

    def told(self, session: int, message: Message, params: dict[str, Any], row: int) -> int | None:
        """A request or notification of either side; the row of the answer that made the task it speaks of."""
        id_ = (
            params.get("taskId")
            if (message.method or "").startswith(("tasks/", "notifications/tasks"))
            else None
        )
        if (
            id_ is None
            and type(meta := params.get("_meta")) is dict
            and type(related := meta.get(_RELATED)) is dict
        ):
            id_ = related.get("taskId")
        maker = self._made.get((session, id_)) if type(id_) is str else None
        if maker is not None:
            self._of.add(row, maker)
        return maker

    def maker(self, row: int) -> int | None:
        """The answer that made the task which a row speaks of."""
        return self._of.get(row)

    def linked(self, row: int) -> list[int]:
        """The maker of the task that a row speaks of; for the maker all that do."""
        maker = self._of.get(row)
        found = [] if maker is None else [maker]
        return found if self._makers.get(row) is None else found + self._of.keys_of(row)
