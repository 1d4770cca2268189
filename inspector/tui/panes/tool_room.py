"""How arguments and answer of a tool share the height that there is."""

from __future__ import annotations

from typing import NamedTuple

from inspector.tui.widgets.forms.schema_form import HELP

_ANSWER = 7
"""Rows that an answer needs to be worth a look beside the arguments."""
_ROOM = 24
"""Rows of height from which arguments and answer always share it, a long form scrolling in its half."""
BESIDE = 110
"""Cells of width from which the frame that would be sent stands beside the form, and not below it."""


class Shares(NamedTuple):
    """`editor` is the height of the arguments, None where they take what is left; `close`: the head gives its room;
    `turns`: they are shown one after the other."""

    editor: int | None = None
    close: bool = False
    turns: bool = False


def share(height: int, head: int, wanted: int | None) -> Shares:
    """The form takes the rows that it has `wanted`, help included, up to a half; the answer takes the rest. Where that
    would be too little for one of them the head goes, and then they take turns. What is no form takes a half."""
    half = (height - 3) // 2
    whole = half if wanted is None else wanted
    least = half if wanted is None else wanted - HELP
    if least <= 1:
        # It takes no arguments, so that there is nothing to explain either.
        whole = least
    if height >= _ROOM:
        whole, least = min(whole, half), min(least, half)
    fits = [height - 2 - part - _ANSWER for part in (head + 1 + whole, head + 1 + least, whole, least)]
    place = next((number for number, left in enumerate(fits) if left >= 0), None)
    if place is None:
        return Shares(turns=True)
    return Shares(whole if place in (0, 2) else least, close=place in (2, 3))


def is_low(height: int) -> bool:
    """Whether form and frame one below the other need the room of the head."""
    return height < _ROOM
