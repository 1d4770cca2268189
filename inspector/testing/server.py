"""A connected server, for tests: what it answers, and failures as sentences. It lives in a loop and thread of its own,
so that tests with and without `await` use it in the same way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from inspector.base import numbers, tasks
from inspector.base.errors import Failed, Failure
from inspector.base.secrets import Secrets
from inspector.base.text import visible, visible_block
from inspector.config.adhoc import from_command, from_url
from inspector.config.entry import Entry
from inspector.config.load import load
from inspector.protocol.listing import ListKind
from inspector.session.answer import Answer
from inspector.traffic.unkept import Unkept
from inspector.workspace import calling
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace

Target: TypeAlias = "Sequence[str] | str | PathLike[str]"
"""A command as a list of words, a URL, or the path of a config file."""
T = TypeVar("T")
_STDERR = 10


class Wrong(AssertionError):
    """A server did not do what the test needs; the text has the cause, the next step, and its last stderr lines."""

    def __init__(self, what: str, failure: Failure, secrets: Secrets) -> None:
        lines = [f"{what}: {failure.message}"]
        if failure.hint:
            lines.append(f"  → {failure.hint}")
        if failure.stderr:
            lines += ["  its last stderr lines:", *(f"    {line}" for line in failure.stderr[-_STDERR:])]
        super().__init__(visible_block(secrets.mask_message("\n".join(lines))))
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Called:
    """The result of a tool, as served."""

    result: Mapping[str, Any]
    seconds: float

    @property
    def content(self) -> list[Any]:
        content = self.result.get("content")
        return content if isinstance(content, list) else []

    @property
    def text(self) -> str:
        """All text blocks, one after the other."""
        return "\n".join(
            str(block.get("text"))
            for block in self.content
            if isinstance(block, dict) and block.get("type") == "text"
        )

    @property
    def structured(self) -> Any:
        return self.result.get("structuredContent")


class Session:
    """For coroutines, in whatever loop they run."""

    def __init__(self, connection: Connection, secrets: Secrets, loop: asyncio.AbstractEventLoop) -> None:
        self._connection = connection
        self._secrets = secrets
        self._loop = loop

    async def call(self, tool: str, arguments: Mapping[str, Any] | None = None, /, **named: Any) -> Called:
        """Calls a tool that is to succeed. Raises Wrong where it does not: no answer, an error, `isError`."""
        called = await self._call(tool, {**(arguments or {}), **named})
        if called.result.get("isError") is True:
            failure = Failure(kind="rpc", message=f"it answered with isError: {called.text or called.result}")
            raise Wrong(_told(tool, {**(arguments or {}), **named}), failure, self._secrets)
        return called

    async def fails(self, tool: str, arguments: Mapping[str, Any] | None = None, /, **named: Any) -> str:
        """Calls a tool that is to fail, by `isError` or by an error of JSON-RPC; gives what it says. Raises Wrong where
        it succeeds, or does not answer."""
        sent = {**(arguments or {}), **named}
        try:
            called = await self._call(tool, sent)
        except Wrong as wrong:
            if wrong.failure.kind == "rpc":
                return wrong.failure.message
            raise
        if called.result.get("isError") is not True:
            failure = Failure(
                kind="rpc", message=f"it was to fail, and answered {called.text or called.result}"
            )
            raise Wrong(_told(tool, sent), failure, self._secrets)
        return called.text

    async def request(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """The result of any request. Raises Wrong."""
        return (await self._there(method, self._connection.request(method, params))).result

    async def read(self, uri: str) -> list[Any]:
        """The contents of a resource. Raises Wrong."""
        found: list[Any] = (await self.request("resources/read", {"uri": uri}))["contents"]
        return found

    async def prompt(self, name: str, /, **arguments: str) -> list[Any]:
        """The messages of a prompt. Raises Wrong."""
        params = {"name": name, "arguments": arguments}
        found: list[Any] = (await self.request("prompts/get", params))["messages"]
        return found

    async def listed(self, kind: ListKind) -> list[Any]:
        """Every entry of a list, of all pages, as served. Raises Wrong."""
        connection = self._connection

        async def entries() -> list[Any]:
            assert connection.session is not None
            listing = await connection.session.list(kind)
            if listing.failure is not None:
                raise Failed(listing.failure)
            return listing.entries

        return await self._away(f"the list of {kind}", entries())

    async def tools(self) -> dict[str, Any]:
        """The tools by name. Raises Wrong."""
        return {str(tool.get("name")): tool for tool in await self.listed("tools") if isinstance(tool, dict)}

    async def _call(self, tool: str, arguments: dict[str, Any]) -> Called:
        params = {"name": tool, "arguments": arguments}
        answer = await self._there(_told(tool, arguments), calling.call(self._connection, params))
        return Called(answer.result if isinstance(answer.result, dict) else {}, answer.seconds)

    async def _there(self, what: str, asking: Coroutine[Any, Any, Answer]) -> Answer:
        answer = await self._away(what, asking)
        if answer.failure is not None:
            raise Wrong(what, answer.failure, self._secrets)
        return answer

    async def _away(self, what: str, asking: Coroutine[Any, Any, T]) -> T:
        """In the loop of the server."""
        try:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asking, self._loop))
        except Failed as failed:
            raise Wrong(what, failed.failure, self._secrets) from None


class Server:
    """The same for tests without `await`."""

    def __init__(self, session: Session, loop: asyncio.AbstractEventLoop) -> None:
        self.session = session
        self._loop = loop

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, /, **named: Any) -> Called:
        return self._wait(self.session.call(tool, arguments, **named))

    def fails(self, tool: str, arguments: Mapping[str, Any] | None = None, /, **named: Any) -> str:
        return self._wait(self.session.fails(tool, arguments, **named))

    def request(self, method: str, params: dict[str, Any] | None = None) -> Any:
        return self._wait(self.session.request(method, params))

    def read(self, uri: str) -> list[Any]:
        return self._wait(self.session.read(uri))

    def prompt(self, name: str, /, **arguments: str) -> list[Any]:
        return self._wait(self.session.prompt(name, **arguments))

    def listed(self, kind: ListKind) -> list[Any]:
        return self._wait(self.session.listed(kind))

    def tools(self) -> dict[str, Any]:
        return self._wait(self.session.tools())

    def _wait(self, asking: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(asking, self._loop).result()


@contextmanager
def connect(target: Target, *, name: str | None = None) -> Iterator[Server]:
    """A connected server while the block runs; no process of it is left behind. Raises Wrong where it does not come
    up, and for a target that names no server or several."""
    secrets = Secrets()
    entry = _entry(target, name, secrets)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="mcp-inspect", daemon=True)
    thread.start()
    life = _Life(entry, secrets)
    try:
        connection = asyncio.run_coroutine_threadsafe(life.begin(), loop).result()
        yield Server(Session(connection, secrets, loop), loop)
    finally:
        asyncio.run_coroutine_threadsafe(life.end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Life:
    """From the start of a server to its end, in one task, as a workspace wants it."""

    def __init__(self, entry: Entry, secrets: Secrets) -> None:
        self._entry = entry
        self._secrets = secrets
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> Connection:
        ready: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        self._task = tasks.spawn(self._run(ready), "server under test")
        return await ready

    async def end(self) -> None:
        self._over.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _run(self, ready: asyncio.Future[Connection]) -> None:
        async with Workspace(Unkept(), secrets=self._secrets, lists=False) as workspace:
            connection = workspace.add(self._entry)
            workspace.start([connection.name])
            await connection.settled()
            if connection.state == "ready":
                ready.set_result(connection)
                await self._over.wait()
                return
            failure = connection.error or Failure(kind="cancelled", message="the connection was closed")
            ready.set_exception(Wrong(f"{connection.name} does not come up", failure, self._secrets))


def _entry(target: Target, name: str | None, secrets: Secrets) -> Entry:
    if not isinstance(target, str | PathLike):
        return from_command(list(target))
    if str(target).startswith(("http://", "https://")):
        return from_url(str(target))
    loaded = load(Path(target))
    entries = [entry for entry in loaded.entries if name in (None, entry.name) and (name or entry.enabled)]
    if len(entries) != 1:
        there = ", ".join(entry.name for entry in loaded.entries) or "none"
        wrong = next(
            (f": {problem.message}" for problem in loaded.problems if problem.severity == "error"), ""
        )
        failure = Failure(
            kind="config",
            message=f"exactly one server is needed; there are: {there}{wrong}",
            hint="set mcp_name",
        )
        raise Wrong(str(target), failure, secrets)
    return entries[0]


def _told(tool: str, arguments: Mapping[str, Any]) -> str:
    return visible(
        f"{tool}({', '.join(f'{name}={numbers.brief(value)}' for name, value in arguments.items())})"
    )
