"""Which changes of a definition break whoever used it before.

A caller is broken where what was valid to send no longer is, a reader where what was promised may be missing. Where
the rules cannot tell, a change counts as breaking: it wants to be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.base.jsondiff import Change

SETS = frozenset({"required", "enum", "type"})
"""Keywords whose lists have no order."""
_WORDS = frozenset({
    "title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly", "$id", "$schema",
    "$anchor", "format", "icons",
})  # fmt: skip
"""Keywords that say something to people and forbid nothing."""
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_ONE = frozenset({
    "items", "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "contains",
    "propertyNames",
})  # fmt: skip
_TURNED = frozenset({"not", "if", "then", "else"})
"""Below these, to allow more may mean to forbid more."""
_HARMLESS = {"readOnlyHint": True, "destructiveHint": False}
"""Annotations that make a client less careful, with the value that does (spec: ToolAnnotations)."""


def is_breaking(change: Change, old: Any, new: Any) -> bool:
    """Of a change in a tool, prompt, resource or template; `old` and `new` are the whole definitions, objects."""
    head, *rest = [str(step) for step in change.path] or [""]
    if head == "inputSchema":
        return not rest or _narrows(_place(rest), change)
    if head == "outputSchema":
        return change.op != "add" if not rest else _narrows(_place(rest), _back(change))
    if head == "annotations":
        return _less_careful(rest, old.get("annotations"), new.get("annotations"))
    if head == "arguments":
        return _of_arguments(rest, change)
    if head == "execution":
        return "required" in (change.new.values() if isinstance(change.new, dict) else [change.new])
    return head in ("", "mimeType") and change.op == "replace"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a schema a change is: at a keyword, or at one of the schemas that it holds (`member`)."""

    keyword: str
    member: bool = False
    turned: bool = False


def _place(steps: Sequence[str]) -> _Place:
    keyword, turned, waiting = "", False, False
    for step in steps:
        if waiting:
            waiting = False
            continue
        keyword = step
        if keyword in _NAMED or keyword in _LISTED:
            waiting = True
        elif keyword in _TURNED:
            turned = True
        elif keyword not in _ONE:
            return _Place(keyword, turned=turned)
    return _Place(keyword, not waiting and keyword not in _ONE, turned)


def _narrows(place: _Place, change: Change) -> bool:
    """Whether something that was valid may no longer be."""
    keyword, old, new = place.keyword, change.old, change.new
    if keyword in _WORDS or keyword in ("$defs", "definitions"):
        return False
    if place.turned:
        return True
    if place.member and keyword in ("properties", "patternProperties"):
        # Who left a property out is not hurt by a new one; who sent one that is gone, is.
        return change.op == "remove"
    if place.member and keyword in ("anyOf", "oneOf"):
        return change.op != "add"
    if keyword == "required":
        return bool(_set(new) - _set(old))
    if change.op == "remove":
        return False
    if keyword == "enum":
        return change.op == "add" or bool(_set(old) - _set(new))
    if keyword == "type":
        return change.op == "add" or not _types(old) <= _types(new)
    if keyword in _LOWER and change.op == "replace" and _are_numbers(old, new):
        return bool(new > old)
    if keyword in _UPPER and change.op == "replace" and _are_numbers(old, new):
        return bool(new < old)
    return not (keyword in _ONE and new is True)


def _back(change: Change) -> Change:
    """The change that would undo this one: what a schema allows more is what its reader did not expect."""
    op = {"add": "remove", "remove": "add"}.get(change.op, change.op)
    return Change(change.path, op, change.new, change.old)  # type: ignore[arg-type]


def _less_careful(rest: Sequence[str], old: Any, new: Any) -> bool:
    """What a client took for harmless is not called so any more."""
    before, after = (value if isinstance(value, dict) else {} for value in (old, new))
    return any(
        before.get(name) is harmless and after.get(name) is not harmless
        for name, harmless in _HARMLESS.items()
        if not rest or rest[0] == name
    )


def _of_arguments(rest: Sequence[str], change: Change) -> bool:
    """Of a prompt."""
    if len(rest) <= 1:
        return change.op != "add" or (isinstance(change.new, dict) and change.new.get("required") is True)
    return rest[-1] == "name" or (rest[-1] == "required" and change.new is True)


def _set(value: Any) -> set[str]:
    return {repr(item) for item in (value if isinstance(value, list) else [] if value is None else [value])}


def _types(value: Any) -> set[str]:
    types = {item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)}
    return types | ({"integer"} if "number" in types else set())


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
