"""Live taps beside the servers of a workspace: found by themselves, followed until they end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from inspector.base import tasks
from inspector.base.errors import Failure
from inspector.config.adhoc import from_command, from_url
from inspector.config.entry import Entry
from inspector.protocol import jsonrpc
from inspector.protocol.revisions import PREFIX
from inspector.session.handshake import Handshake
from inspector.session.steps import Steps
from inspector.tap.listing import Tap, live
from inspector.tap.tail import Row, Tail
from inspector.traffic.lines import C2S, ERR, S2C
from inspector.transports.base import ProcessFacts
from inspector.transports.process import signal_name
from inspector.workspace.connection import Connection

if TYPE_CHECKING:
    from inspector.traffic.store import SessionLog, Traffic
    from inspector.workspace.workspace import Workspace

_LOOK = 1.0
"""Seconds between two looks for new taps."""
_TICK = 0.05


class Tapped(Connection):
    """A tap as a connection that is only looked at: `ready` while it lives, nothing can be sent. Its rows are in the
    traffic as its recording has them, secrets masked."""

    def __init__(self, entry: Entry, *, name_of_tap: str, tap: Tap, **given: Any) -> None:
        super().__init__(entry, **given)
        self._name_of_tap = name_of_tap
        self._tap = tap
        self._tail: Tail | None = None
        self._into: SessionLog | None = None
        self._exchanges: dict[int, int] = {}
        self._shown: dict[str, Any] = {}
        self._handshake: Handshake | None = None
        self._opening: dict[str, Any] = {}

    is_ours, is_tapped = False, True

    @property
    def transport(self) -> str:
        return "tap"

    @property
    def handshake(self) -> Handshake | None:
        return self._handshake

    @property
    def facts(self) -> ProcessFacts | None:
        """Of the server behind the tap, as far as the tap has told."""
        if self._tap.url or not self._tap.command:
            return None
        tail = self._tail
        told = tail.facts if tail is not None else {}
        pid, code, number = (told.get(name) for name in ("pid", "exitCode", "signal"))
        is_over = code is not None or number is not None
        return ProcessFacts(
            tuple(self._tap.command),
            cwd=cwd if isinstance(cwd := told.get("cwd"), str) else "",
            pid=pid if isinstance(pid, int) else None,
            started=self._tap.began,
            ended=tail.told_at if tail is not None and is_over else None,
            exit_code=code if isinstance(code, int) else None,
            signal=signal_name(number) if isinstance(number, int) else None,
            started_by=f"{self._tap.client}, through the tap (PID {self._tap.pid})".lstrip(", "),
        )

    @property
    def uptime(self) -> float | None:
        """Seconds since the tap began."""
        return time.time() - self._tap.began if self.state == "ready" else None

    async def _run(self) -> None:
        self.error = None
        self._settled.set()
        try:
            self._tail = self._tail or Tail(self._name_of_tap, self._tap)
            self.steps = Steps()
            self.steps.begin("recording").end(self._tap.path)
            self._enter("ready")
            while not self._tail.done and not self._stop.is_set():
                self._take(self._tail.read())
                try:
                    async with asyncio.timeout(_TICK):
                        await self._stop.wait()
                except TimeoutError:
                    pass
            if self._tail.done:
                self.error = _ending(self._tail.facts)
        except OSError as error:
            why = error.strerror or str(error)
            self.error = Failure(kind="io", message=f"{self._tap.path} cannot be read: {why}")
        finally:
            self._enter("disabled")

    def _take(self, rows: list[Row]) -> None:
        assert self._tail is not None
        traffic: Traffic = self._book  # type: ignore[assignment]
        if self._into is None:
            self._into = self.log = traffic.session(self.name, **self._tail.facts)
        for row in rows:
            exchange = row.exchange and self._exchanges.setdefault(row.exchange, 0)
            if row.exchange and not exchange:
                exchange = self._exchanges[row.exchange] = traffic.new_exchange()
            traffic.append(
                self._into.number, row.channel, (row.raw,), exchange, row.flags, row.size, at=row.t
            )
            if row.channel == ERR:
                self.stderr.feed(row.raw + b"\n")
            elif row.channel <= S2C and self._handshake is None:
                self._open(row.channel == C2S, row.raw)
        if self._tail.facts != self._shown:
            self._shown = self._tail.facts
            self._into.facts(**self._shown)
            self._changed()

    def _open(self, sent: bool, raw: bytes) -> None:
        """A frame before both sides of the opening are known."""
        message = jsonrpc.read(raw)
        value = message.value if isinstance(message.value, dict) else {}
        if sent and message.method in ("initialize", "server/discover"):
            self._opening = value
        elif not sent and self._opening and value.get("id") == self._opening.get("id"):
            params, result = self._opening.get("params"), value.get("result")
            modern = self._opening.get("method") == "server/discover"
            sent_params = params if isinstance(params, dict) else {}
            if not isinstance(result, dict) or (modern and not isinstance(sent_params.get("_meta"), dict)):
                self._opening = {}
                return
            said = (
                sent_params.get("_meta", {}).get(f"{PREFIX}protocolVersion")
                if modern
                else result.get("protocolVersion")
            )
            version = said if isinstance(said, str) else ""
            self._handshake = Handshake(sent_params, version, result, "modern" if modern else "legacy")
            self._changed()


def _ending(facts: Mapping[str, Any]) -> Failure:
    code, number = facts.get("exitCode"), facts.get("signal")
    if isinstance(number, int):
        how = f"has ended: the server was killed by {signal_name(number)}"
    elif isinstance(code, int):
        how = f"has ended: the server exited with code {code}"
    elif "pid" in facts:
        how = "was ended by force, so how its server fared is not known"
    else:
        how = "has ended"
    return Failure(
        kind="exited",
        message=f"the tap {how}",
        hint="it comes back as another server when its client starts it again",
        exit_code=code if isinstance(code, int) else None,
        signal=signal_name(number) if isinstance(number, int) else None,
    )


class Taps:
    """Looks for live taps while the block runs, and adds each to the workspace once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Taps:
        self._task = tasks.spawn(self._look(), "look for taps")
        return self

    async def __aexit__(self, *error: object) -> None:
        await tasks.cancel(self._task)

    async def _look(self) -> None:
        while True:
            for name, tap in live():
                if name not in self._known:
                    self._known.add(name)
                    if not self._is_own(tap):
                        self._add(name, tap)
            await asyncio.sleep(_LOOK)

    def _is_own(self, tap: Tap) -> bool:
        """Whether it is a server of the workspace, so that its frames are in the traffic already."""
        facts = (one.facts for one in self._workspace.connections.values() if not one.is_tapped)
        return any(fact is not None and fact.pid == tap.pid for fact in facts)

    def _add(self, name: str, tap: Tap) -> None:
        entry = from_url(tap.url) if tap.url else from_command(tap.command or [tap.label])
        entry.name = tap.label
        self._workspace.add(entry, partial(Tapped, name_of_tap=name, tap=tap)).start()
