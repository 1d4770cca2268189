"""What a person does with servers: start, stop, keep connected. One half of the workspace screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.screen import Screen

from inspector.base import tasks
from inspector.tui import guard

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_NEEDS_ONE = frozenset({"restart", "toggle_enabled", "keep"})


class ServerActions(Screen[None]):
    """Acts on `connection`, the selected one."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace

    @property
    def connections(self) -> list[Connection]:
        return list(self.workspace.connections.values())

    @property
    def connection(self) -> Connection | None:
        """The selected one."""
        raise NotImplementedError

    def check_server_action(self, action: str) -> bool | None:
        """Whether an action of this half can run now; None where it is not one of them."""
        connection = self.connection if self.is_mounted else None
        if action in _NEEDS_ONE:
            return connection is not None
        if action == "stop":
            waits = connection is not None and connection.keeping.again is not None
            return waits or (connection is not None and connection.state in ("ready", "starting", "queued"))
        return None

    @work(group="servers")
    async def action_restart(self) -> None:
        if (connection := self.connection) is not None:
            await self.restart(connection)

    @work(group="servers")
    async def action_toggle_enabled(self) -> None:
        if (connection := self.connection) is None:
            return
        if connection.state != "disabled":
            self.disable(connection)
        else:
            await self.enable(connection)

    def action_stop(self) -> None:
        if (connection := self.connection) is not None:
            tasks.spawn(connection.stop(), f"stop {connection.name}")

    def action_keep(self) -> None:
        if (connection := self.connection) is None:
            return
        connection.keep(not connection.keeping.on)
        name = guard.line(connection.name)
        said = (
            f"{name} is started again whenever its connection ends, five times in a row at most"
            if connection.keeping.on
            else f"{name} stays down when its connection ends"
        )
        self.notify(said, title="Keep connected", timeout=4, markup=False)

    async def restart(self, connection: Connection) -> None:
        """To be called from a worker, as all that may have to ask first."""
        if await self.may_start(connection):
            tasks.spawn(connection.restart(), f"restart {connection.name}")

    async def enable(self, connection: Connection) -> None:
        if await self.may_start(connection):
            connection.start()

    def disable(self, connection: Connection) -> None:
        tasks.spawn(connection.stop(disable=True), f"disable {connection.name}")

    async def may_start(self, connection: Connection) -> bool:
        """Asks what has to be asked before a server is started."""
        from inspector.tui.screens.confirm import may_start

        return await may_start(self.app, connection)
