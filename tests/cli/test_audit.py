"""`audit`: what the command line called is in the trail, and can be looked for."""

from __future__ import annotations

import sys
from pathlib import Path

from command import inspect, write_config

_BAKERY = [sys.executable, "-m", "inspector.demo", "stdio", "bakery"]


def _config(folder: Path) -> str:
    return write_config(folder, bakery={"command": _BAKERY[0], "args": _BAKERY[1:]})


def test_every_verb_that_calls_tools_leaves_a_record_of_who_allowed_it(tmp_path: Path) -> None:
    home = {"MCP_INSPECT_HOME": str(tmp_path / "home")}
    config = _config(tmp_path)
    saved = tmp_path / "calls.yaml"
    saved.write_text("calls:\n- name: wheat\n  tool: say_hello\n  arguments: {name: wheat}\n")
    assert inspect("call", config, "price_of", "item=croissant", **home).code == 0
    assert inspect("request", config, "tools/call", '{"name":"nothing_there"}', **home).code == 4
    assert inspect("run", str(saved), config, "--yes", **home).code == 0
    assert inspect("tools", config, **home).code == 0
    document = inspect("audit", "--json", **home).json
    assert [(each["tool"], each["outcome"], each["approver"]) for each in document["calls"]] == [
        ("say_hello", "ok", "--yes"),
        ("nothing_there", "rpc", "command line"),
        ("price_of", "ok", "command line"),
    ]
    assert document["unreadable"] == 0 and document["folder"].startswith(str(tmp_path))
    assert {each["server"] for each in document["calls"]} == {"bakery"}


def test_words_servers_and_a_number_choose(tmp_path: Path) -> None:
    home = {"MCP_INSPECT_HOME": str(tmp_path / "home")}
    config = _config(tmp_path)
    for item in ("croissant", "baguette", "rye"):
        inspect("call", config, "price_of", f"item={item}", **home)
    ran = inspect("audit", "baguette", **home)
    assert ran.code == 0 and ran.out.count("price_of") == 1 and "ALLOWED BY" in ran.out
    assert inspect("audit", "--last", "2", **home).out.count("price_of") == 2
    assert inspect("audit", "-s", "bakery", "outcome=tool_error", **home).out.count("price_of") == 1
    none = inspect("audit", "-s", "library", **home)
    assert none.code == 0 and none.out == "" and "no call fits that" in none.err


def test_an_empty_trail_says_so(tmp_path: Path) -> None:
    ran = inspect("audit", MCP_INSPECT_HOME=str(tmp_path))
    assert ran.code == 0 and ran.out == "" and "no tool was called yet" in ran.err


def test_a_home_that_cannot_be_written_fails_no_call(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    ran = inspect(
        "call", _config(tmp_path), "price_of", "item=croissant", MCP_INSPECT_HOME=str(tmp_path / "home")
    )
    assert ran.code == 0 and "1.9" in ran.out
    assert "not written to the audit trail" in ran.err
