"""Which dialect of JSON Schema a schema is written in, and whether it keeps to it."""

from __future__ import annotations

from typing import Any

from inspector.base.jsonptr import pointer
from inspector.base.numbers import is_deep
from inspector.schema.field import Issue

_DEEPEST = 200
_DRAFTS = frozenset(
    {f"http://json-schema.org/draft-0{draft}/schema" for draft in (4, 6, 7)}
    | {f"http://json-schema.org/draft/20{edition}/schema" for edition in ("19-09", "20-12")}
)
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_known(named: Any) -> bool:
    """Whether `$schema` names a dialect that is checked here."""
    return isinstance(named, str) and named.removesuffix("#").replace("https://", "http://") in _DRAFTS


def known_dialect(schema: Any) -> bool:
    """Whether a schema can be checked; one that names no dialect is of 2020-12."""
    return not isinstance(schema, dict) or "$schema" not in schema or is_known(schema["$schema"])


def schema_error(schema: Any) -> Issue | None:
    """How a schema breaks the rules of its dialect, with the pointer of the place; None where it keeps them, and where
    it is too deep to be looked at."""
    if is_deep(schema, _DEEPEST) or (isinstance(schema, dict) and is_plain(schema)):
        return None
    import jsonschema_rs  # late: it costs more than most commands do, and 8 MiB

    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as error:
        return Issue(pointer(error.instance_path), error.message)
    except (ValueError, OverflowError, RecursionError, UnicodeError, jsonschema_rs.ReferencingError):
        return None
    return None


def is_plain(schema: dict[str, Any]) -> bool:
    """Whether a schema, not too deep, holds the most usual members alone, each as every dialect wants it. Most do."""
    return all(
        _keeps(name, value) for name, value in schema.items() if name != "$schema" or not is_known(value)
    )


def _keeps(name: str, value: Any) -> bool:
    match name:
        case "title" | "description" | "format":
            return type(value) is str
        case "type":
            return type(value) is str and value in _TYPES
        case "properties":
            return type(value) is dict and all(
                type(each) is dict and is_plain(each) for each in value.values()
            )
        case "items":
            return type(value) is dict and is_plain(value)
        case "additionalProperties":
            return type(value) is bool or (type(value) is dict and is_plain(value))
        case "required" | "enum":
            return type(value) is list and 0 < len(value) == len(
                {each for each in value if type(each) is str}
            )
        case "minimum" | "maximum":
            return type(value) is int
        case "minLength" | "maxLength" | "minItems" | "maxItems":
            return type(value) is int and value >= 0
    return name == "default"
