"""Follows local references and merges `allOf`, one schema at a time and only when asked.

Nothing is expanded ahead, so that cycles cost nothing. What cannot be followed is a problem on a list, never an
exception: the schema then counts as if the reference were not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias
from urllib.parse import unquote, urljoin

from inspector.base.jsonptr import tokens
from inspector.base.numbers import same

Resolved: TypeAlias = "dict[str, Any] | bool"

CHAIN = 64
"""Longest chain of references, deepest nesting of `allOf`."""
PARTS = 200
"""Most schemas that one is merged from."""
PROBLEMS = 50

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
DATA = ("enum", "const", "default", "examples", "example")


def subschemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas directly inside of a schema, found by position and never by the name of a property."""
    for keyword, value in schema.items():
        if keyword in DATA:
            continue
        if keyword in MAPS and isinstance(value, dict):
            yield from (part for part in value.values() if isinstance(part, dict))
        elif isinstance(value, dict):
            yield value
        elif isinstance(value, list):
            yield from (part for part in value if isinstance(part, dict))


def every_schema(root: Any, most: int = 50_000) -> Iterator[dict[str, Any]]:
    """The root and the schemas inside it, at most so many; each object once."""
    seen: set[int] = set()
    waiting = [root] if isinstance(root, dict) else []
    while waiting and len(seen) < most:
        schema = waiting.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            yield schema
            waiting.extend(subschemas(schema))


