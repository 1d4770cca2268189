"""What PaiCLI makes of an input schema before a model sees it, letter for letter, and what is lost on the way.

Its sanitizer goes by names and not by meaning: a parameter that is called `anyOf`, and data in `default` or `enum`, are
rewritten as if they were schema. The report says so at each place. Rules are numbered as its steps are:
2.1 the outer step, 2.2 the walk, 2.3 the text for a union, 2.4 the description, 2.5 its length, 2.6 what stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from inspector.base.jsonptr import pointer
from inspector.lenses import jackson

Severity = Literal["info", "warning", "error"]
Role = Literal["schema", "schemas", "map", "data", "other"]
"""What a value is by its place: a schema, a list of them, a map of names to them, plain data, or of no known use."""

LONGEST = 1000
"""Most UTF-16 code units of a description."""
REPORTED = 1000

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_DATA = ("enum", "const", "default", "examples", "example")
_LISTS = ("allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains",
            "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema")  # fmt: skip


class Rewrite(NamedTuple):
    """One thing that was changed, at its place in the raw schema."""

    pointer: str
    rule: str
    severity: Severity
    message: str

    @property
    def by(self) -> str:
        """What has changed it: a rule, or the client where those have no numbers."""
        return f"rule {self.rule}" if self.rule[:1].isdigit() else self.rule


@dataclass(slots=True)
class Sanitized:
    """The schema that a model sees, and what became of the raw one, in the order of the document."""

    schema: Any
    report: list[Rewrite] = field(default_factory=list)

    @property
    def worst(self) -> Severity | None:
        """The highest severity in the report; None where nothing was changed."""
        found = {rewrite.severity for rewrite in self.report}
        return next((level for level in _SEVERITIES if level in found), None)


_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")

_Path: TypeAlias = "tuple[_Path, str | int] | None"
"""A place as the place above and the last step, so that a deep one costs no more than a flat one."""


class _Here(NamedTuple):
    """A value that is still to be cleaned: where its copy hangs, and what it is."""

    owner: Any
    key: str | int
    value: Any
    path: _Path
    role: Role
    data: str
    """The keyword whose data this is part of, if it is."""
    required: frozenset[str]
    """In a map of properties: the names that are required."""
    negated: _Path
    """The `not` around it."""


def sanitize(schema: Any, *, missing: bool = False) -> Sanitized:
    """Never raises, never changes `schema`, and takes any depth. `missing`: the tool has no inputSchema at all."""
    if missing or schema is None:
        said = "there is no inputSchema" if missing else "the inputSchema is null"
        made: dict[str, Any] = {"type": "object", "properties": {}}
        return Sanitized(
            made, [Rewrite("", "2.1.1", "info", f"{said}; an object without properties is made up")]
        )
    cleaner = _Cleaner()
    cleaned = cleaner.clean(schema)
    if not isinstance(cleaned, dict):
        cleaner.report.insert(0, Rewrite("", "2.1.3", "error", _wrapped(schema)))
        return Sanitized({"type": "object", "description": cleaned}, cleaner.report)
    for key, value in (("type", "object"), ("properties", {})):
        if key not in cleaned:
            cleaned[key] = value
            cleaner.note(None, "2.1.4", "info", f"{key} is added")
    return Sanitized(cleaned, cleaner.report)


def _wrapped(schema: Any) -> str:
    if isinstance(schema, bool):
        what = "a boolean schema"
        return f"{what} becomes an object whose description is {'true' if schema else 'false'}"
    return "the schema is no object; it becomes the description of one"


class _Cleaner:
    def __init__(self) -> None:
        self.report: list[Rewrite] = []
        self._erased = False
        self._definitions: list[tuple[_Path, str]] = []
        self._inverted: dict[int, _Path] = {}
        self._waiting: list[_Here] = []

    def note(self, path: _Path, rule: str, severity: Severity, message: str) -> None:
        if len(self.report) < REPORTED:
            self.report.append(Rewrite(_pointer(path), rule, severity, message))
        elif len(self.report) == REPORTED:
            self.report.append(
                Rewrite("", rule, "warning", f"more than {REPORTED} rewrites; the rest is not listed")
            )

    def clean(self, schema: Any) -> Any:
        """The walk. Parts that wait lie on a list of ours, so that depth does not matter."""
        holder: list[Any] = [None]
        self._waiting = [_Here(holder, 0, schema, None, "schema", "", frozenset(), None)]
        while self._waiting:
            here = self._waiting.pop()
            before = len(self._waiting)
            if isinstance(here.value, dict):
                here.owner[here.key] = self._object(here)
            elif isinstance(here.value, list):
                here.owner[here.key] = self._list(here)
            else:
                here.owner[here.key] = jackson.number(here.value)
            # What was put there last comes first; the report is to follow the document.
            self._waiting[before:] = self._waiting[before:][::-1]
        if self._erased:
            for path, keyword in self._definitions:
                self.note(path, "2.6", "warning", f"{keyword} stays, though nothing points at it any more")
        return holder[0]

    def _list(self, here: _Here) -> list[Any]:
        items: list[Any] = [None] * len(here.value)
        role: Role = {"schemas": "schema", "schema": "other"}.get(here.role, here.role)  # type: ignore[assignment]
        for index, item in enumerate(here.value):
            if isinstance(item, dict | list):
                self._later(here, items, index, item, role)
            else:
                items[index] = jackson.number(item)
        return items

    def _later(
        self, above: _Here, owner: Any, key: str | int, value: Any, role: Role, data: str = ""
    ) -> None:
        path = (above.path, key)
        required: frozenset[str] = frozenset()
        negated = above.negated
        if above.role == "schema" and isinstance(above.value, dict):
            if key == "properties" and isinstance(names := above.value.get("required"), list):
                required = frozenset(name for name in names if isinstance(name, str))
            if key == "not":
                negated = path
        self._waiting.append(_Here(owner, key, value, path, role, data or above.data, required, negated))

    def _object(self, here: _Here) -> dict[str, Any]:
        members: dict[str, Any] = dict(here.value)
        for keyword in ("$schema", "$id", "$ref"):
            if keyword in members:
                del members[keyword]
                self._deleted(here, keyword)
        fragments = []
        for keyword in ("anyOf", "oneOf"):
            if keyword not in members:
                continue
            several = members.pop(keyword)
            if isinstance(several, list):
                fragments.append(_fragment(keyword, several))
                self._flattened(here, keyword, several)
            else:
                self._deleted(here, keyword)
        if fragments:
            self._forced(here, members)
            members["type"] = "object"
            members["description"] = self._merged(here, members, "; ".join(fragments))
        for key, value in members.items():
            if key == "description" and isinstance(value, str):
                members[key] = self._cut(here, value)
            elif isinstance(value, dict | list):
                role, data = _role_of(here, key, value)
                if role == "map" and key in ("$defs", "definitions"):
                    self._definitions.append(((here.path, key), key))
                self._later(here, members, key, value, role, data)
            else:
                members[key] = jackson.number(value)
        return members

    def _deleted(self, here: _Here, keyword: str) -> None:
        path = (here.path, keyword)
        if here.role == "map":
            severity: Severity = "error" if keyword in here.required else "warning"
            still = ", which required still lists" if keyword in here.required else ""
            self.note(path, _rule(keyword), severity, f"the property {keyword} is deleted{still}")
        elif here.role == "data":
            self.note(
                path, _rule(keyword), "error", f"{here.data} is altered: its member {keyword} is deleted"
            )
        elif keyword == "$ref":
            self._erased = True
            self.note(path, "2.2.1", "warning", f"the reference {_told(here.value[keyword])} is erased")
            self._inverts(here)
        elif keyword in ("$schema", "$id"):
            self.note(path, "2.2.1", "info", f"{keyword} is removed")
        else:
            self.note(path, "2.2.2", "warning", f"{keyword} is no list and is dropped")

    def _flattened(self, here: _Here, keyword: str, several: list[Any]) -> None:
        path = (here.path, keyword)
        count = f"{len(several)} alternative" + ("" if len(several) == 1 else "s")
        if here.role == "data":
            self.note(
                path, "2.2.2", "error", f"{here.data} is altered: its member {keyword} becomes a description"
            )
        elif here.role == "map":
            required = keyword in here.required
            self.note(
                path, "2.2.2", "error" if required else "warning",
                f"the property {keyword} becomes two others, type and description",
            )  # fmt: skip
        else:
            self.note(path, "2.3", "warning", f"{count} of {keyword} become text in the description")
            self._erased = self._erased or any(isinstance(part, dict) and "$ref" in part for part in several)
            self._inverts(here)

    def _inverts(self, here: _Here) -> None:
        if here.negated is not None and id(here.negated) not in self._inverted:
            self._inverted[id(here.negated)] = here.negated
            self.note(here.negated, "2.6", "error", "what not forbids is another thing than before")

    def _forced(self, here: _Here, members: dict[str, Any]) -> None:
        if here.role in ("schema", "other") and members.get("type") != "object":
            before = f"{_told(members['type'])} before" if "type" in members else "there was none"
            self.note((here.path, "type"), "2.2.3", "warning", f"type is forced to object; {before}")

    def _merged(self, here: _Here, members: dict[str, Any], fragments: str) -> str:
        old = members.get("description")
        if isinstance(old, dict | list):
            self.note(
                (here.path, "description"), "2.4", "warning", "the description is no text and is replaced"
            )
            return fragments
        text = "" if old is None else jackson.scalar(old)
        if jackson.is_blank(text):
            return fragments
        if here.role == "schema":
            self.note(
                (here.path, "description"), "2.4", "info", "the alternatives are appended to the description"
            )
        return f"{text} ({fragments})"

    def _cut(self, here: _Here, text: str) -> str:
        if len(text) <= LONGEST // 2 or (length := jackson.units(text)) <= LONGEST:
            return text
        first = jackson.first_units(text, LONGEST)
        path = (here.path, "description")
        altered = here.role == "data"
        self.note(
            path, "2.5", "error" if altered else "warning",
            f"the description is cut after {LONGEST} of {length} characters"
            if not altered else f"{here.data} is altered: its member description is cut",
        )  # fmt: skip
        if "\ud800" <= first[-1] <= "\udbff":
            self.note(path, "2.5", "error", "the cut splits a character in two; half of it is left")
        return first + "..."


def _rule(keyword: str) -> str:
    return "2.2.2" if keyword in ("anyOf", "oneOf") else "2.2.1"


def _role_of(here: _Here, key: str, value: Any) -> tuple[Role, str]:
    """What a member is by its place, and the keyword whose data it is."""
    if here.role == "map":
        return ("schema" if isinstance(value, dict) else "other"), ""
    if here.role != "schema":
        return here.role, here.data
    if key in _DATA:
        return "data", key
    if key in _MAPS:
        return ("map" if isinstance(value, dict) else "other"), ""
    if key in _LISTS or (key == "items" and isinstance(value, list)):
        return "schemas", ""
    return ("schema" if key in _SCHEMAS else "other"), ""


def _fragment(keyword: str, several: list[Any]) -> str:
    """What the description says of a union."""
    return f"{keyword} options: {', '.join(map(_alternative, several))}"


def _alternative(part: Any) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind is None:
        return jackson.compact(part)
    return "" if isinstance(kind, dict | list) else jackson.scalar(kind)


def _told(value: Any) -> str:
    from inspector.base.text import clip

    return value if isinstance(value, str) and len(value) < 80 else clip(jackson.compact(value), 80)


def _pointer(path: _Path) -> str:
    return pointer(reversed(list(_steps(path))))


def _steps(path: _Path) -> Iterator[str | int]:
    while path is not None:
        path, step = path
        yield step
