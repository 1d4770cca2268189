"""Servers behind `mcp-inspect tap`, as a client runs them, and what was recorded of them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command import PYTHON

from inspector.base.locks import try_lock

ROOT = Path(__file__).parent.parent
TAP = [PYTHON, "-m", "inspector", "tap"]
PATIENT = "import inspector.cli.verbs.tap_shim as s, inspector.__main__ as m; s.PATIENCE = 60.0; m.script()"
"""A tap that waits for its recorder however long a busy machine takes, so that its last words are all there."""
ECHO = [PYTHON, "-c", "import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"]


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "MCP_INSPECT_HOME": str(home), **more}


def python(program: str) -> list[str]:
    return [PYTHON, "-c", program]


def tapped(
    home: Path, server: list[str], *words: str, stdin: bytes = b"", **more: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [PYTHON, "-c", PATIENT, "tap", *words, "--", *server],
        input=stdin,
        capture_output=True,
        env=environment(home, **more),
        timeout=60,
        check=False,
    )


@contextmanager
def running(home: Path, server: list[str], *words: str) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*TAP, *words, "--", *server], stdin=pipe, stdout=pipe, stderr=pipe, env=environment(home)
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def written(path: Path) -> bytes:
    """A recording when its recorder is done, which a tap on a busy machine does not wait for."""
    while not path.exists() or not is_free(path):
        time.sleep(0.01)
    return path.read_bytes()


def is_free(path: Path) -> bool:
    """Whether no recorder holds the lock of a recording, and one has held it."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        return try_lock(descriptor) and path.stat().st_size > 0
    finally:
        os.close(descriptor)


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a recording as they stand in it."""
    written(path)
    return [row for line in path.read_bytes().splitlines() if "d" in (row := json.loads(line))]


def payloads(path: Path, channel: str) -> list[Any]:
    return [row.get("m", row.get("x", row.get("b"))) for row in rows(path) if row["d"] == channel]
