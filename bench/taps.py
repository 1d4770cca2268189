"""What a tap adds to a call, and to the start of a server, for a client that measures nothing else."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
ECHO = {"name": "echo", "arguments": {"message": "hi"}}


class Client:
    """The least client there is."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._id = 0

    def call(self, method: str, params: object) -> float:
        """Milliseconds until the answer is there."""
        self._id += 1
        began = time.perf_counter()
        request = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self._in.write(json.dumps(request).encode() + b"\n")
        self._out.readline()
        return (time.perf_counter() - began) * 1000

    def close(self) -> None:
        self._in.close()
        self._process.wait()


def start(command: Sequence[str]) -> float:
    """Milliseconds from the start of a server to its answer to `initialize`."""
    began = time.perf_counter()
    client = Client(command)
    client.call("initialize", INITIALIZE)
    took = (time.perf_counter() - began) * 1000
    client.close()
    return took


def added(server: list[str], tap: list[str], calls: int = 1000) -> tuple[list[float], list[float]]:
    """Milliseconds of calls without and with the tap, made in turn, so that a noisy moment hits both."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*tap, "-o", str(Path(folder) / "a.mcprec"), "--", *server]
        clients = Client(server), Client(words)
        for client in clients:
            client.call("initialize", INITIALIZE)
            for _ in range(50):
                client.call("tools/call", ECHO)
        found: tuple[list[float], list[float]] = ([], [])
        for _ in range(calls):
            for client, times in zip(clients, found, strict=True):
                times.append(client.call("tools/call", ECHO))
        for client in clients:
            client.close()
    return found


def started(server: list[str], tap: list[str], rounds: int) -> tuple[float, float]:
    """The median milliseconds of a start without and with the tap."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*tap, "-o", str(Path(folder) / "a.mcprec"), "--", *server]
        pairs = [(start(server), start(words)) for _ in range(rounds)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)
