"""Rewrites a schema so that a strict validator takes it: only what it would refuse, and each change is noted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from inspector.base.patterns import pattern
from inspector.base.text import clip
from inspector.schema.references import DATA, MAPS, REFERENCES, every_schema, references_of
from inspector.schema.resolve import Resolver

_TYPES = ("string", "number", "integer", "boolean", "null", "object", "array")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains",
           "maxContains")  # fmt: skip
_NUMBERS = ("minimum", "maximum", "multipleOf")
_SCHEMAS = ("items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains",
            "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema")  # fmt: skip
_TEXTS = ("format", "contentEncoding", "contentMediaType", "$comment", "title", "description", "$anchor", "$id", "id",
          "$dynamicAnchor")  # fmt: skip
_TUPLES_IN_ITEMS = ("draft-04", "draft-06", "draft-07", "2019-09")
_IDENTIFIERS = ("$id", "id", "$anchor", "$dynamicAnchor")
_HALVES = pattern("[\ud800-\udfff]")
LONGEST = 14_000
"""Bits of the largest integer that the validator takes."""
NODES = 50_000


def needs_nullable(schema: Any) -> bool:
    """True where `nullable: true` is used, which JSON Schema does not know."""
    return any(part.get("nullable") is True for part in every_schema(schema))


def repaired(
    schema: Any, notes: list[str], pattern_works: Callable[[str], bool], *, strict: bool, names: bool = True
) -> Any:
    """The schema with `nullable` spelled out and, where strict, without what no validator takes; without `names` also
    without identifiers and anchors, and without the references to them. Adds to `notes`."""
    return _Repair(Resolver(schema), notes, pattern_works, strict, names).schema(schema)


class _Repair:
    def __init__(
        self,
        resolver: Resolver,
        notes: list[str],
        pattern_works: Callable[[str], bool],
        strict: bool,
        names: bool,
    ) -> None:
        self._resolver = resolver
        self._notes = notes
        self._pattern_works = pattern_works
        self._strict = strict
        self._names = names
        self._left = NODES

    def _note(self, text: str) -> None:
        if text not in self._notes and len(self._notes) < 20:
            self._notes.append(text)

    def schema(self, schema: Any) -> Any:
        self._left -= 1
        if isinstance(schema, bool) or self._left < 0:
            return schema if isinstance(schema, bool) else True
        if not isinstance(schema, dict):
            self._note("not checked where the schema is no schema")
            return True
        fixed: dict[str, Any] = {}
        for keyword, value in schema.items():
            self._keyword(keyword, value, fixed, schema)
        if schema.get("nullable") is True:
            return {
                "anyOf": [fixed, {"type": "null"}],
                **{key: fixed[key] for key in ("$defs", "definitions") if key in fixed},
            }
        return fixed

    def _keyword(self, keyword: str, value: Any, fixed: dict[str, Any], schema: dict[str, Any]) -> None:
        if keyword in MAPS and isinstance(value, dict):
            fixed[keyword] = {
                name: self.schema(part)
                for name, part in value.items()
                if (keyword != "patternProperties" or self._pattern(name)) and self._sayable(name)
            }
        elif keyword in _LISTS and isinstance(value, list) and value:
            # Where a branch is not known, that another one fits says nothing of how many do.
            unknown = keyword == "oneOf" and "anyOf" not in schema and any(map(self._is_lost, value))
            fixed["anyOf" if self._strict and unknown else keyword] = [self.schema(part) for part in value]
        elif keyword == "items" and isinstance(value, list):
            fixed["prefixItems" if self._modern else "items"] = [self.schema(part) for part in value]
        elif keyword == "additionalItems" and self._modern and isinstance(schema.get("items"), list):
            if isinstance(value, dict | bool):
                fixed["items"] = self.schema(value)
        elif keyword in _SCHEMAS and isinstance(value, dict | bool):
            fixed[keyword] = self.schema(value)
        elif not self._strict or keyword in DATA:
            if (keyword != "enum" or (isinstance(value, list) and value)) and self._sayable(value):
                fixed[keyword] = value
        else:
            self._checked(keyword, value, fixed, schema)

    def _is_lost(self, schema: Any) -> bool:
        """Whether a schema refers to something that is not in the document."""
        return any(
            not self._resolver.look_up(reference, schema, keyword)[0]
            for keyword, reference in references_of(schema)
        )

    @property
    def _modern(self) -> bool:
        """True where lists in `items` are checked as `prefixItems`, for that is what they became."""
        root = self._resolver.root
        named = root.get("$schema") if isinstance(root, dict) else None
        return not (isinstance(named, str) and any(draft in named for draft in _TUPLES_IN_ITEMS))

    def _checked(self, keyword: str, value: Any, fixed: dict[str, Any], schema: dict[str, Any]) -> None:
        """Keeps a keyword only where its value is one that a validator takes."""
        number = isinstance(value, int | float) and not isinstance(value, bool) and self._sayable(value)
        keeps = isinstance(value, str) and (self._names or value == "#" or value.startswith("#/"))
        if keyword in REFERENCES:
            if keeps and self._resolver.look_up(value, schema)[0]:
                fixed[keyword] = value
            else:
                self._note(f"not checked: {clip(str(value), 100)} leads nowhere")
        elif keyword == "type":
            kinds = [kind for kind in (value if isinstance(value, list) else [value]) if kind in _TYPES]
            if kinds and len(kinds) == (len(value) if isinstance(value, list) else 1):
                fixed[keyword] = list(dict.fromkeys(kinds)) if isinstance(value, list) else value
            else:
                self._note(f"not checked: unknown type {clip(str(value), 60)}")
        elif keyword == "pattern":
            if self._pattern(value):
                fixed[keyword] = value
        elif keyword in ("exclusiveMinimum", "exclusiveMaximum"):
            self._exclusive(keyword, value, fixed, schema)
        elif keyword in _COUNTS:
            if number and value >= 0 and float(value).is_integer():
                fixed[keyword] = int(value)
        elif keyword in _NUMBERS:
            if number and (keyword != "multipleOf" or value > 0):
                fixed.setdefault(keyword, value)
        elif keyword == "required":
            if isinstance(value, list):
                fixed[keyword] = list(
                    dict.fromkeys(n for n in value if isinstance(n, str) and self._sayable(n))
                )
        elif keyword in ("uniqueItems", "deprecated", "readOnly", "writeOnly"):
            if isinstance(value, bool):
                fixed[keyword] = value
        elif keyword == "dependentRequired":
            if isinstance(value, dict) and all(isinstance(names, list) for names in value.values()):
                fixed[keyword] = value
        elif keyword in _TEXTS:
            if (
                isinstance(value, str)
                and self._sayable(value)
                and (self._names or keyword not in _IDENTIFIERS)
            ):
                fixed[keyword] = value
        elif keyword == "$schema":
            fixed[keyword] = value

    def _sayable(self, value: Any) -> bool:
        """Whether a value can be handed to the validator: no half of a character, no number without bounds."""
        if not self._strict:
            return True
        waiting = [value]
        while waiting:
            part = waiting.pop()
            if isinstance(part, dict):
                waiting += [*part, *part.values()]
            elif isinstance(part, list):
                waiting += part
            elif (isinstance(part, int) and part.bit_length() > LONGEST) or (
                isinstance(part, float) and not math.isfinite(part)
            ):
                self._note("not checked: a number that is too large")
                return False
            elif isinstance(part, str) and not part.isascii() and _HALVES.search(part):
                self._note("not checked: a text with half a character")
                return False
        return True

    def _pattern(self, pattern: Any) -> bool:
        if not self._strict:
            return True
        if isinstance(pattern, str) and self._pattern_works(pattern):
            return True
        self._note(f"not checked: the pattern {clip(str(pattern), 100)} cannot be read")
        return False

    def _exclusive(self, keyword: str, value: Any, fixed: dict[str, Any], schema: dict[str, Any]) -> None:
        bound = "minimum" if keyword == "exclusiveMinimum" else "maximum"
        if value is True and isinstance(schema.get(bound), int | float):
            fixed[keyword] = schema[bound]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            fixed[keyword] = value
