"""Rows of lists and entries of maps: which one a field belongs to, and how they come, go and change places."""

from __future__ import annotations

from typing import NamedTuple

from inspector.schema.field import Field
from inspector.schema.group import Entry, Group
from inspector.schema.rows import Rows
from inspector.schema.union import Union


class Place(NamedTuple):
    """A row or entry: the list or map, and its position there."""

    owner: Rows | Group
    at: int


def place_of(field: Field) -> Place | None:
    """The innermost row or entry that a field is, or is in."""
    part = field
    while (parent := part.parent) is not None:
        parts = [entry.field for entry in parent.entries] if isinstance(parent, Group) else []
        parts = parent.rows if isinstance(parent, Rows) else parts
        for index, other in enumerate(parts):
            if other is part and isinstance(parent, Rows | Group):
                return Place(parent, index)
        part = parent
    return None


def growing(field: Field) -> Rows | Group | None:
    """The list or map that takes a new row from here: the field itself, or the innermost one around it."""
    part: Field | None = field
    while part is not None:
        inner = part.branch if isinstance(part, Union) and part is field else part
        if (isinstance(inner, Rows) and inner.can_add) or (isinstance(inner, Group) and inner.open):
            # An object of named members that also takes others is not what is meant from inside of it.
            if inner is field or isinstance(inner, Rows) or inner.is_map or isinstance(field, Union):
                return inner
            if any(entry.field is field for entry in inner.entries):
                return inner
        part = part.parent
    return None


def add(field: Field) -> Field | None:
    """A new row behind the one that the field is in, or at the end; the field to fill in."""
    owner = growing(field)
    if isinstance(owner, Rows):
        part: Field | None = field
        while part is not None and part.parent is not owner:
            part = part.parent
        at = next((index for index, row in enumerate(owner.rows) if row is part), None)
        return owner.add(None if at is None else at + 1)
    return owner.add_entry("") if owner is not None else None


class Removed(NamedTuple):
    """A row or entry that was taken away, to be brought back."""

    place: Place
    part: Field | Entry

    def bring_back(self) -> Field:
        """Puts it where it was; the field to go to."""
        owner, index = self.place
        if isinstance(owner, Rows) and isinstance(self.part, Field):
            owner.put_back(index, self.part)
            return self.part
        assert isinstance(owner, Group) and isinstance(self.part, Entry)
        owner.put_back(index, self.part)
        return self.part.field


def remove(place: Place) -> tuple[Removed, Field]:
    """Takes a row away; returns it, and what to go to then."""
    owner, index = place
    if isinstance(owner, Rows):
        gone = Removed(place, owner.rows[index])
        owner.remove(index)
        return gone, owner.rows[min(index, len(owner.rows) - 1)] if owner.rows else owner
    gone = Removed(place, owner.entries[index])
    owner.remove_entry(index)
    return gone, owner.entries[min(index, len(owner.entries) - 1)].field if owner.entries else owner


def move(place: Place, by: int) -> bool:
    """A row of a list changes places; False where it cannot."""
    owner, index = place
    if not isinstance(owner, Rows) or not 0 <= index + by < len(owner.rows):
        return False
    owner.move(index, index + by)
    return True


def is_within(field: Field, around: Field) -> bool:
    """Whether a field lies in another."""
    part = field.parent
    while part is not None and part is not around:
        part = part.parent
    return part is not None
