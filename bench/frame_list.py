"""What the list of frames costs on the screen: python -m bench.frame_list [FRAMES]

A recording is opened in a real terminal (a pty): first rows, pages and jumps, memory. Then frames come in live while
keys are pressed, and the time from a key to what it changes on the screen is taken.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import resource
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from inspector.traffic.session_log import SessionLog

ROOT = Path(__file__).parent.parent
RATE = 20_000
SECONDS = 8
SIZE = (40, 120)
_KEPT = 400_000


def make_recording(path: Path, count: int) -> None:
    from bench.traffic import frames
    from inspector.traffic.store import Traffic
    from inspector.traffic.writer import Writer

    traffic = Traffic.in_memory(max_rows=count + 1, max_bytes=1 << 40)
    traffic.attach(Writer(path, force=True))
    log = traffic.session("bench", transport="stdio")
    for number, raw in enumerate(frames(count)):
        if number % 2:
            log.received((raw,))
        else:
            log.sent(raw)
    traffic.advance()
    traffic.close()


def app(mode: str, path: str) -> None:
    """The process under test: says on the terminal `<name value>` whatever the other side waits for."""
    from textual.app import App, ComposeResult
    from textual.binding import Binding
    from textual.content import Content
    from textual.filter import LineFilter
    from textual.widgets import Label

    from inspector.traffic.store import Traffic
    from inspector.tui import guard, themes
    from inspector.tui.panes.traffic import TrafficPane

    class Bench(App[None]):
        BINDINGS: ClassVar = [Binding("x", "probe", priority=True), Binding("u", "usage", priority=True)]

        def __init__(self, traffic: Traffic) -> None:
            super().__init__()
            self.traffic = traffic
            self.probes = 0
            self.cpu = time.process_time()
            self.line_filter = guard.HostileTextFilter()

        def get_line_filters(self) -> Sequence[LineFilter]:
            return [*super().get_line_filters(), self.line_filter]

        def get_css_variables(self) -> dict[str, str]:
            variables = super().get_css_variables()
            return {**variables, **themes.derived(variables)}

        def get_theme_variable_defaults(self) -> dict[str, str]:
            return {"quiet": "ansi_default", "line": "ansi_default", "focus": "ansi_default"}

        def compose(self) -> ComposeResult:
            yield Label(" " * 80, id="probe")
            yield TrafficPane(self.traffic)

        def on_mount(self) -> None:
            self.query_one("#frames").focus()

        def say(self, text: str) -> None:
            self.query_one("#probe", Label).update(Content(f"<{text}>"), layout=False)

        def action_probe(self) -> None:
            self.probes += 1
            self.say(f"probe {self.probes}")

        def action_usage(self) -> None:
            """CPU since the last time, frames held and listed, memory."""
            cpu, self.cpu = self.cpu, time.process_time()
            rss = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
            self.probes += 1
            shown = self.query_one(TrafficPane).frames.shown
            self.say(f"usage {self.probes} {(self.cpu - cpu) * 1000:.1f} {len(self.traffic)} {shown} {rss}")

    async def live() -> None:
        traffic = Traffic.on_disk(Path(path))
        log = traffic.session("bench", transport="stdio")
        raws = Path(path, "frames").read_bytes().split(b"\n")
        bench = Bench(traffic)
        feeding = asyncio.create_task(feed(log, raws))
        await bench.run_async()
        feeding.cancel()
        traffic.close()

    if mode == "live":
        asyncio.run(live())
    else:
        Bench(Traffic.open_recording(Path(path))).run()


async def feed(log: SessionLog, raws: list[bytes]) -> None:
    """RATE frames a second, calls and answers by turns, in bursts as they come from a pipe."""
    began = time.monotonic()
    sent = 0
    while True:
        due = min(int((time.monotonic() - began) * RATE), RATE * SECONDS)
        while sent < due:
            log.sent(raws[sent % len(raws)])
            log.received((raws[(sent + 1) % len(raws)],))
            sent += 2
        await asyncio.sleep(0.002)


class Terminal:
    """The app in a pty; reads what it paints."""

    def __init__(self, mode: str, path: str) -> None:
        self.controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.frame_list", "--app", mode, path],
            cwd=ROOT, stdin=terminal, stdout=terminal, stderr=terminal, env=environment,
        )  # fmt: skip
        os.close(terminal)
        self.painted = b""

    def wait(self, text: bytes, seconds: float = 60) -> float:
        """Milliseconds until `text` is painted."""
        began = time.perf_counter()
        while text not in self.painted:
            ready, _, _ = select.select([self.controller], [], [], 1)
            if ready:
                self.painted = self.painted[-_KEPT:] + os.read(self.controller, 1 << 16)
            if time.perf_counter() - began > seconds:
                raise TimeoutError(f"{text!r} was not painted: {self.painted[-500:]!r}")
        return (time.perf_counter() - began) * 1000

    def press(self, keys: bytes) -> None:
        os.write(self.controller, keys)

    def rest(self, seconds: float) -> None:
        """Reads along for a while."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if select.select([self.controller], [], [], left)[0]:
                self.painted = self.painted[-_KEPT:] + os.read(self.controller, 1 << 16)

    def usage(self, probe: int) -> tuple[float, ...]:
        """Milliseconds of CPU since the last time, rows held and listed, MiB of memory."""
        self.press(b"u")
        return self.told(probe)

    def told(self, probe: int) -> tuple[float, ...]:
        mark = b"<usage %d " % probe
        self.wait(mark)
        while b">" not in self.painted.rpartition(mark)[2]:
            self.rest(0.01)
        return tuple(map(float, self.painted.rpartition(mark)[2].partition(b">")[0].split()))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.controller)


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def recorded(count: int, folder: Path) -> None:
    path = folder / "frames.mcprec"
    subprocess.run(
        [sys.executable, "-c", f"from bench.frame_list import make_recording; from pathlib import Path; "
         f"make_recording(Path({str(path)!r}), {count})"], cwd=ROOT, check=True,
    )  # fmt: skip
    terminal = Terminal("recording", str(path))
    terminal.wait(b"tools/call")
    first = (time.perf_counter() - terminal.began) * 1000
    probe, shown = 0, 0.0
    while shown < count:
        terminal.rest(0.25)
        probe += 1
        _, _, shown, rss = terminal.usage(probe)
    read = time.perf_counter() - terminal.began
    print(
        f"{count:,} recorded frames: first rows {first:.0f} ms after exec, "
        f"all listed after {read:.1f} s, {rss:.0f} MiB"
    )
    idle = []
    for _ in range(20):
        probe += 1
        idle.append(terminal.usage(probe)[0])
        terminal.rest(0.02)
    terminal.press(b"\x1b[H")
    for name, keys in (
        ("page", b"\x1b[6~"),
        ("jump to the start", b"\x1b[H"),
        ("jump to the end", b"\x1b[F"),
    ):
        spent, walls = [], []
        for _ in range(40):
            if name != "page":
                terminal.press(b"\x1b[F" if name == "jump to the start" else b"\x1b[H")
            terminal.rest(0.02)
            terminal.usage(probe + 1)
            terminal.press(keys + b"u")
            began = time.perf_counter()
            terminal.wait(b"<usage %d " % (probe + 2))
            walls.append((time.perf_counter() - began) * 1000)
            terminal.rest(0.02)
            spent.append(terminal.told(probe + 2)[0] + terminal.usage(probe + 3)[0])
            probe += 3
        cost = statistics.median(spent) - 2 * statistics.median(idle)
        p50, p95 = percentile(walls, 0.5), percentile(walls, 0.95)
        print(f"  {name:<18} {cost:5.1f} ms CPU   {p50:5.1f} ms p50   {p95:5.1f} ms p95")
    terminal.close()


