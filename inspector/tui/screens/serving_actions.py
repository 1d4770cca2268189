"""Serving from the app, and what is sent by hand to its clients and to servers. One part of the workspace screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual import work

from inspector.tui import guard
from inspector.tui.screens.finding_actions import FindingActions

if TYPE_CHECKING:
    from inspector.tui.panes.connection import ConnectionPane
    from inspector.tui.panes.served import ServedPane
    from inspector.tui.screens.compose import Addressee
    from inspector.workspace.connection import Connection
    from inspector.workspace.served_client import Client, Everyone

_ELSE = "something else"
_SLICE = 0.002
"""Seconds that go into counting frames before the row that was sent is gone to."""


class ServingActions(FindingActions):
    @property
    def pane(self) -> ConnectionPane | None:
        """The pane on show."""
        raise NotImplementedError

    @work(group="dialogs", exclusive=True)
    async def action_serve(self) -> None:
        """Beside a recording, what it serves has a screen of its own, which is gone to again by the same way."""
        from inspector.tui.screens.serve import ServeScreen
        from inspector.workspace.serving import Served, entry_of

        traffic = self.workspace.traffic
        workspace = self.workspace.aside if traffic.read_only else self.workspace
        if workspace is self.workspace or not workspace.connections:
            wanted = await self.app.push_screen_wait(ServeScreen(traffic.file))
            if wanted is None:
                return
            make = partial(Served, **wanted._asdict())
            served = workspace.add(entry_of(wanted.path), make)
            served.start()
            if workspace is self.workspace:
                await self.show_server(served.name)
        if workspace is not self.workspace:
            from inspector.tui.screens.workspace import WorkspaceScreen

            self.app.push_screen(
                WorkspaceScreen(workspace, "served beside the recording, esc goes back to it")
            )

    @property
    def is_aside(self) -> bool:
        """Whether this is the screen of what is served beside a recording, which is under it."""
        first = next(screen for screen in self.app.screen_stack if isinstance(screen, ServingActions))
        return first is not self

    def compose_to_client(self) -> bool:
        """Lets the person send something to a client of what is served; False where nothing of ours is selected."""
        if (connection := self.connection) is None or not connection.is_served:
            return False
        client = getattr(self.pane.tab, "client", None) if self.pane is not None else None
        if client is None:
            name = guard.line(connection.name)
            self.notify(f"No client of {name} is there to be sent to.", timeout=4, markup=False)
        else:
            self.send_to(client)
        return True

    def served_client(self, name: str) -> Client | None:
        """The client of what is served whose frames go by this name."""
        served = (each for each in self.workspace.connections.values() if each.is_served)
        clients = (client for each in served for client in getattr(each, "clients", ()))
        return next((client for client in clients if client.name == name), None)

    def on_served_pane_send(self, event: ServedPane.Send) -> None:
        event.stop()
        self.send_to(event.client)

    def on_served_pane_send_to_all(self, event: ServedPane.SendToAll) -> None:
        event.stop()
        from inspector.workspace.served_client import Everyone

        everyone = Everyone(event.clients)
        if not everyone.clients:
            self.notify("No client is there to be sent to.", timeout=4, markup=False)
        else:
            self.send_to(everyone)

    def on_served_pane_frames(self, event: ServedPane.Frames) -> None:
        """Those of a client alone, or all again."""
        event.stop()
        if (pane := self.traffic_pane) is None:
            return
        name = "".join("?" if letter in '"\\[' else letter for letter in event.client.name)
        source = f'server:"*{name}"'
        pane.filter_by("" if pane.filter_source == source else source)

    @work(group="dialogs", exclusive=True)
    async def send_to(self, client: Client | Everyone, method: str = "", params: str = "") -> None:
        from inspector.serving.by_hand import templates

        offered = templates(client.subscriptions, client.token, requests=client.can_be_asked)
        await self._by_hand(client, offered, method, params, remark=lambda: client.remark)

    @work(group="dialogs", exclusive=True)
    async def send_by_hand(self, connection: Connection, method: str = "", params: str = "") -> None:
        """What the server has not declared, or its version not got, is offered all the same, and said to be that."""
        from inspector.workspace.by_hand import offered, undeclared, unknown

        notes = {method: f"{lacked} is not declared" for method, lacked in undeclared(connection).items()}
        notes |= {method: f"not in {version}" for method, version in unknown(connection).items()}
        await self._by_hand(connection, offered(connection), method, params, notes, connection=connection)

    async def _by_hand(
        self,
        addressee: Addressee,
        offered: Mapping[str, str],
        method: str,
        params: str,
        notes: Mapping[str, str] = MappingProxyType({}),
        remark: Callable[[], str] = lambda: "",
        connection: Connection | None = None,
    ) -> None:
        """Templates are offered where no method is given, with what is noted of them. The traffic is then where it
        went out."""
        from inspector.tui.screens.compose import ComposeScreen
        from inspector.tui.widgets.forms.picker import Picker

        if not method:
            methods = [*offered, _ELSE]
            titles = [f"{each}  · {notes[each]}" if each in notes else each for each in methods]
            picked = await self.app.push_screen_wait(Picker(f"Send to {addressee.name}", titles, []))
            if not picked:
                return
            method = methods[picked[0]] if methods[picked[0]] in offered else ""
            params = offered.get(method, "")
        screen = ComposeScreen(
            addressee, method, params, proposed=list(offered), remark=remark, connection=connection
        )
        row = await self.app.push_screen_wait(screen)
        if row is not None and (pane := self.traffic_pane) is not None:
            self.workspace.traffic.advance(_SLICE)
            pane.frames.select(row)
