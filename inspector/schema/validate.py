"""Checks whole documents against their schema: offline, bounded, each error with the pointer of its value.

A schema that a strict validator refuses is repaired as far as needed (references that lead nowhere, types and
patterns that do not exist, `nullable`) and a note says so. Nothing is ever fetched.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from inspector.base.jsonptr import pointer
from inspector.base.numbers import is_deep, is_spelled, plain
from inspector.base.patterns import pattern
from inspector.base.text import clip
from inspector.schema.dialects import is_known
from inspector.schema.field import ISSUES, LACKING, Issue
from inspector.schema.patterns import options, readable
from inspector.schema.references import every_schema
from inspector.schema.repair import needs_nullable, repaired
from inspector.schema.tangle import tangled

DEPTH = 200
"""How many levels of a schema the validator takes."""
REQUIRED = 2_000
"""Longest list of required members that is checked whole."""
LARGE = 20_000
"""Parts of a value from which it is large."""


class Advice(str):
    """A message that is a warning and no error."""


SLOW = Advice("not checked: the pattern takes too long")
NO_BRANCH = "fits none of the branches"
_CONTEXT = 6


class Checked(NamedTuple):
    """What does not fit, and what is only advice."""

    errors: list[Issue]
    warnings: list[Issue]


Chosen: TypeAlias = "Callable[[str, int], int | None]"
"""The position of the branch that is meant at a pointer; the number counts the unions around it at the same place."""


class Checker:
    """A compiled schema. `notes` says where it is not checked as written; compiled at the first check."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._compiled = False
        self._validator: Any = None
        self._formats: Any = None
        self.notes: list[str] = []

    def check(self, value: Any, chosen: Chosen | None = None) -> Checked:
        """Never raises and never takes long: what cannot be checked in bounds is said in a warning.

        Where a value fits no branch, the errors are those of the branch that `chosen` tells, if it does.
        """
        if not self._compiled:
            self._compile()
        errors: list[Issue] = []
        warnings = [Issue("", note) for note in self.notes]
        if self._validator is None:
            return Checked(errors, warnings)
        if tangled(self._schema, value):
            warnings.append(Issue("", "not checked: the schema branches too much for a value this deep"))
            return Checked(errors, warnings)
        try:
            # Numbers that keep their spelling are no floats to the validator, which refuses them at length.
            document = plain(value) if is_spelled(value) else value
            every = _unique(self._validator.iter_errors(document), chosen)
            errors = [issue for issue in every if not isinstance(issue.message, Advice)]
            warnings += [issue for issue in every if isinstance(issue.message, Advice)]
            if self._formats is not None:
                failed = {issue.path for issue in errors}
                warnings += [
                    issue
                    for issue in _unique(self._formats.iter_errors(document))
                    if issue.path not in failed
                ]
        except (ValueError, OverflowError, RecursionError, UnicodeError) as error:
            warnings.append(Issue("", f"not checked: {clip(str(error), 200)}"))
        return Checked(errors, warnings)

    async def check_apart(self, value: Any, chosen: Chosen | None = None) -> Checked:
        """The same; a large value in a thread, so that the event loop goes on meanwhile. What was begun runs to its end
        in its thread where nobody waits for it any more."""
        import asyncio

        return (
            await asyncio.to_thread(self.check, value, chosen)
            if is_large(value)
            else self.check(value, chosen)
        )

    def _compile(self) -> None:
        import jsonschema_rs

        self._compiled = True
        if not isinstance(self._schema, dict | bool):
            return
        schema = plain(self._schema, DEPTH, True)
        if is_deep(self._schema, DEPTH + 1):
            self.notes.append(f"not checked deeper than {DEPTH} levels into the schema")
        self._shorten_required(schema)
        first: Exception | None = None
        for strict, names in ((False, True), (True, True), (True, False)):
            notes: list[str] = []
            try:
                tried = schema
                if strict or needs_nullable(schema):
                    tried = repaired(schema, notes, readable, strict=strict, names=names)
                self._validator = _validator(tried, False)
            except (jsonschema_rs.ValidationError, ValueError, OverflowError, RecursionError) as error:
                first = first or error
                continue
            schema = tried
            self.notes += notes
            break
        else:
            self.notes.append(f"not checked: the schema itself is not valid: {clip(_said(first), 200)}")
            return
        try:
            self._formats = _validator(schema, True) if _names_format(schema) else None
        except (jsonschema_rs.ValidationError, ValueError, OverflowError, RecursionError):
            self._formats = None

    def _shorten_required(self, schema: Any) -> None:
        """Cuts lists of required members that are too long to as many as there can be errors: the validator makes a
        copy of the value for each that is missing."""
        for part in every_schema(schema):
            names = part.get("required")
            if isinstance(names, list) and len(names) > REQUIRED:
                part["required"] = names[:ISSUES]
                self.notes.append(f"not checked: {len(names) - ISSUES} of {len(names)} required members")


def is_large(value: Any) -> bool:
    """Whether a value has so many parts that checking or writing it takes longer than a key may."""
    left = LARGE
    waiting = [value]
    while waiting and left > 0:
        part = waiting.pop()
        left -= 1
        if isinstance(part, dict | list):
            left -= len(part)
            waiting += part.values() if isinstance(part, dict) else part[:LARGE]
    return left <= 0


