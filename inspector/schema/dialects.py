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


def is_known(named: Any) -> bool:
    """Whether `$schema` names a dialect that is checked here."""
    return isinstance(named, str) and named.removesuffix("#").replace("https://", "http://") in _DRAFTS


def known_dialect(schema: Any) -> bool:
    """Whether a schema can be checked; one that names no dialect is of 2020-12."""
    return not isinstance(schema, dict) or "$schema" not in schema or is_known(schema["$schema"])


def schema_error(schema: Any) -> Issue | None:
    """How a schema breaks the rules of its dialect, with the pointer of the place; None where it keeps them, and where
    it is too deep to be looked at."""
    import jsonschema_rs  # late: it costs more than most commands do

    if is_deep(schema, _DEEPEST):
        return None
    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as error:
        return Issue(pointer(error.instance_path), error.message)
    except (ValueError, OverflowError, RecursionError, UnicodeError, jsonschema_rs.ReferencingError):
        return None
    return None
