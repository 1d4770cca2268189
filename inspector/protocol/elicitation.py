"""What the schema of an elicitation form must keep to (spec: client/elicitation, requested schema)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from inspector.base.text import quoted

METHOD = "elicitation/create"
_PRIMITIVE = ("string", "number", "integer", "boolean")
_FORMATS = ("email", "uri", "date", "date-time")
_MOST = 200


def oddity(arguments: Mapping[str, Any], *, detailed: bool) -> str | None:
    """The first thing in which a form is more than a flat object of simple values; None for a form that is none. A
    client may show it all the same. `detailed` is that of the version in use: lists of choices are of it."""
    if arguments.get("mode", "form") != "form":
        return None
    schema = arguments.get("requestedSchema")
    if not isinstance(schema, dict):
        return "the form has no schema"
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, dict):
        return "the schema of the form is no object with properties"
    for name, field in islice(properties.items(), _MOST):
        if (problem := _of_field(field, detailed)) is not None:
            return f"the field {quoted(name, 60)} {problem}"
    return None


def _of_field(field: Any, detailed: bool) -> str | None:
    if not isinstance(field, dict):
        return "has no schema"
    kind = field.get("type")
    if kind == "array":
        if not detailed:
            return "is a list, which this version does not have in forms"
        items = field.get("items")
        choices = items.get("enum", items.get("anyOf")) if isinstance(items, dict) else None
        return None if isinstance(choices, list) else "is a list, but not of choices"
    if kind not in _PRIMITIVE:
        return f"is of the type {quoted(kind, 40)}; forms are flat, of strings, numbers and booleans"
    given = field.get("format")
    if kind == "string" and given is not None and given not in _FORMATS:
        return f"has the format {quoted(given, 40)}, which forms do not have"
    return None
