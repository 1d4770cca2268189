"""Lays a form out in lines, top to bottom: what stands there depends on what is unfolded and chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from inspector.schema.field import Field, State
from inspector.schema.form import FormModel
from inspector.schema.group import Group
from inspector.schema.pages import Growing
from inspector.schema.parts import Container
from inspector.schema.rows import Rows
from inspector.schema.union import Union

Kind = Literal["value", "fold", "union", "json", "add", "page", "more"]
MOST = 5_000
"""Most lines that are laid out; the JSON view has no such end."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: the control of a field, the head of a group or list; or the way to a new row of `field` (`add`), or to
    its rows on other pages (`page` above those on show, `more` below them).

    `owner` and `index` say where the field stands in a list or map; in a map its key is entered too (`keyed`).
    """

    kind: Kind
    field: Field
    level: int
    label: str
    owner: Growing | None = None
    index: int | None = None

    @property
    def keyed(self) -> bool:
        return isinstance(self.owner, Group)

    @property
    def holds(self) -> bool:
        """Whether the line stands for the value of its field."""
        return self.kind not in ("add", "page", "more")

    @property
    def key(self) -> tuple[str, int]:
        """The same for as long as the line can keep its widget."""
        return self.kind, id(self.field)


@dataclass
class Unfolded:
    """What a person unfolded, folded or wants to see as JSON, by pointer: fields come and go, places stay."""

    folds: dict[str, bool] = field(default_factory=dict)
    as_json: set[str] = field(default_factory=set)

    def is_open(self, part: Field) -> bool:
        said = self.folds.get(part.pointer)
        return (part.required or part.touched) if said is None else said

    def is_json(self, part: Field) -> bool:
        whole = part.state is State.VALUE and isinstance(part, Container)
        return part.raw or part.state is State.JSON or whole or part.pointer in self.as_json


def lines(model: FormModel, unfolded: Unfolded) -> list[Line]:
    """The lines of the form; the root has none of its own, except where it is a choice."""
    found: list[Line] = []
    for line in _root(model.root, unfolded):
        found.append(line)
        if len(found) >= MOST:
            break
    return found


def _root(root: Field, unfolded: Unfolded) -> Iterator[Line]:
    if isinstance(root, Union):
        yield Line("union", root, 0, "variant")
        yield from _branch(root, 0, unfolded)
    elif isinstance(root, Group):
        yield from _members(root, 0, unfolded)
    else:
        yield Line("value", root, 0, "arguments")


def _members(group: Group, level: int, unfolded: Unfolded) -> Iterator[Line]:
    for name, part in group.fields.items():
        yield from _field(part, level, name, unfolded)
    yield from _rows(group, level, unfolded, group.open)


def _rows(owner: Growing, level: int, unfolded: Unfolded, can_add: bool) -> Iterator[Line]:
    rows = owner.rows
    below = rows.end < len(rows)
    if rows.first or below:
        yield Line("page", owner, level, "")
    for index, row in rows.shown():
        yield from _field(
            row, level, f"[{index}]" if isinstance(owner, Rows) else row.name, unfolded, owner, index
        )
    if below:
        yield Line("more", owner, level, "")
    elif can_add:
        yield Line("add", owner, level, "")


def _field(
    part: Field,
    level: int,
    label: str,
    unfolded: Unfolded,
    owner: Growing | None = None,
    index: int | None = None,
) -> Iterator[Line]:
    kind: Kind = "value"
    if unfolded.is_json(part):
        kind = "json"
    elif isinstance(part, Union):
        kind = "union"
    elif isinstance(part, Container):
        kind = "fold"
    yield Line(kind, part, level, label, owner, index)
    if kind == "union" and isinstance(part, Union):
        yield from _branch(part, level + 1, unfolded)
    elif kind == "fold" and unfolded.is_open(part):
        yield from _inside(part, level + 1, unfolded)


def _inside(part: Field, level: int, unfolded: Unfolded) -> Iterator[Line]:
    if isinstance(part, Group):
        yield from _members(part, level, unfolded)
    elif isinstance(part, Rows):
        yield from _rows(part, level, unfolded, part.can_add)


def _branch(union: Union, level: int, unfolded: Unfolded) -> Iterator[Line]:
    branch = union.branch
    if branch is None or union.state is State.NULL:
        return
    if isinstance(branch, Group | Rows):
        yield from _inside(branch, level, unfolded)
    else:
        yield from _field(branch, level, "", unfolded)
