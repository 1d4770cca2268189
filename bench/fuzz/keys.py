"""The app, driven by the bytes of a terminal."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import unicodedata
from codecs import getincrementaldecoder
from contextlib import AsyncExitStack
from typing import Any
from unittest import mock

from textual._xterm_parser import XTermParser

from bench.fuzz.given import chance_of, cut
from bench.fuzz.loop import Hangs
from inspector.base import tasks
from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.workspace.workspace import Workspace

NEXT = b"\0NEXT\0"
"""Between the inputs of one app: what came before decides what a key means."""
_LIFE = 30
"""Inputs until there is a new app."""
_PATIENCE = 60
_SERVERS = ("bakery", "notes")


def terminal(data: bytes) -> None:
    """The same app takes one input after the other; a fault carries all of them since it was opened. An input with
    `NEXT` in it gets an app of its own."""
    global _app
    inputs = data.split(NEXT)
    loop = _loop()
    if _app is not None and (len(inputs) > 1 or len(_app.taken) >= _LIFE or _app.over):
        loop.run_until_complete(_app.close())
        _app = None
    if _app is None:
        _app = _App()
        loop.run_until_complete(_app.open())
    app = _app
    for each in inputs:
        if app.over:
            return
        app.taken.append(each)
        try:
            loop.run_until_complete(app.take(each))
        except Exception as error:
            _app = None
            error.history = NEXT.join(app.taken)  # type: ignore[attr-defined]
            loop.run_until_complete(app.close())
            raise


_loops: list[asyncio.AbstractEventLoop] = []
_app: _App | None = None


def _loop() -> asyncio.AbstractEventLoop:
    if not _loops:
        _loops.append(asyncio.new_event_loop())
    return _loops[0]


class _App:
    """An app without a terminal in a task of its own, whose context it needs, with servers that do no harm: nothing on
    the PATH, no browser, and a folder to write into that goes away."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.over = False
        self._inputs: asyncio.Queue[tuple[bytes | None, asyncio.Future[None]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.ensure_future(self._live(ready))
        await ready

    async def take(self, data: bytes) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._inputs.put((data, done))
        await done

    async def close(self) -> None:
        if self._task is not None and not self._task.done():
            await self._inputs.put((None, asyncio.get_running_loop().create_future()))
            await asyncio.wait({self._task}, timeout=_PATIENCE)
            self._task.cancel()

    async def _live(self, ready: asyncio.Future[None]) -> None:
        wrong: list[BaseException] = []
        home = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(
            os.environ, {"MCP_INSPECT_HOME": folder, "HOME": folder, "EDITOR": "", "VISUAL": ""}
        ), mock.patch("webbrowser.open", lambda *_, **__: True), mock.patch.object(
            InspectorApp, "open_url", lambda *_, **__: None
        ):  # fmt: skip
            os.chdir(folder)
            try:
                async with AsyncExitStack() as stack:
                    workspace = await stack.enter_async_context(
                        Workspace(
                            Traffic.in_memory(), secrets=Secrets(), environment={"PATH": ""}, listens=True
                        )
                    )
                    for name in _SERVERS:
                        entry = from_command([sys.executable, "-m", "inspector.demo", "stdio", name])
                        entry.name = name
                        workspace.add(entry)
                    app = InspectorApp(workspace, "servers.json")
                    pilot = await stack.enter_async_context(app.run_test(size=(100, 30)))
                    before, tasks.report = tasks.report, lambda name, error: wrong.append(error)
                    stack.callback(lambda: setattr(tasks, "report", before))
                    ready.set_result(None)
                    await self._serve(app, pilot, wrong)
            except BaseException as error:
                if not ready.done():
                    ready.set_exception(error)
                # What the app itself failed with has been told to whoever gave the input.
            finally:
                os.chdir(home)

    async def _serve(self, app: Any, pilot: Any, wrong: list[BaseException]) -> None:
        while True:
            data, done = await self._inputs.get()
            if data is None:
                return
            try:
                async with asyncio.timeout(_PATIENCE):
                    await _typed(app, pilot, data)
            except TimeoutError:
                wrong.append(Hangs(f"the app is not idle {_PATIENCE} s after its input"))
            except Exception as error:
                wrong.append(error)
            if app._exception is not None:
                wrong.insert(0, app._exception)
            self.over = app._exit or not app.is_running
            if wrong:
                self.over = True
                done.set_exception(wrong[0])
                return
            done.set_result(None)
            if self.over:
                return


async def _typed(app: Any, pilot: Any, data: bytes) -> None:
    parser = XTermParser(False)
    decode = getincrementaldecoder("utf-8")("replace").decode
    for piece in cut(data, chance_of(data), 3):
        # An empty text would tell the parser that the terminal is gone.
        for event in parser.feed(text) if (text := decode(piece)) else ():
            app._driver.process_message(event)
            if app._exit:
                return
        for event in parser.tick():
            app._driver.process_message(event)
        await pilot.pause()
        if app._exit or not app.is_running:
            return
    _, height = app.size
    for strip in app.screen._compositor.render_strips()[:height]:
        for segment in strip:
            assert segment.control or not any(unicodedata.category(char) == "Cc" for char in segment.text)