class Resolver:
    """Reads the schemas of one root. `problems` collects what could not be followed, each thing once."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.problems: list[str] = []
        self.kept: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
        """What was made of parts of the schema that are used again and again; for whoever reads it with this."""
        self._named: dict[str, dict[str, Any]] | None = None
        self._steps = 0

    def problem(self, text: str) -> None:
        if text not in self.problems and len(self.problems) < PROBLEMS:
            self.problems.append(text)

    def resolve(self, schema: Any) -> Resolved:
        """The schema with its references followed, siblings of `$ref` kept, and `allOf` merged in; a new object.

        Anything that is no schema counts as one that allows everything.
        """
        parts: list[Resolved] = []
        self._steps = 0
        self._collect(schema, parts, (), 0)
        merged: Resolved = True
        for part in parts:
            merged = _merge(merged, part)
        return dict(merged) if isinstance(merged, dict) else merged

    def target(self, schema: Any) -> Any:
        """Where the references of a schema end; the schema itself if it has none. Tells recursion from nesting."""
        for _ in range(CHAIN):
            reference = _reference(schema)
            if reference is None:
                break
            found, target = self.look_up(reference)
            if not found:
                break
            schema = target
        return schema

    def look_up(self, reference: str) -> tuple[bool, Any]:
        """Whether a reference leads somewhere in this document, and where."""
        base, hash_sign, fragment = reference.partition("#")
        start = self.root
        if base and base != self._base():
            start = self._names().get(_join(self._base(), base), self._names().get(base))
            if start is None:
                return False, None
        fragment = unquote(fragment, errors="replace") if hash_sign else ""
        if fragment and not fragment.startswith("/"):
            anchored = self._names().get(f"#{fragment}")
            return anchored is not None, anchored
        return _walk(start, tokens(fragment))

    def _base(self) -> str:
        name = self.root.get("$id", self.root.get("id")) if isinstance(self.root, dict) else None
        return name.rstrip("#") if isinstance(name, str) else ""

    def _names(self) -> dict[str, dict[str, Any]]:
        """Every `$anchor` (with a leading #) and `$id` of the document."""
        if self._named is None:
            self._named = {}
            for schema in every_schema(self.root):
                for keyword in ("$anchor", "$dynamicAnchor"):
                    if isinstance(name := schema.get(keyword), str):
                        self._named.setdefault(f"#{name}", schema)
                for keyword in ("$id", "id"):
                    if isinstance(name := schema.get(keyword), str) and name:
                        if name.startswith("#"):
                            self._named.setdefault(name, schema)
                        else:
                            self._named.setdefault(_join(self._base(), name), schema)
        return self._named

    def _collect(self, schema: Any, parts: list[Resolved], chain: tuple[int, ...], depth: int) -> None:
        if isinstance(schema, bool):
            parts.append(schema)
            return
        if not isinstance(schema, dict):
            names = {list: "a list", str: "a text", type(None): "null"}
            self.problem(f"{names.get(type(schema), 'a number')} where a schema was expected")
            return
        if id(schema) in chain:
            self.problem("a reference that leads back to itself without saying anything")
            return
        self._steps += 1
        if depth > CHAIN or self._steps > PARTS:
            self.problem("references or allOf nested too deeply; the rest is left out")
            return
        chain = (*chain, id(schema))
        rest = {key: value for key, value in schema.items() if key not in _REFERENCES and key != "allOf"}
        if rest:
            parts.append(rest)
        reference = _reference(schema)
        if reference is not None:
            found, target = self.look_up(reference)
            if found:
                self._collect(target, parts, chain, depth + 1)
            else:
                local = reference.startswith("#")
                self.problem(
                    f"{reference} leads nowhere"
                    if local
                    else f"{reference} is not in this schema; not fetched"
                )
        several = schema.get("allOf")
        for part in several if isinstance(several, list) else ():
            self._collect(part, parts, chain, depth + 1)


def _reference(schema: Any) -> str | None:
    if isinstance(schema, dict):
        for keyword in _REFERENCES:
            if isinstance(value := schema.get(keyword), str):
                return value
    return None


def _join(base: str, name: str) -> str:
    try:
        return urljoin(base, name).rstrip("#")
    except ValueError:
        return name


def _walk(start: Any, path: list[str]) -> tuple[bool, Any]:
    here = start
    for token in path:
        if isinstance(here, dict) and token in here:
            here = here[token]
        elif isinstance(here, list) and token.isascii() and token.isdigit() and int(token) < len(here):
            here = here[int(token)]
        else:
            return False, None
    return isinstance(here, dict | bool), here


def _merge(left: Resolved, right: Resolved) -> Resolved:
    """Both schemas as one. Where two keywords cannot be one, the first stays and the second goes to `allOf`."""
    if left is True or right is False:
        return right
    if right is True or left is False:
        return left
    assert isinstance(left, dict) and isinstance(right, dict)
    merged = dict(left)
    if "if" in left and "if" in right:
        # A condition and what follows from it are one thing.
        apart = {keyword: right[keyword] for keyword in _CONDITION if keyword in right}
        right = {keyword: value for keyword, value in right.items() if keyword not in _CONDITION}
        if not same(apart, {keyword: left[keyword] for keyword in _CONDITION if keyword in left}):
            merged["allOf"] = [*merged.get("allOf", ()), apart]
    elif "if" not in left and "if" in right:
        merged = {keyword: value for keyword, value in merged.items() if keyword not in ("then", "else")}
    elif "if" in left:
        right = {keyword: value for keyword, value in right.items() if keyword not in ("then", "else")}
    for keyword, value in right.items():
        if keyword not in merged:
            merged[keyword] = value
            continue
        ours = merged[keyword]
        if same(ours, value):
            continue
        both = _together(keyword, ours, value)
        if both is not None:
            merged[keyword] = both
        elif keyword not in _ANNOTATIONS:
            merged["allOf"] = [*merged.get("allOf", ()), {keyword: value}]
    return merged


_CONDITION = ("if", "then", "else")
_ANNOTATIONS = ("title", "description", "default", "examples", "$comment", "$id", "$schema", "deprecated")
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def _together(keyword: str, ours: Any, theirs: Any) -> Any:
    if keyword in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
        if isinstance(ours, dict) and isinstance(theirs, dict):
            both = dict(ours)
            for name, part in theirs.items():
                both[name] = (
                    {"allOf": [ours[name], part]} if name in ours and not same(ours[name], part) else part
                )
            return both
    elif keyword == "required" and isinstance(ours, list) and isinstance(theirs, list):
        return [*ours, *(name for name in theirs if name not in ours)]
    elif keyword == "enum" and isinstance(ours, list) and isinstance(theirs, list):
        return [value for value in ours if any(same(value, other) for other in theirs)]
    elif keyword == "type":
        return _common_types(ours, theirs)
    elif keyword in _HIGHEST + _LOWEST and _is_number(ours) and _is_number(theirs):
        return max(ours, theirs) if keyword in _HIGHEST else min(ours, theirs)
    elif (
        keyword in ("items", "additionalProperties")
        and isinstance(ours, dict | bool)
        and isinstance(theirs, dict | bool)
    ):
        return False if ours is False or theirs is False else {"allOf": [ours, theirs]}
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _common_types(ours: Any, theirs: Any) -> Any:
    left = ours if isinstance(ours, list) else [ours]
    right = theirs if isinstance(theirs, list) else [theirs]
    common = [kind for kind in left if kind in right or (kind == "integer" and "number" in right)]
    common += [kind for kind in right if kind == "integer" and "number" in left and kind not in common]
    if not common:
        return None
    return common[0] if len(common) == 1 else common
