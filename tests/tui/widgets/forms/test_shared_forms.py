"""One handed case of each file of schemas, typed into the app and called; the server returns what it got."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from app import Until, open_tool
from textual.pilot import Pilot

from inspector.base import numbers
from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.schema.field import Field, State
from inspector.schema.union import Union
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.forms.row import FieldRow
from inspector.workspace.workspace import Workspace

pytestmark = pytest.mark.shared

CASES = {
    "empty_or_missing": "boolean default true switched off",
    "formats": "password is masked on screen, clear in the frame only when revealed",
    "keyword_names": "pointer-hostile names",
    "loose": "plain words in an untyped field are a string",
    "no_arguments": "plain call",
    "nullable": "integer branch",
    "refs": "enum behind $ref is a choice",
    "union_root": "choose branch 2",
}
MOST = 60
"""Keys that it may take to a field, or to a choice."""


def row_in_focus(app: InspectorApp) -> FieldRow | None:
    nodes = app.focused.ancestors_with_self if app.focused is not None else ()
    return next((node for node in nodes if isinstance(node, FieldRow) and node.line.kind != "add"), None)


async def enter(app: InspectorApp, pilot: Pilot[Any], pointer: str, entry: Any) -> None:
    """Goes to a field by tab, and enters a value there as a person does."""
    for _ in range(MOST):
        row = row_in_focus(app)
        if row is not None and row.field.pointer == pointer:
            break
        await pilot.press("tab")
    assert row is not None and row.field.pointer == pointer, f"no way to {pointer!r}"
    if isinstance(entry, str):
        await pilot.press(*entry)
        return
    for _ in range(MOST):
        if holds(row.field, entry):
            return
        await pilot.press("right")
    raise AssertionError(f"{entry} cannot be chosen at {pointer!r}")


def holds(field: Field, entry: Any) -> bool:
    if isinstance(entry, bool):
        return field.state is State.VALUE and field.value is entry
    if "branch" in entry:
        return isinstance(field, Union) and field.chosen == entry["branch"]
    return field.state is State.VALUE and bool(field.value == entry["choose"])


def test_every_file_has_a_case(shared: Path) -> None:
    assert set(CASES) == {path.stem for path in (shared / "faults" / "schemas").glob("*.json")}


@pytest.mark.parametrize(("name", "title"), CASES.items(), ids=CASES)
async def test_a_case_typed_and_called(name: str, title: str, shared: Path, until: Until) -> None:
    faults = shared / "faults"
    document = json.loads((faults / "schemas" / f"{name}.json").read_text("utf-8"))
    case = next(case for case in document["cases"] if case["name"] == title)
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment={"PATH": ""}) as workspace:
        entry = from_command([sys.executable, str(faults / "servers" / "schema_echo.py")])
        entry.name = "bakery"
        workspace.add(entry)
        app = InspectorApp(workspace, "echo")
        async with app.run_test(size=(120, 50)) as pilot:
            view = await open_tool(app, pilot, until, document["tool"]["name"])
            await view.enter()
            await pilot.pause()
            for pointer, value in case["fill"].items():
                await enter(app, pilot, pointer, value)
            await pilot.press("f5")
            await until(pilot, lambda: view.calls and not view.calls[0].running)
            answer = view.calls[0].answer
            assert answer is not None
            got = json.loads(answer.result["content"][0]["text"])
            wanted = case.get("expect_any_of", [case.get("expect_arguments")])
            assert any(numbers.same(got, one) for one in wanted), (got, wanted)
