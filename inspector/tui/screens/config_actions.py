"""The config files of this machine, in the app: found, and looked at while servers run. One part of the workspace
screen."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work

from inspector.base import tasks
from inspector.tui import guard
from inspector.tui.screens.server_actions import ServerActions

if TYPE_CHECKING:
    from inspector.workspace.config_files import ConfigFiles
    from inspector.workspace.workspace import Workspace


class ConfigActions(ServerActions):
    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._config_watch: asyncio.Task[None] | None = None

    def check_server_action(self, action: str) -> bool | None:
        if action == "take_changes":
            return any(each.waiting is not None for each in self.connections)
        return super().check_server_action(action)

    @work(group="dialogs", exclusive=True)
    async def action_discover(self) -> None:
        from inspector.config.found import discover
        from inspector.tui.screens.found import FoundScreen

        environment = self.workspace.environment
        loaded = await asyncio.to_thread(discover, Path.cwd(), environment=environment)
        chosen = await self.app.push_screen_wait(FoundScreen(loaded))
        added = [self.workspace.add(entry) for entry in chosen or ()]
        if added:
            await self.show_server(added[0].name)
        for connection in added:
            await self.enable(connection)

    @work(group="servers")
    async def action_take_changes(self) -> None:
        for connection in [each for each in self.connections if each.waiting is not None]:
            await self.restart(connection)

    def watch_config(self) -> None:
        """Looks at the files that the servers come from until the screen is left, and tells what is different."""
        if (files := self.workspace.config_files) is not None:
            self._config_watch = tasks.spawn(self._watch_config(files), "config files")

    def end_watches(self) -> None:
        super().end_watches()
        if self._config_watch is not None:
            self._config_watch.cancel()

    async def _watch_config(self, files: ConfigFiles) -> None:
        from inspector.base.source_files import SourceFiles

        seen = await asyncio.to_thread(SourceFiles, files.patterns)
        while True:
            # First of all what was written since they were read for the start.
            read = await asyncio.to_thread(files.reload)
            for told in files.compare(self.workspace, read):
                self.notify(guard.message(told), title="Config", timeout=10, markup=False)
            await seen.changed()
