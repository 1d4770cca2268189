"""What a schema says about a value, in words: type, limits, default, examples."""

from __future__ import annotations

from typing import Any

from inspector.base.text import clip
from inspector.schema.choices import spelled
from inspector.schema.shape import Shape, type_name

_TYPES = {
    "text": "string", "group": "object", "multi": "array", "list": "array", "never": "nothing", "choice": "enum",
}  # fmt: skip


def text(schema: dict[str, Any], keyword: str) -> str:
    """The text that a keyword holds; empty where it is absent or no string."""
    value = schema.get(keyword)
    return value if isinstance(value, str) else ""


def type_of(shape: Shape) -> str:
    """The type as JSON Schema names it; `any`, `union`, `nothing` or `enum` (of several types) where it has no name."""
    if shape.kind == "choice":
        kinds = {json_type(choice.value) for choice in shape.choices[:50]}
        if len(kinds) == 1:
            return kinds.pop()
    return _TYPES.get(shape.kind, shape.kind)


def type_label(shape: Shape) -> str:
    """The type for people: `string[]` for a list of strings, `enum` for a choice, `| null` where null fits."""
    word = {"multi": "enum[]", "choice": "enum", "union": "one of"}.get(shape.kind, type_of(shape))
    if shape.kind == "list":
        inner = type_name(items) if isinstance(items := shape.schema.get("items"), dict) else ""
        word = f"{inner.split(' ')[0]}[]" if inner else "array"
    return f"{word} | null" if shape.nullable and shape.kind != "choice" else word


def json_type(value: Any) -> str:
    """The name of a value's type in JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def limits(schema: dict[str, Any]) -> str:
    """Everything else that a schema says of a value, in one line."""
    notes: list[str] = []
    notes += _range(schema)
    notes += _span(schema, "minLength", "maxLength", "character")
    notes += _span(schema, "minItems", "maxItems", "item")
    notes += _span(schema, "minProperties", "maxProperties", "member")
    notes += _names(schema.get("propertyNames"))
    notes += _refused(schema.get("not"))
    if "multipleOf" in schema:
        notes.append(f"multiple of {_short(schema['multipleOf'])}")
    if schema.get("uniqueItems") is True:
        notes.append("no duplicates")
    for keyword, label in (
        ("format", ""),
        ("contentEncoding", ""),
        ("contentMediaType", ""),
        ("pattern", "matches "),
    ):
        if value := text(schema, keyword):
            notes.append(label + clip(value, 120))
    if schema.get("default") is not None:
        notes.append(f"default {_short(schema['default'])}")
    examples = schema.get("examples")
    if isinstance(examples, list) and examples:
        notes.append("e.g. " + ", ".join(_short(example) for example in examples[:3]))
    elif "example" in schema:
        notes.append(f"e.g. {_short(schema['example'])}")
    for keyword, word in (
        ("deprecated", "deprecated"),
        ("readOnly", "read-only"),
        ("writeOnly", "write-only"),
    ):
        if schema.get(keyword) is True:
            notes.append(word)
    return " · ".join(notes)


def _names(schema: Any) -> list[str]:
    """What the names of members have to be."""
    if not isinstance(schema, dict):
        return []
    members = schema.get("enum")
    if isinstance(members, list) and members:
        return ["names: " + clip(", ".join(map(_short, members[:20])), 200)]
    said = limits({key: value for key, value in schema.items() if key != "propertyNames"})
    return [f"names: {said}"] if said else []


def _refused(schema: Any) -> list[str]:
    """What a value must not be, where that is a value or a list of them."""
    if isinstance(schema, dict) and "const" in schema:
        return [f"not {_short(schema['const'])}"]
    members = schema.get("enum") if isinstance(schema, dict) else None
    return ["not " + ", ".join(map(_short, members[:10]))] if isinstance(members, list) and members else []


def _short(value: Any) -> str:
    return clip('""' if value == "" else spelled(value), 60)


def _range(schema: dict[str, Any]) -> list[str]:
    notes = []
    for keyword, strict, sign in (("minimum", "exclusiveMinimum", "≥"), ("maximum", "exclusiveMaximum", "≤")):
        bound, limit = schema.get(keyword), schema.get(strict)
        if limit is True and bound is not None:
            notes.append(f"{sign.translate({0x2265: '>', 0x2264: '<'})} {_short(bound)}")
            continue
        if bound is not None:
            notes.append(f"{sign} {_short(bound)}")
        if limit is not None and not isinstance(limit, bool):
            notes.append(f"{sign.translate({0x2265: '>', 0x2264: '<'})} {_short(limit)}")
    return notes


def _span(schema: dict[str, Any], low: str, high: str, unit: str) -> list[str]:
    """`unit` in the singular."""
    least, most = schema.get(low), schema.get(high)
    if least is None and most is None:
        return []
    if most is None:
        return [f"at least {_counted(least, unit)}"]
    if least is None or least == 0:
        return [f"at most {_counted(most, unit)}"]
    if least == most:
        return [_counted(least, unit)]
    return [f"{_short(least)} to {_counted(most, unit)}"]


def _counted(number: Any, unit: str) -> str:
    return f"{_short(number)} {unit}" + ("" if number == 1 else "s")
