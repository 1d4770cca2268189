"""What can stand for a target, and what is refused before anything is started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command import inspect, odd, odd_entry, write_config


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["tools", ""], "TARGET is empty"),
        (["call", "", "echo"], "TARGET is empty"),
        (["tools", "--project-dir", "no/such/folder", *odd()], "--project-dir no/such/folder is no folder"),
        (["tools", "--transport", "http", *odd()], "does not fit a command line"),
        (["tools", "--transport", "stdio", "http://127.0.0.1:1/"], "does not fit a URL"),
        (["paths", *odd()], "paths starts no server"),
        (["log", "x", *odd()], "log starts no server"),
        (["log", "x", "-s", "one"], "write the filter server:one"),
        (["demo", *odd()], "demo starts no server"),
    ],
)
def test_what_is_no_target_is_refused_by_name(words: list[str], reason: str) -> None:
    mark = words.index("--") if "--" in words else len(words)
    ran = inspect(*words[:mark], "--json", *words[mark:])
    assert ran.code == 2
    assert reason in ran.err and reason in ran.json["error"]["message"]


@pytest.mark.parametrize(
    ("name", "content", "said", "hint"),
    [
        ("r.mcprec", b"garbage", "is no recording", "recordings are written by"),
        ("r.mcprec", b"", "is no recording", "recordings are written by"),
        ("r.mcprec", b"\x00\xff", "is no recording", "recordings are written by"),
        ("r.mcprec", None, "is no file", "not from a pipe or folder"),
        ("r.mcprec.gz", b"\x1f\x8b\x08", "is compressed", "gunzip"),
        ("session.html", b"<!doctype html>\n<html>", "is a page", "open it in a browser"),
        ("spans.jsonl", b'{"resourceSpans":[]}', "holds spans", "collector"),
        ("mine.py", b"import mcp", "is a program", "to start it: mcp-inspect{} -- python "),
        ("mine", b"#!/usr/bin/env node", "is a program", "to start it: mcp-inspect{} -- /"),
        ("pic.png", b"\x89PNG\r\n\x1a\n\x00\x00", "is no text", "a config is JSON"),
    ],
)
def test_what_is_no_config_is_called_by_what_it_is(
    name: str, content: bytes | None, said: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    for verb in ("", "status"):
        ran = inspect(*filter(None, [verb]), str(path))
        assert ran.code == 2 and f"{path} {said}" in ran.err
        assert hint.format(verb and f" {verb}") in ran.err


def test_a_program_in_the_place_of_a_target_is_put_behind_the_dashes(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import mcp")
    ran = inspect("call", str(path), "price", "item=rye")
    assert f"mcp-inspect call price item=rye -- python {path}" in ran.err
    path.write_text('TOOL = {"name": "a", "inputSchema": {}}')
    assert f"mcp-inspect schema -- python {path}" in inspect("schema", str(path)).err
    assert f"mcp-inspect diff OLD -- python {path}" in inspect("diff", str(path), str(path)).err
    (tmp_path / "calls.yaml").write_text("calls: [{name: a, tool: b}]")
    ran = inspect("run", str(tmp_path / "calls.yaml"), str(path))
    assert f"mcp-inspect run {tmp_path}/calls.yaml -- python {path}" in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("verb", ["config", "status", "tools"])
def test_a_pipe_is_refused_and_not_waited_for(verb: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ran = inspect(verb, str(pipe), "--json")
    assert ran.code == 2 and "no regular file" in ran.out


def test_a_url_that_leads_nowhere_is_told_before_anything_is_tried(tmp_path: Path) -> None:
    config = write_config(
        tmp_path, good=odd_entry(), port={"url": "http://127.0.0.1:99999/"}, bracket={"url": "http://[::1/"}
    )
    ran = inspect("status", config, "--json")
    kinds = {row["name"]: row["error"] and row["error"]["kind"] for row in ran.json["servers"]}
    assert kinds == {"good": None, "port": "config", "bracket": "config"}
    assert "internal" not in ran.err


def test_config_looks_at_a_command_line_and_a_url_too() -> None:
    missing = inspect("config", "--json", "--", "no-such-program-at-all")
    assert missing.code == 2
    (problem,) = missing.json["problems"]
    assert (problem["path"], problem["where"], problem["severity"]) == (None, "command", "error")
    given = inspect("config", "--json", "--env", "K=${T_GIVEN}", *odd(), T_GIVEN="some-value-here")
    assert given.code == 0 and given.json["servers"][0]["env"] == {"K": "***"}
    assert inspect("config", "http://127.0.0.1:99999/").code == 2