def check_result(schema: Any, structured: Any) -> list[Issue]:
    """What does not fit between an outputSchema and a structuredContent: advice beside the result, never an error."""
    errors, warnings = Checker(schema).check(structured)
    return errors + warnings


async def check_result_apart(schema: Any, structured: Any) -> list[Issue]:
    """The same for results of megabytes: in a thread."""
    import asyncio

    return await asyncio.to_thread(check_result, schema, structured)


def _validator(schema: Any, formats: bool) -> Any:
    import jsonschema_rs

    how: dict[str, Any] = {
        "validate_formats": formats,
        "offline": True,
        "pattern_options": options(),
    }
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is not None and not is_known(named):
        schema = {key: value for key, value in schema.items() if key != "$schema"}
    if named is None or not is_known(named):
        return jsonschema_rs.Draft202012Validator(schema, **how)
    return jsonschema_rs.validator_for(schema, **how)


def _names_format(schema: Any) -> bool:
    return any("format" in part for part in every_schema(schema))


_VALUE = pattern(r'"(?:[^"\\]|\\.)*"|[\[{].*[\]}](?= )|\S+')
"""The value at the beginning of what the validator says of it."""
_WORD = pattern(r"\S{48,}")
_CUT = 40


def _said(error: BaseException | None) -> str:
    """What the validator says, in a line; values as long as a screen are cut, so that the reason can be read."""
    text = str(getattr(error, "message", "") or error).split("\n")[0]
    value = _VALUE.match(text)
    end = value.end() if value is not None else 0
    return clip(text[:end], _CUT) + _WORD.sub(lambda word: clip(word.group(), _CUT), text[end:])


def _unique(errors: Any, chosen: Chosen | None = None) -> list[Issue]:
    issues: dict[str, Issue] = {}
    for error in errors:
        for issue in _issues(error, _CONTEXT, chosen, ("", 0)):
            issues.setdefault(issue.path, issue)
        if len(issues) >= ISSUES:
            break
    return list(issues.values())


def _issues(error: Any, depth: int, chosen: Chosen | None, within: tuple[str, int]) -> list[Issue]:
    """An error with the pointer of the value it is about: a missing or surplus member is named itself. `within` is
    the place of the union around it, and how many choices were followed there."""
    path = pointer(error.instance_path)
    kind = error.kind.name
    if kind == "required":
        return [Issue(pointer([*error.instance_path, error.kind.property]), LACKING)]
    if kind in ("additionalProperties", "unevaluatedProperties"):
        return [
            Issue(pointer([*error.instance_path, name]), "the schema has no such member")
            for name in error.kind.unexpected
        ]
    if kind == "additionalItems":
        surplus = range(error.kind.limit, len(error.instance))
        return [
            Issue(pointer([*error.instance_path, index]), "the list ends before this") for index in surplus
        ]
    if kind == "unevaluatedItems" and (places := _places(error.instance, error.kind.unexpected)):
        return [Issue(pointer([*error.instance_path, at]), "the schema has no such item") for at in places]
    if kind == "propertyNames":
        name, why = error.kind.error.instance, clip(_said(error.kind.error), 300)
        return [Issue(pointer([*error.instance_path, str(name)]), f"the name does not fit: {why}")]
    if kind == "pattern" and _said(error).startswith("Error executing regex"):
        return [Issue(path, SLOW)]
    if kind in ("contentEncoding", "contentMediaType"):
        return [Issue(path, Advice(f"does not fit the {kind}: {clip(_said(error), 200)}"))]
    if kind == "falseSchema":
        return [Issue(path, "the schema allows no value here")]
    if kind in ("anyOf", "oneOf", "oneOfNotValid") and depth:
        context = getattr(error.kind, "context", None) or []
        level, followed = len(error.instance_path), within[1] if within[0] == path else 0
        position = None if chosen is None else chosen(path, followed)
        if position is not None and position < len(context) and not _wants_null(context[position], level):
            nearest, followed = context[position], followed + 1
        else:
            nearest = _nearest(context, level)
        if nearest:
            return [
                issue for inner in nearest for issue in _issues(inner, depth - 1, chosen, (path, followed))
            ]
    if kind in ("anyOf", "oneOf", "oneOfNotValid") and not any(not branch for branch in error.kind.context):
        return [Issue(path, f"{clip(_said(error).split(' is not valid under ')[0], 200)} {NO_BRANCH}")]
    return [Issue(path, clip(_said(error), 300))]


def _places(items: list[Any], texts: list[str]) -> list[int]:
    """Where the items stand that are told as JSON texts, in order; what schemas leave over is mostly at the end."""
    left = [json.loads(text) for text in texts]
    found: list[int] = []
    for at in range(len(items) - 1, -1, -1):
        if left and items[at] == left[-1]:
            left.pop()
            found.insert(0, at)
    return found


def _wants_null(branch: list[Any], level: int) -> bool:
    """True for the errors of a branch that is null alone."""
    return any(
        error.kind.name == "type" and len(error.instance_path) == level and list(error.kind.types) == ["null"]
        for error in branch
    )


def _nearest(context: list[list[Any]], level: int) -> list[Any]:
    """The errors of the branch that was most likely meant: one whose type and constants fit; none where unclear."""
    likely = [
        branch
        for branch in context
        if branch
        and not any(
            (error.kind.name in ("type", "falseSchema") and len(error.instance_path) == level)
            or error.kind.name in ("constant", "const", "enum")
            for error in branch
        )
    ]
    return likely[0] if len(likely) == 1 else []
