"""Two live connections side by side. Those that are begun for it end with it, unless they are kept."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from inspector.config.adhoc import from_command
from inspector.config.entry import Source
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace

_OURS = Source(client="app")


class Paired:
    """`begun` was connected for this alone; None where both were there before."""

    def __init__(
        self, workspace: Workspace, left: Connection, right: Connection, begun: Connection | None = None
    ) -> None:
        self.workspace = workspace
        self.left, self.right = left, right
        self.begun = begun
        self.keeps = False
        """Whether what was begun stays among the servers."""

    @property
    def sides(self) -> tuple[Connection, Connection]:
        return self.left, self.right

    def swap(self) -> None:
        self.left, self.right = self.right, self.left

    def is_here(self, connection: Connection) -> bool:
        """False for one that was taken off the list of servers meanwhile: nothing may start it again."""
        return self.workspace.connections.get(connection.name) is connection

    async def close(self) -> None:
        """Ends what was begun and is not kept."""
        begun, self.begun = self.begun, None
        if begun is not None and not self.keeps and self.is_here(begun):
            await self.workspace.remove(begun.name)


def once_more(workspace: Workspace, connection: Connection, protocol: str = "") -> Connection:
    """A second connection to the same server, not started yet; `protocol` is an era or a version to insist on."""
    name = f"{connection.entry.name} ({protocol})" if protocol else connection.entry.name
    made = workspace.add(replace(connection.entry, name=name, source=_OURS, enabled=True))
    if protocol:
        made.options = replace(connection.options, protocol=protocol, protocol_by_entry=False)
    return made


async def played(workspace: Workspace, path: Path, like: str) -> Connection:
    """A recording or definition played by a server of our own, not started yet; of several servers in a recording the
    one that is called `like`, else the first. Raises Failed: io, config, unsupported."""
    servers = await asyncio.to_thread(_servers, path)
    which = [] if len(servers) < 2 else ["-s", like if like in servers else servers[0]]
    entry = from_command([sys.executable, "-m", "inspector", "serve", str(path), *which])
    entry.name, entry.source = path.stem or path.name, _OURS
    return workspace.add(entry)


def _servers(path: Path) -> list[str]:
    from inspector.compare.sides import of_recording
    from inspector.serving import written

    return [] if written.is_definition(path) else of_recording(path).servers
