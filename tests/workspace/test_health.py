"""The health of real process trees, on a clock that the test moves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import pytest

from inspector.workspace.health import Pulse

ROOT = Path(__file__).parent.parent.parent
BURN = """
import subprocess, sys, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""
WORKER = f"""{BURN}
print("ready", flush=True)
for line in sys.stdin:
    burn(float(line))
    print("done", flush=True)
"""
PARENT = f"""{BURN}
child = subprocess.Popen(
    [sys.executable, "-c", {WORKER!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
)
child.stdout.readline()
print("ready", flush=True)
for line in sys.stdin:
    if line == "end\\n":
        child.stdin.close()
        child.wait()
    else:
        child.stdin.write(line)
        child.stdout.readline()
    print("done", flush=True)
"""


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Process:
    """A script that does what it is told, line by line."""

    def __init__(self, started: subprocess.Popen[str]) -> None:
        assert started.stdin is not None and started.stdout is not None
        self.popen = started
        self.pid = started.pid
        self._stdin: IO[str] = started.stdin
        self._stdout: IO[str] = started.stdout
        assert self._stdout.readline() == "ready\n"

    def tell(self, line: str) -> None:
        """Comes back when it was done."""
        self._stdin.write(f"{line}\n")
        self._stdin.flush()
        assert self._stdout.readline() == "done\n"


@contextmanager
def running(script: str) -> Iterator[Process]:
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        try:
            yield Process(started)
        finally:
            children = psutil.Process(started.pid).children() if started.returncode is None else []
            for process in (*children, started):
                process.kill()


def test_cpu_is_what_was_used_between_two_looks() -> None:
    clock = Clock()
    pulse = Pulse(clock)
    with running(WORKER) as worker:
        first = pulse.sample(worker.pid)
        assert first is not None
        assert (first.cpu_percent, first.processes) == (None, 1)
        assert first.memory_bytes > 1_000_000
        worker.tell("0.3")
        clock.now += 2
        busy = pulse.sample(worker.pid)
        assert busy is not None and busy.cpu_percent == pytest.approx(15, abs=3)
        clock.now += 1
        idle = pulse.sample(worker.pid)
        assert idle is not None and idle.cpu_percent == pytest.approx(0, abs=3)


def test_children_count() -> None:
    clock = Clock()
    pulse = Pulse(clock)
    with running(PARENT) as parent:
        before = pulse.sample(parent.pid)
        assert before is not None and before.processes == 2
        assert before.memory_bytes > psutil.Process(parent.pid).memory_info().rss
        parent.tell("0.3")
        clock.now += 1
        busy = pulse.sample(parent.pid)
        assert busy is not None and busy.cpu_percent == pytest.approx(30, abs=6)


def test_a_child_that_ends_takes_nothing_back() -> None:
    clock = Clock()
    pulse = Pulse(clock)
    with running(PARENT) as parent:
        parent.tell("0.3")
        pulse.sample(parent.pid)
        parent.tell("end")
        clock.now += 1
        after = pulse.sample(parent.pid)
        assert after is not None and after.processes == 1
        assert after.cpu_percent == pytest.approx(0, abs=6)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="there are no zombies")
def test_zombies_are_not_alive() -> None:
    pulse = Pulse()
    with running(WORKER) as worker:
        assert pulse.sample(worker.pid) is not None
        worker.popen.kill()
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
        assert pulse.sample(worker.pid) is None
        worker.popen.wait()
        assert pulse.sample(worker.pid) is None


def test_another_process_begins_anew() -> None:
    clock = Clock()
    pulse = Pulse(clock)
    with running(WORKER) as one, running(WORKER) as other:
        pulse.sample(one.pid)
        clock.now += 1
        health = pulse.sample(other.pid)
        assert health is not None and health.cpu_percent is None
        assert pulse.pid == other.pid


def test_a_member_that_may_not_be_read_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: psutil.Process) -> None:
        raise psutil.AccessDenied(process.pid)

    with running(WORKER) as worker:
        monkeypatch.setattr(psutil.Process, "memory_info", refuse)
        health = Pulse().sample(worker.pid)
        assert health is not None and (health.memory_bytes, health.processes) == (0, 1)


def test_psutil_is_loaded_by_the_first_sample_only() -> None:
    script = "import sys, inspector.tui.panes.process; print('psutil' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "False"
