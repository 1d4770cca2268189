"""How everything here is measured: in turn, so that a noisy moment hits all alike, and told as ratios."""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
TINY = [sys.executable, str(ROOT / "bench" / "tiny.py")]
OURS = [sys.executable, "-m", "inspector"]


def report(what: str, ours: float, theirs: float, unit: str, bar: str, ok: bool) -> None:
    print(
        f"{'ok ' if ok else 'NOT'} {what:<34} {ours:>9.1f} {unit:<8} floor {theirs:>9.1f}   {bar}", flush=True
    )


def interleaved(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The median of each measure, taken in turn so that a noisy moment hits all of them."""
    for measure in measures:
        measure()
    found: list[list[float]] = [[] for _ in measures]
    for _ in range(rounds):
        for values, measure in zip(found, measures, strict=True):
            values.append(measure())
    return [statistics.median(values) for values in found]


def wall(command: list[str]) -> float:
    """Milliseconds until the command has ended."""
    began = time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


def cpu(command: list[str]) -> float:
    """Milliseconds of processor time of the command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def first_paint(
    command: list[str], text: bytes, environment: Mapping[str, str] = os.environ
) -> tuple[float, float]:
    """Milliseconds until `text` is on a 120x40 terminal, 0 where it is not within 20 s, and MiB of memory half a second
    later."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        terminal_of = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}
        os.execve(command[0], command, {**environment, **terminal_of})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    began = time.perf_counter()
    painted = 0.0
    seen = b""
    while time.perf_counter() - began < (20 if not painted else painted / 1000 + 0.5):
        if select.select([terminal], [], [], 0.05)[0]:
            seen += os.read(terminal, 65536)
        if not painted and text in seen:
            painted = (time.perf_counter() - began) * 1000
    status = Path(f"/proc/{child}/status").read_text()
    memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
    os.close(terminal)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return painted, memory
