"""The files that the servers of a run come from, looked at while it runs: what is different is marked, and nothing is
started, ended or changed because of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.base.errors import Failure
from inspector.config.entry import Entry

if TYPE_CHECKING:
    from inspector.config.loaded import Loaded
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_ELSEWHERE = frozenset(
    {"source", "raw", "answers", "notes", "origin", "overrides", "home", "project", "base", "folder"}
)
"""What an entry knows beside what it says."""
_SAYS = tuple(field.name for field in fields(Entry) if field.name not in _ELSEWHERE)


class ConfigFiles:
    """`patterns` are the files, for `base.source_files`; `reload` reads them anew, and blocks for a moment."""

    def __init__(self, paths: Iterable[Path], reload: Callable[[], Sequence[Loaded]]) -> None:
        self._paths = [str(path) for path in paths]
        self.patterns = [escape(path) for path in self._paths]
        self.reload = reload

    def compare(self, workspace: Workspace, read: Sequence[Loaded]) -> list[str]:
        """Marks the connections by what their files say now, and takes new servers in, switched off. Returns sentences
        about what is different, the paths and names in them foreign."""
        known = [one for one in workspace.connections.values() if one.entry.source.path in self._paths]
        wrong = {
            problem.path: f"{problem.place}: {problem.message}"
            for loaded in read
            for problem in reversed(loaded.problems)
            if problem.server is None and problem.severity == "error"
        }
        missing = {str(file.path) for loaded in read for file in loaded.files if file.state == "missing"}
        for path in missing & {one.entry.source.path for one in known}:
            wrong[path] = f"{path}: the file is gone"
        told = [f"{why}; the servers stay as they are" for why in wrong.values()]
        kept = {one.entry.name for one in known if one.entry.source.path in wrong}
        entries = [entry for loaded in read for entry in loaded.entries if entry.name not in kept]
        told += self._match([one for one in known if one.entry.name not in kept], entries, workspace)
        return told

    def _match(
        self, known: Sequence[Connection], entries: Sequence[Entry], workspace: Workspace
    ) -> list[str]:
        left = list(entries)
        changed, gone = [], []
        for connection in known:
            now = next((entry for entry in left if entry.name == connection.entry.name), None)
            before = connection.waiting, connection.gone
            connection.gone = now is None
            connection.waiting = None
            if now is not None:
                left.remove(now)
                connection.waiting = now if _differs(connection.entry, now) else None
            if connection.gone and not before[1]:
                gone.append(connection.name)
            elif connection.waiting is not None and (
                before[0] is None or _differs(before[0], connection.waiting)
            ):
                changed.append(connection.name)
        new = [self._take_in(entry, workspace) for entry in left]
        said = (
            (changed, "changed; r starts it with what the file says now"),
            (new, "new, and not started: r starts it"),
            (gone, "no longer there; what runs goes on"),
        )
        return [f"{', '.join(names)}: {what}" for names, what in said if names]

    @staticmethod
    def _take_in(entry: Entry, workspace: Workspace) -> str:
        connection = workspace.add(entry)
        said = f"new in {Path(entry.source.path).name}, not started"
        connection.refuse(Failure(kind="consent", message=said, hint="press r to start it"))
        return connection.name


def _differs(one: Entry, other: Entry) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in _SAYS)
