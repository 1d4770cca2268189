"""Rows of lists and entries of maps: which one a field belongs to, and how they come, go and change places."""

from __future__ import annotations

from typing import NamedTuple

from inspector.schema.field import Field
from inspector.schema.group import Group
from inspector.schema.pages import Growing
from inspector.schema.rows import Rows
from inspector.schema.union import Union


class Place(NamedTuple):
    """A row or entry: the list or map, and its position there."""

    owner: Growing
    at: int


def place_of(field: Field) -> Place | None:
    """The innermost row or entry that a field is, or is in."""
    part = field
    while (parent := part.parent) is not None:
        if isinstance(parent, Growing) and (at := parent.rows.place(part)) is not None:
            return Place(parent, at)
        part = parent
    return None


def growing(field: Field) -> Growing | None:
    """The list or map that takes a new row from here: the field itself, or the innermost one around it."""
    part: Field | None = field
    while part is not None:
        inner = part.branch if isinstance(part, Union) and part is field else part
        if (isinstance(inner, Rows) and inner.can_add) or (isinstance(inner, Group) and inner.open):
            # An object of named members that also takes others is not what is meant from inside of it.
            if inner is field or isinstance(inner, Rows) or inner.is_map or isinstance(field, Union):
                return inner
            if inner.rows.place(field) is not None:
                return inner
        part = part.parent
    return None


def paged(field: Field) -> Growing | None:
    """The list or map with several pages: the field itself, or the innermost one around it."""
    part: Field | None = field
    while part is not None:
        if isinstance(part, Growing) and part.rows.end - part.rows.first < len(part.rows):
            return part
        part = part.parent
    return None


def add(field: Field) -> Field | None:
    """A new row behind the one that the field is in, or at the end; the field to fill in."""
    owner = growing(field)
    if isinstance(owner, Rows):
        part = field
        while part.parent is not None and part.parent is not owner:
            part = part.parent
        at = owner.rows.place(part)
        return owner.add(None if at is None else at + 1)
    return owner.add_entry("") if isinstance(owner, Group) else None


class Removed(NamedTuple):
    """A row or entry that was taken away, to be brought back."""

    place: Place
    row: Field

    def bring_back(self) -> Field:
        """Puts it where it was; the field to go to."""
        owner, at = self.place
        owner.put_back(at, self.row)
        return owner.rows[min(at, len(owner.rows) - 1)]


def remove(place: Place) -> tuple[Removed, Field]:
    """Takes a row away; returns it, and what to go to then."""
    owner, index = place
    gone = Removed(place, owner.rows[index])
    owner.remove(index)
    return gone, owner.rows[min(index, owner.rows.end - 1)] if owner.rows else owner


def move(place: Place, by: int, field: Field) -> Field | None:
    """The row that a field is in changes places: the field to go to, another one where the new place has a kind of its
    own; None where it cannot."""
    owner, index = place
    if not isinstance(owner, Rows) or not 0 <= index + by < len(owner.rows):
        return None
    row = owner.rows[index]
    owner.move(index, index + by)
    there = owner.rows[index + by]
    return field if there is row else there


def is_within(field: Field, around: Field) -> bool:
    """Whether a field lies in another."""
    part = field.parent
    while part is not None and part is not around:
        part = part.parent
    return part is not None
