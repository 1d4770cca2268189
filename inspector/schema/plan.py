"""Which branches all that is to be entered speaks for, taken together, where no entry chooses one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from inspector.base.jsonptr import index_of, tokens
from inspector.schema.field import Field
from inspector.schema.group import Group
from inspector.schema.parts import Container
from inspector.schema.rows import Rows
from inspector.schema.scalars import (
    AnyField,
    BooleanField,
    ChoiceField,
    JsonField,
    MultiField,
    NumberField,
    TextField,
    find,
)
from inspector.schema.union import Union

NAMED, TAKEN, REFUSED = 2, 1, 0
"""A place that is named, one among names of one's own, and none."""


class Plan:
    """What is to be entered where, all entries together, and which branches they speak for."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._below: dict[tuple[str, ...], dict[str, Any]] = {}
        self._said = {tuple(tokens(at)) for at, entry in entries.items() if chooses(entry)}
        self._settled: list[Union] = []
        for pointer, entry in entries.items():
            path = tuple(tokens(pointer))
            for depth, token in enumerate(path):
                last = depth == len(path) - 1
                self._below.setdefault(path[:depth], {}).setdefault(token, entry if last else None)

    def is_said(self, union: Union) -> bool:
        """True where an entry chooses the branch."""
        return tuple(tokens(union.pointer)) in self._said and not isinstance(union.parent, Union)

    def choose(self, union: Union) -> None:
        """Chooses the branch that has most of what is to be entered; once for each union."""
        if any(union is one for one in self._settled):
            return
        self._settled.append(union)
        if self.is_said(union):
            return
        path = tuple(tokens(union.pointer))
        scores = [_suits(union.branch_field(index), path, self) for index in range(len(union.branches))]
        best = max(range(len(scores)), key=scores.__getitem__, default=None)
        if best is not None and scores[best][0] > 0 and best != union.chosen:
            union.choose(best)

    def below(self, path: tuple[str, ...]) -> Mapping[str, Any]:
        """What is entered below a place, by its next token; None where it is deeper still."""
        return self._below.get(path, {})

    def is_list(self, path: tuple[str, ...]) -> bool:
        """Whether what is entered below a place are the items of a list, none left out."""
        named = self.below(path)
        return {index_of(token) for token in named} == set(range(len(named)))


def _suits(branch: Field, path: tuple[str, ...], plan: Plan) -> tuple[int, int]:
    """How much of what is entered below a place a branch has room for, and then how little else it needs."""
    named = plan.below(path)
    score = sum(room(branch, token) + _likes(branch, (*path, token), plan) for token in _some(named))
    needs = branch.required_names if isinstance(branch, Group) else ()
    return score, -sum(1 for name in needs if name not in named)


def _likes(above: Field, path: tuple[str, ...], plan: Plan, look: int = 3) -> int:
    """How well what is entered at a place and below suits the member or item of `above` there; below 0 not at all."""
    if isinstance(above, Group):
        field = above.member(path[-1])
    elif isinstance(above, Rows) and room(above, path[-1]):
        field = above.sample(index_of(path[-1]) or 0)
    else:
        field = None
    return 0 if field is None else _takes(field, path, plan, look)


def _takes(field: Field, path: tuple[str, ...], plan: Plan, look: int) -> int:
    if not look:
        return 0
    if isinstance(field, Union):
        branches = (field.branch_field(index) for index in range(len(field.branches)))
        return max((_takes(branch, path, plan, look - 1) for branch in branches), default=0)
    if named := plan.below(path):
        rooms = [room(field, token) for token in _some(named)]
        if max(rooms) == REFUSED or (REFUSED in rooms and isinstance(field, Group) and field.closed):
            return -3
        return min([1, *(_likes(field, (*path, token), plan, look - 1) for token in _some(named))])
    entry = plan.below(path[:-1]).get(path[-1])
    wanted = entry.get("choose", entry) if isinstance(entry, dict) else entry
    if not isinstance(wanted, str | bool | int | float):
        return 0
    if isinstance(field, ChoiceField):
        return -3 if find(wanted, field.choices) is None else 3
    if isinstance(field, NumberField):
        return 2 if isinstance(wanted, str) and field.reads(wanted) else -3
    if isinstance(field, TextField | BooleanField):
        return 1 if isinstance(wanted, str) is isinstance(field, TextField) else -3
    return -3 if isinstance(field, Container | MultiField) else 0


def _some(named: Mapping[str, Any]) -> Iterable[str]:
    """As many as are looked at to tell branches apart."""
    return islice(named, 50)


def room(field: Field, token: str, look: int = 3) -> int:
    """Whether a branch has a place for this token that it names itself, one for any token, or none."""
    if isinstance(field, Group):
        return NAMED if field.has(token) else TAKEN if field.open else REFUSED
    if isinstance(field, Rows | MultiField):
        return REFUSED if index_of(token) is None else NAMED
    if isinstance(field, Union) and look:
        rooms = (room(field.branch_field(index), token, look - 1) for index in range(len(field.branches)))
        return max(rooms, default=REFUSED)
    return TAKEN if isinstance(field, AnyField | JsonField) else REFUSED


def chooses(entry: Any) -> bool:
    """True for an entry that picks a branch or an option, and so comes before what is entered inside of it."""
    return isinstance(entry, dict) and any(action in entry for action in ("branch", "choose", "choose_index"))
