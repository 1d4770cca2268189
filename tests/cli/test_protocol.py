"""Which version is spoken, from the command line: asked for, found out, remembered; and the frames that it costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect, write_config

from inspector.base.paths import paths

SERVERS = Path(__file__).parent.parent / "servers"
ERAS, WORKS, ASKER = (str(SERVERS / name) for name in ("eras.py", "works.py", "asker.py"))


def server(mode: str) -> list[str]:
    return ["--", PYTHON, ERAS, mode]


def status(*words: str) -> dict[str, Any]:
    ran = inspect("status", "--json", *words)
    assert ran.code == 0, ran.err
    (row,) = ran.json["servers"]
    return row


def methods(recording: Path) -> list[str]:
    """What was sent, notifications too."""
    lines = [json.loads(line) for line in recording.read_text("utf-8").splitlines()]
    return [line["m"]["method"] for line in lines if line.get("d") == "c2s"]


def frames(tmp_path: Path, *words: str) -> list[str]:
    recording = tmp_path / "x.mcprec"
    ran = inspect(*words[:2], "--force", "--record", str(recording), *words[2:])
    assert ran.code == 0, ran.err
    return methods(recording)


def test_status_says_the_era_and_on_what_evidence() -> None:
    row = status(*server("dual"))
    assert (row["era"], row["protocolVersion"]) == ("modern", "2026-07-28")
    assert row["serverInfo"] == {"name": "dual", "version": "1"}
    probe = next(step for step in row["steps"] if step["step"] == "era probe")
    assert probe["outcome"] == "modern: server/discover lists 2026-07-28, 2025-11-25"
    assert row["counts"] == {"tools": 3, "resources": 1, "templates": 0, "prompts": 0}


@pytest.mark.parametrize(
    ("protocol", "version"),
    [("legacy", "2025-11-25"), ("2025-03-26", "2025-03-26"), ("modern", "2026-07-28")],
)
def test_a_dual_server_speaks_what_is_asked_for(protocol: str, version: str) -> None:
    assert status("--protocol", protocol, *server("dual"))["protocolVersion"] == version


def test_an_entry_and_the_settings_may_ask_for_a_version(tmp_path: Path) -> None:
    config = write_config(tmp_path, one={"command": PYTHON, "args": [ERAS, "dual"], "protocol": "2025-06-18"})
    assert status(config)["protocolVersion"] == "2025-06-18"
    assert status("--protocol", "auto", config)["era"] == "modern"
    assert paths().settings.parent.mkdir(parents=True) is None
    paths().settings.write_text('{"protocol": "legacy"}')
    assert status(*server("dual"))["era"] == "legacy"
    odd = write_config(tmp_path, one={"command": PYTHON, "args": [ERAS, "dual"], "protocol": "new"})
    assert any(
        "protocol" in warning for warning in inspect("config", odd, "--json").json["servers"][0]["warnings"]
    )


def test_what_a_call_sends(tmp_path: Path) -> None:
    call = ("call", "echo")
    legacy = ["initialize", "notifications/initialized", "tools/call"]
    assert frames(tmp_path, *call, "--protocol", "legacy", *server("dual")) == legacy
    old = server("error -32601")
    assert frames(tmp_path, *call, *old) == ["server/discover", *legacy]
    assert frames(tmp_path, *call, *old) == legacy
    assert frames(tmp_path, *call, *server("dual")) == ["server/discover", "tools/call"]
    assert frames(tmp_path, *call, "--protocol", "modern", *server("dual")) == [
        "server/discover",
        "tools/call",
    ]


def test_a_verdict_that_fails_is_asked_for_again(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    command = ["--", PYTHON, str(script)]
    for mode, era in (("error -32601", "legacy"), ("modern", "modern"), ("error -32601", "legacy")):
        script.write_text(
            f"import runpy, sys\nsys.argv = ['', {mode!r}]\nrunpy.run_path({ERAS!r}, run_name='__main__')"
        )
        assert status(*command)["era"] == era
    assert len(json.loads(paths().eras.read_text())) == 1


def test_a_broken_memory_costs_a_probe_and_no_more() -> None:
    paths().eras.parent.mkdir(parents=True, exist_ok=True)
    for text in ("{", "[]", '{"x": 1}'):
        paths().eras.write_text(text)
        assert status(*server("dual"))["era"] == "modern"


def test_a_server_without_that_era_says_so() -> None:
    ran = inspect("tools", "--json", "--protocol", "2026-07-28", *server("error -32601"))
    assert ran.code == 3 and ran.json["error"]["kind"] == "version"
    assert "does not speak 2026-07-28" in ran.json["error"]["message"]
    assert "--protocol legacy" in ran.json["error"]["hint"]


def test_input_is_given_from_a_file(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text('{"elicitation": {"content": {"confirmed": false}}, "sampling": "hi"}')
    ran = inspect("call", "confirm", "--json", "--answer", str(answers), *server("modern"))
    assert ran.code == 0
    given = json.loads(ran.json["result"]["content"][0]["text"])["inputResponses"]
    assert given["once more"]["content"]["text"] == "hi"
    ran = inspect("call", "confirm", "--json", "--answer", "deny", *server("modern"))
    assert ran.code == 1 and ran.json["error"]["kind"] == "cancelled"
    assert ran.json["result"]["resultType"] == "input_required"


def test_a_call_that_becomes_a_task_is_waited_for(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text('{"elicitation": "accept", "sampling": "hi"}')
    behind = ["--", PYTHON, WORKS]
    ran = inspect("call", "asks", "--json", "--answer", str(answers), *behind)
    assert ran.code == 0 and '"name": "Ada"' in ran.json["result"]["content"][0]["text"].replace("\\", "")
    assert inspect("call", "fails", "--json", *behind).json["error"]["code"] == -32099
    ran = inspect("call", "asks", "--json", *behind)
    assert ran.code == 1 and "input that is not given" in ran.json["error"]["message"]
    ran = inspect("call", "long", "--json", "--max-time", "1", *behind)
    assert ran.code == 5 and "--max-time" in ran.json["error"]["hint"]
    assert inspect("request", "tools/call", '{"name": "long"}', *behind).out.count("taskId") == 1


@pytest.mark.parametrize("code", ["-32601", "-32603", "0"])
def test_a_tool_that_must_be_a_task_is_called_as_one(code: str) -> None:
    ran = inspect("call", "long", f"code:={code}", "--json", "--max-time", "1", "--", PYTHON, ASKER)
    assert ran.code == 5 and ran.json["error"]["message"].startswith("the task was not over")


def test_skills_are_named_and_their_files_compared() -> None:
    behind = ["--", PYTHON, WORKS, "skills"]
    warnings = inspect("resources", "--json", *behind).json["warnings"]
    assert warnings[0] == "2 skills: pdf (skill://pdf/SKILL.md), bad (skill://bad/SKILL.md)"
    assert any("has no URI" in each for each in warnings) and any("loops" in each for each in warnings)
    good = inspect("read", "skill://pdf/SKILL.md", "--json", *behind)
    assert good.code == 0 and not any("must not" in each for each in good.json["warnings"])
    bad = inspect("read", "skill://bad/x.txt", "--json", *behind)
    assert bad.code == 0 and sum("must not use this skill" in each for each in bad.json["warnings"]) == 2


def test_addresses_to_visit_first_are_named() -> None:
    ran = inspect("call", "required", "--", PYTHON, ASKER)
    assert ran.code == 4 and "  open https://accounts.example.com/consent?state=1" in ran.err


# It announces a change at once, and lists its resources only when the tools are asked for again, which it ignores.
_LISTS_FOREVER = r"""
import json, sys
def send(**m): print(json.dumps({"jsonrpc": "2.0", **m}), flush=True)
tools, held = 0, None
for line in sys.stdin:
    m = json.loads(line); id_, method = m.get("id"), m["method"]
    if method == "initialize":
        send(id=id_, result={"protocolVersion": "2025-11-25", "serverInfo": {"name": "x", "version": "1"},
                             "capabilities": {"tools": {"listChanged": True}, "resources": {}}})
    elif method == "tools/list":
        tools += 1
        if tools == 1:
            send(id=id_, result={"tools": []}); send(method="notifications/tools/list_changed")
        elif held is not None:
            send(id=held, result={"resources": []})
    elif method == "resources/list" and tools < 2:
        held = id_
    elif method == "resources/list":
        send(id=id_, result={"resources": []})
    elif id_ is not None:
        send(id=id_, error={"code": -32601, "message": "no"})
