"""The command palette: every action that can run now, every server, every tool that a server lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from inspector.tui import guard
from inspector.tui.mcp_commands import commands
from inspector.tui.registry import ACTIONS, label

if TYPE_CHECKING:
    from textual.fuzzy import Matcher

    from inspector.tui.app import InspectorApp
    from inspector.tui.screens.workspace import WorkspaceScreen

_TOOLS_AT_MOST = 2000
_FIRST = 1_000_000.0


class ActionProvider(Provider):
    """Made from the registry; what cannot run is not offered."""

    async def startup(self) -> None:
        """The palette opens: what is under it does not change while it is open."""
        self._offers = list(_offers(self.screen))  # type: ignore[arg-type]

    async def discover(self) -> Hits:
        for title, text, run in self._offers:
            yield DiscoveryHit(title, run, help=text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for title, text, run in self._offers:
            if (score := matcher.match(title)) > 0:
                yield Hit(score, _marked(matcher, title), run, help=text)


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
                        help=_plain(f"Tool of {server}"),
                    )


class ThemeProvider(Provider):
    """Themes by name, and all of them by the word."""

    async def search(self, query: str) -> Hits:
        app: InspectorApp = self.app  # type: ignore[assignment]
        matcher = self.matcher(query)
        for name in sorted(app.available_themes):
            title = f"Theme {name}"
            if (score := matcher.match(title)) > 0:
                yield Hit(score, _marked(matcher, title), partial(app.choose_theme, name), text=title)


def _marked(matcher: Matcher, text: str) -> Content:
    """What `matcher.highlight` does, which takes the text for markup."""
    shown = Content(text)
    for offset in matcher.fuzzy_search.match(matcher.query, text)[1]:
        shown = shown.stylize(matcher.match_style, offset, offset + 1)
    return shown


def _plain(text: str) -> Any:
    """Help with foreign text in it: a plain string would be taken for markup."""
    return Content(text)


async def _go(screen: WorkspaceScreen, server: str, tool: str | None) -> None:
    await screen.go_to(server, tool)


def _offers(screen: WorkspaceScreen) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Title, help and what to run, of every action that can run now."""
    owners: dict[str, Any] = {}
    for widget in _places(screen):
        owners.setdefault(widget.SCOPE, widget)
    for action in ACTIONS:
        owner = owners.get(action.scope) if action.palette else None
        if owner is not None and owner.check_action(action.call.partition("(")[0], ()):
            key = f"  ({shown})" if (shown := label(action)) else ""
            yield f"{action.title}{key}", action.help, partial(owner.run_action, action.call)


def _places(screen: WorkspaceScreen) -> Iterator[Any]:
    """What runs actions: the app, the screen, and those with a scope in the pane on show and in the traffic."""
    yield screen.app
    yield screen
    if (pane := screen.pane) is not None:
        yield from pane.owners()
    if (traffic := screen.traffic_pane) is not None:
        yield from traffic.owners()
