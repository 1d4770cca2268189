"""Which tools want a yes before they are called, and what a person has allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.config.settings import Asks
from inspector.policy.audit import READ_ONLY
from inspector.session.session import Session

SETTINGS, SERVER, TOOL, AGAIN = "settings", "this server", "this tool", "as before"
"""What allows a call without a question: the settings; that the person said so before, for the server, for the tool,
for the very same call."""


async def changing(session: Session, called: Iterable[str]) -> list[str]:
    """Those of the tools that are not marked as reading only, each once. Raises Failed."""
    listed, unlisted = await judged(session, called)
    return [*listed, *unlisted]


async def judged(session: Session, called: Iterable[str]) -> tuple[list[str], list[str]]:
    """The same in two: those that the server lists, and those that it does not. Raises Failed."""
    wanted = dict.fromkeys(called)
    if not wanted:
        return [], []
    listing = await session.list("tools")
    listed = [tool for tool in wanted if (entry := listing.find(tool)) is not None and not _reads_only(entry)]
    return listed, [tool for tool in wanted if listing.find(tool) is None]


class Approvals:
    """What a person allows in one run of the app. `asks` is the settings' word by server, "" for all others."""

    def __init__(self, asks: Mapping[str, Asks] = {}) -> None:
        self._asks = asks
        self._servers: dict[str, object] = {}
        self._tools: dict[tuple[str, str], tuple[object, Any]] = {}

    def rule(self, server: str, origin: object, tool: str, entry: Any) -> str | None:
        """What allows a call without a question, as the audit trail names it; None where a person is to be asked.
        `origin` is the very object that tells how the server is reached, `entry` what it lists of the tool, anything
        where it lists none: what was allowed of another origin, or of a tool that is defined otherwise now, is not
        allowed."""
        asks = self._asks.get(server, self._asks.get("", "changing"))
        if asks == "never":
            return SETTINGS
        if server in self._servers and self._servers[server] is origin:
            return SERVER
        if (server, tool) in self._tools:
            of, defined = self._tools[server, tool]
            if of is origin and defined == entry:
                return TOOL
        return READ_ONLY if asks == "changing" and _reads_only(entry) else None

    def allow_server(self, server: str, origin: object) -> None:
        """No tool of the server needs a further question in this run."""
        self._servers[server] = origin

    def allow_tool(self, server: str, origin: object, tool: str, entry: Any) -> None:
        """This tool, as it is listed now, needs none."""
        self._tools[server, tool] = origin, entry


def _reads_only(entry: Any) -> bool:
    annotations = entry.get("annotations") if isinstance(entry, dict) else None
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
