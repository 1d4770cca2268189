"""Finds what a reference names inside of one schema document: by pointer, anchor or identifier, never by fetching."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urljoin

from inspector.base.jsonptr import tokens

MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
DATA = ("enum", "const", "default", "examples", "example")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_OLD = ("draft-03", "draft-04")
"""Drafts in which `id` is what `$id` is in the others."""


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


def references_of(schema: Any) -> list[tuple[str, str]]:
    """The references of a schema, each with its keyword."""
    if not isinstance(schema, dict):
        return []
    return [(keyword, schema[keyword]) for keyword in REFERENCES if isinstance(schema.get(keyword), str)]


class References:
    """The names in one document. Nothing is read before the first look-up.

    A schema with an identifier is a resource of its own, and references inside of it start there (JSON Schema Core
    2020-12, 8.2). Many generators write identifiers and still mean the root; so where a resource has nothing under a
    reference, the root is asked.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._home = ""
        self._surveyed = False
        self._bases: dict[int, str] = {}
        self._resources: dict[str, dict[str, Any]] = {}
        self._anchors: dict[tuple[str | None, str], dict[str, Any]] = {}

    def look_up(self, reference: str, within: Any = None, keyword: str = "$ref") -> tuple[bool, Any]:
        """Whether a reference leads to a schema of this document, and to which; `within` is the schema that has it."""
        self._survey()
        base = self._bases.get(id(within), self._home)
        name, _, fragment = reference.partition("#")
        fragment = unquote(fragment, errors="replace")
        for start in [_join(base, name), name] if name else [base, self._home]:
            found, target = self._inside(start, fragment)
            if found:
                return True, self._outermost(target, keyword, fragment)
        return False, None

    def _inside(self, name: str, fragment: str) -> tuple[bool, Any]:
        start = self._root if name == self._home else self._resources.get(name)
        if start is None:
            return False, None
        if not fragment or fragment.startswith("/"):
            return _walk(start, tokens(fragment))
        anchored = self._anchors.get((name, fragment), self._anchors.get((None, fragment)))
        return anchored is not None, anchored

    def _outermost(self, target: Any, keyword: str, fragment: str) -> Any:
        """What a dynamic reference means where the root takes part in it: the root's own (Core 2020-12, 8.2.3.2)."""
        if keyword == "$dynamicRef" and isinstance(target, dict) and target.get("$dynamicAnchor") == fragment:
            outer = self._anchors.get((self._home, fragment), target)
            return outer if outer.get("$dynamicAnchor") == fragment else target
        if keyword == "$recursiveRef" and all(
            isinstance(part, dict) and part.get("$recursiveAnchor") is True for part in (target, self._root)
        ):
            return self._root
        return target

    def _survey(self) -> None:
        if self._surveyed:
            return
        self._surveyed = True
        root = self._root
        said = root.get("$schema") if isinstance(root, dict) else None
        old = isinstance(said, str) and any(draft in said for draft in _OLD)
        name = root.get("$id", root.get("id")) if isinstance(root, dict) else None
        if isinstance(name, str) and not name.startswith("#"):
            self._home = name.partition("#")[0]
        for schema in every_schema(root):
            base = self._bases.get(id(schema), self._home)
            base = self._name(schema, base, old)
            if base != self._home:
                self._bases[id(schema)] = base
                self._bases.update((id(part), base) for part in subschemas(schema))

    def _name(self, schema: dict[str, Any], base: str, old: bool) -> str:
        """Takes the names that a schema gives itself; the identifier of the resource that it belongs to."""
        for keyword in ("$id", "id"):
            if isinstance(name := schema.get(keyword), str) and name:
                full, _, fragment = _join(base, name).partition("#")
                if not name.startswith("#"):
                    self._resources.setdefault(full, schema)
                    if keyword == "$id" or old:
                        base = full
                if fragment:
                    self._anchor(base, fragment, schema)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := schema.get(keyword), str):
                self._anchor(base, name, schema)
        return base

    def _anchor(self, base: str, name: str, schema: dict[str, Any]) -> None:
        self._anchors.setdefault((base, name), schema)
        self._anchors.setdefault((None, name), schema)


def _join(base: str, name: str) -> str:
    try:
        return urljoin(base, name)
    except ValueError:
        return name


def _walk(start: Any, path: list[str]) -> tuple[bool, Any]:
    here = start
    for token in path:
        if isinstance(here, dict) and token in here:
            here = here[token]
        elif isinstance(here, list) and token.isascii() and token.isdigit() and len(token) < 10:
            if int(token) >= len(here):
                return False, None
            here = here[int(token)]
        else:
            return False, None
    return isinstance(here, dict | bool), here
