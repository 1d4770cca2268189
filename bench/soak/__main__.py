"""Hours of trouble in minutes: python -m bench soak [--rounds N] [--rests N] [--app]

Servers over stdio, HTTP and HTTP+SSE flood, change their lists, fill stderr, answer with much, are given up, restarted,
killed, removed and added again; now and then all HTTP servers die. Between the rounds it rests, and what is there then
(memory, descriptors, tasks, threads, processes, temporary files, objects by type) must be what was there at the first
rest, and after the end what was there before. Exits with 1 where something leaks. Linux and macOS.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from bench.soak.counts import NAMES, Counts, count, leaks
from bench.soak.trouble import Hosts, Trouble, config
from inspector.base import tasks
from inspector.base.secrets import Secrets
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.workspace.workspace import Workspace

_KEEPALIVE = 5.5
"""Seconds after which an idle HTTP connection may go."""
_KEYS = ("f", "end", "enter", "right", "escape", "L", "escape", "i", "escape", "question_mark", "escape", "alt+s",
         "escape", "t", "down", "enter", "F6", "F6", "escape", "1", "2", "3", "4", "5", "6", "7", "8", "1", "v", "v",
         "escape",         "ctrl+p", "escape", "f12", "f12", "escape", "s", "n")  # fmt: skip


_WIDTHS = (7, 7, 9, 9, *(len(name) + 3 for name in NAMES), 10)


def row(*cells: Any) -> None:
    print("".join(f"{cell!s:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True)), flush=True)


async def browse(app: Any, pilot: Any, names: list[str]) -> None:
    """Opens and closes what there is, of some servers."""
    for name in names:
        await app.main.go_to(name, None)
        for key in _KEYS:
            await pilot.press(key)
            if app.screen is not app.main and key == "escape":
                await pilot.press(key)


async def home(app: Any, pilot: Any, name: str) -> None:
    """Where the app is at every rest."""
    for _ in range(4):
        await pilot.press("escape")
    await app.main.go_to(name, None)
    await pilot.press("1")
    await pilot.pause()


async def soak(given: argparse.Namespace, folder: Path) -> list[str]:
    """What leaks, in sentences."""
    wrong: list[str] = []
    tasks.report = lambda name, error: wrong.append(f"{name} failed: {error!r}")
    measure: Callable[[], Counts] = partial(count, [folder / "spool", folder / "tmp"])
    before = measure()
    chance = random.Random(given.seed)
    hosts = Hosts(given.http + given.sse)
    rests: list[Counts] = []
    pace = max(1, given.rounds // given.rests)
    try:
        hosts.start()
        text = config(given.stdio, hosts.urls[: given.http], hosts.urls[given.http :])
        size = given.rows * 400
        traffic = Traffic.on_disk(
            folder / "spool", max_bytes=size, segment_bytes=size // 8, max_rows=given.rows
        )
        async with AsyncExitStack() as stack:
            options = Options(connect_timeout=60)
            workspace = await stack.enter_async_context(
                Workspace(traffic, options=options, secrets=Secrets(), listens=True)
            )
            stack.callback(traffic.close)
            trouble = Trouble(workspace, hosts, text, chance, given.much)
            if given.app:
                from inspector.tui.app import InspectorApp

                app = InspectorApp(workspace, "soak")
                pilot = await stack.enter_async_context(app.run_test(size=(120, 40)))
            trouble.begin()
            watching = asyncio.create_task(trouble.watch())
            stack.callback(watching.cancel)
            await workspace.settled()
            names = list(workspace.connections)
            row("round", "calls", "ready", "MiB", *NAMES, "objects")
            for number in range(1, given.rounds + 1):
                if given.app:
                    await asyncio.gather(
                        trouble.round(), browse(app, pilot, chance.sample(names, min(3, len(names))))
                    )
                else:
                    await trouble.round()
                if number % pace and number != given.rounds:
                    continue
                if given.app:
                    if not rests:
                        await browse(app, pilot, names)
                    await home(app, pilot, names[0])
                rest, ready = await trouble.rested(measure, given.idle)
                rests.append(rest)
                row(number, trouble.calls, f"{ready}/{len(names)}", f"{rest.memory:.1f}", *rest.numbers.values(),
                    rest.objects.total())  # fmt: skip
                if ready < len(names):
                    down = [each for each in workspace.connections.values() if each.state != "ready"]
                    states = {each.name: each.error or each.state for each in down}
                    wrong.append(f"not up again after round {number}: {states}")
    finally:
        hosts.kill()
    after = await ended(measure, before)
    row("end", "", "", f"{after.memory:.1f}", *after.numbers.values(), after.objects.total())
    wrong += leaks(rests, pace, given.idle >= _KEEPALIVE)
    wrong += [
        f"{name}: {was} before, {now} after the end"
        for (name, was), now in zip(before.numbers.items(), after.numbers.values(), strict=True)
        if now > was
    ]
    return wrong


async def ended(measure: Callable[[], Counts], before: Counts) -> Counts:
    """What is there when all is closed; waits a little for what has been asked to go."""
    until = time.monotonic() + 20
    while True:
        after = measure()
        numbers = zip(after.numbers.values(), before.numbers.values(), strict=True)
        if all(now <= was for now, was in numbers) or time.monotonic() > until:
            return after
        await asyncio.sleep(0.2)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench soak", description=(__doc__ or "").partition("\n")[0])
    for name, default, about in (
        ("stdio", 12, "servers over stdio, each a process"), ("http", 9, "servers over Streamable HTTP"),
        ("sse", 9, "servers over HTTP+SSE"), ("rounds", 60, "rounds of trouble"),
        ("rests", 10, "times that are measured"), ("much", 300, "frames, lines and KiB of one flood"),
        ("rows", 5000, "rows of traffic that are kept"), ("seed", 1, "of what happens"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{about} ({default})")
    parser.add_argument(
        "--idle", type=float, default=6.0, help="seconds of a rest (6); with less, sockets are not judged"
    )
    parser.add_argument(
        "--app", action="store_true", help="with the app, whose panes are opened and closed meanwhile"
    )
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        # All that is put somewhere is put here; what is remembered for the next time is not counted.
        (Path(name) / "tmp").mkdir()
        os.environ |= {"MCP_INSPECT_HOME": str(Path(name) / "home"), "TMPDIR": str(Path(name) / "tmp")}
        tempfile.tempdir = None
        wrong = asyncio.run(soak(given, Path(name)))
    for line in wrong:
        print(f"NOT {line}", flush=True)
    if not wrong:
        print("ok  nothing leaks", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
