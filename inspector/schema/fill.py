"""Fills a form from a map of pointers to entries: what a person would type, choose, clear or remove.

An entry is text (typed), a boolean (a switch), or an object with one action: `choose` (a title or value, or a list of
them), `choose_index`, `clear`, `empty`, `null`, `json` (text for the JSON editor), `remove` (a row, after filling),
`branch` (a position, or several chosen one after the other).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from inspector.base.jsonptr import escape, tokens
from inspector.base.text import clip
from inspector.schema.field import ABSENT, Field, Issue, Place, Report, State
from inspector.schema.form import FormModel
from inspector.schema.group import Group
from inspector.schema.parts import ROWS
from inspector.schema.rows import Rows
from inspector.schema.scalars import ChoiceField, MultiField, find
from inspector.schema.shape import Shape, spelled
from inspector.schema.union import Union


def fill(model: FormModel, entries: Mapping[str, Any]) -> list[Issue]:
    """Fills the form; returns what could not be entered, by pointer. Never raises.

    Branches are chosen first and rows removed last, whatever the order of the entries.
    """
    plan = _Plan(entries)
    problems: list[Issue] = []
    removed: list[str] = []
    order = sorted(
        entries,
        key=lambda at: (not _is_branch(entries[at]), len(tokens(at)) if _is_branch(entries[at]) else 0),
    )
    for pointer in order:
        entry = entries[pointer]
        if isinstance(entry, dict) and "remove" in entry:
            if entry["remove"]:
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
        row = _row(model.root, pointer)
        if row is None:
            problems.append(Issue(pointer, "there is no such row to remove"))
        else:
            rows.append(row)
    for owner, position in sorted(rows, key=lambda row: row[1], reverse=True):
        owner.remove_entry(position) if isinstance(owner, Group) else owner.remove(position)
    return problems


class _Plan:
    """Which branch all entries together speak for, where none of them chooses one."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._below: dict[tuple[str, ...], dict[str, Any]] = {}
        self._said = {tuple(tokens(at)) for at, entry in entries.items() if _is_branch(entry)}
        self._settled: list[Union] = []
        for pointer, entry in entries.items():
            path = tuple(tokens(pointer))
            for depth, token in enumerate(path):
                last = depth == len(path) - 1
                self._below.setdefault(path[:depth], {}).setdefault(token, entry if last else None)

    def choose(self, union: Union) -> None:
        """Chooses the branch that has most of what is to be entered; once for each union."""
        at = tuple(tokens(union.pointer))
        if any(union is one for one in self._settled):
            return
        self._settled.append(union)
        if at in self._said and not isinstance(union.parent, Union):
            return
        named = self._below.get(at, {})
        scores = [_suits(union.branch_field(index), named) for index in range(len(union.branches))]
        best = max(range(len(scores)), key=scores.__getitem__, default=None)
        if best is not None and scores[best] > 0 and best != union.chosen:
            union.choose(best)


def _suits(branch: Field, named: Mapping[str, Any]) -> int:
    """How much of what is named a branch has a place for; a choice that it does not offer counts against it."""
    score = 0
    for token, entry in named.items():
        if not _has(branch, token):
            continue
        score += 2
        field = branch.member(token) if isinstance(branch, Group) else None
        wanted = entry.get("choose", entry) if isinstance(entry, dict) else entry
        if isinstance(field, ChoiceField) and isinstance(wanted, str | bool | int | float):
            score += 3 if find(wanted, field.choices) is not None else -3
    return score


def _nowhere(root: Field, pointer: str) -> str:
    """Why a pointer leads to no field."""
    path = tokens(pointer)
    for count in range(len(path) - 1, -1, -1):
        above = find_field(root, "".join(f"/{escape(token)}" for token in path[:count]))
        if above is not None:
            kind = _inside(above)
            said = above.type_label if kind is None else kind.type_label
            where = f"{above.pointer} is {said}" if above.pointer else f"the form is {said}"
            return f"the form has no such field: {where}; what is inside of it can be entered as JSON"
    return "the form has no such field"


def _is_branch(entry: Any) -> bool:
    return isinstance(entry, dict) and "branch" in entry


def _enter(field: Field, entry: Any) -> str | None:
    if isinstance(entry, str):
        known = not isinstance(field, ChoiceField) or find(entry, field.choices) is not None
        if known or not isinstance(field, ChoiceField) or not _switch(field, entry):
            field.set_text(entry)
    elif isinstance(entry, bool):
        field.set_bool(entry)
    elif isinstance(entry, dict):
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
            return f"unknown action {clip(action, 40)}"
    return None


