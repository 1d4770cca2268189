"""The members of an enum: their exact values, and what a person sees of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from inspector.base.numbers import beginning, frozen, same
from inspector.schema.resolve import Resolver

CHOICES = 10_000
"""Most members of an enum that become a choice; a longer one is free text, checked on sending."""
_ENUM_NAMES = ("enumNames", "x-enumNames", "x-enum-varnames")


@dataclass(frozen=True, slots=True)
class Choice:
    """One member of an enum: the exact value, and what a person sees. `position` is that of its branch, where the
    members are branches of a union."""

    value: Any
    title: str
    position: int | None = None


def kept_choices(resolver: Resolver, schema: dict[str, Any], members: list[Any]) -> tuple[Choice, ...]:
    """The same choices for the same enum: a long one may be referred to by thousands of fields."""
    names = next((schema[keyword] for keyword in _ENUM_NAMES if keyword in schema), None)
    key = id(members), id(names)
    if key not in resolver.kept:
        resolver.kept[key] = members, names, _titled(schema, members)
    choices: tuple[Choice, ...] = resolver.kept[key][2]
    return choices


def constant_choices(branches: list[tuple[dict[str, Any], Any, int]]) -> tuple[Choice, ...] | None:
    """The choices where every branch is a constant or an enum, as in `oneOf: [{const, title}]`."""
    choices: list[Choice] = []
    for branch, _, position in branches:
        if "properties" in branch:
            return None
        if "const" in branch:
            choices.append(Choice(branch["const"], title_of(branch, branch["const"]), position))
        elif isinstance(members := branch.get("enum"), list) and 0 < len(members) <= CHOICES:
            titled = _titled(branch, members)
            if len(members) == 1:
                titled = (Choice(members[0], title_of(branch, members[0])),)
            choices += (replace(choice, position=position) for choice in titled)
        else:
            return None
    return tuple(choices) if len(choices) <= CHOICES else None


def _titled(schema: dict[str, Any], members: list[Any]) -> tuple[Choice, ...]:
    for keyword in _ENUM_NAMES:
        names = schema.get(keyword)
        if isinstance(names, list) and len(names) == len(members):
            return tuple(
                Choice(value, name if isinstance(name, str) and name else spelled(value))
                for value, name in zip(members, names, strict=True)
            )
    return tuple(Choice(value, spelled(value)) for value in members)


def title_of(schema: dict[str, Any], value: Any) -> str:
    title = schema.get("title")
    return title if isinstance(title, str) and title else spelled(value)


def spelled(value: Any) -> str:
    """A value for people: a string as it is (quoted where it could pass for something else), the rest as JSON."""
    if isinstance(value, str):
        return (
            value
            if value.strip() and value not in ("null", "true", "false") and not _numeric(value)
            else f'"{value}"'
        )
    try:
        return beginning(value, 200)
    except ValueError as error:
        return str(error)


def _numeric(text: str) -> bool:
    return text[0] in "-0123456789" and text.replace(".", "").lstrip("-").isdigit()


def is_member(value: Any, choices: tuple[Choice, ...]) -> int | None:
    """The index of the choice with exactly this value."""
    return is_in(value, (choice.value for choice in choices))


def is_in(value: Any, values: Iterable[Any]) -> int | None:
    """The index of exactly this value among others."""
    return next((index for index, other in enumerate(values) if same(other, value)), None)


def members(values: Iterable[Any], choices: tuple[Choice, ...]) -> list[int | None]:
    """The same for many values at once."""
    indices: dict[Any, int] = {}
    for index, choice in enumerate(choices):
        indices.setdefault(frozen(choice.value), index)
    return [indices.get(frozen(value)) for value in values]
