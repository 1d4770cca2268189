"""Every bar that exists so far, each beside its floor in the same run. Ratios count; the figures are this machine's."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import json
import os
import pty
import resource
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from bench import floor, judged, taps
from inspector.session.session import Session
from inspector.traffic.store import Traffic
from inspector.transports.base import Observer
from inspector.transports.http import HttpTransport
from inspector.transports.stderr import StderrTail
from inspector.transports.stdio import StdioTransport

ROOT = Path(__file__).parent.parent
TINY = [sys.executable, str(ROOT / "bench" / "tiny.py")]
OURS = [sys.executable, "-m", "inspector"]
SDK = ROOT / ".servers/venv/bin/python"


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


def version(rounds: int) -> None:
    ours, bare = interleaved(
        rounds * 3, lambda: cpu([*OURS, "--version"]), lambda: cpu([sys.executable, "-c", "pass"])
    )
    report("--version", ours, bare, "ms CPU", f"bar: +40 ms, is +{ours - bare:.0f}", ours - bare <= 40)


def one_shot(rounds: int) -> None:
    server = ["--", *TINY]
    for verb, words in (("tools", []), ("call", ["echo", "message=hi"])):
        ours, bare = interleaved(
            rounds,
            lambda verb=verb, words=words: wall(
                [*OURS, verb, *words, "--protocol", "legacy", "--json", *server]
            ),
            lambda verb=verb: wall([sys.executable, "-m", "bench.floor", verb, *TINY]),
        )
        report(
            f"one-shot {verb}, stdio",
            ours,
            bare,
            "ms",
            f"bar: x1.6, is x{ours / bare:.2f}",
            ours / bare <= 1.6,
        )


def tiny_session(log: Observer) -> Session:
    return Session(
        lambda listener: StdioTransport(
            TINY[0], TINY[1:], environment=dict(os.environ), cwd=None, observer=log, listener=listener,
            stderr=StderrTail(),
        )
    )  # fmt: skip


async def stdio_rate(calls: int) -> float:
    session = tiny_session(Traffic.in_memory().session("tiny"))
    await session.connect()
    rate = await our_rate(session, calls)
    await session.close()
    return rate


async def http_rate(url: str, calls: int) -> float:
    log = Traffic.in_memory().session("tiny")
    session = Session(lambda listener: HttpTransport(url, {}, observer=log, listener=listener))
    await session.connect()
    rate = await our_rate(session, calls)
    await session.close()
    return rate


async def our_rate(session: Session, calls: int) -> float:
    for _ in range(50):
        await session.request("tools/call", floor.ECHO)
    began = time.perf_counter()
    for _ in range(calls):
        await session.request("tools/call", floor.ECHO)
    return calls / (time.perf_counter() - began)


def sdk_rate(*words: str) -> float:
    """Calls a second of the Python SDK's client, in a process of its own."""
    command = [str(SDK), str(ROOT / "bench/sdk_client.py"), *words]
    return float(subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout)


def rate(title: str, measures: list[Callable[[], float]], rounds: int, least: tuple[float, float]) -> None:
    """Ours beside the floor and, where it is installed, the Python SDK; `least` are the ratios that are the bars."""
    ours, bare, *sdk = interleaved(rounds, *(measures if SDK.exists() else measures[:2]))
    ratios = [ours / other for other in (bare, *sdk)]
    bars = [f"x{bar}, is x{ratio:.2f}" for bar, ratio in zip(least, ratios, strict=False)]
    words = f"bar: {bars[0]}" + (
        f"; Python SDK {sdk[0]:.1f}, bar: {bars[1]}" if sdk else "; no SDK: `make servers`"
    )
    met = all(ratio >= bar for bar, ratio in zip(least, ratios, strict=False))
    report(title, ours, bare, "calls/s", words, met)


