"""The one screen: servers at the left, the selected one at the right, the traffic below."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from inspector.traffic.keepalive import EVERY, calm
from inspector.tui import guard, recording, wording
from inspector.tui.clipboard import CopyRequested
from inspector.tui.elsewhere import told, told_of_recording, told_of_tap
from inspector.tui.hints import told as told_hint
from inspector.tui.registry import bindings, spoken
from inspector.tui.screens.inboxes import Inboxes
from inspector.tui.widgets.bars.hint_line import HintLine
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.bars.title_bar import TitleBar
from inspector.tui.widgets.servers.status_table import StatusTable

if TYPE_CHECKING:
    from inspector.base.errors import Failure
    from inspector.traffic.views import View
    from inspector.tui.hints import Hints
    from inspector.tui.panes.connection import ConnectionPane
    from inspector.tui.panes.overview import OverviewPane
    from inspector.tui.panes.traffic import TrafficPane
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_TICK = 0.1
"""Seconds between two looks at what changed: changes in between are shown together."""

_SLICE = 0.002
"""Seconds of each look that go into counting frames."""

_BY_PEOPLE = frozenset({"tools/call", "prompts/get", "resources/read", "completion/complete"})
"""Requests that somebody asked for and waits for."""

_OF_A_SERVER = frozenset({"next_server", "previous_server", "focus_tools", "tab", "next_tab", "previous_tab"})

_OF_A_RECORDING = frozenset(
    {"filter", "copy", "back", "focus_traffic", "replay", "export", "differences", "serve", "findings"}
)

_FROM_HERE = (
    ("connect", "connects a URL, a command, a config"),
    ("discover", "lists those of the clients here"),
)
_FROM_THE_SHELL = (
    ("mcp.json", "a config file"),
    ("https://host/mcp", "a URL"),
    ("-- npx -y server", "a command"),
    ("demo", "to try it"),
)
"""How there come to be servers: by which action, and by which words behind mcp-inspect."""


class WorkspaceScreen(Inboxes):
    """Repaints from the workspace's state at most ten times a second; clocks move once a second."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("workspace")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (150, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall"), (50, "-high")]  # noqa: RUF012
    AUTO_FOCUS = "#servers"
    SCOPE = "workspace"

    table = getters.query_one("#servers", StatusTable)
    title_bar = getters.query_one(TitleBar)

    def __init__(self, workspace: Workspace, title: str, problems: Sequence[str] = ()) -> None:
        """`problems` are sentences to be told first, as about the files that the servers come from; foreign."""
        super().__init__(workspace)
        self.problems = problems
        self._title_text = title
        self._stale = True
        self._second = 0
        self._frames = 0
        self._listed: View | None = None
        self._traffic: TrafficPane | None = None
        self._wanted_tab: str | None = None
        self._panes: dict[str, ConnectionPane] = {}
        self._built = 0
        self._building = asyncio.Lock()
        self._switcher: ContentSwitcher | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield TitleBar(guard.line(self._title_text))
        with Vertical(id="body"):
            with Horizontal(id="upper"):
                yield StatusTable(id="servers")
                yield Container(id="connection")
            yield Container(id="traffic")
        yield HintLine()
        yield KeyBar()

    def on_mount(self) -> None:
        self.set_class(self.reads_recording, "-recording")
        self._unsubscribe = self.workspace.subscribe(self._changed)
        if (writer := self.workspace.traffic.writer) is not None:
            writer.tell(self._recording_failed)
        self.watch_inboxes()
        self.table.border_title = "Servers"
        self.watch(self, "focused", self.tell_hint)
        self._tick()
        self.call_after_refresh(self._furnish)

    def on_unmount(self) -> None:
        self._unsubscribe()
        self.end_watches()
        self.stop_judging()

    async def _furnish(self) -> None:
        """What the first paint does not wait for."""
        self.start_all()
        self.watch_config()
        if self.workspace.watched:
            for each in self.connections:
                self.watch_files(each, self.workspace.watched)
        from inspector.traffic.views import View
        from inspector.tui.panes.traffic import TrafficPane

        traffic = self.query_one("#traffic", Container)
        traffic.border_title = "Traffic"
        self._traffic = pane = TrafficPane(self.workspace.traffic)
        await traffic.mount(pane)
        connection = self.query_one("#connection", Container)
        if self.reads_recording:
            await self._furnish_recording(traffic, pane)
        else:
            switcher = ContentSwitcher(id="panes")
            await connection.mount(switcher, Static(self._no_servers(), classes="empty", markup=False))
            if not switcher.is_attached:
                # The app is closing: nothing is mounted any more.
                return
            self._switcher = switcher
            await self._show_pane()
        for problem in self.problems:
            self.notify(
                guard.message(problem), title="At the start", severity="warning", timeout=12, markup=False
            )
        self._listed = View(self.workspace.traffic)
        self.judge_traffic()
        self.set_interval(_TICK, self._tick)
        if not self.app.is_headless:
            # What is there now stays: looking through it for garbage would cost a tenth of a second now and then.
            gc.freeze()
        gc.enable()

    @property
    def reads_recording(self) -> bool:
        """There is a recording to be read and no server beside it: all of the screen is for the traffic."""
        return self.workspace.traffic.read_only and not self.workspace.connections

    async def _furnish_recording(self, traffic: Container, pane: TrafficPane) -> None:
        from inspector.tui.panes.recording_head import RecordingHead

        traffic.border_title = "Recording"
        await traffic.mount(RecordingHead(self.workspace), before=pane)
        pane.frames.quiet = False
        pane.frames.hush(EVERY)
        pane.frames.focus()

    def tell_hint(self) -> None:
        """The hint for where the focus is, over the keys."""
        hint = self.app.hints.here(self)  # type: ignore[attr-defined]
        self.query_one(HintLine).show(told_hint(hint) if hint is not None else "")

    def action_hint_away(self) -> None:
        hints: Hints = self.app.hints  # type: ignore[attr-defined]
        if (hint := hints.here(self)) is not None:
            hints.gone.add(hint.id)
            self.app.keep_hints()  # type: ignore[attr-defined]

    def _changed(self) -> None:
        self._stale = True

    def findings_changed(self) -> None:
        self._stale = True

    def _tick(self) -> None:
        second = int(time.monotonic())
        stale = self._stale or second != self._second
        if stale:
            self._stale, self._second = False, second
            self.table.show(self.connections)
            if (pane := self.pane) is not None:
                pane.refresh_state()
            self.tell_questions()
            self.tell_hint()
            self.give_room()
            self.refresh_bindings()
            if (traffic := self.traffic_pane) is not None and not self.reads_recording:
                traffic.frames.hush(calm(each.name for each in self.connections if each.is_tapped))
        if self._count() or stale:
            path = recording.recorded_to(self.workspace)
            file = guard.line(path.name) if path is not None else ""
            tells_secrets = recording.tells_secrets(self.workspace)
            self.title_bar.show(wording.summary(self.connections), self._frames, file, tells_secrets)

    def _count(self) -> bool:
        """Counts the frames that came, and moves a recording on, for a slice of time; True where the count changed.

        The list of frames does the same while it is seen; this goes on when it is not.
        """
        if self._listed is None:
            return False
        self.workspace.traffic.advance(_SLICE)
        self._listed.extend(_SLICE)
        before, self._frames = self._frames, len(self._listed)
        return before != self._frames

    @property
    def connection(self) -> Connection | None:
        """The selected one."""
        name = self.table.selected
        return self.workspace.connections.get(name) if name is not None else None

    @property
    def marked(self) -> list[str]:
        return self.table.marked

    @property
    def pane(self) -> ConnectionPane | None:
        """The pane on show, if it was built already."""
        connection = self.connection
        return self._panes.get(connection.name) if connection is not None else None

    async def _show_pane(self) -> None:
        """Shows the pane of the selected server; it is built when it is first looked at."""
        from inspector.tui.panes.connection import ConnectionPane

        connection = self.connection
        switcher = self._switcher
        self.set_class(connection is None and not self.reads_recording, "-empty")
        if connection is None or switcher is None:
            return
        # Whoever comes while it is built waits until it is there.
        async with self._building:
            pane = self._panes.get(connection.name)
            if pane is None:
                self._built += 1
                pane = ConnectionPane(connection, self.workspace, id=f"pane-{self._built}")
                self._panes[connection.name] = pane
                await switcher.add_content(pane, set_current=False)
        if not switcher.query(f"#{pane.id}"):
            # The app is closing: nothing is mounted any more.
            return
        inside = switcher.has_focus_within
        switcher.current = pane.id
        pane.want(self._wanted_tab)
        pane.refresh_state()
        if inside:
            # The focus would stay behind in a pane that is not seen any more.
            pane.enter()

    @on(StatusTable.Selected)
    async def _server_selected(self, event: StatusTable.Selected) -> None:
        event.stop()
        if event.name == self.table.selected:
            await self._show_pane()
            self.refresh_bindings()

    @on(StatusTable.Opened)
    def _server_opened(self, event: StatusTable.Opened) -> None:
        event.stop()
        if (pane := self.pane) is not None:
            self.make_visible("connection")
            pane.enter()

    async def go_to(self, server: str, tool: str | None) -> None:
        """Selects a server, and one of its tools."""
        self.table.selected = server
        if tool is not None:
            self.tab_wanted("tools")
        await self._show_pane()
        if tool is not None and (pane := self.pane) is not None:
            pane.open_tool(tool)

    async def show_server(self, name: str) -> None:
        self.make_visible("servers")
        self.table.show(self.connections)
        self.table.selected = name
        await self._show_pane()

    def show_log(self) -> bool:
        pane = self.pane
        if pane is None or pane.tab_number("process") is None:
            return False
        self.make_visible("connection")
        self.tab_wanted("process")
        pane.want("process")
        pane.enter()
        return True

    async def drop_server(self, connection: Connection) -> None:
        self.watch_files(connection, ())
        await self.workspace.remove(connection.name)
        pane = self._panes.pop(connection.name, None)
        self.table.show(self.connections)
        await self._show_pane()
        if pane is not None:
            await pane.remove()
        if self.connection is None:
            self.query_one("#connection").border_title = ""
            self.table.focus()

    def _no_servers(self) -> Content:
        """What to do where there is nothing, and what is wrong with the file where something is."""
        parts: list[tuple[str, str]] = []
        for problem in self.problems:
            parts += [("✗ ", "$text-error"), (f"{guard.message(problem)}\n\n", "$foreground")]
        parts.append(("No servers here\n\n", "bold"))
        for action, what in _FROM_HERE:
            parts += [(f"{spoken(action):<7}", "bold $text-accent"), (f"  {what}\n", "$foreground")]
        parts.append(("\nFrom the shell:\n", "$quiet"))
        for words, what in _FROM_THE_SHELL:
            parts += [(f"mcp-inspect {words:<18}", "$text-primary"), (f" {what}\n", "$quiet")]
        return Content.assemble(*parts)

    def replace_broken(self, widget: Widget) -> None:
        """A widget of ours failed, and takes itself off the screen: the pane it belongs to is built again."""
        for node in widget.ancestors_with_self:
            if node in self._panes.values():
                self._panes = {name: pane for name, pane in self._panes.items() if pane is not node}
                self.call_later(self._rebuild, node)
                return

    async def _rebuild(self, broken: Widget) -> None:
        await broken.remove()
        await self._show_pane()

    def tab_wanted(self, tab: str) -> None:
        """The person chose a tab: other servers show the same one, where they have it."""
        self._wanted_tab = tab

    # Servers

    def action_next_server(self) -> None:
        self.table.move(1)

    def action_previous_server(self) -> None:
        self.table.move(-1)

    # Where the focus is

    def action_focus_servers(self) -> None:
        self.make_visible("servers")
        self.table.focus()

    def action_focus_tools(self) -> None:
        if (pane := self.pane) is not None:
            self.make_visible("connection")
            self.tab_wanted("tools")
            pane.want("tools")
            pane.enter()
            if pane.tab_id != "tools" and pane.connection.state not in ("starting", "queued"):
                connection = pane.connection
                name = guard.line(connection.name)
                why = (
                    "is a tap: what its client was told of tools is in the traffic, method:tools/list"
                    if connection.is_tapped
                    else "lists no tools"
                    if connection.state == "ready"
                    else f"has no tools now: {wording.brief(connection)}"
                )
                self.notify(f"{name} {why}", timeout=4, markup=False)

    def action_tab(self, number: int) -> None:
        if (pane := self.pane) is not None:
            self.make_visible("connection")
            pane.show_tab(number)

    def action_next_tab(self) -> None:
        if (pane := self.pane) is not None:
            pane.step_tab(1)

    def action_previous_tab(self) -> None:
        if (pane := self.pane) is not None:
            pane.step_tab(-1)

    @property
    def traffic_pane(self) -> TrafficPane | None:
        """The traffic, as soon as it is there."""
        pane = self._traffic
        return pane if pane is not None and pane.is_attached else None

    def action_focus_traffic(self) -> None:
        self.make_visible("traffic")
        self.remove_class("-no-traffic")
        if (pane := self.traffic_pane) is not None:
            self.set_class(pane.detail_open, "-reading")
            pane.frames.focus()

    def action_toggle_traffic(self) -> None:
        self.remove_class("-reading")
        self.unzoom()
        self.toggle_class("-no-traffic")

    def on_traffic_pane_detail_shown(self, event: TrafficPane.DetailShown) -> None:
        """A frame is being read: the traffic gets the room for it, and gives it back afterwards."""
        event.stop()
        self.set_class(event.shown, "-reading")

    async def action_other_era(self) -> None:
        from inspector.tui.panes.overview import OverviewPane

        if (connection := self.connection) is None:
            return
        if connection.state != "ready":
            self.notify("The other era is asked for once the server is connected.", markup=False)
            return
        await self.show_tab_of(connection.name, "overview")
        if (pane := self.pane) is not None and isinstance(overview := pane.tab, OverviewPane):
            overview.show_other_era()

    def action_compose(self) -> None:
        if (connection := self.connection) is not None and not self.compose_to_client():
            self.send_by_hand(connection)

    def on_traffic_pane_send_again(self, event: TrafficPane.SendAgain) -> None:
        event.stop()
        if (client := self.served_client(event.server)) is not None:
            ours = event.channel == "s2c"
            self.send_to(client, *((event.method, event.params) if ours else ("", "")))
        elif (connection := self.workspace.connections.get(event.server)) is None:
            said = f"{event.server or 'This row'} is no server that is here to be sent to."
            self.notify(guard.line(said), severity="warning", markup=False)
        elif connection.is_tapped:
            said = f"{connection.name} is a tap: only its client sends there. {spoken('replay')} sends to servers."
            self.notify(guard.line(said), severity="warning", markup=False)
        else:
            ours = event.channel == "c2s"
            self.send_by_hand(connection, *((event.method, event.params) if ours else ("", "")))

    def on_overview_pane_step_wanted(self, event: OverviewPane.StepWanted) -> None:
        event.stop()
        row = self.workspace.traffic.row_of(event.exchange)
        if row is None:
            self.notify("The traffic does not hold it any more.", severity="warning", markup=False)
            return
        self.go_to_row(row)
        if (pane := self.traffic_pane) is not None:
            pane.detail.open_tab("http")

    def go_to_row(self, row: int, back: Callable[[], object] | None = None) -> None:
        self.action_focus_traffic()
        if (pane := self.traffic_pane) is not None:
            self.workspace.traffic.advance(_SLICE)
            pane.show(row, back)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Who goes elsewhere is not led back."""
        if (pane := self.traffic_pane) is not None and pane not in event.widget.ancestors_with_self:
            pane.way_back = None

    def action_back(self) -> None:
        pane = self.pane
        if pane is not None and pane.has_focus_within and pane.leave():
            return
        if self.zoomed is not None and not self.has_class("-tiny"):
            self.unzoom()
        elif self.reads_recording:
            self.action_focus_traffic()
        elif self.table.has_focus and self.is_aside:
            self.app.pop_screen()
        else:
            self.make_visible("servers")
            self.table.focus()

    # What is done with what is seen

    def action_filter(self) -> None:
        """Asks the parts round the focus for one that has a filter, then the pane on show."""
        node: Any = self.focused
        while node is not None and node is not self:
            if (opener := getattr(node, "open_filter", None)) is not None:
                opener()
                return
            node = node.parent
        if (pane := self.pane) is not None:
            self.make_visible("connection")
            pane.open_filter()
        elif (traffic := self.traffic_pane) is not None:
            traffic.open_filter()

    def action_copy(self) -> None:
        node: Any = self.focused
        while node is not None and node is not self:
            if (offer := getattr(node, "copy_offer", None)) is not None and (offered := offer()) is not None:
                what, text = offered
                self.post_message(CopyRequested(what=what, text=guard.masked(text)))
                return
            node = node.parent
        connection = self.connection
        if connection is not None and connection.error is not None:
            self.post_message(
                CopyRequested(what="The reason of the failure", text=guard.message(connection.error.message))
            )
        else:
            self.notify(
                "Nothing to copy here: put the focus on a result, a log line or a frame", markup=False
            )

    def action_record(self) -> None:
        from inspector.base.errors import Failed

        path = recording.recorded_to(self.workspace)
        if path is not None:
            if recording.end(self.workspace):
                self.notify(f"Recorded to {path}", markup=False)
        else:
            try:
                path = recording.begin(self.workspace, self._recording_failed)
                self.notify(f"Recording to {path}, with all that was held so far", markup=False)
            except (Failed, OSError) as error:
                self.notify(guard.message(str(error)), title="Not recording", severity="error", markup=False)
        self._stale = True

    def _recording_failed(self, failure: Failure) -> None:
        self.notify(guard.message(failure.message), title="Recording ended", severity="error", markup=False)
        self._stale = True

    def calls_running(self) -> int:
        """Calls that a person made and waits for: nothing that a start, a refreshed list or a ping asks."""
        return sum(
            sum(pending.method in _BY_PEOPLE for pending in connection.session.dispatcher.pending.values())
            for connection in self.connections
            if connection.session is not None and connection.state == "ready"
        )

    def on_key(self, event: events.Key) -> None:
        """No key is silent: one that works in another part of the screen says in which."""
        tab = self.pane.tab_id if self.pane is not None else ""
        number = self.pane.tab_number(tab) if self.pane is not None else None
        said = told_of_recording(event.key) if self.reads_recording else told(event.key, tab, number)
        if (connection := self.connection) is not None and connection.is_tapped:
            said = told_of_tap(event.key, guard.line(connection.name), connection.error is not None) or said
        if said:
            active = self.active_bindings.get(event.key)
            if active is None or not active.enabled:
                self.notify(said, timeout=4, markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        connection = self.connection if self.is_mounted else None
        if self.reads_recording:
            return action in _OF_A_RECORDING
        if action in ("connect", "discover") and connection is not None and self.is_aside:
            return False
        if action in _OF_A_SERVER:
            return connection is not None
        if action == "hint_away":
            return self.app.hints.here(self) is not None  # type: ignore[attr-defined]
        if (allowed := self.check_server_action(action)) is not None:
            return allowed
        if action in ("grow", "shrink"):
            return not self.has_class("-no-traffic")
        return True
