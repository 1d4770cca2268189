"""Reads lists through all their pages, and never for ever."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from inspector.base import jsontext, numbers
from inspector.base.errors import Failed, Failure
from inspector.base.text import decode
from inspector.protocol.caching import freshness
from inspector.protocol.listing import LISTS, ListKind, Oddity, json_type, oddities
from inspector.session.answer import Answer

PAGE_BUDGET = 1000
_DEEPEST = 200
"""Levels of an entry that are read where the whole list is too deep."""


@dataclass(slots=True)
class Listing:
    """A list as the server serves it: every entry of every page, odd ones and duplicates too.

    `failure` is set where not even the first page could be read; -32601 means "declared, not implemented".
    """

    kind: ListKind
    entries: list[Any] = field(default_factory=list)
    pages: int = 0
    invalid: list[Oddity] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failure: Failure | None = None
    broken: set[int] = field(default_factory=set)
    """The places of entries that are no JSON, as with NaN in them: of those, `entries` holds what can be read."""
    kept: str = ""
    """What the server says of keeping the list, in words; it is never kept here."""
    _answers: list[bytes] = field(default_factory=list)

    def texts(self) -> list[str]:
        """The JSON text of each entry exactly as served."""
        member = LISTS[self.kind].member
        found: list[str] = []
        for raw in self._answers:
            found += jsontext.elements(jsontext.pick(decode(raw), "result", member) or "")
        return found

    def drop(self, index: int, reason: str) -> None:
        """Marks an entry that must not be used, whatever else is wrong with it."""
        self.invalid.append(Oddity(index, reason))

    def find(self, name: str) -> dict[str, Any] | None:
        """The first entry whose identifying member (name, uri or uriTemplate) is `name`."""
        key = LISTS[self.kind].key
        return next(
            (entry for entry in self.entries if isinstance(entry, dict) and entry.get(key) == name), None
        )


async def read_list(kind: ListKind, request: Callable[[str, dict[str, Any]], Awaitable[Answer]]) -> Listing:
    """All pages of a list. Follows every cursor that is a string, the empty one too; stops at a repeated cursor
    and at the page budget. A later page that fails costs itself: what was read stays. Never raises Failed."""
    listing = Listing(kind)
    cursor: str | None = None
    seen: set[str] = set()
    while listing.pages < PAGE_BUDGET:
        try:
            answer = await request(LISTS[kind].method, {} if cursor is None else {"cursor": cursor})
            result, failure = _result_of(listing, answer)
        except Failed as failed:
            failure = failed.failure
        if failure is None:
            failure = _take(listing, answer, result)
        if failure is not None:
            if listing.pages == 0:
                listing.failure = failure
            else:
                listing.warnings.append(
                    f"page {listing.pages + 1} failed: {failure.message}; the list may be incomplete"
                )
            break
        listing.pages += 1
        following = result.get("nextCursor")
        if following is None:
            break
        if not isinstance(following, str):
            listing.warnings.append(
                f"nextCursor of page {listing.pages} is not a string but {json_type(following)}"
            )
            break
        if following in seen:
            listing.warnings.append(
                f"repeated cursor after page {listing.pages}: {following!r}; the list loops"
            )
            break
        seen.add(following)
        cursor = following
    else:
        listing.warnings.append(f"page budget of {PAGE_BUDGET} used up; the list may go on")
    listing.invalid = sorted([*listing.invalid, *oddities(kind, listing.entries)], key=attrgetter("index"))
    return listing


def _result_of(listing: Listing, answer: Answer) -> tuple[Any, Failure | None]:
    """The result of an answer, or why there is none. Where it cannot be read as a whole (too deep, NaN), its entries
    are read one by one, so that each costs only itself; how an odd one is odd goes to the listing."""
    if answer.message.readable:
        return answer.result, answer.failure
    member = LISTS[listing.kind].member
    try:
        text = jsontext.pick(decode(answer.raw).removeprefix("\ufeff"), "result") or ""
        result: dict[str, Any] = {}
        for part in jsontext.children(text, 0):
            inner = text[part.start : part.end]
            if part.key == member and inner[0] == "[":
                begin = len(listing.entries)
                result[member] = [
                    _entry(listing, begin + index, entry)
                    for index, entry in enumerate(jsontext.elements(inner))
                ]
            elif part.key == "nextCursor":
                result["nextCursor"] = numbers.spelled(inner)
    except (ValueError, IndexError):
        return None, answer.failure
    return result, None if member in result else answer.failure


def _entry(listing: Listing, index: int, text: str) -> Any:
    """An entry without what cannot be read or lies too deep in it; why most clients cannot read it is noted."""
    try:
        whole = numbers.spelled(text)
    except ValueError as error:
        listing.invalid.append(Oddity(index, str(error)))
        listing.broken.add(index)
        whole = {}
        for part in jsontext.children(text, 0) if text[0] == "{" else ():
            with suppress(ValueError):
                whole[str(part.key)] = numbers.spelled(text[part.start : part.end])
    if numbers.is_deep(whole, _DEEPEST):
        listing.invalid.append(Oddity(index, f"nested deeper than {_DEEPEST} levels"))
    return numbers.plain(whole, _DEEPEST)


def _take(listing: Listing, answer: Answer, result: Any) -> Failure | None:
    member = LISTS[listing.kind].member
    entries = result.get(member) if isinstance(result, dict) else None
    if not isinstance(entries, list):
        what = json_type(result) if not isinstance(result, dict) else f"an object without a list {member}"
        return Failure(
            kind="protocol", message=f"{LISTS[listing.kind].method} answered {what}", hint="see the raw frame"
        )
    listing.entries += entries
    listing._answers.append(answer.raw)
    listing.kept = freshness(answer.result)
    return None
