"""Taking what a server lists for what it is to list from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.content import Content

from inspector.base.errors import Failed
from inspector.compare.listings import Lists
from inspector.tui import guard
from inspector.tui.compared_sides import baseline_file
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.workspace import accepted

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace


async def accept(app: App[Any], workspace: Workspace, connection: Connection, lists: Lists) -> bool:
    """Asks, and writes the baseline of a server; False where it was not written."""
    name = guard.line(connection.name)
    held = ", ".join(f"{len(entries):,} {kind}" for kind, entries in lists.items() if entries) or "nothing"
    path = baseline_file(workspace, connection)
    again = " The one of before is replaced." if path.is_file() else ""
    text = Content(f"{name} lists {held}. From now on this is what it is compared with.{again}")
    if not await app.push_screen_wait(
        ConfirmScreen("Accept as baseline?", text, yes="Accept", no="Leave it")
    ):
        return False
    try:
        accepted.write(path, {connection.name: lists}, ours=True)
    except Failed as failed:
        app.notify(guard.message(failed.failure.message), title="Not kept", severity="error", markup=False)
        return False
    app.notify(f"{held} of {name}", title="Accepted", timeout=4, markup=False)
    return True
