"""Several schemas that all hold, as one: what `allOf` and the siblings of a reference come to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from inspector.base.numbers import frozen, same
from inspector.schema.references import MAPS

Resolved: TypeAlias = "dict[str, Any] | bool"

_CONDITION = ("if", "then", "else")
_ANNOTATIONS = ("title", "description", "default", "examples", "$comment", "$id", "$schema", "deprecated")
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def merged(parts: Iterable[Resolved]) -> Resolved:
    """A new schema that asks for what all of them ask for, in time that grows with their size only. Where two keywords
    cannot be one, the first stays and the others go to `allOf`."""
    schemas: list[dict[str, Any]] = []
    for part in parts:
        if part is False:
            return False
        if isinstance(part, dict):
            schemas.append(part)
    if len(schemas) < 2:
        return dict(schemas[0]) if schemas else True
    values: dict[str, list[Any]] = {}
    conditions: list[dict[str, Any]] = []
    for schema in schemas:
        # A condition and what follows from it are one thing.
        if "if" in schema:
            conditions.append({keyword: schema[keyword] for keyword in _CONDITION if keyword in schema})
        for keyword, value in schema.items():
            if keyword not in _CONDITION:
                values.setdefault(keyword, []).append(value)
    whole: dict[str, Any] = {}
    apart: list[dict[str, Any]] = []
    for keyword, several in values.items():
        whole[keyword], left = _together(keyword, several)
        apart += [{keyword: value} for value in left]
    if conditions:
        whole.update(conditions[0])
        apart += [condition for condition in conditions[1:] if not same(condition, conditions[0])]
    if apart:
        whole["allOf"] = apart
    return whole


def _together(keyword: str, values: list[Any]) -> tuple[Any, list[Any]]:
    """One value for a keyword, and those that stay apart from it."""
    first = values[0]
    if len(values) == 1:
        return first, []
    if keyword in MAPS and all(isinstance(value, dict) for value in values):
        return _members(values), []
    if keyword == "required" and all(isinstance(value, list) for value in values):
        return list(dict.fromkeys(name for value in values for name in value if isinstance(name, str))), []
    if keyword == "enum" and all(isinstance(value, list) for value in values):
        return _common(values), []
    if keyword == "type":
        return _types(values)
    if keyword in _HIGHEST + _LOWEST and all(map(_is_number, values)):
        return (max if keyword in _HIGHEST else min)(values), []
    if keyword in ("items", "additionalProperties") and all(
        isinstance(value, dict | bool) for value in values
    ):
        return (False if False in values else _both([value for value in values if value is not True])), []
    left = [value for value in values[1:] if not same(first, value)]
    return first, [] if keyword in _ANNOTATIONS else left


def _members(values: list[dict[str, Any]]) -> dict[str, Any]:
    by_name: dict[str, list[Any]] = {}
    for value in values:
        for name, part in value.items():
            found = by_name.setdefault(name, [])
            if not found or not same(found[0], part):
                found.append(part)
    return {name: _both(found) for name, found in by_name.items()}


def _both(schemas: list[Any]) -> Any:
    if len(schemas) < 2:
        return schemas[0] if schemas else True
    parts: list[Any] = []
    for schema in schemas:
        inner = schema.get("allOf") if isinstance(schema, dict) and len(schema) == 1 else None
        parts += inner if isinstance(inner, list) else [schema]
    return {"allOf": parts}


def _common(values: list[list[Any]]) -> list[Any]:
    kept = values[0]
    for other in values[1:]:
        members = set(map(frozen, other))
        kept = [value for value in kept if frozen(value) in members]
    return kept


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _types(values: list[Any]) -> tuple[Any, list[Any]]:
    kept, left = values[0], []
    for value in values[1:]:
        common = kept if same(kept, value) else _common_types(kept, value)
        if common is None:
            left.append(value)
        else:
            kept = common
    return kept, left


def _common_types(ours: Any, theirs: Any) -> Any:
    left = ours if isinstance(ours, list) else [ours]
    right = theirs if isinstance(theirs, list) else [theirs]
    common = [kind for kind in left if kind in right or (kind == "integer" and "number" in right)]
    common += [kind for kind in right if kind == "integer" and "number" in left and kind not in common]
    if not common:
        return None
    return common[0] if len(common) == 1 else common
