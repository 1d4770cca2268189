"""Owns every connection of a run and ends them all, whatever happens."""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from inspector.base import crash, tasks
from inspector.base.secrets import Secrets
from inspector.config.server import Entry
from inspector.session.session import Options
from inspector.workspace.connection import Book, Connection
from inspector.workspace.starts import AT_ONCE, Starts

if TYPE_CHECKING:
    from inspector.traffic.store import Traffic
    from inspector.workspace.config_files import ConfigFiles
    from inspector.workspace.findings import Findings
    from inspector.workspace.pages import Pages
    from inspector.workspace.tool_calls import ToolCalls


class Workspace:
    """`async with Workspace(...) as workspace:` — when the block ends, no process of ours is left.

    Front ends read `connections` and `traffic`, and are told by `subscribe` that something changed; they are not
    told what, since they repaint from the state.
    """

    def __init__(
        self,
        book: Book,
        *,
        secrets: Secrets | None = None,
        options: Options = Options(),
        environment: Mapping[str, str] | None = None,
        lists: bool = True,
        listens: bool = False,
        at_once: int = AT_ONCE,
    ) -> None:
        """`lists`: connections read their lists when they are ready; `listens`: and ask to be told of changes, where
        the server does not do so by itself. So many processes as `at_once` start side by side."""
        self.book = book
        self.secrets = crash.secrets = secrets if secrets is not None else Secrets()
        book.withhold(self.secrets.without_tokens)
        self.options = options
        self.environment = dict(os.environ) if environment is None else dict(environment)
        self.connections: dict[str, Connection] = {}
        self.prepare: Callable[[Connection], None] = lambda connection: None
        """Told every connection that is taken in, before it can start."""
        self.tool_calls: ToolCalls | None = None
        self.watched: Sequence[str] = ()
        """Patterns of files whose change starts every server again; for whoever can repeat what was asked of them."""
        self.config_files: ConfigFiles | None = None
        """Where the servers come from, if that can change while they run."""
        self._lists = lists
        self._listens = listens
        self._starts = Starts(at_once)
        self._subscribers: list[Callable[[], None]] = []
        self._pages: Pages | None = None
        self._aside: Workspace | None = None
        self._findings: Findings | None = None

    async def __aenter__(self) -> Workspace:
        atexit.register(self.kill_now)
        tasks.watch_loop()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stops = [
            tasks.spawn(connection.stop(), f"stop {name}") for name, connection in self.connections.items()
        ]
        try:
            if stops:
                await asyncio.wait(stops)
        except asyncio.CancelledError:
            # A second Ctrl-C: no more politeness.
            self.kill_now()
            await tasks.cancel(*stops)
            raise
        finally:
            atexit.unregister(self.kill_now)
            if self.tool_calls is not None:
                self.tool_calls.audit.flush()
            if self._pages is not None:
                await self._pages.close()
            if self._aside is not None:
                await self._aside.__aexit__(kind, error, trace)
                self._aside.book.close()

    @property
    def traffic(self) -> Traffic:
        """The store of this run; only where one is kept."""
        from inspector.traffic.store import Traffic

        assert isinstance(self.book, Traffic)
        return self.book

    @property
    def findings(self) -> Findings:
        """What rules find in the traffic, as far as somebody has them look; only where there is a store."""
        from inspector.workspace.findings import Findings

        self._findings = self._findings or Findings(self)
        return self._findings

    @property
    def judged(self) -> Findings | None:
        """The same, once somebody asked for them; None before, for loading the rules takes a moment."""
        return self._findings

    @property
    def aside(self) -> Workspace:
        """One beside this one, with a traffic of its own in memory: for what happens while a recording is read, which
        takes no rows. It ends with this one."""
        from inspector.traffic.store import Traffic

        if self._aside is None:
            self._aside = Workspace(
                Traffic.in_memory(),
                secrets=self.secrets,
                options=self.options,
                environment=self.environment,
                listens=self._listens,
            )
            self._aside.tool_calls = self.tool_calls
        return self._aside

    @property
    def pages(self) -> Pages:
        """Where pages of servers are shown to a browser."""
        from inspector.workspace.pages import Pages

        self._pages = self._pages or Pages()
        return self._pages

    def add(self, entry: Entry, make: Callable[..., Connection] = Connection) -> Connection:
        """Takes a server in, without starting it. A name that is taken gets a number."""
        name, number = entry.name, 2
        while name in self.connections:
            name, number = f"{entry.name} ({number})", number + 1
        connection = make(
            entry,
            book=self.book,
            secrets=self.secrets,
            starts=self._starts,
            options=self.options,
            environment=self.environment,
            changed=self._changed,
            lists=self._lists,
            listens=self._listens,
        )
        connection.name = name
        connection.tool_calls = self.tool_calls
        self.connections[name] = connection
        self.prepare(connection)
        return connection

    async def remove(self, name: str) -> None:
        """Ends a connection and forgets it; its traffic stays."""
        connection = self.connections.get(name)
        if connection is not None:
            await connection.stop()
            self.connections.pop(name, None)
            self._changed()

    def start(self, names: Iterable[str] | None = None) -> None:
        """Starts the enabled ones, side by side; named ones whatever they are."""
        for name, connection in self.connections.items():
            if name in names if names is not None else connection.state != "disabled":
                connection.start()

    async def settled(self) -> None:
        """Waits until no start is under way."""
        await asyncio.gather(*(connection.settled() for connection in self.connections.values()))

    def subscribe(self, told: Callable[[], None]) -> Callable[[], None]:
        """Calls `told` after every change of state, on the loop; returns the way out."""
        self._subscribers.append(told)
        return lambda: self._subscribers.remove(told)

    def _changed(self) -> None:
        for told in tuple(self._subscribers):
            told()

    def kill_now(self) -> None:
        """Ends every process of ours without politeness, and without the loop: ours is about to end."""
        for connection in self.connections.values():
            connection.kill_now()
        if self._aside is not None:
            self._aside.kill_now()
