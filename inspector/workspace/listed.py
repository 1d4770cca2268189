"""What the servers of a workspace list, to be compared and kept."""

from __future__ import annotations

from typing import Any

from inspector.base import numbers
from inspector.base.errors import Failed, Failure
from inspector.compare.listings import Lists
from inspector.protocol.listing import LISTS
from inspector.session.listings import Listing
from inspector.workspace.connection import Connection


async def lists_of(connection: Connection) -> Lists | Failure:
    """Every list that it declares, when it is ready."""
    await connection.settled()
    if connection.session is None or connection.state != "ready":
        return connection.error or Failure(kind="cancelled", message="the connection was closed")
    try:
        listed = await connection.session.lists()
    except Failed as failed:
        return failed.failure
    # What is not declared is not there: it counts as a list without entries.
    lists: dict[Any, Any] = {kind: [] for kind in LISTS}
    for kind, listing in listed.items():
        if listing.failure is None:
            lists[kind] = _entries(listing)
        elif listing.failure.code is None:
            return listing.failure
    return lists


def known_lists(connection: Connection) -> Lists:
    """What was read of its lists so far, without asking; one that is not declared or cannot be read has no entries."""
    listings = connection.catalog.listings if connection.catalog is not None else {}
    return {kind: _entries(listings[kind]) if kind in listings else [] for kind in LISTS}


def _entries(listing: Listing) -> list[Any]:
    """With numbers as the server spelled them."""
    texts = listing.texts()
    if len(texts) != len(listing.entries):
        return listing.entries
    entries: list[Any] = []
    for text, entry in zip(texts, listing.entries, strict=True):
        try:
            entries.append(numbers.spelled(text))
        except ValueError:
            entries.append(entry)
    return entries
