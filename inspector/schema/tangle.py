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

_LEADING_ON = frozenset((*REFERENCES, *_BELOW, *_HERE, *_ALSO_HERE, "dependentSchemas"))

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
    patterns = schema.get("patternProperties")
    if isinstance(patterns, dict) and sum(map(_looks_on, patterns.values())) + ("properties" in schema) > 1:
        return True
    looking = any(keyword in schema for keyword in _BELOW)
    parts = [schema[keyword] for keyword in _ALSO_HERE if keyword in schema]
    for keyword in _HERE:
        parts += schema[keyword] if isinstance(schema.get(keyword), list) else []
    parts += schema["dependentSchemas"].values() if isinstance(schema.get("dependentSchemas"), dict) else []
    count = sum(map(_looks_on, parts))
    count += sum(1 for keyword in REFERENCES if keyword in schema)
    return looking + count > 1


def _looks_on(schema: Any) -> bool:
    """Whether a schema applies others, to the same value or to what is in it. One that does not is as good as free."""
    return isinstance(schema, dict) and not _LEADING_ON.isdisjoint(schema)


def _members(value: Any, here: _Weights) -> list[tuple[Any, _Weights]]:
    """The parts of a value, each with the schemas that apply to it; parts that none applies to are left out."""
    found: dict[Any, _Weights] = {}
    for schema, times in here.values():
        named, others = _below_object(schema) if isinstance(value, dict) else _below_list(schema)
        keys: Any = range(len(value)) if isinstance(value, list) else value
        for key in named if len(named) < len(value) else keys:
            if key in named and key in keys and isinstance(named[key], dict):
                _add(found.setdefault(key, {}), named[key], times)
        for inner in others:
            if _looks_on(inner):
                for key in keys:
                    _add(found.setdefault(key, {}), inner, times)
    return [(value[key], weights) for key, weights in found.items()]


def _below_object(schema: dict[str, Any]) -> tuple[dict[Any, Any], list[Any]]:
    """The schemas for members of an object: by name, and those for members of any name."""
    named, patterns = schema.get("properties"), schema.get("patternProperties")
    others = [schema.get(keyword) for keyword in ("additionalProperties", "unevaluatedProperties")]
    others += patterns.values() if isinstance(patterns, dict) else ()
    return named if isinstance(named, dict) else {}, others


def _below_list(schema: dict[str, Any]) -> tuple[dict[Any, Any], list[Any]]:
    """The schemas for items of a list: by index, and those for items at any index."""
    named: dict[Any, Any] = {}
    for keyword in ("items", "prefixItems"):
        if isinstance(rows := schema.get(keyword), list):
            named.update(enumerate(rows))
    others = [schema.get(keyword) for keyword in ("items", "additionalItems", "contains", "unevaluatedItems")]
    return named, others


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
