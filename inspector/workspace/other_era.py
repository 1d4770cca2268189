"""The same server in the era that it is not spoken to in now: whether it speaks that one, and what differs there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base.errors import Failed, Failure
from inspector.base.jsondiff import diff
from inspector.base.text import clip
from inspector.protocol.jsonrpc import encode
from inspector.protocol.listing import LISTS, ListKind
from inspector.protocol.revisions import Era
from inspector.session.handshake import Handshake
from inspector.session.listings import Listing
from inspector.workspace.connection import Connection

_MOST = 40
_NAMES = 8


@dataclass(frozen=True, slots=True)
class Side:
    """The server in one era: how many entries its lists have, None where it has none, and the names of what it
    declares, which are foreign."""

    era: Era
    version: str
    counts: Mapping[ListKind, int | None]
    declared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherEra:
    """`failure` says why it is not spoken; else `version` is that of it, `sides` are this era and that, and
    `differences` are sentences about what the server says there and not here, or otherwise. They quote the server."""

    era: Era
    version: str | None = None
    failure: Failure | None = None
    sides: tuple[Side, ...] = ()
    differences: tuple[str, ...] = ()


async def other_era(connection: Connection) -> OtherEra:
    """Opens a second session beside the one of this connection, for as long as it takes to read its lists. Raises
    Failed where there is no session to compare with."""
    session = connection.session
    if session is None or session.handshake is None:
        raise Failed(
            connection.error or Failure(kind="stream", message=f"{connection.name} is not connected")
        )
    here = session.handshake
    era: Era = "legacy" if here.era == "modern" else "modern"
    listings = dict(connection.catalog.listings) if connection.catalog is not None else {}
    try:
        async with connection.beside(era) as other:
            there = other.handshake
            assert there is not None
            lists = await other.lists()
            found = compared(here, listings, there, lists)
            sides = _side(here, listings), _side(there, lists)
            return OtherEra(era, there.version, None, sides, tuple(found[:_MOST]))
    except Failed as failed:
        return OtherEra(era, failure=failed.failure)


def _side(handshake: Handshake, listings: Mapping[ListKind, Listing]) -> Side:
    read = {kind: listing for kind, listing in listings.items() if listing.failure is None}
    counts = {kind: len(read[kind].entries) if kind in read else None for kind in LISTS}
    return Side(handshake.era, handshake.version, counts, tuple(handshake.capabilities)[:_MOST])


def compared(
    here: Handshake,
    listings: dict[ListKind, Listing],
    there: Handshake,
    other: dict[ListKind, Listing],
) -> list[str]:
    """What is different there, one sentence each."""
    found: list[str] = []
    for what, old, new in (
        ("serverInfo", here.server_info, there.server_info),
        ("capabilities", here.capabilities, there.capabilities),
    ):
        for change in diff(old, new):
            before = "absent" if change.op == "add" else _told(change.old)
            after = "absent" if change.op == "remove" else _told(change.new)
            found.append(f"{what}{change.pointer}: {before} here, {after} there")
    if here.instructions != there.instructions:
        found.append(
            "the instructions are others" if there.instructions else "there are no instructions there"
        )
    for kind in LISTS:
        found += _entries(kind, listings.get(kind), other.get(kind))
    return found


def _entries(kind: ListKind, here: Listing | None, there: Listing | None) -> list[str]:
    old, new = _by_name(kind, here), _by_name(kind, there)
    changed = [name for name in old if name in new and diff(old[name], new[name])]
    groups = (
        ("only here", [name for name in old if name not in new]),
        ("only there", [name for name in new if name not in old]),
        ("defined otherwise there", changed),
    )
    return [f"{kind} {what}: {_named(names)}" for what, names in groups if names]


def _by_name(kind: ListKind, listing: Listing | None) -> dict[str, Any]:
    key = LISTS[kind].key
    entries = listing.entries if listing is not None else []
    return {str(entry[key]): entry for entry in entries if isinstance(entry, dict) and key in entry}


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(clip(name, 60) for name in names[:_NAMES]) + more


def _told(value: Any) -> str:
    try:
        return clip(encode(value).decode("utf-8", "replace"), 120)
    except (ValueError, TypeError, RecursionError):
        return "something that cannot be written"
