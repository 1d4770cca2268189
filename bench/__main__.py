"""Every bar that exists so far, each beside its floor in the same run. Ratios count; the figures are this machine's."""

from __future__ import annotations

import argparse
import asyncio
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from bench import floor, judged, results, rivals, taps
from bench.measuring import OURS, ROOT, TINY, cpu, first_paint, interleaved, report, wall
from inspector.session.session import Session
from inspector.traffic.store import Traffic
from inspector.transports.base import Observer
from inspector.transports.http import HttpTransport
from inspector.transports.stderr import StderrTail
from inspector.transports.stdio import StdioTransport

SDK = ROOT / ".servers/venv/bin/python"


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
        "rivals": rivals.main,
    }
    parser.add_argument("only", nargs="*", help=f"{', '.join(sections)} (all)")
    parser.add_argument("-n", type=int, default=7, help="rounds of each measure (7)")
    if sys.argv[1:2] == ["results"]:
        results.write(sys.argv[2:] or list(sections))
        return
    if sys.argv[1:2] in (["fuzz"], ["soak"]):
        program = import_module(f"bench.{sys.argv[1]}.__main__")
        sys.exit(program.main(sys.argv[2:]))
    arguments = parser.parse_args()
    # Where Python may not write bytecode, as in some containers, every start would compile us anew.
    compileall.compile_dir(ROOT / "inspector", quiet=2)
    for name in arguments.only or sections:
        sections[name](arguments.n)


if __name__ == "__main__":
    main()
