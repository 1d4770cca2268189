"""The trouble of one round, and what is there when it is over."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

from bench.soak.counts import Counts
from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.config.load import load_text
from inspector.traffic import query
from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
from inspector.traffic.redact import Redaction
from inspector.traffic.views import View
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace

_PATIENCE = 90.0
_STORM = [sys.executable, "-m", "bench.soak.storm"]


class Hosts:
    """The process behind all servers over HTTP, on ports that it comes back to."""

    def __init__(self, count: int) -> None:
        self.urls: list[str] = []
        self._ports = ["0"] * count
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        if not self._ports:
            return
        self._process = subprocess.Popen(
            [*_STORM, "http", *self._ports], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert self._process.stdout is not None
        self.urls = json.loads(self._process.stdout.readline())
        self._ports = [url.rpartition(":")[2].partition("/")[0] for url in self.urls]

    def kill(self) -> None:
        if (process := self._process) is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def config(stdio: int, http: list[str], sse: list[str]) -> str:
    servers: dict[str, Any] = {f"pipe{number}": {"command": _STORM[0], "args": [*_STORM[1:], "stdio"]}
                               for number in range(stdio)}  # fmt: skip
    servers |= {f"http{number}": {"type": "http", "url": url} for number, url in enumerate(http)}
    servers |= {
        f"sse{number}": {"type": "sse", "url": url.replace("/mcp", "/sse")} for number, url in enumerate(sse)
    }
    return json.dumps({"mcpServers": servers})


class Trouble:
    """`much` is what a flood has: frames, lines, KiB."""

    def __init__(self, workspace: Workspace, hosts: Hosts, text: str, chance: Random, much: int) -> None:
        self.calls = 0
        self._workspace = workspace
        self._hosts = hosts
        self._entries = {entry.name: entry for entry in load_text(text).entries}
        self._chance = chance
        self._much = much

    def begin(self) -> None:
        for name in self._entries:
            self._add(name)
        self._workspace.start()

    async def watch(self) -> None:
        """Looks at what comes in, as the app does, until it is cancelled."""
        while True:
            self._workspace.traffic.advance(0.01)
            self._workspace.findings.advance(0.01)
            await asyncio.sleep(0.05)

    def _add(self, name: str) -> Connection:
        connection = self._workspace.add(self._entries[name])
        connection.keep(True)
        return connection

    async def round(self) -> None:
        """Everything at once: calls of all kinds, some servers restarted, killed, removed and added meanwhile."""
        chance, names = self._chance, list(self._entries)
        work = [self._bother(self._workspace.connections[name]) for name in names]
        victims = chance.sample(names, max(1, len(names) // 5))
        work += [self._harm(name) for name in victims]
        if chance.random() < 0.2:
            work.append(self._hosts_die())
        self._look()
        await asyncio.gather(*work)
        self._look()

    async def _bother(self, connection: Connection) -> None:
        much = self._much
        try:
            async with asyncio.TaskGroup() as group:
                for tool, count in (("echo", 1), ("flood", much), ("changes", 5), ("noise", much), ("big", much),
                                    ("asks", 1)):  # fmt: skip
                    group.create_task(self._call(connection, tool, count))
                given_up = group.create_task(self._call(connection, "slow", 1))
                group.create_task(self._call(connection, "slow", 1, timeout=0.3))
                await asyncio.sleep(0.3)
                given_up.cancel()
        except* Failed:
            # Its server was ended meanwhile.
            pass

    async def _call(self, connection: Connection, tool: str, count: int, **clocks: Any) -> None:
        self.calls += 1
        try:
            await connection.call(tool, {"count": count}, **clocks)
        except Failed:
            pass

    async def _harm(self, name: str) -> None:
        connection = self._workspace.connections[name]
        await asyncio.sleep(self._chance.random() / 2)
        what = self._chance.choice(("restart", "kill", "remove", "stop"))
        facts = connection.facts
        if what == "kill" and facts is not None and facts.pid is not None and facts.ended is None:
            os.kill(facts.pid, signal.SIGKILL)
        elif what == "remove":
            await self._workspace.remove(name)
            self._add(name).start()
        elif what == "stop":
            await connection.stop()
            connection.start()
        else:
            await connection.restart()

    async def _hosts_die(self) -> None:
        await asyncio.sleep(0.2)
        self._hosts.kill()
        await asyncio.sleep(0.2)
        self._hosts.start()

    def _look(self) -> None:
        """What panes and exports do: filtered views, findings, an export of the last rows."""
        traffic = self._workspace.traffic
        traffic.advance()
        for text in ("kind:request", "ms>1 not tool:slow", "/fl.od/", ""):
            view = View(traffic, query.compile(text), folded=bool(text))
            view.extend()
        self._workspace.findings.advance()
        rows = list(range(max(traffic.first, traffic.end - 200), traffic.end))
        for name in ("html", "har", "otlp"):
            for _ in export(name, Source(traffic, rows, redaction=Redaction(Secrets()))):
                pass

    async def _all_up(self) -> None:
        for connection in list(self._workspace.connections.values()):
            while connection.state != "ready" or connection.session.dispatcher.pending:
                if connection.state in ("error", "disabled"):
                    connection.start()
                await asyncio.sleep(0.05)

    async def rested(self, measure: Callable[[], Counts], idle: float) -> tuple[Counts, int]:
        """Waits until every server is up again and nothing is under way; what is there then, and how many are up.
        `idle` are seconds after which HTTP lets go of connections that nobody uses."""
        connections = self._workspace.connections
        try:
            async with asyncio.timeout(_PATIENCE):
                # Once more where one was killed just now, and nobody has noticed yet.
                while True:
                    await self._all_up()
                    for connection in list(connections.values()):
                        await self._call(connection, "echo", 1)
                    if all(connection.state == "ready" for connection in connections.values()):
                        break
        except TimeoutError:
            pass
        await asyncio.sleep(idle)
        least = measure()
        # The last of what was closed may still be on its way.
        for _ in range(10):
            await asyncio.sleep(0.3)
            now = measure()
            if (
                sum(now.numbers.values()) >= sum(least.numbers.values())
                and now.objects.total() >= least.objects.total()
            ):
                break
            least = now
        return least, sum(connection.state == "ready" for connection in connections.values())
