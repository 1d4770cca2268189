"""`check` end to end: its formats, its exit codes, what is demanded besides the protocol."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest
from command import ODD, PYTHON, Ran, inspect, odd_entry, write_config

HANDSHAKE = [
    ("c2s", {"jsonrpc": "2.0", "id": 0, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}}}),
    ("s2c", {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                                   "serverInfo": {"name": "n", "version": "1"}}}),
    ("c2s", {"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ("c2s", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    ("s2c", {"jsonrpc": "2.0", "id": 1, "result": {
        "tools": [{"name": "a b", "inputSchema": {"type": "object"}}, {"name": "c"}]}}),
    ("c2s", {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "c"}}),
    ("s2c", {"jsonrpc": "2.0", "id": 2, "result": {"content": []}}),
]  # fmt: skip


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("check") / "some.mcprec"
    lines = [
        {"format": "mcp-inspect/recording", "version": 1, "base": 0, "redaction": {}},
        {"session": 1, "t": 0, "label": "it"},
    ]
    lines += [
        {"t": float(number), "q": number, "s": 1, "d": channel, "m": message}
        for number, (channel, message) in enumerate(HANDSHAKE)
    ]
    path.write_text(
        "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8"
    )
    return str(path)


def check(*words: str) -> Ran:
    return inspect("check", *words)


def test_findings_of_a_recording(recording: str) -> None:
    ran = check(recording, "--json")
    assert ran.code == 1
    document = ran.json
    assert list(document) == ["findings", "counts", "rulesRun"]
    first = document["findings"][0]
    assert list(first) == ["rule", "level", "server", "message", "pointer", "frames", "clients"]
    assert (first["rule"], first["level"], first["server"]) == ("T01", "error", "it")
    assert (first["pointer"], first["frames"]) == ("/result/tools/1/inputSchema", [3, 4])
    assert document["counts"] == {"error": 1, "warning": 1, "info": 0}
    assert document["rulesRun"] > 90


def test_text_names_rule_place_and_rows(recording: str) -> None:
    lines = check(recording).out.splitlines()
    assert lines[0].startswith("error    T01 ") and lines[0].endswith("/result/tools/1/inputSchema  [3, 4]")
    assert lines[1].strip() == "breaks Java SDK 0.10.0, Python SDK 2, TypeScript SDK 1"
    assert lines[-1].startswith("1 error, 1 warning, 0 info; ")


def test_what_is_muted_is_not_found(recording: str, tmp_path: Path) -> None:
    assert check(recording, "--mute", "T01", "--mute", "t07").code == 0
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.json").write_text('{"mute": ["T01"]}', encoding="utf-8")
    ran = inspect("check", recording, "--json", MCP_INSPECT_HOME=str(tmp_path))
    assert ran.code == 0 and [each["rule"] for each in ran.json["findings"]] == ["T07"]


@pytest.mark.parametrize(("least", "code"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_fail_on(recording: str, least: str, code: int) -> None:
    assert check(recording, "--mute", "T01", "--fail-on", least).code == code


def test_what_is_demanded_of_tools_and_time(recording: str) -> None:
    words = ["--expect-tool", "c", "--expect-tool", "z*", "--forbid-tool", "a*", "--max-duration", "0.5"]
    ran = check(recording, "--mute", "T01", "--mute", "T07", "--json", *words)
    found = [(each["rule"], each["message"], each["frames"]) for each in ran.json["findings"]]
    assert ran.code == 1
    assert ("expect-tool", "no tool is called z*", []) in found
    assert ("forbid-tool", "there is a tool a b", []) in found
    assert ("max-duration", "tools/call c took 1.0 s", [5, 6]) in found
    assert not any("no tool is called c" in message for _, message, _ in found)


def test_junit_has_a_case_for_each_rule(recording: str) -> None:
    root = xml.fromstring(check(recording, "--format", "junit").out)
    failed = [
        case.get("name", "").split()[0] for case in root.iter("testcase") if case.find("failure") is not None
    ]
    assert sorted(failed) == ["T01"]
    (told,) = (case for case in root.iter("testcase") if case.get("name", "").startswith("T07 "))
    assert told.findtext("system-out", "").startswith("warning: ")
    strict = xml.fromstring(check(recording, "--format", "junit", "--fail-on", "warning").out)
    assert len(list(strict.iter("failure"))) == 2
    assert int(root.get("tests", "0")) > 90


def test_sarif_is_a_log_with_rules_and_places(recording: str) -> None:
    document = json.loads(check(recording, "--format", "sarif").out)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"] == Path(recording).as_uri()
        # Lines of a file begin with 1, and before the rows stand the header and the session.
        assert place["region"]["startLine"] == 3 + 3
        assert location["logicalLocations"][0]["fullyQualifiedName"].startswith("it /result/tools/")


def test_the_rules_near_a_wrong_name_are_in_order() -> None:
    ran = inspect("check", "--explain", "T99")
    assert ran.code == 2 and "T21, T22, T23, T24" in ran.err


def test_a_rule_is_explained() -> None:
    ran = check("--explain", "t12")
    assert (
        ran.code == 0
        and "outputSchema" in ran.out
        and "https://modelcontextprotocol.io/specification/" in ran.out
    )
    every = check("--explain", "all", "--json").json
    assert len(every) > 90 and list(every[0]) == [
        "rule",
        "level",
        "versions",
        "about",
        "reference",
        "active",
        "clients",
    ]
    ran = check("--explain", "T99")
    assert ran.code == 2 and "there is no rule T99" in ran.err
    several = check("--mute", "T01,T02")
    assert several.code == 2 and "as in --mute T01 --mute T02" in several.err


def test_a_live_server(tmp_path: Path) -> None:
    loud = f"import runpy; print('listening', flush=True); runpy.run_path({ODD!r}, run_name='__main__')"
    ran = check("--json", "--record", str(tmp_path / "a.mcprec"), "--", PYTHON, "-c", loud)
    assert ran.code == 1
    rules = {each["rule"] for each in ran.json["findings"]}
    assert "S01" in rules
    again = check(str(tmp_path / "a.mcprec"), "--json")
    assert {each["rule"] for each in again.json["findings"]} == rules


def test_a_server_that_cannot_be_asked(tmp_path: Path) -> None:
    ran = check("--json", "--", PYTHON, ODD + ".missing")
    assert ran.code == 3
    assert ran.json["errors"][0]["error"]["kind"] == "exited"


def test_junit_passes_nothing_of_a_server_that_could_not_be_asked(tmp_path: Path) -> None:
    config = write_config(
        tmp_path, absent={"command": "no-such-program"}, odd={"command": PYTHON, "args": [ODD]}
    )
    ran = inspect("check", config, "--format", "junit")
    cases = [case for case in xml.fromstring(ran.out).iter("testcase") if case.get("classname") == "absent"]
    assert [(case.get("name"), case.find("failure") is not None) for case in cases] == [("connect", True)]
    assert ran.code == 3 and ran.out.count('classname="odd"') > 100
    (run,) = inspect("check", config, "--format", "sarif").json["runs"]
    failed = [each for each in run["results"] if each["ruleId"] == "connect"]
    assert [each["level"] for each in failed] == ["error"] and "no-such-program" in failed[0]["message"][
        "text"
    ]


@pytest.mark.parametrize("verb", ["check", "baseline"])
@pytest.mark.parametrize(
    ("servers", "said"),
    [
        ({}, "has no server to look at\n"),
        ({"shop": {"command": "x", "disabled": True}}, "shop is switched off"),
    ],
)
def test_nothing_looked_at_is_nothing_passed(
    verb: str, servers: dict[str, Any], said: str, tmp_path: Path
) -> None:
    """A job of CI whose config lost its servers must not be green."""
    config = write_config(tmp_path, **servers)
    for options in (
        ([], ["--accept"]) if verb == "baseline" else ([], ["--fail-on", "never"], ["--expect-tool", "a"])
    ):
        ran = inspect(verb, config, *options)
        assert ran.code == 2
        assert said in ran.err and "→" in ran.err
    nowhere = inspect(verb, HOME=str(tmp_path), cwd=tmp_path)
    assert nowhere.code == 2 and "no server to look at" in nowhere.err


def test_a_recording_is_not_asked(recording: str) -> None:
    assert check(recording, "--active").code == 2


def test_a_server_that_is_not_in_the_recording(recording: str) -> None:
    ran = check(recording, "-s", "other")
    assert ran.code == 2 and "no server other" in ran.err


def test_status_counts_what_check_finds() -> None:
    server = ["--", PYTHON, str(Path(ODD).with_name("hostile.py"))]
    found = check("--json", *server).json["counts"]
    row = inspect("status", "--json", *server).json
    assert row["servers"][0]["findings"] == sum(found.values()) > 0
    ran = inspect("status", *server)
    assert f"{found['error']} errors +{found['warning'] + found['info']}" in ran.out
    assert "check tells what the findings are" in ran.err


def test_a_filter_finds_frames_by_what_is_wrong_with_them(recording: str) -> None:
    found = inspect("log", recording, "finding:T01", "--json").out.splitlines()
    assert [json.loads(line)["q"] for line in found] == [4]
    assert inspect("log", recording, "finding:nothing").out == ""
    copy = inspect("export", recording, "finding:error", "--to", "jsonl").out
    assert '"tools":[' in copy and '"tools/call"' not in copy


def test_the_sum_says_how_many_servers_were_looked_at(tmp_path: Path) -> None:
    gone = {"command": "no-such-program-anywhere"}
    alone = inspect("check", write_config(tmp_path, gone=gone))
    assert alone.code == 3 and alone.out.strip() == "nothing was looked at, 1 server could not be asked"
    both = inspect("check", write_config(tmp_path, gone=gone, odd=odd_entry("plain")))
    assert both.code == 3 and both.out.strip().endswith(" on 1 server, 1 server could not be asked")


@pytest.mark.parametrize("word", ["y", "[INFO] not JSON"])
def test_a_program_that_floods_its_stdout_is_given_up_at_once(word: str) -> None:
    """Nobody waits for the whole connect time-out while words come by the million."""
    ran = inspect("status", "--json", "--", PYTHON, "-c", f"while True: print({word!r})")
    (server,) = ran.json["servers"]
    assert ran.code == 3 and server["error"]["kind"] == "not_mcp"
    assert "20,000 lines" in server["error"]["message"] and word in server["error"]["message"]
