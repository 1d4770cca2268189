"""A quick look at the arguments of a tool, so that handlers get what they count on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def misfit(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """What is wrong at first sight: an argument missing or unknown, of a wrong type or choice."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in arguments:
            return f"`{name}` is missing"
    for name, value in arguments.items():
        if name not in properties:
            if schema.get("additionalProperties") is False:
                return f"there is no argument `{name}`"
            continue
        property = properties[name] if isinstance(properties[name], dict) else {}
        wanted = property.get("type")
        allowed = wanted if isinstance(wanted, list) else [wanted] if wanted else []
        if allowed and not any(_is(value, each) for each in allowed):
            return f"`{name}` must be of type {' or '.join(allowed)}"
        choices = property.get("enum")
        if choices is not None and value not in choices:
            return f"`{name}` must be one of {', '.join(map(str, choices))}"
    return None


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(name, ()))
