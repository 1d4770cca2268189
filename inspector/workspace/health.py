"""What a process and all that it started cost now: CPU, memory, how many they are."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from inspector.transports.process import descendants


@dataclass(frozen=True, slots=True)
class Health:
    """A process tree at one moment.

    `cpu_percent` is of one core: two busy cores make 200. It is None where there is nothing to compare with.
    `memory_bytes` is resident memory; pages that members share count for each of them. `processes` are those
    alive, zombies are not. A member that may not be read is counted, without CPU and memory.
    """

    cpu_percent: float | None
    memory_bytes: int
    processes: int


class Pulse:
    """The health of one process tree, taken whenever it is asked for; the first answer has no CPU.

    CPU is what the members used since the answer before, over the seconds since then. What a member used after
    the last look at it is not seen.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.pid: int | None = None
        """Whose health was asked for last."""
        self._clock = clock
        self._at = 0.0
        self._seconds: dict[tuple[int, float], float] = {}

    def sample(self, pid: int) -> Health | None:
        """How `pid` and its descendants are; None where none of them is alive. Another `pid` begins anew."""
        now = self._clock()
        members = [member for each in (pid, *descendants(pid)) if (member := _read(each)) is not None]
        before, elapsed = self._seconds, now - self._at
        comparable = pid == self.pid and bool(before) and elapsed > 0
        self.pid, self._at = pid, now
        self._seconds = {member.identity: member.seconds for member in members}
        if not members:
            return None
        spent = sum(member.seconds - before.get(member.identity, 0.0) for member in members)
        return Health(
            max(0.0, 100 * spent / elapsed) if comparable else None,
            sum(member.memory for member in members),
            len(members),
        )


class _Member(NamedTuple):
    identity: tuple[int, float]
    seconds: float
    memory: int


def _read(pid: int) -> _Member | None:
    """A process that is alive; its start time tells it from a later one with the same id."""
    # Imported at the first use: only who looks at these numbers pays for it.
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        times = process.cpu_times()
        return _Member(
            (pid, process.create_time()), times.user + times.system, int(process.memory_info().rss)
        )
    except (psutil.AccessDenied, OSError):
        return _Member((pid, 0.0), 0.0, 0)
    except psutil.NoSuchProcess:  # ZombieProcess is one of these
        return None
