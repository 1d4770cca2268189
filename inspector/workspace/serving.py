"""A recording or a definition that the app serves over HTTP, beside the servers of a workspace."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from inspector.base.errors import Failed, Failure
from inspector.config.adhoc import from_url
from inspector.config.entry import Entry, Source
from inspector.faults.http import HttpFaults
from inspector.faults.injector import Injector
from inspector.faults.kinds import Fault
from inspector.replay.ignoring import Ignoring
from inspector.serving import exchange, http
from inspector.serving.matching import Match
from inspector.serving.played import EXACT, played
from inspector.serving.recorded import Pace
from inspector.session.steps import Steps
from inspector.traffic.session_log import SessionLog
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Handler
from inspector.workspace.connection import Connection
from inspector.workspace.seen import Seen
from inspector.workspace.served_client import Client

_MOST_ENDED = 100
"""Clients that are gone and still told of."""
_MOST_LINES = 100


def entry_of(path: Path) -> Entry:
    """An entry for what a file serves, named after it."""
    entry = from_url("http://127.0.0.1")
    entry.name, entry.url = path.stem or path.name, ""
    entry.source = Source(client="app")
    return entry


class Served(Connection):
    """`ready` while it listens. The frames of its clients are in the traffic, each client as a session; secrets that
    are known are masked where they are shown.

    `path` is the file, `server` one of several in a recording, `match`, `pace` and `rules` say how that is played
    (`serving.recorded`); `port` 0 is any free one, and is kept when it is started again. `faults` are what goes wrong
    on purpose, from its start on.
    """

    def __init__(
        self,
        entry: Entry,
        *,
        path: Path,
        server: str | None = None,
        port: int = 0,
        match: Match = "params",
        pace: Pace = "fast",
        rules: Ignoring = EXACT,
        faults: Sequence[Fault] = (),
        **given: Any,
    ) -> None:
        super().__init__(entry, **given)
        self.path = path
        self.sse = ""
        """The path there for clients of 2024-11-05."""
        self.url = ""
        """Where clients reach it; empty before it was."""
        self.clients: list[Client] = []
        """Those that are there and the latest of those that are gone, in the order in which they came."""
        self.lines: deque[str] = deque(maxlen=_MOST_LINES)
        """What it would say on stderr, as about requests that fit no record; foreign."""
        self.faults = faults
        self._only, self._port, self._match, self._pace, self._rules = server, port, match, pace, rules
        self._stray = Seen(lambda: self._session(self.name))
        self._number = 0
        self._began = 0.0

    is_ours, is_served = False, True

    @property
    def served_at(self) -> str:
        return self.url if self.state == "ready" else ""

    @property
    def transport(self) -> str:
        return "serve"

    @property
    def uptime(self) -> float | None:
        """Seconds since it listens."""
        return time.monotonic() - self._began if self.state == "ready" else None

    @property
    def guests(self) -> int:
        return sum(client.state not in ("silent", "ended") for client in self.clients)

    async def _run(self) -> None:
        self.error, self.steps = None, Steps()
        self._enter("starting")
        try:
            with ExitStack() as stack:
                step = self.steps.begin("read")
                reading = played(
                    self.path,
                    self._only,
                    match=self._match,
                    pace=self._pace,
                    rules=self._rules,
                    noted=self._say,
                )
                playing = await asyncio.to_thread(stack.enter_context, reading)
                step.end(playing.definition.name)
                step = self.steps.begin("listen")
                server = http.hosted(
                    playing.definition,
                    port=self._port,
                    say=self._say,
                    through=self._spoiled,
                    reread=playing.reread,
                    session=playing.make,
                    watched=self._client,
                    stray=self._stray,
                )
                async with server as url:
                    step.end(url)
                    self.sse = playing.definition.places.sse
                    self.url, self._port = url, urlsplit(url).port or 0
                    self._began = time.monotonic()
                    self._enter("ready")
                    self._settled.set()
                    await self._stop.wait()
        except Failed as failed:
            self.error = failed.failure
        except OSError as error:
            why = error.strerror or str(error)
            self.error = Failure(
                kind="io", message=f"cannot listen on port {self._port}: {why}", hint="choose another, or 0"
            )
        except asyncio.CancelledError:
            if not self._stop.is_set():
                raise
        finally:
            if self.error is not None:
                self.steps.stop(self.error.message)
            self._enter("error" if self.error is not None else "disabled")
            self._settled.set()

    def _spoiled(self, handler: Handler) -> Handler:
        if not self.faults:
            return handler
        told = partial(exchange.told, self._stray)
        return HttpFaults(Injector(self.faults)).around(handler, self._end_by_fault, told)

    def _end_by_fault(self, code: int) -> None:
        """A fault ends the server."""
        self.error = Failure(
            kind="exited",
            message=f"ended by a fault that was asked for, with code {code}",
            hint="start it again",
            exit_code=code,
        )
        self._stop.set()

    def _say(self, line: str) -> None:
        self.lines.append(line)
        self._changed()

    def _client(self) -> Client:
        return Client(self._session_of, self._join, self._changed)

    def _join(self, client: Client) -> None:
        self._number += 1
        client.name = f"{self.name} #{self._number}"
        self.clients.append(client)
        ended = [each for each in self.clients if each.state == "ended"]
        for oldest in ended[: max(0, len(ended) - _MOST_ENDED)]:
            self.clients.remove(oldest)

    def _session_of(self, client: Client) -> SessionLog:
        return self._session(client.name)

    def _session(self, name: str) -> SessionLog:
        traffic = self._book
        assert isinstance(traffic, Traffic)
        return traffic.session(name, transport="http", url=self.url)
