"""What can be done with a line of a form, and in which words it is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.parts import Container
from inspector.schema.rows import Rows
from inspector.schema.scalars import AnyField, MultiField, NeverField, TextField
from inspector.tui.widgets.forms import places

if TYPE_CHECKING:
    from inspector.tui.widgets.forms.row import FieldRow

_OFFERED = (
    ("reveal", 0), ("null", 0), ("unset", 0), ("empty", 0), ("add", 0), ("remove", 0), ("move_up", -1),
    ("move_down", 1), ("next_page", 1), ("previous_page", -1), ("as_json", 0), ("recall", 0),
)  # fmt: skip
"""Actions of a field in the order in which they are offered, with where they go."""
_RUNS = {"move_up": "move", "move_down": "move", "next_page": "turn", "previous_page": "turn"}


def allows(row: FieldRow, action: str, by: int = 0) -> bool:
    """Whether an action makes sense here, or would in this direction."""
    line, field = row.line, row.field
    place = places.place_of(field)
    if action == "bring_back":
        return bool(getattr(row.parent, "removed", ()))
    if action == "turn":
        owner = places.paged(field)
        return owner is not None and (owner.rows.first > 0 if by < 0 else owner.rows.end < len(owner.rows))
    if not line.holds:
        return action in ("go", "leap") or (action == "add" and line.kind == "add")
    match action:
        case "recall":
            return row.recalls
        case "reveal":
            return row.hides
        case "add":
            return places.growing(field) is not None
        case "remove":
            return place is not None
        case "move":
            return (
                place is not None
                and isinstance(place.owner, Rows)
                and 0 <= place.at + by < len(place.owner.rows)
            )
        case "empty":
            kinds = TextField | MultiField | AnyField | Container
            return isinstance(field, kinds) and not isinstance(field, NeverField)
    return True


def offers(row: FieldRow) -> list[tuple[str, str]]:
    """What can be done, as the id of an action and a word for it."""
    found = [(name, _word(row, name)) for name, by in _OFFERED if allows(row, _RUNS.get(name, name), by)]
    return [(f"field.{name}", word) for name, word in found if word]


def _word(row: FieldRow, name: str) -> str:
    """Empty for what may be done and is yet no use to most."""
    field = row.field
    place = places.place_of(field)
    # What is said of the row around a field, and not of the line itself, is told with its number.
    which = f" [{place.at}]" if place is not None and row.line.owner is None else ""
    return {
        "reveal": "show" if row.is_veiled else "hide",
        "null": "null" if field.nullable else "",
        "remove": f"remove{which}",
        "move_up": f"up{which}",
        "move_down": f"down{which}",
        "next_page": "next rows",
        "previous_page": "rows before",
        "as_json": "" if field.raw else "form" if row.line.kind == "json" else "JSON",
        "recall": "proposals" if row.proposes else "earlier",
    }.get(name, name)
