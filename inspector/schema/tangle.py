"""Tells beforehand where checking a value could take for ever: branches that double with every level."""

from __future__ import annotations

from typing import Any, TypeAlias

from inspector.schema.references import REFERENCES, every_schema, references_of
from inspector.schema.resolve import Resolver

LIMIT = 500_000
"""Most times that schemas are applied to the parts of one value."""
_HERE = ("allOf", "anyOf", "oneOf")
_ALSO_HERE = ("not", "if", "then", "else")
_CHAIN = 200

_BELOW = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
          "additionalItems", "contains", "unevaluatedItems")  # fmt: skip

_Weights: TypeAlias = "dict[int, tuple[Any, int]]"
"""Schemas by identity, each with how often it is applied."""


def tangled(schema: Any, value: Any) -> bool:
    """True where checking the value would apply more than LIMIT schemas, counted without applying any."""
    if not isinstance(schema, dict) or not any(map(_may_multiply, every_schema(schema))):
        return False
    count = _Count(Resolver(schema))
    total = 0
    waiting: list[tuple[Any, _Weights]] = [(value, {id(schema): (schema, 1)})]
    while waiting:
        part, weights = waiting.pop()
        here: _Weights = {}
        for found, times in weights.values():
            closure = count.here(found)
            if closure is None:
                return True
            for inner, each in closure:
                _add(here, inner, times * each)
        total += 1 + sum(times for _, times in here.values())
        if total > LIMIT:
            return True
        if isinstance(part, dict | list):
            waiting.extend(_members(part, here))
    return False


def _may_multiply(schema: dict[str, Any]) -> bool:
    """True where two parts of a schema look into the same members of a value; only those can double the work."""
    if "patternProperties" in schema and _size(schema["patternProperties"]) + ("properties" in schema) > 1:
        return True
    looking = any(keyword in schema for keyword in _BELOW)
    parts = [schema[keyword] for keyword in _ALSO_HERE if keyword in schema]
    for keyword in _HERE:
        parts += schema[keyword] if isinstance(schema.get(keyword), list) else []
    parts += schema["dependentSchemas"].values() if isinstance(schema.get("dependentSchemas"), dict) else []
    deep = (*REFERENCES, *_BELOW, *_HERE, *_ALSO_HERE, "dependentSchemas")
    count = sum(1 for part in parts if isinstance(part, dict) and any(keyword in part for keyword in deep))
    count += sum(1 for keyword in REFERENCES if keyword in schema)
    return looking + count > 1


def _size(value: Any) -> int:
    return len(value) if isinstance(value, dict) else 0


def _members(value: Any, here: _Weights) -> list[tuple[Any, _Weights]]:
    """The parts of a value, each with the schemas that apply to it; parts that none applies to are left out."""
    members: list[tuple[Any, _Weights]] = []
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        weights: _Weights = {}
        for schema, times in here.values():
            for inner in _below(schema, key):
                _add(weights, inner, times)
        if weights:
            members.append((part, weights))
    return members


def _add(weights: _Weights, schema: Any, times: int) -> None:
    weights[id(schema)] = (schema, min(weights.get(id(schema), (schema, 0))[1] + times, LIMIT + 1))


class _Count:
    """How often each schema applies to the same value as one schema does, by references and branches."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._known: dict[int, list[tuple[dict[str, Any], int]] | None] = {}
        self._busy: set[int] = set()

    def here(self, schema: Any) -> list[tuple[dict[str, Any], int]] | None:
        """The schema and all that apply beside it, with how often; None where that is beyond the limit."""
        key = id(schema)
        if key in self._known:
            return self._known[key]
        if key in self._busy or len(self._busy) > _CHAIN:
            return []
        self._busy.add(key)
        times: dict[int, tuple[dict[str, Any], int]] = {}
        result: list[tuple[dict[str, Any], int]] | None = None
        if isinstance(schema, dict):
            times[key] = (schema, 1)
            for part in self._parts(schema):
                inner = self.here(part)
                if inner is None:
                    times = {}
                    break
                for found, each in inner:
                    before = times.get(id(found), (found, 0))[1]
                    times[id(found)] = (found, before + each)
            total = sum(each for _, each in times.values())
            result = list(times.values()) if times and total <= LIMIT else None
        else:
            result = []
        self._busy.discard(key)
        self._known[key] = result
        return result

    def _parts(self, schema: dict[str, Any]) -> list[Any]:
        parts = [schema[keyword] for keyword in _ALSO_HERE if isinstance(schema.get(keyword), dict)]
        for keyword in _HERE:
            if isinstance(several := schema.get(keyword), list):
                parts += [part for part in several if isinstance(part, dict)]
        if isinstance(several := schema.get("dependentSchemas"), dict):
            parts += [part for part in several.values() if isinstance(part, dict)]
        for keyword, name in references_of(schema):
            found, target = self._resolver.look_up(name, schema, keyword)
            if found and isinstance(target, dict):
                parts.append(target)
        return parts


def _below(schema: dict[str, Any], key: str | int) -> list[dict[str, Any]]:
    """The schemas that a schema applies to one member or item of a value."""
    if isinstance(key, str):
        named = schema.get("properties")
        found = [named[key]] if isinstance(named, dict) and key in named else []
        patterns = schema.get("patternProperties")
        found += patterns.values() if isinstance(patterns, dict) else ()
        found += [schema.get(keyword) for keyword in ("additionalProperties", "unevaluatedProperties")]
    else:
        found = [
            schema.get(keyword) for keyword in ("items", "additionalItems", "contains", "unevaluatedItems")
        ]
        for keyword in ("items", "prefixItems"):
            rows = schema.get(keyword)
            if isinstance(rows, list) and key < len(rows):
                found.append(rows[key])
    return [part for part in found if isinstance(part, dict)]
