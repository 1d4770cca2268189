"""What was entered in one form, entered in another: the schema of a tool changes while somebody fills it in."""

from __future__ import annotations

from inspector.schema.field import ABSENT, Field, Report, State
from inspector.schema.group import Group
from inspector.schema.rows import Rows
from inspector.schema.union import Union


def take_over(old: Field, new: Field) -> None:
    """Enters in `new` what a person entered in `old`: text as text, members by their names, rows in their order, also
    where the new schema refuses it or does not know them. What nobody touched stays as the new schema has it."""
    if not old.touched:
        return
    whole = old.state is State.ABSENT
    if whole and isinstance(old, Union) and old.branch is not None:
        branch = _branch_like(old, new) if isinstance(new, Union) else new
        take_over(old.branch, branch)
    elif whole and isinstance(old, Group) and isinstance(new, Group):
        _members(old, new)
    elif whole and isinstance(old, Rows) and isinstance(new, Rows):
        new.load([None if isinstance(item, Field) else item for item in old.rows.items])
        for at, item in enumerate(old.rows.items):
            if isinstance(item, Field):
                new.rows[at].clear()
                take_over(item, new.rows[at])
    elif old.state is State.TEXT:
        new.set_text(old.typed)
        if new.state is State.JSON:
            # A switch or a list cannot read it: it is sent as the text that it is.
            new.load(old.typed)
    elif old.state is State.JSON:
        new.set_json(old.typed)
    elif old.state is State.NULL:
        new.set_null()
    elif old.state is State.EMPTY:
        new.set_empty()
    elif (value := old.emit("", Report())) is not ABSENT:
        new.load(value)


def _branch_like(old: Union, new: Union) -> Field:
    """The branch of the same title, else at the same place; where there is none, all branches together."""
    assert old.chosen is not None
    titles = [branch.title for branch in new.branches]
    title = old.branches[old.chosen].title
    at = titles.index(title) if title in titles else old.chosen
    if at >= len(titles):
        return new
    new.choose(at)
    return new.branch_field(at)


def _members(old: Group, new: Group) -> None:
    for name, part in old.fields.items():
        if part.touched:
            take_over(part, new.member(name) or new.add_entry(name))
    for item in old.rows.items:
        key = item.name if isinstance(item, Field) else item[0]
        named = new.fields.get(key)
        place = named if named is not None and not named.touched else new.add_entry(key)
        if isinstance(item, Field):
            take_over(item, place)
        else:
            place.load(item[1])
