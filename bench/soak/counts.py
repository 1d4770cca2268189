"""What a process holds, counted."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import psutil

_OURS = ("inspector.", "textual.", "asyncio.", "httpcore.", "httpx.", "h11.")
_POOL = "asyncio_"
"""Threads that the loop keeps for later; they are few, whatever happens."""
_KEPT = (
    "inspector.workspace.message_log.LogMessage",
    "inspector.session.inbox.Question",
    "inspector.check.",
    "inspector.protocol.jsonrpc.Message",
    "inspector.traffic.exchanges.Exchange",
    "inspector.traffic.recent.Recent",
    "asyncio.events.TimerHandle",
    "httpx._urlparse.ParseResult",
)
"""Kept on purpose, within bounds that a short soak does not reach: what a person may look at, the latest messages
that rules know, what pairs the requests of a session as long as rows of it are held, timers under way, a cache of
addresses."""
NAMES = ("files", "sockets", "tasks", "threads", "processes", "temp files")


@dataclass(frozen=True, slots=True)
class Counts:
    """At one moment, after the garbage went. `files` are descriptors without those of TCP, `memory` MiB that are
    resident, `objects` those of our types and of the libraries', by type."""

    files: int
    sockets: int
    tasks: int
    threads: int
    processes: int
    temp_files: int
    memory: float
    objects: Counter[str] = field(default_factory=Counter)

    @property
    def numbers(self) -> dict[str, int]:
        values = (self.files, self.sockets, self.tasks, self.threads, self.processes, self.temp_files)
        return dict(zip(NAMES, values, strict=True))


def count(folders: Iterable[Path]) -> Counts:
    """`folders` are where files of ours may be."""
    gc.collect()
    me = psutil.Process()
    sockets = len(me.net_connections("tcp"))
    names = Counter(f"{kind.__module__}.{kind.__qualname__}" for kind in map(type, gc.get_objects()))
    types = Counter({n: held for n, held in names.items() if n.startswith(_OURS) and not n.startswith(_KEPT)})
    return Counts(
        files=me.num_fds() - sockets,
        sockets=sockets,
        tasks=len(asyncio.all_tasks()),
        threads=sum(not each.name.startswith(_POOL) for each in threading.enumerate()),
        processes=len(me.children(recursive=True)),
        temp_files=sum(len(files) for folder in folders for _, _, files in os.walk(folder)),
        memory=me.memory_info().rss / (1 << 20),
        objects=types,
    )


def leaks(rests: Sequence[Counts], rounds: int, sockets: bool) -> list[str]:
    """What rose from rest to rest, of which there have been `rounds` of trouble each: sentences. The first rest is
    where everything has been used once. `sockets`: whether idle ones of HTTP had the time to go."""
    found = []
    for name in NAMES:
        series = [rest.numbers[name] for rest in rests]
        if series[-1] > series[0] and (name != "sockets" or sockets) and _rises(series, 1):
            found.append(f"{name}: {' → '.join(map(str, series))}")
    kinds = {kind for rest in rests for kind in rest.objects}
    for kind in sorted(kinds):
        series = [rest.objects[kind] for rest in rests]
        if _rises(series, rounds):
            found.append(f"objects {kind}: {' → '.join(map(str, series))}")
    third = max(1, len(rests) // 3)
    # What has a bound has reached it by the second third.
    parts = rests[third : 2 * third] or rests, rests[-third:]
    early, late = (sorted(rest.memory for rest in part)[third // 2] for part in parts)
    if len(rests) >= 6 and late > early * 1.1 + 8:
        found.append(f"memory: {early:.0f} → {late:.0f} MiB")
    return found


def _rises(series: Sequence[int], least: int) -> bool:
    """By at least so much at nearly every step, and not slower and slower, as what has a bound does."""
    steps = [later - sooner for sooner, later in pairwise(series)]
    half = len(steps) // 2
    return (
        sum(step >= least for step in steps) > len(steps) * 0.7
        and sum(steps[half:]) * 2 > sum(steps[:half])
        and len(steps) > 1
    )
