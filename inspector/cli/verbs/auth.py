"""`auth`: a login by OAuth that can be watched, what is kept of it, and its end."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from typing import Any

from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.text import duration
from inspector.cli.questions import can_ask
from inspector.cli.running import Run
from inspector.cli.tables import sign
from inspector.config.server import Server
from inspector.workspace.connection import Connection


async def run(run: Run) -> int:
    """Exit code 3 where nobody could log in; what became of it stands in the document, whatever ended it."""
    connection = run.connections[0]
    server = connection.entry.resolve(os.environ)
    server.teach(run.workspace.secrets)
    action = run.arguments.action or "login"
    failure = server.failure
    try:
        if failure is None and action == "login":
            await _log_in(run, connection)
        elif failure is None and action == "logout":
            run.diagnostics.say(await connection.authorization.log_out(server, Terminal(run).agrees))
    except Failed as failed:
        failure = failed.failure
    except asyncio.CancelledError:
        if run.arguments.json:
            _document(run, connection, server, Failure(kind="cancelled", message="interrupted"))
        raise
    if run.arguments.json:
        _document(run, connection, server, failure)
    else:
        shown = connection.authorization.as_json(server)
        run.output.text(_told(shown))
        if failure is not None:
            run.diagnostics.failed(connection.name, failure)
    return Exit.OK if failure is None else failure.exit


def _document(run: Run, connection: Connection, server: Server, failure: Failure | None) -> None:
    shown = _masked(connection.authorization.as_json(server), run.mask)
    run.output.document(shown | ({} if failure is None else {"error": run.error_json(failure)}))


async def _log_in(run: Run, connection: Connection) -> None:
    """Asks the server first, so that it says what it wants. Raises Failed: why there is no login."""
    try:
        await run.connected(connection)
    except Failed as failed:
        if failed.failure.kind != "auth":
            raise
    given = [one for one in (run.arguments.max_time, run.arguments.timeout) if one is not None]
    patience = min(given, default=None)
    await connection.log_in(Terminal(run), more=run.arguments.scope or (), patience=patience)
    await run.connected(connection)


class Terminal:
    """The person at a terminal, or behind a pipe (`auth.login.Person`)."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def present(self) -> None:
        if not self._run.arguments.yes and not can_ask():
            raise _nobody("a login needs a browser")

    async def agrees(self, question: str) -> bool:
        if self._run.arguments.yes:
            return True
        if not can_ask():
            raise _nobody(question)
        self._run.diagnostics.say(f"{question} [y/N]")
        return await _line() in ("y", "yes")

    async def visit(self, url: str) -> None:
        say = self._run.diagnostics.say
        say(f"Log in here:\n  {url}")
        opened = self._run.arguments.yes
        if not opened:
            say("Open it in a browser? [Y/n]")
            opened = await _line() in ("", "y", "yes")
        if opened:
            await asyncio.to_thread(webbrowser.open, url)
        say("Waiting for the browser to come back. If it cannot reach this machine, paste its address here.")
        say("If it says that it does not know the client: ctrl+c, and log in again, which registers anew.")

    async def pasted(self) -> str:
        return await _typed()


def _nobody(question: str) -> Failed:
    return fail(
        "consent",
        f"{question}, and nobody is at a terminal to say yes",
        "give --yes, or run it at a terminal",
    )


async def _line() -> str:
    line: str = await asyncio.to_thread(sys.stdin.readline)
    return line.strip().lower()


async def _typed() -> str:
    """A line of stdin, in a way that can be given up; never returns where there is none."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[str] = loop.create_future()
    held = b""

    def read() -> None:
        nonlocal held
        part = os.read(0, 65536)
        held += part
        if not part:
            loop.remove_reader(0)
        elif b"\n" in held and not came.done():
            came.set_result(held.decode("utf-8", "replace"))

    try:
        loop.add_reader(0, read)
    except (OSError, NotImplementedError, ValueError):
        # A file, nothing at all, or a system whose loop cannot watch a terminal.
        pass
    try:
        return await came
    finally:
        try:
            loop.remove_reader(0)
        except (NotImplementedError, ValueError):
            pass


def _masked(value: Any, mask: Any) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {name: _masked(member, mask) for name, member in value.items()}
    return [_masked(member, mask) for member in value] if isinstance(value, list) else value


def _told(shown: dict[str, Any]) -> str:
    lines = []
    for step in shown["steps"]:
        mark = "ok" if step.get("ok") else sign("✗ ", "failed")
        took = duration(step["ms"] / 1000) if (step.get("ms") or 0) >= 1 else ""
        lines.append(f"{mark}  {step.get('step')}  {took}".rstrip())
        for member in ("outcome", "why", "spec"):
            if step.get(member):
                lines.append(f"      {_lead(member)}{step[member]}")
    if lines:
        lines.append("")
    state = {
        "none": "not logged in",
        "authorized": "logged in",
        "expired": "logged in, but the token is over",
    }
    lines.append(state[shown["state"]] + (f" at {shown['issuer']}" if shown["issuer"] else ""))
    if shown["state"] != "none":
        lines.append(f"scopes: {' '.join(shown['scopes']) or 'none named'}")
        expires = shown["expires_s"]
        if expires is None:
            lasts = "the token does not say how long it lasts"
        else:
            lasts = f"ends in {duration(expires)}" if expires else "it has ended"
        lines.append(lasts + ("; it is renewed by itself" if shown["renewable"] else ""))
    return "\n".join(lines)


def _lead(member: str) -> str:
    return {"why": sign("→ ", "because "), "spec": sign("# ", "rule ")}.get(member, "")
