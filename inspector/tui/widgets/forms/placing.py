"""Where in a form it is said what is wrong: at its field, or at the nearest line above that there is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from inspector.schema.field import LACKING, Issue
from inspector.tui.widgets.forms.lines import Line


def placed(issues: Sequence[Issue], lines: Sequence[Line]) -> tuple[dict[str, str], list[str]]:
    """The first thing to be said at each line, by the pointer of its field; and what has no line at all."""
    if not issues:
        return {}, []
    places = {line.field.pointer for line in lines if line.holds}
    found: dict[str, str] = {}
    lost: list[str] = []
    for path, message in issues:
        place: str | None = path
        while place is not None and place not in places:
            place = place.rpartition("/")[0] if place else None
        if place is None:
            lost.append(f"{path}: {message}" if path else message)
        else:
            found.setdefault(place, message if place == path else f"{path[len(place) + 1 :]}: {message}")
    return found, lost


def entered(issues: Sequence[Issue], lines: Sequence[Line], edited: Collection[str]) -> list[Issue]:
    """What is wrong where somebody has entered something, or on the nearest line above: what is merely missing, or was
    left as it came, is no mistake yet. `edited` are the pointers of fields in which somebody was, values or not."""
    if not issues:
        return []
    touched = {line.field.pointer: line.field.touched for line in lines if line.holds}
    touched |= dict.fromkeys(edited, True)

    def is_entered(issue: Issue) -> bool:
        path, message = issue
        while path and path not in touched:
            path = path.rpartition("/")[0]
        return message != LACKING and touched.get(path, True)

    return [issue for issue in issues if is_entered(issue)]


def in_order(issues: Sequence[Issue], lines: Sequence[Line]) -> list[Issue]:
    """In the order of the lines; what belongs to none comes last."""
    order = {line.field.pointer: at for at, line in reversed(list(enumerate(lines)))}
    return sorted(issues, key=lambda issue: order.get(issue.path, len(order)))
