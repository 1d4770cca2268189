"""Processes of ours and all that they started: who is alive, how they are ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

from inspector.base.text import duration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspector.transports.jobs import Job

EOF_GRACE = 1.0
TERM_GRACE = 2.0
"""Seconds a server gets after its stdin was closed, and after SIGTERM."""

_POLL = 0.02
_linux = sys.platform == "linux"


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def descendants(pid: int) -> set[int]:
    """All processes below `pid` that can be found now, itself not included."""
    if _linux and Path(f"/proc/{pid}/task").exists():
        return _descendants_by_proc(pid)
    import psutil

    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except (psutil.Error, OSError):
        return set()


def _descendants_by_proc(pid: int) -> set[int]:
    found: set[int] = set()
    queue = [pid]
    while queue:
        try:
            tasks = list(Path(f"/proc/{queue.pop()}/task").iterdir())
        except OSError:
            continue
        for task in tasks:
            try:
                children = {int(word) for word in (task / "children").read_text().split()}
            except (OSError, ValueError):
                continue
            queue.extend(children - found)
            found |= children
    return found


class ProcessTree:
    """A process that leads a session of its own, and everything it started.

    Members that moved to another process group are found as descendants, as far as they were seen while their
    parent lived: `look` takes that picture.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._seen: dict[int, float] = {}
        self._job: Job | None = None
        if os.name != "posix":
            if (started := start_time(pid)) is not None:
                self._seen[pid] = started
            self._job = _job(pid)

    def look(self) -> None:
        """Remembers who belongs to the tree now."""
        for pid in descendants(self.pid):
            if pid not in self._seen and (started := start_time(pid)) is not None:
                self._seen[pid] = started

    def alive(self) -> set[int]:
        """Members that run; zombies are not alive. On POSIX the leader counts as a member of its group."""
        pids = {pid for pid, started in self._seen.items() if start_time(pid) == started}
        return pids | self._group()

    def signal(self, number: int) -> None:
        """Sends a signal to every member; who is gone already is no error."""
        self.look()
        if os.name == "posix":
            try:
                os.killpg(self.pid, number)
            except (ProcessLookupError, PermissionError):
                pass
        for pid in self.alive():
            try:
                os.kill(pid, number)
            except OSError:
                pass
        if self._job is not None:
            self._job.end()

    def close(self) -> None:
        """What is in its job ends with it, also what was never seen."""
        if self._job is not None:
            self._job.close()
            self._job = None

    async def gone(self, seconds: float) -> bool:
        """True as soon as no member is alive; False after `seconds`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self.alive():
            if loop.time() >= end:
                return False
            await asyncio.sleep(_POLL)
        return True

    def _group(self) -> set[int]:
        if os.name != "posix":
            return set()
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return set()
        if _linux:
            return {pid for pid in _all_pids() if _group_and_state(pid) == (self.pid, True)}
        import psutil

        members = set()
        for process in psutil.process_iter(["pid", "status"]):
            try:
                if os.getpgid(process.pid) == self.pid and process.info["status"] != psutil.STATUS_ZOMBIE:
                    members.add(process.pid)
            except OSError:
                continue
        return members


def _job(pid: int) -> Job | None:
    from inspector.transports.jobs import Job

    try:
        return Job(pid)
    except OSError:
        return None


def _all_pids() -> Iterable[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdigit())


def _stat(pid: int | str) -> list[str] | None:
    """The numbers of a process; of a thread where `pid` is `PID/task/TID`."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    # The name, in parentheses, may hold blanks and parentheses; fields are counted after it.
    return text.rpartition(")")[2].split()


def _group_and_state(pid: int) -> tuple[int, bool] | None:
    fields = _stat(pid)
    return (int(fields[2]), fields[0] not in "ZX") if fields else None


def start_time(pid: int) -> float | None:
    """When a live process began, in a unit that only serves to tell it from a later one with the same id."""
    if _linux:
        fields = _stat(pid)
        return float(fields[19]) if fields and fields[0] not in "ZX" else None
    import psutil

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except (psutil.Error, OSError):
        return None


def activity(pid: int) -> str | None:
    """What a process and all below it do at this moment, for people, with the CPU time that those alive have used;
    None where it is gone or nothing may be read of it."""
    import psutil

    try:
        tree = [psutil.Process(pid)]
        tree += tree[0].children(recursive=True)
        states = {each.status() for each in tree}
        seconds = sum(times.user + times.system for times in (each.cpu_times() for each in tree))
    except (psutil.Error, OSError):
        return None
    used = f"{duration(seconds)} of CPU so far"
    if psutil.STATUS_RUNNING in states or any(_has_running_thread(each.pid) for each in tree):
        return f"computing ({used})"
    if psutil.STATUS_STOPPED in states or psutil.STATUS_TRACING_STOP in states:
        return "stopped by a signal (kill -CONT lets it go on)"
    return f"idle ({used})"


def _has_running_thread(pid: int) -> bool:
    """A thread may compute while the first one of its process sleeps; only Linux tells."""
    if not _linux:
        return False
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return False
    return any(
        (fields := _stat(f"{pid}/task/{task.name}")) is not None and fields[0] == "R" for task in tasks
    )
