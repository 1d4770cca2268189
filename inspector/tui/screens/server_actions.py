"""What a person does with servers: start, stop, keep up, add, change, remove. One half of the workspace screen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content

from inspector.base import tasks
from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.config.entry import Entry, Source
from inspector.tui import guard
from inspector.tui.elsewhere import OF_ITS_CLIENT
from inspector.tui.registry import label
from inspector.tui.screens.rooms import Rooms
from inspector.tui.undo import Undoable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.config.draft import Draft
    from inspector.tui.file_watch import FileWatch
    from inspector.tui.mcp_commands import Verb
    from inspector.tui.screens.connect import Wanted
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_NEEDS_ONE = frozenset(
    {
        "restart", "toggle_enabled", "keep", "edit_server", "compose", "open_by_hand", "identity", "other_era",
        "baseline", "watch_files",
    }
)  # fmt: skip
_OF_A_CLIENT = frozenset(
    {"keep", "edit_server", "open_by_hand", "identity", "other_era", "baseline", "watch_files"}
)
"""What makes no sense for a server of our own."""


class ServerActions(Rooms):
    """Acts on `connection`, the selected one."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.file_watches: dict[Connection, FileWatch] = {}

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
        if action in OF_ITS_CLIENT and connection is not None and connection.is_tapped:
            return False
        if action == "toggle_enabled" and connection is not None and connection.is_tapped:
            return connection.error is None
        if action in _NEEDS_ONE:
            served = connection is not None and connection.is_served
            return connection is not None and not (served and action in _OF_A_CLIENT)
        if action in ("log_in", "log_out"):
            return connection is not None and bool(connection.entry.url)
        if action == "show_difference":
            watch = self.file_watches.get(connection) if connection is not None else None
            return watch is not None and watch.latest is not None
        if action == "remove_server":
            return connection is not None and (
                connection.is_tapped or connection.gone or _is_ours(connection.entry)
            )
        if action == "stop":
            waits = connection is not None and connection.keeping.again is not None
            return waits or (connection is not None and connection.state not in ("error", "disabled"))
        return None

    @work(group="servers")
    async def action_restart(self) -> None:
        if (connection := self.connection) is not None:
            await self.restart(connection)

    @work(group="servers")
    async def action_open_by_hand(self) -> None:
        if (connection := self.connection) is not None and await self.may_start(connection):
            tasks.spawn(connection.restart(by_hand=True), f"open {connection.name} by hand")
            await self.show_tab_of(connection.name, "overview")

    @work(group="dialogs", exclusive=True)
    async def action_identity(self) -> None:
        from inspector.tui.screens.identity import IdentityScreen

        if (connection := self.connection) is None:
            return
        identity = await self.app.push_screen_wait(IdentityScreen(connection))
        if identity is not None and await self.may_start(connection):
            connection.identity = identity
            tasks.spawn(connection.restart(), f"restart {connection.name}")
            await self.show_tab_of(connection.name, "overview")

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

    @work(group="dialogs", exclusive=True)
    async def action_connect(self) -> None:
        from inspector.tui.screens.connect import ConnectScreen

        wanted = await self.app.push_screen_wait(ConnectScreen(self.workspace.environment))
        if wanted is None:
            return
        added = await self.take_in(wanted)
        await self.show_server(added[0].name)
        for connection in added:
            await self.enable(connection)

    async def take_in(self, wanted: Wanted) -> list[Connection]:
        """Adds what was pasted to the servers, without starting it."""
        added = []
        for draft in wanted.drafts:
            entry = draft.entry()
            if wanted.keep:
                await self._keep_in_file(entry, draft, replace=False)
            added.append(self.workspace.add(entry))
        return added

    @work(group="dialogs", exclusive=True)
    async def action_edit_server(self) -> None:
        from inspector.config.draft import Draft
        from inspector.tui.screens.connect import ConnectScreen

        if (connection := self.connection) is None:
            return
        draft = Draft.of(connection.entry)
        draft.name = connection.name
        ours = _name_in_file(connection.entry)
        screen = ConnectScreen(self.workspace.environment, draft, kept=ours is not None)
        wanted = await self.app.push_screen_wait(screen)
        if wanted is None or self.workspace.connections.get(connection.name) is not connection:
            return
        entry = draft.entry()
        entry.name = connection.entry.name
        if wanted.keep:
            draft.name = ours or connection.name
            await self._keep_in_file(entry, draft, replace=ours is not None)
        connection.entry = entry
        if not wanted.keep:
            said = f"{guard.line(connection.name)} is changed until you quit"
            if entry.source.path:
                said += f"; {guard.line(entry.source.path)} is as it was"
            self.notify(said, timeout=5, markup=False)
        # Whoever typed what is run has agreed to it.
        await self._ask_inputs(connection)
        tasks.spawn(connection.restart(), f"restart {connection.name}")

    @work(group="dialogs", exclusive=True)
    async def action_find_tool(self) -> None:
        from inspector.tui.screens.find_tool import FindToolScreen
        from inspector.tui.tool_search import tools_of

        tool = await self.app.push_screen_wait(FindToolScreen(tools_of(self.connections)))
        if tool is not None:
            await self.go_to(tool.server, tool.name)

    async def go_to(self, server: str, tool: str | None) -> None:
        """Selects a server, and one of its tools."""
        raise NotImplementedError

    async def _keep_in_file(self, entry: Entry, draft: Draft, *, replace: bool) -> None:
        """Writes a server into our file, and tells what came of it; the server is connected to all the same."""
        from inspector.config.kept import keep

        try:
            name = await asyncio.to_thread(keep, draft.name.strip(), draft.raw(), replace=replace)
        except Failed as failed:
            text = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
            self.notify(text, title="Not kept", severity="error", timeout=12, markup=False)
            return
        entry.source = _of_our_file(name)
        said = f"{guard.line(name)} stands in {guard.line(entry.source.path)}"
        if (syntax := draft.foreign_variables()) is not None:
            said += f". Its variables are those of {syntax}; there only ${{NAME}} is read"
        self.notify(said, title="Kept", timeout=6, markup=False)

    @work(group="dialogs", exclusive=True)
    async def action_remove_server(self) -> None:
        from inspector.config.kept import forget, keep
        from inspector.tui.screens.confirm import ConfirmScreen

        if (connection := self.connection) is None:
            return
        name = guard.line(connection.name)
        ours = _name_in_file(connection.entry)
        text = f"{name} is ended and taken off the list. Its traffic stays."
        if connection.is_tapped:
            text = f"{name} is taken off the list, and its tap goes on by itself. Its traffic stays."
        if ours is not None:
            text += f"\nIt is also taken out of our own file, {guard.line(str(paths().servers))}"
        if not await self.app.push_screen_wait(
            ConfirmScreen("Remove this server?", Content(text), yes="Remove", no="Leave it")
        ):
            return
        gone = None
        if ours is not None:
            try:
                gone = await asyncio.to_thread(forget, ours)
            except Failed as failed:
                said = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
                self.notify(said, title="Still in the file", severity="error", timeout=12, markup=False)
        entry = connection.entry
        await self.drop_server(connection)

        async def back() -> None:
            if gone is not None and ours is not None:
                entry.source = _of_our_file(await asyncio.to_thread(keep, ours, gone))
            again = self.workspace.add(entry)
            await self.show_server(again.name)
            await self.enable(again)

        if not connection.is_tapped:
            self.post_message(Undoable(f"{name} is on the list again", back))

    @work(group="dialogs", exclusive=True)
    async def action_log_in(self) -> None:
        from inspector.tui.login import log_in

        if (connection := self.connection) is not None and not connection.authorization.busy:
            await log_in(self.app, connection)

    @work(group="dialogs", exclusive=True)
    async def action_log_out(self) -> None:
        from inspector.tui.login import Person

        if (connection := self.connection) is None or connection.server is None:
            return
        name = guard.line(connection.name)
        try:
            person = Person(self.app, connection.name)
            gone = await connection.authorization.log_out(connection.server, person.agrees)
        except Failed as failed:
            self.notify(guard.message(failed.failure.message), severity="error", markup=False)
            return
        self.notify(
            guard.message(f"{name}: {gone}. {label('restart')} connects anew"), title="Log out", markup=False
        )

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

    @work(group="dialogs", exclusive=True)
    async def action_watch_files(self) -> None:
        from inspector.tui.screens.line import LineScreen

        if (connection := self.connection) is None:
            return
        watch = self.file_watches.get(connection)
        about = (
            "Whenever one of them changes, the server is started again, its last tool call is repeated, and what is "
            "different is told. ** is any number of folders, blanks part patterns; nothing ends it."
        )
        line = await self.app.push_screen_wait(
            LineScreen(
                f"Files of {guard.line(connection.name)}",
                about,
                " ".join(watch.patterns) if watch is not None else "",
                "src/**/*.py",
            )
        )
        if line is not None:
            self.watch_files(connection, line.split())

    def watch_files(self, connection: Connection, patterns: Sequence[str]) -> None:
        """Watches these from now on, in place of those before; none ends it."""
        from inspector.tui.file_watch import Difference, FileWatch
        from inspector.tui.panes.tool import ToolView

        name = guard.line(connection.name)
        if (before := self.file_watches.pop(connection, None)) is not None:
            before.end()
            if not patterns:
                self.notify("its files are not watched any more", title=name, timeout=4, markup=False)
        if not patterns:
            return

        def said(text: str) -> None:
            self.notify(guard.message(text), title=name, timeout=5, markup=False)

        def told(difference: Difference) -> None:
            more = "" if difference.same else f"  {label('show_difference')} shows it"
            self.notify(guard.message(difference.told) + more, title=name, timeout=10, markup=False)
            self.refresh_bindings()
            if difference.call is not None:
                for view in self.query(ToolView):
                    self.call_later(view.made_again, connection, difference.call)

        watch = FileWatch(connection, patterns, self.workspace.traffic.raw, told, said)
        self.file_watches[connection] = watch
        watch.begin()

    def end_watches(self) -> None:
        """The screen is left."""
        for watch in self.file_watches.values():
            watch.end()

    def action_show_difference(self) -> None:
        from inspector.tui.screens.diff import DiffScreen

        watch = self.file_watches.get(connection) if (connection := self.connection) is not None else None
        if watch is not None and (found := watch.latest) is not None:
            self.app.push_screen(DiffScreen("before", found.old, f"after {found.told}", found.new))

    async def restart(self, connection: Connection) -> None:
        """To be called from a worker, as all that may have to ask first."""
        if await self.may_start(connection):
            tasks.spawn(connection.restart(), f"restart {connection.name}")

    async def enable(self, connection: Connection) -> None:
        if await self.may_start(connection):
            connection.start()

    def disable(self, connection: Connection) -> None:
        tasks.spawn(connection.stop(disable=True), f"disable {connection.name}")

    @work(group="servers")
    async def run_command(self, verb: Verb, server: str) -> None:
        """Does what a `/mcp` command says."""
        if (connection := self.workspace.connections.get(server)) is None:
            return
        await self.show_server(server)
        if verb == "restart":
            await self.restart(connection)
        elif verb == "enable" and connection.state == "disabled":
            await self.enable(connection)
        elif verb == "disable" and connection.state != "disabled":
            self.disable(connection)
        elif verb == "logs" and not self.show_log():
            name = guard.line(connection.name)
            self.notify(f"{name} is no process of ours: there is no stderr to read", markup=False)

    def show_log(self) -> bool:
        """Shows stderr of the selected server; False where it has none."""
        raise NotImplementedError

    async def may_start(self, connection: Connection) -> bool:
        """Asks what has to be asked before a server is started, as its config file says it by now."""
        from inspector.tui.screens.questions import may_start

        connection.take_waiting()
        if not await may_start(self.app, connection):
            return False
        await self._ask_inputs(connection)
        return True

    async def _ask_inputs(self, connection: Connection) -> None:
        """Asks for the values that a server refers to and nobody has given yet."""
        if connection.entry.inputs:
            from inspector.tui.screens.questions import ask_inputs

            await ask_inputs(self.app, connection, self.connections, self.workspace.environment)

    def start_all(self) -> None:
        """Starts what is enabled; what has something to ask first asks, one server after the other."""
        waiting = [one for one in self.connections if one.state == "queued" and one.entry.inputs]
        if not waiting:
            self.workspace.start()
            return
        asking = {connection.name for connection in waiting}
        self.workspace.start({one.name for one in self.connections if one.state == "queued"} - asking)
        self._ask_and_start(waiting)

    @work(group="dialogs")
    async def _ask_and_start(self, waiting: list[Connection]) -> None:
        for connection in waiting:
            await self.enable(connection)

    async def show_server(self, name: str) -> None:
        """Selects a server."""
        raise NotImplementedError

    async def show_tab_of(self, server: str, tab: str) -> None:
        """Selects a server, and one of its tabs."""
        raise NotImplementedError

    async def drop_server(self, connection: Connection) -> None:
        """Ends a server and takes it off the screen."""
        raise NotImplementedError


def _is_ours(entry: Entry) -> bool:
    """Whether it was connected in the app, now or in an earlier run."""
    return entry.source.client == "app" or _name_in_file(entry) is not None


def _name_in_file(entry: Entry) -> str | None:
    """Its name in our own file; None where it does not stand there."""
    if entry.source.path != str(paths().servers):
        return None
    last = entry.source.pointer.rpartition("/")[2]
    return last.replace("~1", "/").replace("~0", "~")


def _of_our_file(name: str) -> Source:
    pointer = "/mcpServers/" + name.replace("~", "~0").replace("/", "~1")
    return Source(str(paths().servers), pointer, "app", "named")