"""


def test_a_step_that_still_runs_is_not_called_ok() -> None:
    ran = inspect("status", "-v", "--protocol", "legacy", "--", PYTHON, "-c", _LISTS_FOREVER)
    lists = [line.split() for line in ran.err.splitlines() if "tools/list" in line]
    assert [line[0] for line in lists] == ["ok", "…"] and lists[1][2] == "running", ran.err


def test_a_list_that_was_never_declared_is_told_with_what_was() -> None:
    ran = inspect("prompts", "--json", "--", PYTHON, ASKER)
    assert ran.code == 4
    assert ran.json["error"]["hint"] == "it does not declare prompts; what it declares: tools, logging, tasks"


# It announces changed lists before it answers a call.
_ANNOUNCES = r"""
import json, sys
def send(**m): print(json.dumps({"jsonrpc": "2.0", **m}), flush=True)
for line in sys.stdin:
    m = json.loads(line); id_, method = m.get("id"), m["method"]
    if method == "initialize":
        send(id=id_, result={"protocolVersion": "2025-11-25", "serverInfo": {"name": "x", "version": "1"},
                             "capabilities": {"tools": {"listChanged": True}, "resources": {"listChanged": True}}})
    elif method == "tools/call":
        send(method="notifications/tools/list_changed")
        send(method="notifications/resources/list_changed")
        send(id=id_, result={"content": []})
    elif id_ is not None:
        send(id=id_, error={"code": -32601, "message": "no"})
"""


def test_a_call_sends_what_it_needs_and_reads_no_list_because_it_changed(tmp_path: Path) -> None:
    book = tmp_path / "call.mcprec"
    server = [PYTHON, "-c", _ANNOUNCES]
    ran = inspect("call", "t", "--protocol", "legacy", "--record", book, "--", *server)
    assert ran.code == 0
    frames = [json.loads(line) for line in book.read_text().splitlines()]
    sent = [frame["m"]["method"] for frame in frames if frame.get("d") == "c2s"]
    assert sent == ["initialize", "notifications/initialized", "tools/call"]
