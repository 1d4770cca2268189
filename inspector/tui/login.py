"""A login from the app: questions as dialogs, the browser after a yes, the address that it came back with by hand."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.content import Content

from inspector.base.errors import Failed, Failure, fail
from inspector.tui import guard
from inspector.tui.calls import book_of
from inspector.tui.clipboard import copy
from inspector.tui.panes.chosen import ChosenView
from inspector.tui.panes.tool import ToolView
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.line import LineScreen
from inspector.tui.widgets.inbox.link import open_link

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


_WORDS = {
    "tools/call": ("Call", " with the same arguments"),
    "prompts/get": ("Get", " with the same arguments"),
    "resources/read": ("Read", ""),
}


class Person:
    """Whoever sits before the app (`auth.login.Person`)."""

    def __init__(self, app: App[Any], name: str) -> None:
        self._app = app
        self._name = name

    async def present(self) -> None:
        """Somebody pressed the key."""

    async def agrees(self, question: str) -> bool:
        text = Content(guard.message(question))
        screen = ConfirmScreen("Go on with the login?", text, yes="Go on", no="No")
        answer: bool = await self._app.push_screen_wait(screen)
        return answer

    async def visit(self, url: str) -> None:
        if not await open_link(self._app, url, no="Copy it"):
            await copy(self._app, url)
            self._app.notify("The address is copied: open it in a browser anywhere.", markup=False)

    async def pasted(self) -> str:
        """Raises Failed (cancelled) where the dialog is left."""
        screen = LineScreen(
            f"Logging in to {guard.line(self._name)}",
            "Waiting for the browser to come back; this closes by itself then. A browser on another machine cannot "
            "come back here: paste the whole address that it ends at.",
            "",
            "http://127.0.0.1:…/callback?code=…",
        )
        line: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def left(text: str | None) -> None:
            if not line.done():
                line.set_result(text)

        shown = self._app.push_screen(screen, left)
        try:
            await shown
            text = await line
        finally:
            if not line.done():
                # What is shown next must find it gone, and it can only go once it is there.
                line.cancel()
                await shown
                await screen.dismiss(None)
        if text is None:
            raise fail("cancelled", "the login was left", "begin it again")
        return text


async def log_in(app: App[Any], connection: Connection) -> bool:
    """Logs in and waits until the server is ready; True where it is. Then the call that was refused is offered again.
    To be run by a worker."""
    call = book_of(connection).refused if connection.state == "ready" else None
    name = guard.line(connection.name)
    try:
        await connection.log_in(Person(app, connection.name), call.why if call is not None else None)
        await connection.settled()
        if connection.state != "ready":
            raise Failed(connection.error or Failure(kind="cancelled", message="the start was given up"))
    except Failed as failed:
        said = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
        severity = "information" if failed.failure.kind == "cancelled" else "error"
        app.notify(said, title=f"Not logged in to {name}", severity=severity, timeout=12, markup=False)  # type: ignore[arg-type]
        return False
    app.notify(
        f"{name} lets us in. Overview tells step by step how it went.", title="Logged in", markup=False
    )
    if call is not None:
        does, what = _WORDS[call.ask]
        text = Content(f"{guard.line(call.subject)} was refused before. {does} it again{what}?")
        if await app.push_screen_wait(ConfirmScreen(f"{does} again?", text, yes=does, no="No")):
            views = (*app.screen.query(ToolView), *app.screen.query(ChosenView))
            if not any(view.again(connection, call) for view in views):
                book_of(connection).begin(call.anew())
    return True
