"""The handed cases and real listings: every case of the fill language, every tool of every server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.forms import every_field, tools_in
from bench.samples import Sampler, canonical
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


def test_every_real_tool_has_a_form(shared: Path) -> None:
    count = raw = 0
    for name, tool in tools_in(shared / "corpus"):
        model = FormModel(tool.get("inputSchema"))
        document = as_json(model)
        outcome = model.arguments()
        if not tool["inputSchema"].get("required"):
            assert outcome.arguments == {}, name
            assert not outcome.errors, name
        for field in every_field(document["fields"]):
            count += 1
            raw += field["raw"]
    assert count > 5_000
    assert raw < count * 0.02


def test_arguments_of_real_tools_come_back_equal(shared: Path) -> None:
    missed = 0
    for name, tool in tools_in(shared / "corpus"):
        sampler, model = Sampler(tool["inputSchema"], name), FormModel(tool["inputSchema"])
        for _ in range(10):
            arguments = sampler.arguments()
            if arguments is None:
                missed += 1
                continue
            model.load(arguments)
            outcome = model.arguments()
            assert canonical(outcome.arguments) == canonical(arguments), name
            assert not outcome.errors, name
            assert model.set_json(numbers.dumps(arguments)) is None
            assert canonical(numbers.loads(model.as_json() or "{}")) == canonical(arguments), name
    assert missed < 20
