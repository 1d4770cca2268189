"""`form`: the fields of tools in files and on servers, and what a filled form would send."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect, odd, odd_entry, write_config

from inspector.base import numbers
from inspector.cli.main import ServeWeb, main

BAKERY = ["--", PYTHON, "-m", "inspector.demo", "stdio", "bakery"]
ORDER = {
    "name": "order",
    "inputSchema": {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "title": "How many", "minimum": 1},
            "": {"type": "string"},
            "day": {"type": "string", "format": "date"},
            "size": {"enum": [1, "1", None], "enumNames": ["one", "text", "none"]},
            "to": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"kind": {"const": "x"}}}]},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["count"],
    },
}
OTHER = {"name": "other", "inputSchema": {"type": "object"}}


def file(folder: Path, content: Any) -> str:
    path = folder / "tools.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "content", [ORDER, [ORDER], {"tools": [ORDER]}, {"server": "x", "tools": [ORDER], "pages": 1}]
)
def test_a_file_with_one_tool_gives_an_object(content: Any, tmp_path: Path) -> None:
    document = inspect("form", file(tmp_path, content), "--json").json
    assert list(document) == ["tool", "fields", "rawOnly", "problems"]
    assert (document["tool"], document["rawOnly"], document["problems"]) == ("order", False, [])
    count = document["fields"][0]
    assert count == {
        "pointer": "/count", "label": "How many", "type": "integer", "required": True, "widget": "number",
        "choices": None, "default": None, "help": "\u2265 1", "nullable": False, "raw": False,
    }  # fmt: skip
    assert [field["pointer"] for field in document["fields"]] == [
        "/count",
        "/",
        "/day",
        "/size",
        "/to",
        "/tags",
    ]


def test_several_tools_give_a_list_and_a_named_one_an_object(tmp_path: Path) -> None:
    path = file(tmp_path, [ORDER, OTHER, 5, {"name": 1}])
    assert [form["tool"] for form in inspect("form", path, "--json").json] == ["order", "other", None, None]
    assert inspect("form", path, "other", "--json").json["tool"] == "other"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("7", "holds a number"),
        ("null", "holds null"),
        ({"tool": ORDER, "cases": []}, "what is under tool"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, "what is under result"),
        ({"tools": {}}, "tools is an object and no list"),
        ({"type": "object"}, "looks like a schema alone"),
        ({}, "neither tools nor servers"),
    ],
)
def test_other_shapes_are_named(content: Any, said: str, tmp_path: Path) -> None:
    ran = inspect("form", file(tmp_path, content), "--json")
    assert ran.code == 2 and said in ran.json["error"]["message"]
    assert "list of them" in ran.json["error"]["hint"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ordr"], "did you mean order?"),
        (["ORDER"], "did you mean order?"),
        (["zzz"], "there are: order, other"),
        (["--fill", "{}"], "there are 2: order, other"),
        (["order", "--fill", "{"], "--fill is not JSON"),
        (["order", "--fill", "[1]"], "--fill is a JSON object"),
        (["order", "--fill", '{"/a": "1", "/a": "2"}'], "twice"),
        (["order", "--fill", '{"count": "1"}'], 'write "/count"'),
        (["order", "--fill", "@no-such-file"], "No such file"),
        (["order", "more"], "one operand too many"),
        (["-s", "x"], "leave out -s"),
        (["--record", "x"], "leave out --record"),
    ],
)
def test_what_cannot_be_meant_exits_2(words: list[str], said: str, tmp_path: Path) -> None:
    ran = inspect("form", file(tmp_path, [ORDER, OTHER]), *words)
    assert ran.code == 2 and said in ran.err and ran.out == ""


def test_a_missing_and_a_broken_file_exit_2(tmp_path: Path) -> None:
    assert inspect("form", str(tmp_path / "none.json")).code == 2
    broken = inspect("form", file(tmp_path, '{"tools": ['), "--json")
    assert broken.code == 2 and broken.json["error"]["kind"] == "config"
    comma = inspect("form", file(tmp_path, '{"name": "x",\n "inputSchema": {},}'), "--json")
    assert comma.code == 2 and "tools.json:2:20: not JSON" in comma.json["error"]["message"]


@pytest.mark.parametrize("source", ["text", "@", "-", "@-"])
def test_fill_gives_the_arguments(source: str, tmp_path: Path) -> None:
    text = '{"/count": "1e3", "/": "x", "/size": {"choose": "none"}, "/to/kind": {"choose_index": 0}}'
    (tmp_path / "fill.json").write_text(text, encoding="utf-8")
    given = {"text": text, "@": f"@{tmp_path / 'fill.json'}"}.get(source, source)
    ran = inspect("form", file(tmp_path, ORDER), "--fill", given, "--json", stdin=text)
    assert ran.code == 0
    assert ran.json == {
        "arguments": {"count": 1000, "": "x", "size": None, "to": {"kind": "x"}},
        "errors": [],
        "warnings": [],
    }


def test_fill_names_what_is_wrong_and_shows_what_would_be_sent(tmp_path: Path) -> None:
    entries = {
        "/count": "0",
        "/day": "tomorrow",
        "/size": {"choose": 3},
        "/day/else": "x",
        "/tags/0": True,
    }
    ran = inspect("form", file(tmp_path, ORDER), "--fill", json.dumps(entries), "--json")
    assert ran.code == 1
    assert {error["path"] for error in ran.json["errors"]} == {"/count", "/size", "/day/else", "/tags/0"}
    assert [warning["path"] for warning in ran.json["warnings"]] == ["/day"]
    assert ran.json["arguments"] == {"count": 0, "day": "tomorrow", "tags": [True]}
    told = inspect("form", file(tmp_path, ORDER), "--fill", "{}")
    assert (told.code, told.out, told.err) == (1, "{}\n", "error: /count: required\n")


def test_numbers_keep_the_spelling_of_the_schema(tmp_path: Path) -> None:
    schema = '{"properties": {"a": {"const": 1.50}, "b": {"default": 1e2}}, "required": ["a", "b"]}'
    text = f'{{"name": "x", "inputSchema": {schema}}}'
    ran = inspect("form", file(tmp_path, text), "--fill", "{}", "--json")
    assert ran.code == 0 and '"a": 1.50,' in ran.out and '"b": 1e2' in ran.out


def test_a_tool_that_is_nested_beyond_measure(tmp_path: Path) -> None:
    deep = '{"properties": {"a": ' * 5000 + "true" + "}}" * 5000
    path = file(tmp_path, f'{{"name": "deep", "inputSchema": {deep}}}')
    shown = inspect("form", path, "--json")
    assert shown.code == 0 and shown.json["fields"][0]["pointer"] == "/a"
    filled = inspect("form", path, "--fill", json.dumps({"/a" * 30: {"json": "1"}}), "--json")
    assert filled.code == 0 and numbers.dumps(filled.json["arguments"]) == '{"a": ' * 30 + "1" + "}" * 30
    assert "not checked" in filled.json["warnings"][0]["message"]


def test_the_outline_for_people(tmp_path: Path) -> None:
    ran = inspect("form", file(tmp_path, [ORDER, OTHER]), PYTHONIOENCODING="utf-8")
    assert ran.out.splitlines()[:3] == [
        "order   (* required)",
        "  count (How many) *  integer",
        "      \u2265 1",
    ]
    assert '  size                one of | null: 1 (one), "1" (text), null (none)' in ran.out
    assert "      any key  any value" in ran.out


def test_a_live_server(tmp_path: Path) -> None:
    forms = inspect("form", "--json", *BAKERY).json
    assert isinstance(forms, list) and all(
        set(form) == {"tool", "fields", "rawOnly", "problems"} for form in forms
    )
    name = forms[0]["tool"]
    assert inspect("form", name, "--json", *BAKERY).json == forms[0]
    unknown = inspect("form", name + "x", *BAKERY)
    assert unknown.code == 2 and f"did you mean {name}?" in unknown.err


def test_several_servers_are_told_apart_and_a_failed_one_keeps_its_place(tmp_path: Path) -> None:
    config = write_config(tmp_path, good=odd_entry(), bad={"command": "no-such-program"})
    ran = inspect("form", config, "--json")
    assert ran.code == 3
    assert {entry["server"] for entry in ran.json[:-1]} == {"good"} and "fields" in ran.json[0]
    assert list(ran.json[-1]) == ["server", "error"] and ran.json[-1]["error"]["kind"] == "not_found"
    named = inspect("form", config, "echo", "-s", "good", "--fill", "{}", "--json")
    assert named.code == 0 and named.json["errors"] == []


def test_the_fields_of_an_entry_that_is_no_tool() -> None:
    assert inspect("form", "echo", "--json", *odd()).code == 0


def no_web() -> ServeWeb:
    raise AssertionError("the app in a browser was opened")


async def no_app() -> int:
    raise AssertionError("the app is not meant")


@pytest.mark.shared
def test_every_handed_case_through_fill(shared: Path, tmp_path: Path) -> None:
    wrong = []
    for path in sorted((shared / "faults" / "schemas").glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        tool, answer = file(tmp_path, document["tool"]), tmp_path / "answer.json"
        for case in document["cases"]:
            (tmp_path / "fill.json").write_text(json.dumps(case["fill"]), encoding="utf-8")
            code = main(
                ["form", tool, "--fill", f"@{tmp_path / 'fill.json'}", "--json", "-o", str(answer)],
                no_app,
                no_web,
            )
            got = numbers.spelled(answer.read_text("utf-8"))
            failed = {error["path"] for error in got["errors"]}
            if code != bool(failed) or not right(case, got["arguments"], failed):
                wrong.append(f"{path.name}: {case['name']}: {got}")
    assert not wrong, "\n".join(wrong)


def right(case: dict[str, Any], arguments: Any, failed: set[str]) -> bool:
    if "expect_error" in case:
        return all(error["path"] in failed for error in case["expect_error"])
    wanted = case.get("expect_any_of", [case.get("expect_arguments")])
    return any(
        one["$error"] in failed
        if isinstance(one, dict) and set(one) == {"$error"}
        else not failed and numbers.same(arguments, one)
        for one in wanted
    )


def test_a_pointer_with_a_lone_tilde_is_refused(tmp_path: Path) -> None:
    for pointer in ("/a~2", "/a~"):
        ran = inspect("form", file(tmp_path, ORDER), "--fill", json.dumps({pointer: "x"}))
        assert ran.code == 2 and f"'{pointer}' is no JSON Pointer" in ran.err


@pytest.mark.parametrize(
    "content", ["[" * 20_000, '{"tools": [' + "[" * 20_000, "[1,", '{"tools": [{"name": "x",}]}']
)
def test_a_broken_file_of_tools_is_not_spoken_of_as_a_config(content: str, tmp_path: Path) -> None:
    ran = inspect("form", file(tmp_path, content))
    assert ran.code == 2 and "not JSON" in ran.err and "a FILE holds a tool object" in ran.err
    assert "config" not in ran.err.replace(str(tmp_path), "")


def test_tools_of_one_name_are_told_and_each_can_be_named(tmp_path: Path) -> None:
    path = file(tmp_path, [ORDER, {**OTHER, "name": "order"}, {**OTHER, "name": "x#2"}])
    first = inspect("form", path, "order", "--json")
    assert first.json["fields"] and "2 tools are called order" in first.err and "order#2" in first.err
    filled = inspect("form", path, "order", "--fill", '{"/count": "1"}')
    assert filled.code == 0 and "2 tools are called order" in filled.err
    second = inspect("form", path, "order#2", "--fill", '{"/own": "1"}', "--json")
    assert (second.json["arguments"], second.err) == ({"own": 1}, "")
    assert inspect("form", path, "x#2", "--json").json["tool"] == "x#2"
    assert "there are 3: order, order#2, x#2" in inspect("form", path, "--fill", "{}").err
    for none in ("order#3", "order#0", "order#x"):
        assert f"there is no tool {none}" in inspect("form", path, none).err


def test_a_file_that_is_broken_is_told_once(tmp_path: Path) -> None:
    ran = inspect("form", file(tmp_path, "{"))
    assert ran.code == 2 and ran.err.count("ends too early") == 1


def test_a_name_with_line_breaks_stays_on_its_line(tmp_path: Path) -> None:
    member = {"title": "T\nU", "oneOf": [{"title": "A\nB", "type": "string"}, {"type": "object"}]}
    schema = {"type": "object", "properties": {"a\nb": member}}
    ran = inspect("form", file(tmp_path, {"name": "x\ny", "inputSchema": schema}))
    for name in ("x\\u000ay", "a\\u000ab", "T\\u000aU", "A\\u000aB"):
        assert name in ran.out
