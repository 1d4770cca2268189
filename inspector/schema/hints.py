"""What a schema says about a value, in words: type, limits, default, examples."""

from __future__ import annotations

from typing import Any

from inspector.base.text import clip
from inspector.schema.choices import CHOICES, spelled
from inspector.schema.shape import Shape, type_name

_TYPES = {
    "text": "string", "group": "object", "multi": "array", "list": "array", "never": "nothing", "choice": "enum",
}  # fmt: skip


_LOOKS = {
    "date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z", "duration": "P1DT2H30M",
    "email": "ada@example.org", "hostname": "example.org", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
    "uri": "https://example.org/a", "uri-reference": "../a?b=c", "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "json-pointer": "/a/0", "regex": "^[a-z]+$",
}  # fmt: skip
"""What values of a format look like."""


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
    notes += _patterns(schema.get("patternProperties"))
    notes += _refused(schema.get("not"))
    members = schema.get("enum")
    if isinstance(members, list) and len(members) > CHOICES:
        notes.append(f"one of {len(members):,} values, such as {', '.join(map(_short, members[:3]))}")
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
            like = _LOOKS.get(value) if keyword == "format" and not schema.get("examples") else None
            notes.append(label + clip(value, 120) + (f", as {like}" if like else ""))
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


def _patterns(schemas: Any) -> list[str]:
    """Which names of members take what."""
    if not isinstance(schemas, dict) or not schemas:
        return []
    return [
        f"names matching {clip(name, 60)}: {type_name(schema) if isinstance(schema, dict) else 'anything'}"
        for name, schema in list(schemas.items())[:5]
    ]


def _refused(schema: Any) -> list[str]:
    """What a value must not be, where that is a value or a list of them, or of a type."""
    if not isinstance(schema, dict):
        return []
    members = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(members, list) and members:
        return ["not " + ", ".join(map(_quoted, members[:10]))]
    return [f"no {schema['type']}"] if isinstance(schema.get("type"), str) and len(schema) == 1 else []


def _quoted(value: Any) -> str:
    return f'"{clip(value, 60)}"' if isinstance(value, str) else _short(value)


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
