"""The traffic list of the app at its bars: python -m bench list [FRAMES]

A recording is opened in a real terminal: first rows, memory, pages and jumps, filters and searches. Then a real server
sends frames while keys are pressed, and the time from a key to what it changes on the screen is taken.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.terminal import CTRL_U, DOWN, END, ENTER, HOME, PAGE_DOWN, UP, Terminal
from bench.traffic import write_recording

RATE = 20_000
SECONDS = 10
_IDLE = 0.1
_ROUNDS = 40
_TRIES = 5
_SEARCHES = ("nowhere at all", "hello 77777", "hello")
FLOOD = [sys.executable, str(Path(__file__).parent / "flood.py")]


def told(ok: bool, what: str, figures: str) -> None:
    print(f"{'ok ' if ok else 'NOT'} {what:<40} {figures}", flush=True)


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def at_rest(terminal: Terminal) -> float:
    """The share of a processor that it takes when the rules have looked at all there is; at most four minutes later."""
    idle = 1.0
    for _ in range(80):
        terminal.rest(1)
        before = terminal.cpu()
        terminal.rest(2)
        if (idle := (terminal.cpu() - before) / 2000) < _IDLE:
            break
    return idle


def recorded(count: int, folder: Path) -> None:
    path = folder / "frames.mcprec"
    write_recording(path, count)
    path.read_bytes()
    terminal = Terminal(str(path), home=folder)
    terminal.wait(b"hello 3")
    first = terminal.age
    terminal.wait(f"{count:,} of {count:,}".encode(), 300)
    read, cpu = terminal.age, terminal.cpu()
    print(f"{count:,} recorded frames, {path.stat().st_size >> 20} MiB")
    told(first < 1000, "first rows after exec", f"{first:.0f} ms, bar 1000")
    print(f"    all listed after {read / 1000:.1f} s, {cpu / 1000:.1f} s CPU, {terminal.memory():.0f} MiB")
    idle = at_rest(terminal)
    print(f"    judged by all rules after {terminal.age / 1000:.0f} s; idle: {idle * 100:.1f} % CPU")
    moves: tuple[tuple[str, bytes, bytes], ...] = (
        ("page", b"", PAGE_DOWN), ("jump to the start", END, HOME), ("jump to the end", HOME, END),
    )  # fmt: skip
    for name, prepare, keys in moves:
        spent, walls = [], []
        for _ in range(_ROUNDS):
            if prepare:
                terminal.press(prepare)
                terminal.settle()
            before, began = terminal.cpu(), time.perf_counter()
            terminal.press(keys)
            walls.append(terminal.settle())
            terminal.rest(0.05)
            spent.append(terminal.cpu() - before - idle * (time.perf_counter() - began) * 1000)
        cost, p50, p95 = statistics.median(spent), percentile(walls, 0.5), percentile(walls, 0.95)
        told(
            cost < 15 and p95 < 50,
            name,
            f"{cost:.1f} ms CPU, bar 15; {p50:.1f} ms p50, {p95:.1f} p95, bar 50",
        )
    for source, found in (("kind:res", count // 2), ("tool:tool-7", count // 20), ("status:pending", 0)):
        wall = statistics.median(filtered(terminal, source, found) for _ in range(_TRIES))
        told(wall < 200, f"filter {source}", f"{wall:.0f} ms, bar 200")
    for text in _SEARCHES:
        grep = statistics.median(grepped(text, path) for _ in range(_TRIES))
        found = int(subprocess.run(["grep", "-cF", text, path], capture_output=True, check=False).stdout)
        wall = statistics.median(filtered(terminal, f'"{text}"', found) for _ in range(_TRIES))
        told(wall < 5 * grep, f'search "{text}"', f"{wall:.0f} ms, x{wall / grep:.1f} of grep -cF, bar x5")
    peak = terminal.memory("VmHWM")
    told(peak < 150, "memory at most", f"{peak:.0f} MiB, bar 150")
    terminal.kill()


def grepped(text: str, path: Path) -> float:
    began = time.perf_counter()
    # Into a pipe: where its output goes nowhere, grep stops at the first line that it finds.
    subprocess.run(["grep", "-cF", text, path], stdout=subprocess.PIPE, check=False)
    return (time.perf_counter() - began) * 1000


def filtered(terminal: Terminal, source: str, found: int) -> float:
    """Milliseconds from the key that completes a filter to the list that shows all it finds."""
    terminal.press(b"/" + CTRL_U + source[:-1].encode())
    terminal.settle(0.4)
    terminal.press(source[-1:].encode())
    wall = terminal.wait(rf"[ m]{found:,} of ".encode())
    terminal.press(CTRL_U + ENTER)
    terminal.settle(0.4)
    return wall


def live(folder: Path) -> None:
    count = RATE * SECONDS
    presses: dict[str, list[tuple[bytes, bytes]]] = {
        "following": [(b" ", b"paused"), (b" ", b"follow")],
        "scrolled up": [(DOWN, b"flood"), (UP, b"flood")],
    }
    for name, keys in presses.items():
        terminal = Terminal("--protocol", "legacy", "--", *FLOOD, str(RATE), str(count), home=folder)
        terminal.wait(b"flood 1")
        terminal.press(b"f" + (HOME if name == "scrolled up" else b""))
        terminal.rest(0.5)
        waits: list[float] = []
        began, before = time.perf_counter(), terminal.cpu()
        while terminal.age < SECONDS * 1000 - 1500:
            for key, effect in keys:
                terminal.press(key)
                waits.append(terminal.wait(effect))
                terminal.rest(0.05)
        load = (terminal.cpu() - before) / (time.perf_counter() - began) / 10
        until = time.perf_counter() + 30
        while terminal.listed()[1] < count and time.perf_counter() < until:
            terminal.rest(0.2)
        kept = terminal.listed()[1]
        p50, p95 = percentile(waits, 0.5), percentile(waits, 0.95)
        told(
            p95 < 50 and kept >= count,
            f"live, {RATE:,} frames/s, {name}",
            f"{kept - count:+,} of {count:,} kept; key to repaint {p50:.0f} ms p50, {p95:.0f} p95, bar 50; "
            f"CPU {load:.0f} %, {terminal.memory():.0f} MiB",
        )
        terminal.kill()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        recorded(count, Path(folder))
        live(Path(folder))


if __name__ == "__main__":
    main()
