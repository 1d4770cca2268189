"""The list of a server's tools: what each is known by, says of itself and weighs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from textual.content import Content

from inspector.base.text import bytes_size
from inspector.lenses.solon.offer import is_hidden, offered, remark
from inspector.lenses.weight import Weight
from inspector.tui import guard
from inspector.tui.widgets.lists.filter_list import FilterList, Item

if TYPE_CHECKING:
    from inspector.session.listings import Listing

ORDERS = ("", "largest first", "by name")


class ToolList(FilterList):
    """The names of the tools, each behind a sign."""

    HELP = (
        f"{FilterList.HELP} Before a name stands what the server says of the tool: ○ it only reads, ! it may destroy, "
        "· neither. ◌ clients of Solon AI keep it from the model. ▲ the entry is odd, … a call of it runs, ✗ it was "
        "looked at and is not listed any more."
    )


def keys(listing: Listing) -> list[str]:
    """What each entry is known by when the list is read again: its name and the how manieth of that name it is."""
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for place, entry in enumerate(listing.entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            keys.append(f"0 {place}")
            continue
        seen[name] += 1
        keys.append(f"{seen[name]} {name}")
    return keys


def reasons(listing: Listing, index: int) -> list[str]:
    """What is odd about the entry at a place."""
    return [odd.reason for odd in listing.invalid if odd.index == index]


def unusable(reasons: list[str]) -> Content:
    """What is shown in place of a form for an entry without a name."""
    why = "; ".join(map(guard.message, reasons)) or "it has no name"
    return Content(f"This entry cannot be called: {why}. The traffic has it as it came.")


def total(weights: list[Weight], order: str) -> list[str]:
    """What all definitions weigh together, the shortest words last."""
    if not weights:
        return []
    count = f"{len(weights):,} tool{'' if len(weights) == 1 else 's'}"
    size, tokens = (
        bytes_size(sum(one.size for one in weights)),
        f"~{sum(one.tokens for one in weights):,} tok",
    )
    words = [(count, size, tokens), (count, tokens), (tokens,), ()]
    return [" · ".join([*part, *([order] if order else [])]) for part in words]


def items(
    listing: Listing, places: dict[str, int], running: Counter[str], weights: list[Weight]
) -> list[Item]:
    """A line for each entry, by its key; `places` says where the entry stands."""
    odd = {oddity.index for oddity in listing.invalid}
    of_a_skill = offered(listing.entries, ()) is not None
    items: list[Item] = []
    for key, index in places.items():
        entry = listing.entries[index]
        name = entry.get("name") if isinstance(entry, dict) else None
        text = guard.line(name) if isinstance(name, str) else f"(entry {index})"
        count = running[name] if isinstance(name, str) else 0
        mark = ("…", "bold $text-warning") if count else _mark(entry, index in odd)
        size, tokens = bytes_size(weights[index].size), f"~{weights[index].tokens:,}"
        short = _short(weights[index])
        sides = (f"{size:>8} {tokens:>6} tok", f"{size:>8} {short:>5}", short)
        note = _running_word(count)
        if of_a_skill and is_hidden(entry):
            note, mark = note or guard.line(remark(entry)), mark if count else ("◌", "$quiet")
        items.append(Item(key, text, mark=mark, note=note, sides=sides))
    return items


def gone(key: str, name: str) -> Item:
    """The line of a tool that was looked at and is not listed any more."""
    return Item(key, guard.line(name), mark=("✗", "$text-warning"), note="gone")


def _short(weight: Weight) -> str:
    """Tokens in at most five cells: `~159`, `~1.9k`, `~20k`."""
    thousands = weight.tokens / 1000
    if thousands < 0.9995:
        return f"~{weight.tokens}"
    return f"~{thousands:.1f}k" if thousands < 9.95 else f"~{thousands:,.0f}k"


def _running_word(count: int) -> str:
    return "" if not count else "running" if count == 1 else f"{count} running"


def _mark(entry: Any, odd: bool) -> tuple[str, str]:
    """One sign before a name: odd, destructive, or only reading."""
    hints = entry.get("annotations") if isinstance(entry, dict) else None
    hints = hints if isinstance(hints, dict) else {}
    if odd:
        return ("▲", "$text-warning")
    if hints.get("destructiveHint") is True and hints.get("readOnlyHint") is not True:
        return ("!", "bold $text-error")
    if hints.get("readOnlyHint") is True:
        return ("○", "$text-success")
    return ("·", "$quiet")