def _choose(field: Field, wanted: Any) -> str | None:
    if isinstance(field, Union):
        return _choose_in_union(field, wanted)
    if isinstance(field, MultiField):
        indices = [find(item, field.choices) for item in (wanted if isinstance(wanted, list) else [wanted])]
        if None in indices:
            return "no such choice"
        field.set_choices([index for index in indices if index is not None])
        return None
    if isinstance(field, ChoiceField):
        index = find(wanted, field.choices)
        if index is None:
            return None if _switch(field, wanted) else "no such choice"
        field.set_choice(index)
        return None
    field.load(wanted)
    return None


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
    for position in wanted if isinstance(wanted, list) else [wanted]:
        if not isinstance(position, int) or isinstance(position, bool) or not _to_branch(field, position):
            return f"no branch {spelled(position)}"
    return None


def _to_branch(field: Field, position: int) -> bool:
    """Whether there is such a branch; also where all branches became one choice, or only null stands beside one."""
    if isinstance(field, Union):
        index = next((at for at, branch in enumerate(field.branches) if branch.position == position), None)
        if index is not None:
            field.choose(index)
            return True
    else:
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


def reach(root: Field, pointer: str, plan: _Plan | None = None) -> Field | None:
    """The field at a pointer; rows and entries on the way are made, and a branch chosen that has what is named.
    Where it leads nowhere nothing is left of what was made for it."""
    made: _Made = []
    here: Field | None = root
    for token in tokens(pointer):
        here = None if here is None else _step(here, token, made, plan)
    if here is None:
        for take_back in reversed(made):
            take_back()
    return here


def find_field(root: Field, pointer: str) -> Field | None:
    """The field at a pointer as the form stands; nothing is made or chosen."""
    here: Field | None = root
    for token in tokens(pointer):
        if isinstance(here, Union):
            here = _inside(here)
        if isinstance(here, Group):
            here = here.member(token)
        elif isinstance(here, Rows) and (index := _index(token)) is not None and index < len(here.rows):
            here = here.rows[index]
        else:
            return None
    return here


def _inside(field: Field | None) -> Field | None:
    while isinstance(field, Union):
        field = field.branch
    return field


def _step(here: Field, token: str, made: _Made, plan: _Plan | None) -> Field | None:
    if isinstance(here, Union):
        made.append(partial(here.choose_again, here.chosen if here.decided else None))
        if plan is not None:
            plan.choose(here)
        return _step_into_union(here, token, made, plan)
    if isinstance(here, Group):
        found = here.member(token)
        if found is None:
            found = here.add_entry(token)
            made.append(partial(here.discard, found))
        return found
    if isinstance(here, Rows):
        index = _index(token)
        if index is None or index >= ROWS:
            return None
        while len(here.rows) <= index:
            made.append(partial(here.discard, here.add()))
        return here.rows[index]
    if isinstance(here, MultiField):
        index = _index(token)
        return None if index is None else _Pick(here, index)
    return None


class _Pick(ChoiceField):
    """One of the picks of a multiple choice, under the pointer that it has in the arguments."""

    def __init__(self, owner: MultiField, index: int) -> None:
        super().__init__(
            Shape("choice", {}, choices=owner.choices), Place("", True, owner.depth + 1, None), None
        )
        self._owner = owner
        self._index = index

    def _set(self, state: State, *, value: Any = None, typed: str = "") -> None:
        super()._set(state, value=value, typed=typed)
        picked = self._owner.picked
        made = self.emit("", Report())
        picked[self._index : self._index + 1] = [] if made is ABSENT else [made]
        self._owner.load(picked)


def _step_into_union(here: Union, token: str, made: _Made, plan: _Plan | None) -> Field | None:
    current = here.branch
    if current is not None and _has(current, token):
        return _step(current, token, made, plan)
    for index in range(len(here.branches)):
        inner = here.branch_field(index)
        if _has(inner, token):
            if not here.decided:
                here.choose(index)
            return _step(inner, token, made, plan)
    if current is None:
        here.choose(0)
        current = here.branch
    return None if current is None else _step(current, token, made, plan)


def _has(field: Field, token: str, look: int = 3) -> bool:
    """Whether a branch has a place for this token without making up a new member."""
    if isinstance(field, Group):
        return field.member(token) is not None
    if isinstance(field, Rows | MultiField):
        return _index(token) is not None
    if isinstance(field, Union):
        return look > 0 and any(
            _has(field.branch_field(index), token, look - 1) for index in range(len(field.branches))
        )
    return False


def _index(token: str) -> int | None:
    return int(token) if token.isascii() and token.isdigit() and len(token) < 6 else None


def _row(root: Field, pointer: str) -> tuple[Rows | Group | MultiField, int] | None:
    above = _inside(find_field(root, pointer.rpartition("/")[0])) if pointer else None
    token = tokens(pointer)[-1] if pointer else ""
    if isinstance(above, Group):
        return next(((above, at) for at, entry in enumerate(above.entries) if entry.key == token), None)
    if isinstance(above, Rows | MultiField):
        size = len(above.rows) if isinstance(above, Rows) else len(above.picked)
        index = _index(token)
        return (above, index) if index is not None and index < size else None
    return None
