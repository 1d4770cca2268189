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
        self._allowed: set[tuple[str, str]] = set()

    def rule(self, server: str, tool: str, entry: Any) -> str | None:
        """What allows a call without a question, as the audit trail names it; None where a person is to be asked.
        `entry` is what the server lists of the tool, anything where it lists none."""
        asks = self._asks.get(server, self._asks.get("", "changing"))
        if asks == "never":
            return SETTINGS
        if (server, "") in self._allowed:
            return SERVER
        if (server, tool) in self._allowed:
            return TOOL
        return READ_ONLY if asks == "changing" and _reads_only(entry) else None

    def allow(self, server: str, tool: str = "") -> None:
        """This tool needs no further question in this run; without it, none of the server."""
        self._allowed.add((server, tool))

    def forget(self, server: str) -> bool:
        """Asks again about the tools of a server; False where nothing was allowed."""
        before = len(self._allowed)
        self._allowed = {pair for pair in self._allowed if pair[0] != server}
        return len(self._allowed) < before


def _reads_only(entry: Any) -> bool:
    annotations = entry.get("annotations") if isinstance(entry, dict) else None
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
