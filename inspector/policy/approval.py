"""Which tools want a yes before they are called in bulk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.session.session import Session


async def changing(session: Session, called: Iterable[str]) -> list[str]:
    """Those of the tools that are not marked as reading only, each once. Raises Failed."""
    wanted = dict.fromkeys(called)
    if not wanted:
        return []
    listing = await session.list("tools")
    return [tool for tool in wanted if not _reads_only(listing.find(tool))]


def _reads_only(entry: dict[str, Any] | None) -> bool:
    annotations = entry.get("annotations") if entry is not None else None
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
