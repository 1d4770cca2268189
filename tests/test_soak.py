"""A small soak: the same trouble as `python -m bench soak`, with counts and no clock; and that it would find a leak."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench.soak.counts import NAMES, Counts, leaks

ROOT = Path(__file__).parent.parent
REST = Counts(10, 5, 3, 1, 4, 2, 50.0, Counter({"inspector.a.A": 7}))


@pytest.mark.skipif(os.name != "posix", reason="it counts descriptors")
def test_nothing_leaks() -> None:
    words = [
        "--stdio", "2", "--http", "1", "--sse", "1", "--rounds", "14", "--rests", "7",
        "--much", "40", "--rows", "800", "--idle", "0",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "bench", "soak", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("ok  nothing leaks\n") and "4/4" in done.stdout


def test_what_grows_is_found() -> None:
    assert leaks([REST] * 6, 3, sockets=True) == []
    fields = ("files", "sockets", "tasks", "threads", "processes", "temp_files")
    for field, name in zip(fields, NAMES, strict=True):
        rests = [replace(REST, **{field: getattr(REST, field) + number}) for number in range(6)]
        assert [line.partition(":")[0] for line in leaks(rests, 3, sockets=True)] == [name]
    assert leaks([replace(REST, sockets=number) for number in range(6)], 3, sockets=False) == []


def test_what_goes_up_and_down_is_no_leak() -> None:
    assert leaks([replace(REST, tasks=3 + number % 2) for number in range(7)], 3, sockets=True) == []


def test_objects_and_memory_that_grow_are_found() -> None:
    kinds = [replace(REST, objects=Counter({"inspector.a.A": 7 + 3 * number})) for number in range(6)]
    assert leaks(kinds, 3, sockets=True) == ["objects inspector.a.A: 7 → 10 → 13 → 16 → 19 → 22"]
    assert leaks(kinds, 4, sockets=True) == []
    memory = [replace(REST, memory=50.0 + 10 * number) for number in range(6)]
    assert leaks(memory, 3, sockets=True) == ["memory: 80 → 100 MiB"]
