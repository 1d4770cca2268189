"""The handed cases and real listings: every case of the fill language, every tool of every server."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.base import numbers
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel

pytestmark = pytest.mark.shared


def verdict(case: dict[str, Any], schema: Any) -> str | None:
    """None where a case came out right, else what came out."""
    model = FormModel(schema)
    problems = fill(model, case["fill"])
    outcome = model.arguments()
    paths = {issue.path for issue in [*problems, *outcome.errors]}

    def right(wanted: Any) -> bool:
        if isinstance(wanted, dict) and set(wanted) == {"$error"}:
            return wanted["$error"] in paths
        return not paths and numbers.same(outcome.arguments, wanted)

    if "expect_error" in case:
        fine = all(error["path"] in paths for error in case["expect_error"])
    else:
        fine = any(right(wanted) for wanted in case.get("expect_any_of", [case.get("expect_arguments")]))
    return None if fine else f"{case['name']}: {outcome} {problems}"


def test_every_case(shared: Path) -> None:
    wrong = []
    for path in sorted((shared / "faults" / "schemas").glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        for case in document["cases"]:
            if (said := verdict(case, document["tool"]["inputSchema"])) is not None:
                wrong.append(f"{path.name}: {said}")
    assert not wrong, "\n".join(wrong)


def tools(shared: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((shared / "corpus").glob("*.tools.json")):
        listing = json.loads(path.read_text("utf-8"))
        for tool in listing["tools"] if isinstance(listing, dict) else listing:
            yield f"{path.name}:{tool.get('name')}", tool


def fields_of(documents: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for document in documents:
        yield document
        yield from fields_of(document.get("fields", []))
        yield from fields_of([document[part] for part in ("items", "entry") if part in document])
        for branch in document.get("branches", []):
            yield from fields_of(branch["fields"])


def test_every_real_tool_has_a_form(shared: Path) -> None:
    count = raw = 0
    for name, tool in tools(shared):
        model = FormModel(tool.get("inputSchema"))
        document = as_json(model)
        outcome = model.arguments()
        if not tool["inputSchema"].get("required"):
            assert outcome.arguments == {}, name
            assert not outcome.errors, name
        for field in fields_of(document["fields"]):
            count += 1
            raw += field["raw"]
    assert count > 5_000
    assert raw < count * 0.02


def sample(schema: Any, root: Any, dice: random.Random, depth: int = 0) -> Any:
    """A value that should fit a real schema; not for hostile ones."""
    if not isinstance(schema, dict) or depth > 6:
        return dice.choice(["any", 1, True, 2.50])
    if "$ref" in schema:
        here: Any = root
        for token in schema["$ref"].removeprefix("#/").split("/"):
            here = here[token]
        return sample(
            {**here, **{key: value for key, value in schema.items() if key != "$ref"}}, root, dice, depth + 1
        )
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return dice.choice(schema["enum"])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return sample(dice.choice(schema[keyword]), root, dice, depth + 1)
    kind = schema.get("type")
    kind = dice.choice(kind) if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        properties = schema.get("properties") or {}
        required = schema.get("required") or []
        members = {
            name: sample(part, root, dice, depth + 1)
            for name, part in properties.items()
            if name in required or (dice.random() < 0.5 and depth < 4)
        }
        if not properties and schema.get("additionalProperties") is not False:
            members["own key"] = sample(schema.get("additionalProperties", True), root, dice, depth + 1)
        return members
    if kind == "array":
        return [sample(schema.get("items"), root, dice, depth + 1) for _ in range(dice.randint(0, 2))]
    exact = {
        "string": ["", "x", "5", "null", " a\n", "é"],
        "integer": [0, -3, 1234567890123456789, numbers.loads("1.0")],
        "number": [0, 1.5, numbers.loads("1.50"), numbers.loads("1e3"), -0.0],
        "boolean": [True, False],
        "null": [None],
    }
    return dice.choice(exact.get(str(kind), ["any", 7]))


def test_arguments_of_real_tools_come_back_equal(shared: Path) -> None:
    dice = random.Random(7)
    for name, tool in tools(shared):
        for _ in range(3):
            arguments = sample(tool["inputSchema"], tool["inputSchema"], dice)
            model = FormModel(tool["inputSchema"])
            model.load(arguments)
            back = model.collect().arguments
            assert numbers.same(back, arguments), name
            text = numbers.dumps(arguments)
            model = FormModel(tool["inputSchema"])
            assert model.set_json(text) is None
            assert numbers.loads(model.as_json() or "{}") == arguments, name
