"""Fills a form from a map of pointers to entries: what a person would type, choose, clear or remove.

An entry is text (typed), a boolean (a switch), or an object with one action: `choose` (a title or value, or a list of
them), `choose_index`, `clear`, `empty`, `null`, `json` (text for the JSON editor), `remove` (a row, after filling),
`branch` (a position, or several chosen one after the other).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from inspector.base.jsonptr import escape, index_of, tokens
from inspector.base.text import clip
from inspector.schema.choices import Choice, spelled
from inspector.schema.field import Field, Issue, State
from inspector.schema.finding import chosen, find_field
from inspector.schema.form import FormModel
from inspector.schema.group import Group
from inspector.schema.held import holds, inside, remover
from inspector.schema.pages import ROWS
from inspector.schema.plan import NAMED, Plan, chooses, room
from inspector.schema.rows import Rows
from inspector.schema.scalars import ChoiceField, MultiField, find
from inspector.schema.union import Union

_ACTIONS = "choose, choose_index, clear, empty, null, json, remove and branch"


def fill(model: FormModel, entries: Mapping[str, Any]) -> list[Issue]:
    """Fills the form; returns what could not be entered, by pointer. Never raises.

    Branches are chosen first and rows removed last, whatever the order of the entries.
    """
    plan = Plan(entries)
    problems: list[Issue] = []
    removed: list[str] = []
    order = sorted(
        entries,
        key=lambda at: (not chooses(entries[at]), len(tokens(at)) if chooses(entries[at]) else 0),
    )
    for pointer in order:
        entry = entries[pointer]
        if isinstance(entry, dict) and "remove" in entry:
            if entry["remove"] is not True:
                problems.append(Issue(pointer, f"remove takes true, not {spelled(entry['remove'])}"))
                continue
            removed.append(pointer)
            entry = {key: value for key, value in entry.items() if key != "remove"}
            if not entry:
                continue
        field = reach(model.root, pointer, plan)
        said = _nowhere(model.root, pointer) if field is None else _enter(field, entry)
        if said:
            problems.append(Issue(pointer, said))
    rows = []
    for pointer in removed:
        row = _remover(model.root, pointer)
        if row is None:
            problems.append(Issue(pointer, "there is no such row to remove"))
        else:
            rows.append((len(tokens(pointer)), row[0], pointer))
    for _, _, pointer in sorted(rows, reverse=True):
        # Asked for again: what was found before may be held in another way by now.
        if (row := _remover(model.root, pointer)) is not None:
            row[1]()
    return problems


def _nowhere(root: Field, pointer: str) -> str:
    """Why a pointer leads to no field."""
    path = tokens(pointer)
    for count in range(len(path) - 1, -1, -1):
        above = find_field(root, "".join(f"/{escape(token)}" for token in path[:count]))
        if above is not None:
            kind = chosen(above)
            said = above.type_label if kind is None else kind.type_label
            where = f"{above.pointer} is {said}" if above.pointer else f"the form is {said}"
            return f"the form has no such field: {where}; what is inside of it can be entered as JSON"
    return "the form has no such field"


def _enter(field: Field, entry: Any) -> str | None:
    if isinstance(entry, str):
        if isinstance(field, ChoiceField) and find(entry, field.choices) is None and _switch(field, entry):
            return None
        field.set_text(entry)
    elif isinstance(entry, bool):
        field.set_bool(entry)
    elif isinstance(entry, dict):
        entering = [action for action in entry if action != "branch"]
        if not entry or len(entering) > 1:
            several = " and ".join(clip(action, 40) for action in entering[:3])
            return f"an entry takes one action, not {several or 'none'}; there are {_ACTIONS}"
        said = None
        for action, value in entry.items():
            said = said or _act(field, action, value)
        return said
    else:
        return f"an entry is text, a boolean or an action, not {spelled(entry)}; numbers are typed as text"
    return None


def _act(field: Field, action: str, value: Any) -> str | None:
    match action:
        case "text" if isinstance(value, str):
            field.set_text(value)
        case "clear" if value is True:
            field.clear()
        case "empty" if value is True:
            field.set_empty()
        case "null" if value is True:
            field.set_null()
        case "json" if isinstance(value, str):
            field.set_json(value)
        case "choose":
            return _choose(field, value)
        case "choose_index":
            return _choose_index(field, value)
        case "branch":
            return _branch(field, value)
        case "text" | "clear" | "empty" | "null" | "json":
            return f"{action} takes {'text' if action in ('text', 'json') else 'true'}, not {spelled(value)}"
        case _:
            return f"unknown action {clip(action, 40)}; there are {_ACTIONS}"
    return None


def _choose(field: Field, wanted: Any) -> str | None:
    if isinstance(field, Union):
        return _choose_in_union(field, wanted)
    if isinstance(field, MultiField):
        indices = [find(item, field.choices) for item in (wanted if isinstance(wanted, list) else [wanted])]
        if None in indices:
            return _no_choice(wanted, field.choices)
        field.set_choices([index for index in indices if index is not None])
        return None
    if isinstance(field, ChoiceField):
        index = find(wanted, field.choices)
        if index is None:
            return None if _switch(field, wanted) else _no_choice(wanted, field.choices)
        field.set_choice(index)
        return None
    field.load(wanted)
    return None


def _no_choice(wanted: Any, choices: Sequence[Choice]) -> str:
    there = ", ".join(clip(spelled(choice.value), 40) for choice in choices[:6])
    more = f" and {len(choices) - 6} more" if len(choices) > 6 else ""
    return f"no choice {clip(spelled(wanted), 60)}, there are {there}{more}"


def _switch(field: ChoiceField, wanted: Any) -> bool:
    """Where a constant tells branches apart, its value in another branch chooses that one."""
    union = field.parent.parent if field.parent is not None else None
    if not isinstance(union, Union):
        return False
    for index in range(len(union.branches)):
        branch = union.branch_field(index)
        other = branch.member(field.name) if isinstance(branch, Group) else None
        if isinstance(other, ChoiceField) and (at := find(wanted, other.choices)) is not None:
            union.choose(index)
            other.set_choice(at)
            return True
    return False


def _choose_in_union(field: Union, wanted: Any) -> str | None:
    titles = [branch.title for branch in field.branches]
    for index in range(len(field.branches)):
        inner = field.branch_field(index)
        if isinstance(inner, ChoiceField | MultiField):
            members = wanted if isinstance(inner, MultiField) and isinstance(wanted, list) else [wanted]
            if all(find(member, inner.choices) is not None for member in members):
                field.choose(index)
                return _choose(inner, wanted)
    if isinstance(wanted, str) and wanted in titles:
        field.choose(titles.index(wanted))
        return None
    field.load(wanted)
    return None


def _choose_index(field: Field, wanted: Any) -> str | None:
    size = len(field.branches) if isinstance(field, Union) else len(field.choices)
    indices = wanted if isinstance(wanted, list) and isinstance(field, MultiField) else [wanted]
    for index in indices:
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < size:
            return f"no choice {spelled(index)}, there are {size}"
    if isinstance(field, MultiField):
        field.set_choices(indices)
    else:
        field.set_choice(indices[0])
    return None


def _branch(field: Field, wanted: Any) -> str | None:
    """Chooses by the position among the branches as the schema has them, null included."""
    if wanted == []:
        return "branch takes a position or a list of them, not []"
    for position in wanted if isinstance(wanted, list) else [wanted]:
        if not isinstance(position, int) or isinstance(position, bool) or not _to_branch(field, position):
            return f"no branch {spelled(position)}{_last_branch(field)}, counted from 0"
    return None


def _last_branch(field: Field) -> str:
    if not isinstance(field, Union):
        return ""
    places = [branch.position for branch in field.branches]
    return f", the last one is {max(*places, len(places) - 1, field.shape.null_position or 0)}"


def _to_branch(field: Field, position: int) -> bool:
    """Whether there is such a branch; also where all branches became one choice, or only null stands beside one.
    Behind the branches as written come those of unions that are branches themselves, counted in a row."""
    if isinstance(field, Union):
        places = [branch.position for branch in field.branches]
        if position in places:
            if field.chosen is None or not field.decided or places[field.chosen] != position:
                field.choose(places.index(position))
            elif field.state is State.NULL:
                field.choose(field.chosen)
            return True
        if position == field.shape.null_position:
            field.set_null()
            return True
        if max(places, default=-1) < position < len(places):
            field.choose(position)
            return True
        return False
    members = [at for at, choice in enumerate(field.choices) if choice.position == position]
    if len(members) == 1:
        field.set_choice(members[0])
        return True
    if members or position == field.shape.only_position:
        if field.state is State.NULL:
            field.clear()
        return True
    if position == field.shape.null_position:
        field.set_null()
        return True
    return False


_Made = list[Callable[[], None]]
"""What was made or chosen on the way, each as the way to take it back."""


def reach(root: Field, pointer: str, plan: Plan) -> Field | None:
    """The field at a pointer; rows and entries on the way are made, and a branch chosen that has what is named.
    Where it leads nowhere nothing is left of what was made for it."""
    made: _Made = []
    here: Field | None = root
    path = tuple(tokens(pointer))
    for depth in range(len(path)):
        here = None if here is None else _step(here, path, depth, made, plan)
    if here is None:
        for take_back in reversed(made):
            take_back()
    return here


def _step(here: Field, path: tuple[str, ...], depth: int, made: _Made, plan: Plan) -> Field | None:
    """The field for the token of the path at a depth, from the one that holds it."""
    token = path[depth]
    if holds(here):
        return inside(here, token, plan.is_list(path[:depth]))
    if isinstance(here, Union):
        made.append(partial(here.choose_again, here.chosen if here.decided else None))
        plan.choose(here)
        return _step_into_union(here, path, depth, made, plan)
    if isinstance(here, Group):
        found = here.member(token)
        if found is None:
            found = here.add_entry(token)
            made.append(partial(here.cut, len(here.rows) - 1))
        return found
    if isinstance(here, Rows):
        index = index_of(token)
        if index is None or index >= max(ROWS, len(here.rows) + len(plan.below(path[:depth]))):
            return None
        made.append(partial(here.cut, len(here.rows)))
        while len(here.rows) <= index:
            here.add()
        return here.rows[index]
    return None


def _step_into_union(here: Union, path: tuple[str, ...], depth: int, made: _Made, plan: Plan) -> Field | None:
    token, current = path[depth], here.branch
    rooms = [room(here.branch_field(index), token) for index in range(len(here.branches))]
    if current is not None and rooms[here.chosen or 0] == NAMED:
        return _step(current, path, depth, made, plan)
    best = max(range(len(rooms)), key=rooms.__getitem__)
    if not here.decided:
        here.choose(best if rooms[best] else here.chosen or 0)
        current = here.branch
    elif rooms[best] == NAMED:
        other = here.branch_field(best)
        if plan.is_said(here):
            return _step(other, path, depth, made, plan)
        if not isinstance(current, Group) or current.closed:
            return None
        # Branches that do not exclude each other: what only another one names can be sent along.
        found = current.add_entry(token, other.named.get(token) if isinstance(other, Group) else None)
        made.append(partial(current.cut, len(current.rows) - 1))
        return found
    return None if current is None else _step(current, path, depth, made, plan)


def _remover(root: Field, pointer: str) -> tuple[int, Callable[[], object]] | None:
    """How to take away the row or entry at a pointer, with its position; None where there can be none. A row that
    nothing else was entered in was made for this alone."""
    path = tokens(pointer)
    if not path:
        return None
    for depth in range(len(path) - 1, -1, -1):
        above = chosen(find_field(root, "".join(f"/{escape(token)}" for token in path[:depth])))
        if above is None:
            continue
        if holds(above):
            remove = remover(above, path[depth:])
            return None if remove is None else (index_of(path[-1]) or 0, remove)
        if depth < len(path) - 1:
            return None
        if isinstance(above, Group):
            at = above.find(path[-1])
            if at is not None:
                return at, partial(above.remove, at)
            return (0, _nothing) if above.open and path[-1] not in above.named else None
        index = index_of(path[-1])
        if isinstance(above, Rows) and index is not None:
            return index, partial(above.remove, index) if index < len(above.rows) else _nothing
        return None
    return None


def _nothing() -> None:
    """Takes away what is not there."""