def live(folder: Path) -> None:
    from bench.traffic import frames

    (folder / "frames").write_bytes(b"\n".join(frames(40_000)))
    for name, keys in (("following", b""), ("scrolled up", b"\x1b[H")):
        terminal = Terminal("live", str(folder))
        terminal.wait(b"tools/call")
        terminal.press(keys)
        probe = 1
        terminal.usage(probe)
        waits = []
        began = time.perf_counter()
        while time.perf_counter() - began < SECONDS - 2:
            probe += 1
            terminal.press(b"x")
            waits.append(terminal.wait(b"<probe %d>" % probe))
            terminal.rest(0.05)
        probe += 1
        cpu = terminal.usage(probe)[0]
        load = cpu / (time.perf_counter() - began) / 10
        while time.perf_counter() - terminal.began < SECONDS + 2:
            terminal.rest(0.1)
        _, held, shown, rss = terminal.usage(probe + 1)
        print(
            f"live, {RATE:,} frames/s, {name}: {held:,.0f} kept, {shown:,.0f} listed, "
            f"key to repaint {percentile(waits, 0.5):.0f} ms p50, {percentile(waits, 0.95):.0f} ms p95, "
            f"CPU {load:.0f} %, {rss:.0f} MiB"
        )
        terminal.close()


def main() -> None:
    if sys.argv[1:2] == ["--app"]:
        app(*sys.argv[2:4])
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        recorded(count, Path(folder))
        live(Path(folder))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print(f"peak memory of a child: {peak} MiB (writing the recording included)")


if __name__ == "__main__":
    main()
