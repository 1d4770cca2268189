"""What breaks the rules of the protocol: looked for while traffic comes in, shown, gone to. One part of the workspace
screen."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from inspector.base import tasks
from inspector.tui.screens.frame_actions import FrameActions

if TYPE_CHECKING:
    from inspector.workspace.workspace import Workspace


class FindingActions(FrameActions):
    """Rules look on as long as the screen is there."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._judging: asyncio.Task[None] | None = None

    def judge_traffic(self) -> None:
        """Has the rules look at what is there and what comes."""
        self._judging = tasks.spawn(self._judge(), "rules of the protocol")

    def stop_judging(self) -> None:
        if self._judging is not None:
            self._judging.cancel()

    async def _judge(self) -> None:
        # Loading the rules takes a tenth of a second, which no key should wait for.
        await asyncio.to_thread(import_module, "inspector.workspace.findings")
        await self.workspace.findings.follow(self.findings_changed)

    def findings_changed(self) -> None:
        """Something was found, or is told differently."""
        raise NotImplementedError
