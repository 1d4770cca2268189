"""`schema`: a tool's schema as served, as PaiCLI's model sees it, and what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect

BAKERY = ["--", PYTHON, "-m", "inspector.demo", "stdio", "bakery"]
PICK = {
    "name": "pick",
    "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"v": {"default": None, "anyOf": [{"type": "string"}, {"type": "null"}], "title": "V"}},
    },
}


def file(folder: Path, content: Any) -> str:
    path = folder / "tools.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_the_three_views(tmp_path: Path) -> None:
    path = file(tmp_path, PICK)
    raw = inspect("schema", path, "--view", "raw", "--json").json
    assert raw == {"tool": "pick", "view": "raw", "schema": PICK["inputSchema"], "report": []}
    clean = inspect("schema", path, "--view", "sanitized", "--json").json
    assert list(clean) == ["tool", "view", "schema", "report"]
    description = "anyOf options: string, null"
    assert list(clean["schema"]) == ["properties", "type"]
    assert list(clean["schema"]["properties"]["v"].items()) == [
        ("default", None), ("title", "V"), ("type", "object"), ("description", description)
    ]  # fmt: skip
    assert [list(entry) for entry in clean["report"]] == [["pointer", "rule", "severity", "message"]] * 4
    changes = inspect("schema", path, "--view", "diff", "--json").json
    assert changes["tool"] == "pick"
    assert [(change["pointer"], change["op"]) for change in changes["changes"]] == [
        ("/$schema", "remove"),
        ("/properties/v/anyOf", "remove"),
        ("/properties/v/type", "add"),
        ("/properties/v/description", "add"),
        ("/type", "add"),
    ]
    assert changes["changes"][3] == {
        "pointer": "/properties/v/description", "op": "add", "old": None, "new": description
    }  # fmt: skip


def test_odd_schemas_and_several_tools(tmp_path: Path) -> None:
    path = file(tmp_path, [PICK, {"name": "no"}, {"name": "yes", "inputSchema": True}, 5])
    found = inspect("schema", path, "--view", "sanitized", "--json").json
    assert [entry["schema"] for entry in found[1:]] == [
        {"type": "object", "properties": {}},
        {"type": "object", "description": True},
        {"type": "object", "properties": {}},
    ]
    assert inspect("schema", path, "yes", "--view", "diff", "--json").json["changes"][0]["old"] is True


def test_numbers_keep_their_spelling_as_served_and_have_that_of_java_as_sanitized(tmp_path: Path) -> None:
    path = file(
        tmp_path, '{"name": "x", "inputSchema": {"properties": {"a": {"minimum": 1.50, "maximum": 1e3}}}}'
    )
    assert '"minimum": 1.50,' in inspect("schema", path, "--json").out
    clean = inspect("schema", path, "--view", "sanitized", "--json").out
    assert '"minimum": 1.5,' in clean and '"maximum": 1000.0' in clean


def test_a_split_character_is_written_as_an_escape(tmp_path: Path) -> None:
    tool = {"name": "x", "inputSchema": {"description": "d" * 999 + "\U0001f600"}}
    ran = inspect("schema", file(tmp_path, tool), "--view", "sanitized", "--json")
    assert "\\ud83d..." in ran.out


def test_depth_costs_nothing(tmp_path: Path) -> None:
    deep = '{"properties": {"a": ' * 5000 + '{"$id": "x"}' + "}}" * 5000
    path = file(tmp_path, f'{{"name": "deep", "inputSchema": {deep}}}')
    for view in ("raw", "sanitized", "diff", "java"):
        assert inspect("schema", path, "--view", view, "--json").code == 0


def test_the_java_sdk_reads_it_or_not(tmp_path: Path) -> None:
    tool = {
        "name": "x",
        "annotations": {"readOnlyHint": True},
        "inputSchema": {"type": "object", "oneOf": []},
    }
    found = inspect("schema", file(tmp_path, tool), "--view", "java", "--json").json
    assert found["schema"] == {"type": "object"}
    assert [(each["pointer"], each["rule"]) for each in found["report"]] == [
        ("/annotations", "Java SDK 0.10.0"),
        ("/inputSchema/oneOf", "Java SDK 0.10.0"),
    ]
    ran = inspect("schema", file(tmp_path, {"name": "x", "inputSchema": True}), "--view", "java")
    assert (
        "null\n  error    /inputSchema: is a boolean true, and it takes an object only (Java SDK 0.10.0)"
        in ran.out
    )


def test_for_people(tmp_path: Path) -> None:
    ran = inspect("schema", file(tmp_path, PICK), "--view", "sanitized")
    assert "warning  /properties/v/anyOf: 2 alternatives of anyOf become text" in ran.out
    ran = inspect("schema", file(tmp_path, PICK), "--view", "diff")
    assert ran.out.startswith("pick: 5 changes\n  - /$schema: ")


@pytest.mark.parametrize("view", ["raw", "sanitized", "diff", "java"])
def test_a_live_server(view: str) -> None:
    found = inspect("schema", "--view", view, "--json", *BAKERY).json
    assert len(found) > 5 and all("tool" in entry for entry in found)


def test_an_unknown_view_is_refused(tmp_path: Path) -> None:
    assert inspect("schema", file(tmp_path, PICK), "--view", "cooked").code == 2
