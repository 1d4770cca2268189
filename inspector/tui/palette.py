"""The command palette: every action that can run now, every server, every tool that a server lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from inspector.tui import guard
from inspector.tui.mcp_commands import commands
from inspector.tui.registry import ACTIONS, Action, label

if TYPE_CHECKING:
    from inspector.tui.screens.workspace import WorkspaceScreen

_TOOLS_AT_MOST = 2000
_FIRST = 1_000_000.0


class ActionProvider(Provider):
    """Made from the registry; what cannot run is not offered."""

    def _offers(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        screen: WorkspaceScreen = self.screen  # type: ignore[assignment]
        for action in ACTIONS:
            if action.palette and (owner := _owner(screen, action)) is not None:
                key = f"  ({shown})" if (shown := label(action)) else ""
                yield f"{action.title}{key}", action.help, partial(owner.run_action, action.call)

    async def discover(self) -> Hits:
        for title, text, run in self._offers():
            yield DiscoveryHit(title, run, help=text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for title, text, run in self._offers():
            if (score := matcher.match(title)) > 0:
                yield Hit(score, matcher.highlight(title), run, help=text)


class McpProvider(Provider):
    """`/mcp` commands, as PaiCLI has them."""

    async def search(self, query: str) -> Hits:
        screen: WorkspaceScreen = self.screen  # type: ignore[assignment]
        for number, command in enumerate(commands(query, screen.connections)):
            shown = Content.assemble((command.text, ""), (f"   {command.state}", "$quiet"))
            run = partial(screen.run_command, command.verb, command.server)
            # Before everything that only looks like it, in the order that they come in.
            yield Hit(_FIRST - number, shown, run, text=command.text, help=command.help)


class PlaceProvider(Provider):
    """Servers and tools by name."""

    async def search(self, query: str) -> Hits:
        screen: WorkspaceScreen = self.screen  # type: ignore[assignment]
        matcher = self.matcher(query)
        for connection in screen.connections:
            server = guard.line(connection.name)
            if (score := matcher.match(server)) > 0:
                yield Hit(
                    score,
                    _marked(matcher, server),
                    partial(_go, screen, connection.name, None),
                    help="Server",
                )
            listing = connection.catalog.listings.get("tools") if connection.catalog is not None else None
            for entry in (listing.entries if listing is not None else [])[:_TOOLS_AT_MOST]:
                name = entry.get("name") if isinstance(entry, dict) else None
                if isinstance(name, str) and (score := matcher.match(title := guard.line(name))) > 0:
                    run = partial(_go, screen, connection.name, name)
                    yield Hit(
                        score,
                        _marked(matcher, title),
                        run,
                        text=f"{title} {server}",
                        help=f"Tool of {server}",
                    )


def _marked(matcher: Any, text: str) -> Content:
    found = matcher.highlight(text)
    return found if isinstance(found, Content) else Content(text)


async def _go(screen: WorkspaceScreen, server: str, tool: str | None) -> None:
    await screen.go_to(server, tool)


def _owner(screen: WorkspaceScreen, action: Action) -> Any:
    """The widget that runs an action now: the screen, or the one with that scope in the pane on show."""
    candidates: list[Any] = [screen.app, screen]
    if (pane := screen.pane) is not None:
        candidates += pane.owners()
    if (traffic := screen.traffic_pane) is not None:
        candidates += traffic.owners()
    for widget in candidates:
        if action.scope == widget.SCOPE:
            allowed = widget.check_action(action.call.partition("(")[0], ())
            return widget if allowed else None
    return None
