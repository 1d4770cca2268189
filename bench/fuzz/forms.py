"""Schemas as forms. The bytes are JSON: a schema, or an object of `schema`, `arguments` and `entries`."""

from __future__ import annotations

import json
from typing import Any

from inspector.base import numbers
from inspector.base.jsonptr import escape, tokens
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel
from inspector.schema.takeover import take_over
from inspector.schema.validate import check_result


def schema(data: bytes) -> None:
    try:
        given = numbers.spelled(data.decode("utf-8", "replace"))
    except ValueError:
        return
    parts = given if isinstance(given, dict) and "schema" in given else {"schema": given}
    described = parts["schema"]
    arguments = parts.get("arguments") if isinstance(parts.get("arguments"), dict) else {}
    entries = parts.get("entries") if isinstance(parts.get("entries"), dict) else {}
    model = FormModel(described)
    json.dumps(numbers.plain(as_json(model), deepest=300))
    assert isinstance(model.arguments().arguments, dict)
    fill(model, entries)
    entered = model.arguments().arguments
    assert isinstance(entered, dict)
    model.as_json()
    again = FormModel(described)
    again.load(entered)
    assert numbers.same(again.collect().arguments, entered), "what a form gave is not what it takes"
    model.load(arguments)
    assert numbers.same(model.collect().arguments, arguments), "loaded arguments come back as others"
    assert model.set_json(model.as_json()) is None, "its own JSON is not taken"
    assert numbers.same(model.collect().arguments, arguments), "its own JSON is read as another value"
    take_over(model.root, FormModel(described).root)
    check_result(described, arguments)
    _part_by_part(described, arguments)


def _part_by_part(described: Any, arguments: dict[str, Any]) -> None:
    """What is entered part by part is sent, or it is told that there is no place for it."""
    model = FormModel(described)
    parts = dict(list(leaves(arguments).items())[:40])
    told = {issue.path for issue in fill(model, parts)}
    outcome = model.collect()
    told |= {issue.path for issue in outcome.errors}
    lost = [
        at
        for at, entry in parts.items()
        if at not in told and not _moved(at, told) and not holds(outcome.arguments, at, entry)
    ]
    assert not lost, f"what was entered is lost: {lost[:3]}"


def _moved(at: str, told: set[str]) -> bool:
    """Whether a row above it was left empty, which was told: the rows below move up."""
    path = tokens(at)
    for depth, token in enumerate(path):
        others = [tokens(other)[: depth + 1] for other in told]
        rows = [other[-1] for other in others if len(other) > depth and other[:-1] == path[:depth]]
        if token.isdigit() and any(row.isdigit() and int(row) < int(token) for row in rows):
            return True
    return False


def leaves(value: Any, at: str = "", depth: int = 0) -> dict[str, Any]:
    """A value as it is entered where each part has a place of its own."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found: dict[str, Any] = {}
    for key, part in parts if depth < 30 else ():
        found.update(leaves(part, f"{at}/{escape(key)}", depth + 1))
    return found or {at: {"json": numbers.dumps(value)}}


def holds(value: Any, at: str, entry: dict[str, str]) -> bool:
    """Whether a value has the JSON text of an entry at a pointer."""
    for token in tokens(at):
        if isinstance(value, list):
            value = value[int(token)] if token.isdigit() and int(token) < len(value) else None
        else:
            value = value.get(token) if isinstance(value, dict) else None
    return numbers.same(value, numbers.loads(entry["json"]))
