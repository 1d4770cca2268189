"""Which tools want a yes before they are called in bulk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.session.session import Session


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


def _reads_only(entry: dict[str, Any]) -> bool:
    annotations = entry.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
