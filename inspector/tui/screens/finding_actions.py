"""What breaks the rules of the protocol: looked for while traffic comes in, shown, gone to. One part of the workspace
screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from textual import work

from inspector.base import tasks
from inspector.tui.screens.frame_actions import FrameActions

if TYPE_CHECKING:
    from inspector.check.rules import Finding
    from inspector.tui.widgets.findings.findings_view import FindingsView
    from inspector.workspace.workspace import Workspace


_CALM = 0.3
"""Seconds after a key in which nothing but keys is worked for."""


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
        await self.workspace.findings.follow(self.findings_changed, self._busy)

    def _busy(self) -> bool:
        pane = self.traffic_pane
        searching = pane is not None and pane.is_searching
        return searching or time.monotonic() - getattr(self.app, "touched_at", 0.0) < _CALM

    @work(group="dialogs", exclusive=True)
    async def action_findings(self, before: Finding | None = None) -> None:
        """Those of all servers, on that of `before`; from there to a frame or a tool."""
        from inspector.tui.screens.findings import FindingsScreen

        screen = FindingsScreen(self.workspace, self.connection, before)
        wanted = await self.app.push_screen_wait(screen)
        if wanted is not None:
            await self._go_to(wanted, lambda: self.action_findings(wanted.finding))

    async def on_findings_view_wanted(self, event: FindingsView.Wanted) -> None:
        event.stop()

        def back() -> None:
            self.make_visible("connection")
            event.view.enter()

        await self._go_to(event, back)

    async def _go_to(self, wanted: FindingsView.Wanted, back: Callable[[], object]) -> None:
        """To the latest frame of a finding, at the place of it, or to the tool that it is about."""
        finding, traffic = wanted.finding, self.workspace.traffic
        held = [row for row in finding.frames if row >= traffic.first]
        if not held:
            said = "Its frames are not held any more." if finding.frames else "It is about no single frame."
            self.notify(said, timeout=4, markup=False)
            return
        row = traffic.carried(held[-1])
        if wanted.tool:
            from inspector.check.found_tool import tool_at

            name = tool_at(traffic.raw(row), finding.pointer)
            if name is None or finding.server not in self.workspace.connections:
                self.notify("It is about no tool of a server that is here.", timeout=4, markup=False)
                return
            self.make_visible("connection")
            await self.go_to(finding.server, name)
            return
        self.go_to_row(row, back)
        if (pane := self.traffic_pane) is not None:
            pane.call_after_refresh(pane.detail.point_to, finding)

    async def go_to(self, server: str, tool: str | None) -> None:
        """Selects a server, and one of its tools."""
        raise NotImplementedError

    def findings_changed(self) -> None:
        """Something was found, or is told differently."""
        raise NotImplementedError
