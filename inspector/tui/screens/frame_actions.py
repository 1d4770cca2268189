"""What a person does with whole conversations: send them again, pass them on. One part of the workspace screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import work

from inspector.base import tasks
from inspector.tui import guard
from inspector.tui.registry import spoken
from inspector.tui.screens.config_actions import ConfigActions

if TYPE_CHECKING:
    from inspector.tui.paired_model import PairedModel
    from inspector.tui.panes.traffic import TrafficPane
    from inspector.tui.replay_model import ReplayModel
    from inspector.tui.saved_calls_model import SavedCallsModel
    from inspector.workspace.connection import Connection
    from inspector.workspace.replaying import Replaying
    from inspector.workspace.workspace import Workspace


class FrameActions(ConfigActions):
    """Acts on the traffic, and on recordings."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._replay: ReplayModel | None = None
        self._calls: SavedCallsModel | None = None
        self._paired: PairedModel | None = None

    @property
    def traffic_pane(self) -> TrafficPane | None:
        """The traffic, as soon as it is there."""
        raise NotImplementedError

    def go_to_row(self, row: int, back: Callable[[], object] | None = None) -> None:
        """Puts the cursor of the traffic on a row, and shows it; `back` leads to where the person comes from."""
        raise NotImplementedError

    @work(group="dialogs", exclusive=True)
    async def action_replay(self) -> None:
        """The replay of before, where there was one that is not about other frames."""
        from inspector.tui.chosen_frames import on_screen
        from inspector.tui.replay_model import ReplayModel
        from inspector.tui.screens.replay import ReplayScreen

        if (pane := self.traffic_pane) is None:
            return
        servers = [each.name for each in self.connections if each.is_ours]
        if not servers:
            said = f"There is no server to send to; {spoken('connect')} connects one."
            if self.workspace.traffic.read_only:
                keys = f"{spoken('replay')}, {spoken('replay.source')}"
                said = f"A replay needs servers. Open them: mcp-inspect FILE, then {keys} for this recording."
            self.notify(said, timeout=6, markup=False)
            return
        model = self._replay
        if model is None:
            selected = self.connection.name if self.connection is not None else ""
            model = self._replay = ReplayModel(selected if selected in servers else servers[0])
        row = await self.app.push_screen_wait(ReplayScreen(self.workspace, model, on_screen(pane)))
        if row is not None:
            self.go_to_row(row, self.action_replay)
        if (run := model.run) is not None and run.running:
            model.changed = lambda: self._replay_moved_on(model, run)
        elif run is None:
            # Nothing came of it: next time it begins with what is marked and found then.
            if model.frames is not None:
                model.frames.close()
            self._replay = None

    def _replay_moved_on(self, model: ReplayModel, run: Replaying) -> None:
        """Says so when a replay that nobody looks at is over."""
        if len(run.outcomes) == run.total:
            from inspector.replay.report import VERDICTS

            model.changed = lambda: None
            counts = ", ".join(
                f"{run.counts[verdict]:,} {verdict}" for verdict in VERDICTS if run.counts[verdict]
            )
            said = f"{guard.line(run.connection.name)}: {counts}\n{spoken('replay')} shows it"
            self.notify(said, title="The replay is over", timeout=8, markup=False)

    @work(group="dialogs", exclusive=True)
    async def action_audit(self) -> None:
        from inspector.tui.screens.audit import AuditScreen

        calls = self.workspace.tool_calls
        if calls is None:
            self.notify("Calls are not written down here.", timeout=4, markup=False)
            return
        row = await self.app.push_screen_wait(AuditScreen(calls.audit))
        if row is not None:
            self.go_to_row(row, self.action_audit)

    def action_export(self) -> None:
        from inspector.tui.chosen_frames import on_screen
        from inspector.tui.screens.export import ExportScreen

        if (pane := self.traffic_pane) is not None:
            self.app.push_screen(
                ExportScreen(on_screen(pane), self.workspace.secrets, self.workspace.environment)
            )

    @work(group="dialogs", exclusive=True)
    async def action_saved_calls(self) -> None:
        """The file of before, and what came of its calls."""
        from inspector.tui.saved_calls_model import SavedCallsModel
        from inspector.tui.screens.saved_calls import SavedCallsScreen

        connection = self.connection
        if self._calls is None:
            self._calls = SavedCallsModel(connection.name if connection is not None else "")
        row = await self.app.push_screen_wait(SavedCallsScreen(self.workspace, self._calls))
        if row is not None:
            self.go_to_row(row, self.action_saved_calls)

    @work(group="dialogs", exclusive=True)
    async def action_differences(self) -> None:
        from inspector.tui.compared_sides import choices
        from inspector.tui.screens.compared import ComparedScreen
        from inspector.tui.screens.comparing import ComparingScreen
        from inspector.tui.screens.source import recent

        others = True
        while others:
            offered = choices(self.workspace, recent())
            now = [place for place, each in enumerate(offered) if each.connection is not None]
            mine = (place for place in now if offered[place].connection is self.connection)
            after = next(mine, now[0] if now else 0)
            before = next((place for place in range(len(offered)) if place != after), 0)
            chosen = await self.app.push_screen_wait(ComparingScreen(offered, before, after))
            others = chosen is not None and await self.app.push_screen_wait(
                ComparedScreen(self.workspace, *chosen)
            )

    @property
    def marked(self) -> list[str]:
        """Names of servers that a person marked."""
        raise NotImplementedError

    async def action_questions(self) -> None:
        """Goes to what a server asks."""
        raise NotImplementedError

    @work(group="dialogs", exclusive=True)
    async def action_side_by_side(self) -> None:
        """The two of before, where they are not closed yet."""
        from inspector.tui.screens.paired import PairedScreen

        while True:
            model = self._paired = self._paired or await self._begin_paired()
            if model is None:
                return
            left = await self.app.push_screen_wait(PairedScreen(model))
            if left in ("over", "others"):
                self._paired = None
                tasks.spawn(model.paired.close(), "end what was begun for a comparison")
            if left != "others":
                break
        if isinstance(left, int):
            self.go_to_row(left)
        elif left == "questions":
            await self.action_questions()

    async def _begin_paired(self) -> PairedModel | None:
        """The two servers that are marked, or the marked and the selected one; else the other side is asked for."""
        from inspector.tui.paired_model import PairedModel
        from inspector.workspace.paired import Paired

        known = self.workspace.connections
        wanted = [known[name] for name in self.marked if name in known]
        if self.connection is not None and self.connection not in wanted:
            wanted.append(self.connection)
        wanted = [each for each in wanted if each.is_ours and not each.is_served]
        if not wanted:
            self.notify("This needs a server that we are connected to.", timeout=4, markup=False)
            return None
        if len(wanted) > 1:
            self.marked.clear()
            return PairedModel(Paired(self.workspace, wanted[0], wanted[1]))
        begun = await self._other_side(wanted[0])
        if begun is None:
            return None
        other, ours = begun
        if other.state in ("queued", "error", "disabled"):
            await self.enable(other)
        return PairedModel(Paired(self.workspace, wanted[0], other, other if ours else None))

    async def _other_side(self, connection: Connection) -> tuple[Connection, bool] | None:
        """What is chosen to stand beside a server, and whether it is connected for that alone."""
        from inspector.base.errors import Failed
        from inspector.tui.screens.connect import ConnectScreen
        from inspector.tui.screens.pairing import PairingScreen, others
        from inspector.tui.screens.source import recent
        from inspector.workspace.paired import once_more, played

        offered = others(connection, self.connections, recent())
        other = await self.app.push_screen_wait(PairingScreen(guard.line(connection.name), offered))
        if other is None:
            return None
        if other.connection is not None:
            return other.connection, False
        if other.protocol is not None:
            return once_more(self.workspace, connection, other.protocol), True
        if other.file is not None:
            try:
                return await played(self.workspace, other.file, connection.name), True
            except Failed as failed:
                said = f"{failed.failure.message}; {failed.failure.hint or ''}"
                self.notify(guard.message(said), severity="error", timeout=10, markup=False)
                return None
        pasted = await self.app.push_screen_wait(ConnectScreen(self.workspace.environment))
        if pasted is None:
            return None
        added = await self.take_in(pasted)
        return added[0], not pasted.keep

    @work(group="dialogs", exclusive=True)
    async def action_baseline(self) -> None:
        from inspector.base.errors import Failed
        from inspector.tui.compared_sides import baseline_file, of_baseline, of_server
        from inspector.tui.screens.baselines import accept
        from inspector.tui.screens.compared import ComparedScreen

        if (connection := self.connection) is None:
            return
        now = of_server(self.workspace, connection)
        if baseline_file(self.workspace, connection).is_file():
            before = of_baseline(self.workspace, connection)
            if await self.app.push_screen_wait(ComparedScreen(self.workspace, before, now)):
                self.action_differences()
            return
        try:
            side = await now.read()
        except Failed as failed:
            self.notify(guard.message(failed.failure.message), severity="error", markup=False)
            return
        await accept(self.app, self.workspace, connection, side.lists[connection.name])
