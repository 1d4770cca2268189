"""What is proposed to be expected of an answer, and files that get a call more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.base.errors import Failed
from inspector.calls import saved, writing
from inspector.calls.proposing import expectation, proposed


def _text(*texts: str, **result: Any) -> dict[str, Any]:
    return {"result": {"content": [{"type": "text", "text": text} for text in texts], **result}}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (_text("Rye costs 3"), {"at": {"/content/0/text": "Rye costs 3"}}),
        (_text("no such bread", isError=True), {"error": True, "at": {"/content/0/text": "no such bread"}}),
        ({"error": {"code": -32602, "message": "Invalid"}}, {"error": -32602}),
        ({"error": "broken"}, {"error": True}),
        ({"result": {}}, {}),
        (None, {}),
        (
            _text("{}", structuredContent={"price": 3.5, "took_ms": 12, "of": {"bread": "rye"}, "none": None}),
            {"at": {"/structuredContent/price": 3.5, "/structuredContent/of/bread": "rye",
                    "/structuredContent/none": None}},
        ),
        (_text('{"a/b": [true]}'), {"at": {"/content/0/text/a~1b/0": True}}),
        (_text("first line\nsecond"), {"at": {"/content/0/text": {"contains": "first line"}}}),
        (_text("x" * 500), {"at": {"/content/0/text": {"contains": "x" * 120}}}),
        (_text("baked (at) 12:30:05"), {"at": {"/content/0/text": {"matches": r"^baked\ \(at\)\ .+?$"}}}),
        (_text("\nsecond"), {"at": {"/content/0/text": {"exists": True}}}),
    ],
)  # fmt: skip
def test_an_answer_tells_what_to_expect(message: Any, expected: dict[str, Any]) -> None:
    assert expectation(message) == expected


@pytest.mark.parametrize(
    "message",
    [_text("Rye costs 3"), _text("at 12:30:05 it was 2026-11-30"), _text("no\n: - #"), _text('{"no": "yes", "n": 1}'),
     _text("bad", isError=True), {"error": {"code": -32602}},
     _text("12:30", structuredContent={"a": "0x1", "b": 1e300})],
)  # fmt: skip
def test_the_answer_itself_is_as_proposed_once_it_was_written_and_read(message: Any, tmp_path: Path) -> None:
    entry = proposed(
        "no: 1", {"name": "price", "arguments": {"item": "no", "at": "12:30"}}, message, server="shop"
    )
    path = tmp_path / "calls.yaml"
    path.write_bytes(writing.added(path, writing.entry_text(entry)))
    (call,) = saved.read(path).calls
    assert (call.name, call.tool, call.server) == ("no: 1", "price", "shop")
    assert call.params == {"name": "price", "arguments": {"item": "no", "at": "12:30"}}
    assert call.expect.failures(message, 0.1) == []
    assert call.expect.failures(_text("something else", structuredContent={}), 0.1)


ENTRY = "name: new\ntool: echo\narguments:\n  message: |\n    two\n\n    lines\n"


@pytest.mark.parametrize(
    "text",
    [
        "calls:\n- tool: a\n",
        "calls:\n  - tool: a\n    arguments: {x: 1}   # why\n\n# the end\n",
        "# head\ncalls:\n    - name: b\n      tool: a\n"
        "      expect:\n          at:\n            /x: |\n              text\n"
        "server: shop\n",
        "server: shop\ncalls:\n  - tool: a",
        "calls: \r\n  - tool: a\r\n",
    ],
)  # fmt: skip
def test_a_call_more_leaves_the_rest_of_the_file_as_it_was(text: str, tmp_path: Path) -> None:
    path = tmp_path / "calls.yaml"
    path.write_bytes(text.encode())
    before = saved.read(path)
    path.write_bytes(writing.added(path, ENTRY))
    after = saved.read(path)
    assert [call.name for call in after.calls] == [*(call.name for call in before.calls), "new"]
    assert after.calls[:-1] == before.calls
    assert after.calls[-1].params == {"name": "echo", "arguments": {"message": "two\n\nlines\n"}}
    lines = path.read_text().split("\n")
    assert all(line in lines for line in text.replace("\r", "").split("\n"))


def test_json_stays_json_and_a_new_file_names_its_config(tmp_path: Path) -> None:
    path = tmp_path / "calls.json"
    path.write_text(json.dumps({"calls": [{"tool": "a"}]}))
    path.write_bytes(writing.added(path, ENTRY))
    assert [call["tool"] for call in json.loads(path.read_text())["calls"]] == ["a", "echo"]
    new = tmp_path / "sub" / "calls.yaml"
    new.parent.mkdir()
    new.write_bytes(writing.added(new, ENTRY, str(tmp_path / "servers.json")))
    assert saved.read(new).target == str(new.parent / ".." / "servers.json")


def test_what_cannot_be_added_is_told_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "calls.yaml"
    for text, entry, said in (
        ("calls: [{tool: a}]\n", ENTRY, "brackets"),
        ("calls:\n- tool: a\n", "tool: [", "expected"),
        ("calls:\n- tool: a\n", "name: tools/call a\ntool: a\n", "two calls named"),
        ("calls:\n- tool: a\n", "name: b\n", "says not what is called"),
        ("- a\n", ENTRY, "no object"),
    ):
        path.write_text(text)
        with pytest.raises(Failed, match=said):
            writing.added(path, entry)
        assert path.read_text() == text


def test_names_that_are_taken_get_a_number() -> None:
    assert writing.free_name("a", set()) == "a"
    assert writing.free_name("a", {"a", "a 2"}) == "a 3"
