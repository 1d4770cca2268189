"""The app in a browser on this machine: a process of its own for each visit, which ends with it.

The page and the terminal in it are those of textual-serve. Around them stands what stands around all our listeners
(DNS rebinding, pages of other origins), and a secret, without which nothing is answered: whoever may talk to the app
may start programs.
"""

from __future__ import annotations

import asyncio
import secrets
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any

from aiohttp import web
from textual_serve.server import Server

_HOST = "127.0.0.1"
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self' data:;"
    " img-src 'self' data:; connect-src 'self' ws://{0}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""What the page may load: nothing from elsewhere, though its stylesheet asks a font service for one."""
_LAST_WORDS = 3.0
"""Seconds that the apps of open visits get to end their servers in, when this is stopped."""


class _Guarded(Server):
    def __init__(self, command: str, port: int) -> None:
        super().__init__(command, host=_HOST, port=port, title="mcp-inspect")
        self._secret = secrets.token_urlsafe(24)
        self._cookie = f"mcp-inspect-{port}"
        self._authority = f"{_HOST}:{port}"

    @property
    def address(self) -> str:
        """To be opened by the person who started it, and by nobody else."""
        return f"{self.public_url}/?token={self._secret}"

    async def make(self) -> web.Application:
        app: web.Application = await self._make_app()
        app.middlewares.append(self._guard)
        app.on_response_prepare.append(self._limit)
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Textual would print its name."""

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        origin = request.headers.get("Origin")
        if host != self._authority:
            return _refused(f"this is not {host or 'a host without a name'}; open {self.public_url}")
        if origin is not None and origin != self.public_url:
            return _refused(f"a page of {origin} has no business here")
        given = request.query.get("token")
        if given is not None and request.path == "/" and self._is_secret(given):
            # In the address it would be in the history, and on the screen.
            answer = web.Response(status=303, headers={"Location": "/"})
            answer.set_cookie(self._cookie, self._secret, httponly=True, samesite="Strict", path="/")
            return answer
        if not self._is_secret(request.cookies.get(self._cookie, "")):
            return _refused("open the address that mcp-inspect serve-web printed, with its token")
        answered: web.StreamResponse = await handler(request)
        return answered

    def _is_secret(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), self._secret.encode())

    async def _limit(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers["Content-Security-Policy"] = _POLICY.format(self._authority)
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cache-Control"] = "no-store"


def _refused(why: str) -> web.Response:
    return web.Response(status=403, text=f"{why}\n")


def serve(words: Sequence[str], port: int, told: Callable[[str], None]) -> int:
    """Serves `mcp-inspect WORDS` until a signal comes; 0 is any free port. `told` gets the address. Returns the exit
    code. Raises OSError where the port is taken."""
    command = [sys.executable, "-P", "-m", "inspector", *words]
    line = subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
    answers = sys.stdout

    def begun(address: str) -> None:
        with redirect_stdout(answers):
            told(address)

    # What the apps say at their end is for the person, and no answer.
    with socket.create_server((_HOST, port)) as listening, redirect_stdout(sys.stderr):
        return asyncio.run(_run(_Guarded(line, listening.getsockname()[1]), listening, begun))


async def _run(server: _Guarded, listening: socket.socket, told: Callable[[str], None]) -> int:
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def end(number: int, frame: object) -> None:
        ended.get_loop().call_soon_threadsafe(stop, 128 + number)

    def stop(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    before = {number: signal.signal(number, end) for name in names if (number := getattr(signal, name, None))}
    runner = web.AppRunner(await server.make(), shutdown_timeout=_LAST_WORDS)
    try:
        await runner.setup()
        await web.SockSite(runner, listening).start()
        told(server.address)
        return await ended
    finally:
        await runner.cleanup()
        for number, handler in before.items():
            signal.signal(number, handler)
