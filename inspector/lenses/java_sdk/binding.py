"""Values as Jackson binds them to the records of the Java SDK: what is taken, dropped or refused, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from inspector.base import numbers
from inspector.base.jsonptr import pointer
from inspector.lenses import jackson
from inspector.protocol.listing import json_type

Severity = Literal["info", "warning", "error"]

_HARMLESS = frozenset(
    {"title", "description", "icons", "size", "lastModified", "websiteUrl", "execution", "default", "examples",
     "$schema", "$id", "$comment", "$anchor"}
)  # fmt: skip
"""Members without which a program knows less to show, and nothing else less."""


class Remark(NamedTuple):
    """What becomes of one place: `message` goes on where its name ends. Where one is an error, Jackson throws, and the
    whole message is lost."""

    pointer: str
    severity: Severity
    message: str


class Bound(NamedTuple):
    """`value` is what the program of that client gets; it means nothing where anything was refused."""

    value: Any
    remarks: list[Remark]

    @property
    def refused(self) -> list[Remark]:
        return [remark for remark in self.remarks if remark.severity == "error"]


Scalar = Literal["text", "boolean", "decimal", "int", "long", "anything", "object"]


@dataclass(frozen=True, slots=True)
class Each:
    """A list."""

    of: Type


@dataclass(frozen=True, slots=True)
class OneOf:
    """An enumeration. Jackson takes the place of a constant for it as well. With `forgiving` what is not known is
    read as if it were absent."""

    names: Sequence[str]
    forgiving: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """`strict` records refuse members that they do not have. `filled` members must be there, and not blank where they
    are texts."""

    members: Mapping[str, Type]
    strict: bool = False
    filled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tagged:
    """One of several records, told apart by a member that holds its tag; `otherwise` is the tag where there is none of
    these."""

    member: str
    records: Mapping[str, Record]
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Deduced:
    """One of several records, told apart by the first member that only one of them has."""

    records: Mapping[str, Record]


Type: TypeAlias = Scalar | Each | OneOf | Record | Tagged | Deduced

_EXPECTED = {
    "text": "a text", "boolean": "true or false", "decimal": "a number", "int": "a whole number of 32 bits",
    "long": "a whole number of 64 bits", "object": "an object",
}  # fmt: skip


def bind(value: Any, to: Type) -> Bound:
    """Never raises. The remarks are in the order of the document."""
    binder = _Binder()
    return Bound(binder.bind(value, to, ()), binder.remarks)


_Path: TypeAlias = tuple[str | int, ...]


class _Binder:
    """Goes no deeper than the types do."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []

    def refuse(self, path: _Path, message: str) -> None:
        self.remarks.append(Remark(pointer(path), "error", message))

    def bind(self, value: Any, to: Type, path: _Path) -> Any:
        if value is None:
            return None
        if isinstance(to, str):
            return self._scalar(value, to, path)
        if isinstance(to, OneOf):
            return self._constant(value, to, path)
        if isinstance(to, Each):
            if isinstance(value, list):
                return [self.bind(item, to.of, (*path, place)) for place, item in enumerate(value)]
            return self._other(value, "a list", path)
        if not isinstance(value, dict):
            return self._other(value, "an object", path)
        if isinstance(to, Tagged):
            return self._tagged(value, to, path)
        if isinstance(to, Deduced):
            return self._deduced(value, to, path)
        return self._record(value, to, path)

    def _other(self, value: Any, expected: str, path: _Path) -> Any:
        self.refuse(path, f"is {_told(value)}, and it takes {expected} only")

    def _scalar(self, value: Any, to: Scalar, path: _Path) -> Any:
        if to == "anything":
            return value
        if to == "object":
            return value if isinstance(value, dict) else self._other(value, _EXPECTED[to], path)
        try:
            return jackson.coerced(value, to)
        except jackson.Refused:
            return self._other(value, _EXPECTED[to], path)

    def _constant(self, value: Any, to: OneOf, path: _Path) -> Any:
        if to.forgiving:
            if isinstance(value, dict | list):
                return self._other(value, "a text", path)
            said = jackson.scalar(value).lower()
            return said if said in to.names else None
        places = {str(place): name for place, name in enumerate(to.names)}
        given = value.strip() if isinstance(value, str) else str(value)
        if not isinstance(value, bool | float) and (given in to.names or given in places):
            return places.get(given, given)
        shown = numbers.brief(value, 40)
        self.refuse(path, f"is {shown}, which is none of {', '.join(to.names)}")
        return None

    def _record(self, value: dict[str, Any], to: Record, path: _Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, member in value.items():
            kind = to.members.get(name)
            if kind is not None:
                found[name] = self.bind(member, kind, (*path, name))
            elif to.strict:
                self.refuse(
                    (*path, name),
                    "is a member that it does not know, and here it takes no such",
                )
            else:
                severity: Severity = (
                    "info" if name in _HARMLESS or name.startswith(("_", "x-")) else "warning"
                )
                self.remarks.append(Remark(pointer((*path, name)), severity, "is dropped"))
        for name in to.members:
            if name in to.filled and (
                found.get(name) is None or (isinstance(found[name], str) and jackson.is_blank(found[name]))
            ):
                what = "is blank" if value.get(name) is not None else "is missing"
                self.refuse((*path, name), f"{what}, and it takes no such entry")
        return found

    def _tagged(self, value: dict[str, Any], to: Tagged, path: _Path) -> Any:
        tag = value.get(to.member)
        said = jackson.scalar(tag) if tag is not None and not isinstance(tag, dict | list) else ""
        record = to.records.get(said) or to.records.get(to.otherwise)
        if record is None:
            known = ", ".join(to.records)
            if to.member in value:
                self.refuse((*path, to.member), f"is {numbers.brief(tag, 40)}, and it knows {known} only")
            else:
                self.refuse(path, f"has no {to.member}, and it takes no such entry")
            return None
        rest = {name: member for name, member in value.items() if name != to.member}
        return {to.member: tag, **self._record(rest, record, path)}

    def _deduced(self, value: dict[str, Any], to: Deduced, path: _Path) -> Any:
        for name in value:
            if name in to.records:
                return self._record(value, to.records[name], path)
        self.refuse(path, f"has neither {' nor '.join(to.records)}, and it takes no such entry")
        return None


def _told(value: Any) -> str:
    """What a value is, and what it says where that is short."""
    if isinstance(value, dict | list):
        return json_type(value)
    return f"{json_type(value)} {numbers.brief(value, 40)}"