def rates(rounds: int) -> None:
    rate(
        "sequential calls, stdio",
        [
            lambda: asyncio.run(stdio_rate(3000)),
            lambda: asyncio.run(floor.stdio_rate(TINY, 3000)),
            lambda: sdk_rate("stdio", "1000", *TINY),
        ],
        rounds,
        (0.8, 2.0),
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "bench.tiny_http"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        rate(
            "sequential calls, HTTP",
            [
                lambda: asyncio.run(http_rate(url, 500)),
                lambda: asyncio.run(floor.http_rate(url, 500)),
                lambda: sdk_rate("http", "300", url),
            ],
            rounds,
            (0.8, 1.5),
        )
    finally:
        server.terminate()
        server.wait()


def rules(rounds: int) -> None:
    """Calls one after the other; on a busy machine the rules take their time from them, so there it tells nothing."""
    ours, bare = interleaved(
        rounds,
        lambda: asyncio.run(judged.rate(tiny_session, our_rate, 2000, True)),
        lambda: asyncio.run(judged.rate(tiny_session, our_rate, 2000, False)),
    )
    report(
        "calls while rules look on",
        ours,
        bare,
        "/s CPU",
        f"bar: x0.9, is x{ours / bare:.2f}",
        ours / bare >= 0.9,
    )
    described, looked = judged.frame_cost()
    print(f"    a frame: {described:.0f} us to describe, {looked:.0f} us for all rules")
    asyncio.run(judged.stall())
    longest, decoding, whole = asyncio.run(judged.stall())
    told = f"bar: x3 of decoding it, is x{longest / decoding:.1f}; all of it takes {whole:.0f} ms"
    report("loop stands still, 1000 tools", longest, decoding, "ms", told, longest <= 3 * decoding)


def first_paint(command: list[str], text: bytes) -> tuple[float, float]:
    """Milliseconds until `text` is on a 120x40 terminal, and MiB of memory half a second later."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}
        os.execv(command[0], command)
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


def app(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MCP_INSPECT_HOME"] = folder
        config = Path(folder) / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"tiny-one": {"command": TINY[0], "args": TINY[1:]}}}))
        memory: list[float] = []

        def ours() -> float:
            painted, used = first_paint([*OURS, str(config)], b"tiny-one")
            memory.append(used)
            return painted

        painted, bare = interleaved(
            rounds, ours, lambda: first_paint([sys.executable, "-m", "bench.hello"], b"ready to paint")[0]
        )
        report(
            "first paint of the app",
            painted,
            bare,
            "ms",
            f"bar: x1.6, is x{painted / bare:.2f}",
            painted / bare <= 1.6,
        )
        used = statistics.median(memory)
        report("memory with a stdio server", used, 0, "MiB", "bar: 60 MiB", used <= 60)


def thirty(rounds: int) -> None:
    """Thirty servers that wait a second before they answer, against the bound that eight starts at once set."""
    server = {"command": TINY[0], "args": [*TINY[1:], "1"]}
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {f"s{number}": server for number in range(30)}}))
        done = subprocess.run(
            [*OURS, "status", str(config), "--json"], cwd=ROOT, capture_output=True, check=True
        )
    rows = json.loads(done.stdout)["servers"]
    starts = [
        sum(step["ms"] for step in row["steps"] if step["step"] in ("spawn", "handshake")) for row in rows
    ]
    whole = (
        max(row["uptime_s"] for row in rows) * 1000 - min(row["uptime_s"] for row in rows) * 1000 + starts[0]
    )
    bound = max(max(starts), sum(starts) / 8)
    ratio = whole / bound
    report("30 servers connected", whole, bound, "ms", f"bar: x1.15, is x{ratio:.2f}", ratio <= 1.15)


def tapped(rounds: int) -> None:
    tap = [*OURS, "tap"]
    bare, through = (statistics.median(times) for times in taps.added(TINY, tap))
    more = through - bare
    report("a call through a tap", through, bare, "ms", f"bar: +1 ms, is +{more:.3f}", more < 1)
    bare, through = taps.started(TINY, tap, rounds)
    report("a start through a tap", through, bare, "ms", f"no bar, is +{through - bare:.0f}", True)


def elsewhere(module: str) -> Callable[[int], None]:
    """A section that has a program of its own."""
    return lambda rounds: subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=True) and None


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench")
    sections: dict[str, Callable[[int], None]] = {
        "version": version,
        "oneshot": one_shot,
        "rates": rates,
        "rules": rules,
        "tap": tapped,
        "thirty": thirty,
        "app": app,
        "traffic": elsewhere("bench.traffic"),
        "list": elsewhere("bench.frame_list"),
        "kill": elsewhere("bench.kill"),
        "files": elsewhere("bench.files"),
        "long": elsewhere("bench.long"),
        "forms": elsewhere("bench.forms"),
        "form": elsewhere("bench.form_screen"),
    }
    parser.add_argument("only", nargs="*", help=f"{', '.join(sections)} (all)")
    parser.add_argument("-n", type=int, default=7, help="rounds of each measure (7)")
    if sys.argv[1:2] in (["fuzz"], ["soak"]):
        program = import_module(f"bench.{sys.argv[1]}.__main__")
        sys.exit(program.main(sys.argv[2:]))
    arguments = parser.parse_args()
    for name in arguments.only or sections:
        sections[name](arguments.n)


if __name__ == "__main__":
    main()
