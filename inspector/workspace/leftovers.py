"""Servers that outlive a run which was killed: who runs is noted beside its traffic, and told at the next start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.base.paths import write_private
from inspector.transports.process import ProcessTree, start_time

if TYPE_CHECKING:
    from inspector.workspace.workspace import Workspace

_FILE = "processes.json"


class Roll:
    """Notes the processes of a workspace in a folder whenever they change; where that fails, nothing is noted."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self._workspace = workspace
        self._file = folder / _FILE
        self._noted: dict[int, str] = {}
        workspace.subscribe(self.note)

    def note(self) -> None:
        running = {
            facts.pid: name
            for name, connection in self._workspace.connections.items()
            if connection.is_ours
            and (facts := connection.facts) is not None
            and facts.pid is not None
            and facts.ended is None
        }
        if running == self._noted:
            return
        self._noted = running
        entries = [{"pid": pid, "name": name, "started": start_time(pid)} for pid, name in running.items()]
        try:
            write_private(self._file, json.dumps(entries))
        except OSError:
            pass


def left_running(folder: Path) -> dict[int, str]:
    """The processes noted in a folder that still run, or have left some of theirs, by their id: the names of their
    servers. Empty where nothing can be read."""
    try:
        entries: Any = json.loads((folder / _FILE).read_bytes())
        return {entry["pid"]: entry["name"] for entry in entries if _runs(entry["pid"], entry["started"])}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _runs(pid: int, started: float) -> bool:
    now = start_time(pid)
    # A process that has the number of one of ours, and not its start, is somebody else's.
    return now == started if now is not None else bool(ProcessTree(pid).alive())
