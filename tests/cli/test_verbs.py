"""Verbs end to end: stdout holds the answer and nothing else, the exit code tells the outcome."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import ODD, PYTHON, inspect, odd, odd_entry, write_config

from inspector import __version__

BAKERY = ["--", PYTHON, "-m", "inspector.demo", "stdio", "bakery"]


def test_version() -> None:
    assert inspect("--version").out == f"mcp-inspect {__version__}\n"


def test_call_prints_the_result_as_served() -> None:
    ran = inspect("call", "echo", "text=a b", "n:=1.50", "--json", *odd())
    assert ran.code == 0 and ran.err == ""
    document = ran.json
    assert list(document) == ["server", "tool", "result", "duration_ms", "error", "warnings"]
    assert document["tool"] == "echo" and document["error"] is None and document["warnings"] == []
    assert json.loads(document["result"]["content"][0]["text"]) == {"text": "a b", "n": 1.5}


def test_call_for_people_prints_text() -> None:
    ran = inspect("call", "echo", "a=1", *odd())
    assert (ran.code, ran.out, ran.err) == (0, '{"a": "1"}\n', "")


@pytest.mark.parametrize("source", ["--args", "@", "-"])
def test_arguments_from_an_option_a_file_and_stdin(source: str, tmp_path: Path) -> None:
    text = '{"n": 1234567890123456789, "more": [true, null]}'
    given, stdin = text, ""
    if source == "@":
        (tmp_path / "args.json").write_text("\ufeff" + text, encoding="utf-8")
        given = f"@{tmp_path / 'args.json'}"
    elif source == "-":
        given, stdin = "-", text
    ran = inspect("call", "echo", "--args", given, "--json", *odd(), stdin=stdin)
    assert json.loads(ran.json["result"]["content"][0]["text"]) == json.loads(text)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["call", "echo", "novalue"], "is no argument"),
        (["call", "echo", "@all.json"], "--args @all.json"),
        (["call", "echo", "a:=NaN"], "is not JSON"),
        (["call", "echo", "a:={"], "is not JSON"),
        (["call", "echo", "--args", "[1]"], "must be a JSON object"),
        (["request", "tools/list", "[1]"], "must be a JSON object"),
        (["complete", "nonsense", "a", "b"], "is no reference"),
        (["call", "echo", "--timeout", "0"], "above 0"),
        (["tools", "--protocol", "1999"], "is no protocol"),
        (["tools", "--protocol", "new"], "is no protocol"),
        (["tools", "--validate"], "there is no --validate here; it is an option of call"),
        (["tools", "surplus"], "no TARGET can be"),
        (["tools", "--no-such-option"], "unrecognized arguments"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(words: list[str], reason: str) -> None:
    ran = inspect(*words, "--json", *odd())
    assert ran.code == 2
    assert reason in ran.err and reason in ran.json["error"]["message"]


@pytest.mark.parametrize(
    ("verb", "has", "lacks"),
    [
        (
            "log",
            ["--json", "--reveal", "--output FILE"],
            ["--record", "--header", "--timeout", "--server", "--yes"],
        ),
        ("export", ["--to", "--no-redact", "--header"], ["--record", "--env", "--answer"]),
        ("paths", ["--json"], ["--record", "--reveal", "--env"]),
        ("serve", ["--http", "--record", "--match"], ["--timeout", "--env", "--protocol"]),
        ("tap", ["--listen", "--header", "--no-redact"], ["--record", "--max-time", "--answer"]),
        ("config", ["--env", "--project-dir"], ["--record", "--protocol"]),
        ("call", ["--record", "--header", "--args", "--answer"], ["--http", "--pace"]),
    ],
)
def test_the_help_of_a_verb_names_what_it_has_a_use_for(verb: str, has: list[str], lacks: list[str]) -> None:
    told = inspect(verb, "--help").out
    assert all(option in told for option in has) and not any(option in told for option in lacks)
    assert ("[-- COMMAND" in told) == (verb in ("call", "config", "tap"))


@pytest.mark.parametrize("verb", [["config"], ["paths"], ["log", "x.mcprec"]])
def test_a_verb_without_traffic_refuses_to_record_it(verb: list[str], tmp_path: Path) -> None:
    ran = inspect(*verb, "--record", str(tmp_path / "r.mcprec"))
    assert ran.code == 2 and "no traffic to record" in ran.err
    assert not (tmp_path / "r.mcprec").exists()


def test_a_missing_target_names_the_nearest_verb() -> None:
    ran = inspect("staus")
    assert ran.code == 2 and "did you mean the verb status?" in ran.err


def test_an_answer_that_is_a_tool_error_exits_1() -> None:
    ran = inspect("call", "burn_toast", "--json", *BAKERY)
    assert ran.code == 1
    assert ran.json["result"]["isError"] is True and ran.json["error"] is None


@pytest.mark.parametrize(
    ("tool", "code", "kind"),
    [("null", 4, "protocol"), ("both", 4, "protocol"), ("neither", 4, "protocol"), ("string", 0, None),
     ("float", 0, None)],
)  # fmt: skip
def test_protocol_violations_exit_4_and_odd_ids_are_flagged(tool: str, code: int, kind: str | None) -> None:
    ran = inspect("call", tool, "--json", *odd("ids"))
    assert ran.code == code
    error = ran.json["error"]
    assert (error["kind"] if error else None) == kind
    if tool == "both":
        assert ran.json["result"] == {"content": [{"type": "text", "text": "r"}]}
    if code == 0:
        assert "another JSON type" in ran.json["warnings"][0]


@pytest.mark.parametrize("tool", ["nan", "deep", "control"])
def test_what_cannot_be_read_is_given_raw(tool: str) -> None:
    ran = inspect("call", tool, "depth:=200000", "--json", *odd("ids"))
    assert ran.code == 4 and ran.json["result"] is None
    assert ran.json["raw"].startswith('{"jsonrpc":"2.0"')


def test_a_json_rpc_error_exits_4_with_its_code() -> None:
    ran = inspect("request", "x/unknown", "--json", *odd())
    assert ran.code == 4
    assert (ran.json["error"]["kind"], ran.json["error"]["code"]) == ("rpc", -32601)
    assert ran.json["method"] == "x/unknown"


def test_a_timeout_exits_5() -> None:
    ran = inspect("call", "silent", "--timeout", "0.2", "--json", *odd())
    assert ran.code == 5 and ran.json["error"]["kind"] == "timeout"


def test_a_process_that_ends_exits_3_with_its_reason() -> None:
    ran = inspect("call", "exit", "--json", *odd())
    error = ran.json["error"]
    assert ran.code == 3
    assert (error["kind"], error["exitCode"], error["stderr"]) == ("exited", 4, ["T_KEY is required"])


def test_a_missing_program_is_told_with_the_path_that_was_searched() -> None:
    ran = inspect("tools", "--json", "--", "no-such-program-at-all", PATH="/nowhere")
    assert ran.code == 3
    assert ran.json["error"]["kind"] == "not_found" and "/nowhere" in ran.json["error"]["hint"]


def test_a_url_nobody_listens_on() -> None:
    ran = inspect("tools", "http://127.0.0.1:1/mcp", "--json")
    assert ran.code == 3
    assert ran.json == {"server": "127.0.0.1", "error": ran.json["error"]}
    assert ran.json["error"]["kind"] == "refused"


def test_lists_hold_every_entry_of_every_page() -> None:
    ran = inspect("tools", "--json", *BAKERY)
    assert ran.code == 0 and ran.json["pages"] > 1
    assert len(ran.json["tools"]) > 20 and ran.json["invalid"] == []


def test_a_config_gives_a_list_and_one_name_an_object(tmp_path: Path) -> None:
    config = write_config(
        tmp_path, one=odd_entry(), two=odd_entry("exit"), off={**odd_entry(), "disabled": True}
    )
    ran = inspect("tools", config, "--json")
    assert ran.code == 3
    assert [document["server"] for document in ran.json] == ["one", "two"]
    assert "error" in ran.json[1] and len(ran.json[0]["tools"]) == 4
    assert inspect("tools", config, "-s", "one", "--json").json["server"] == "one"
    assert inspect("tools", config, "-s", "off", "--json").json["server"] == "off"
    assert "there are: one, two, off" in inspect("tools", config, "-s", "three").err


def test_one_request_needs_one_server(tmp_path: Path) -> None:
    config = write_config(tmp_path, one=odd_entry(), two=odd_entry())
    ran = inspect("call", config, "echo")
    assert ran.code == 2 and "one, two" in ran.err
    assert inspect("call", config, "echo", "-s", "two").code == 0


def test_status_names_each_state_and_cause(tmp_path: Path) -> None:
    config = write_config(
        tmp_path,
        good=odd_entry(),
        exits=odd_entry("exit"),
        mute=odd_entry("mute"),
        nothing={"command": "no-such-program-at-all"},
        nowhere={"command": PYTHON, "cwd": "no/such/folder"},
        refused={"url": "http://127.0.0.1:1/mcp"},
        unset={"command": PYTHON, "env": {"K": "${NO_SUCH_VARIABLE}"}},
        off={"command": "x", "disabled": True},
    )
    ran = inspect("status", config, "--json", "--connect-timeout", "2")
    assert ran.code == 3
    rows = {row["name"]: row for row in ran.json["servers"]}
    assert {name: row["state"] for name, row in rows.items()} == {
        "good": "ready", "exits": "error", "mute": "error", "nothing": "error", "nowhere": "error",
        "refused": "error", "unset": "error", "off": "disabled",
    }  # fmt: skip
    assert {name: row["error"]["kind"] for name, row in rows.items() if row["error"]} == {
        "exits": "exited", "mute": "timeout", "nothing": "not_found", "nowhere": "bad_cwd", "refused": "refused",
        "unset": "config",
    }  # fmt: skip
    good = rows["good"]
    assert good["counts"] == {"tools": 4, "resources": None, "templates": None, "prompts": None}
    assert good["protocolVersion"] == "2025-11-25" and good["era"] == "legacy" and good["pid"] > 0
    assert [step["step"] for step in good["steps"]][:5] == [
        "resolve", "spawn", "first byte", "first JSON", "era probe",
    ]  # fmt: skip
    assert "NO_SUCH_VARIABLE" in rows["unset"]["error"]["message"]


def test_every_variable_without_a_value_is_told_with_what_to_do_and_nothing_that_follows_from_it(
    tmp_path: Path,
) -> None:
    headers = {"Authorization": "Bearer ${NO_SUCH_TOKEN}"}
    config = write_config(tmp_path, web={"type": "http", "url": "${NO_SUCH_URL}/mcp", "headers": headers})
    done = inspect("status", str(config))
    assert done.code == 3 and "http://" not in done.err
    assert "set NO_SUCH_TOKEN in" in done.err and "set NO_SUCH_URL in" in done.err
    assert "http://" not in inspect("config", str(config)).err


def test_status_of_servers_that_are_all_ready_exits_0(tmp_path: Path) -> None:
    config = write_config(tmp_path, one=odd_entry(), off={"command": "x", "disabled": True})
    ran = inspect("status", config)
    assert ran.code == 0 and "one" in ran.out and ran.err == ""


def test_repeat_gives_the_figures_of_a_load() -> None:
    ran = inspect("call", "echo", "--repeat", "50", "--concurrency", "5", "--json", *odd())
    document = ran.json
    assert ran.code == 0
    assert (document["calls"], document["errors"]) == (50, 0)
    assert document["rate"] > 0 and 0 < document["p50_ms"] <= document["p95_ms"] <= document["p99_ms"]


def test_read_and_prompt_and_complete_and_templates() -> None:
    resources = inspect("resources", "--json", *BAKERY).json["resources"]
    read = inspect("read", resources[0]["uri"], "--json", *BAKERY)
    assert read.code == 0 and read.json["uri"] == resources[0]["uri"] and read.json["result"]["contents"]
    prompts = inspect("prompts", "--json", *BAKERY).json["prompts"]
    prompt = next(prompt for prompt in prompts if prompt.get("arguments"))
    values = [f"{argument['name']}=x" for argument in prompt["arguments"]]
    got = inspect("prompt", prompt["name"], *values, "--json", *BAKERY)
    assert got.json["prompt"] == prompt["name"]
    reference = f"prompt:{prompt['name']}"
    done = inspect("complete", reference, prompt["arguments"][0]["name"], "", "--json", *BAKERY)
    assert done.json["ref"] == reference
    assert inspect("templates", "--json", *BAKERY).json["templates"]


def test_a_blob_goes_to_a_file_and_never_to_a_terminal(tmp_path: Path) -> None:
    tools = inspect("resources", "--json", *BAKERY).json["resources"]
    picture = next(entry for entry in tools if str(entry.get("mimeType", "")).startswith("image/"))
    shown = inspect("read", picture["uri"], *BAKERY)
    assert "save it with -o FILE" in shown.out
    file = tmp_path / "picture"
    assert inspect("read", picture["uri"], "-o", str(file), *BAKERY).out == ""
    assert file.read_bytes()[:4] in (b"\x89PNG", b"GIF8", b"RIFF", b"\xff\xd8\xff\xe0", b"<svg")


def test_control_characters_reach_nobody(tmp_path: Path) -> None:
    ran = inspect("call", "echo", "--args", '{"t": "\\u001b[2J\\u202e"}', "--json", *odd())
    assert "\x1b" not in ran.out and "\u202e" not in ran.out
    people = inspect("tools", "--", PYTHON, ODD, "exit\x1b[2J")
    assert "\x1b" not in people.out + people.err


def test_a_recording_is_readable_and_refuses_to_be_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "session.mcprec"
    assert inspect("call", "echo", "--record", str(file), *odd()).code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    again = inspect("call", "echo", "--record", str(file), *odd())
    assert again.code == 2 and "exists" in again.err
    assert inspect("call", "echo", "--record", str(file), "--force", *odd()).code == 0
    log = inspect("log", str(file), "method:tools/call")
    assert log.code == 0 and "tools/call" in log.out
    lines = inspect("log", str(file), "--json").out.splitlines()
    assert len(lines) > 4 and all(json.loads(line) for line in lines)
    assert inspect("log", str(file), "size>x").code == 2


@pytest.mark.parametrize("depth", [300, 600, 900, 5000])
@pytest.mark.parametrize("tool", ["deep", "deep error"])
def test_no_depth_is_too_deep(depth: int, tool: str) -> None:
    words = ["call", tool, f"depth:={depth}"]
    document = inspect(*words, "--json", *odd("ids")).out
    assert "[" * depth in document and '"error"' in document
    assert (
        "[" * depth in inspect(*words, *odd("ids")).out.replace("\n", "").replace(" ", "") or tool != "deep"
    )


def test_secrets_that_are_numbers_leave_json_behind() -> None:
    secret = "1234567890123"
    ran = inspect("call", "secret", "--env", "K=${T_SECRET}", "--json", *odd("ids"), T_SECRET=secret)
    assert ran.code == 0 and ran.json["result"] == {"number": "***", "text": "a *** b"}


@pytest.mark.parametrize("tool", ["secret", "control", "nan", "deep", "deep error", "both", "null"])
def test_whatever_was_recorded_can_be_read_again(tool: str, tmp_path: Path) -> None:
    file = tmp_path / "r.mcprec"
    words = ["call", tool, "--env", "K=${T_SECRET}", "--record", str(file), *odd("ids")]
    inspect(*words, T_SECRET="1234567890123")
    log = inspect("log", str(file))
    assert log.code == 0 and log.err == "" and "tools/call" in log.out
    assert "1234567890123" not in file.read_text()
    lines = [json.loads(line) for line in inspect("log", str(file), "--json").out.splitlines()]
    if tool == "secret":
        assert any(line.get("m", {}).get("result", {}).get("number") == "***" for line in lines)


def test_numbers_are_shown_as_they_came() -> None:
    ran = inspect("request", "tools/call", '{"name": "numbers"}', *odd("ids"))
    assert ran.code == 0
    assert [line.strip().rstrip(",") for line in ran.out.splitlines()[1:-1]] == [
        '"a": 1.50', '"b": 1e400', '"c": -0', '"d": 123456789012345678901234567890', '"e": 1E2',
    ]  # fmt: skip


def test_numbers_go_out_as_they_were_typed(tmp_path: Path) -> None:
    file = tmp_path / "r.mcprec"
    inspect("call", "echo", "n:=1.50", "m:=1E2", "--record", str(file), *odd())
    assert '"arguments":{"n": 1.50, "m": 1E2}' in file.read_text()


def test_secrets_from_variables_are_masked_everywhere(tmp_path: Path) -> None:
    secret = "s3cr3t-value-42"
    config = write_config(tmp_path, one={**odd_entry(), "env": {"K": "${T_SECRET}"}})
    file = tmp_path / "r.mcprec"
    ran = inspect("call", config, "echo", f"x={secret}", "--json", "--record", str(file), T_SECRET=secret)
    assert secret not in ran.out + ran.err + file.read_text()
    assert "redacted" in file.read_text()
    shown = inspect("call", config, "echo", f"x={secret}", "--json", "--reveal", T_SECRET=secret)
    assert secret in shown.out
    assert secret not in inspect("config", config, "--json", T_SECRET=secret).out
    assert secret in inspect("config", config, "--json", "--reveal", T_SECRET=secret).out


def test_secrets_in_what_a_server_says_of_itself_and_in_urls_are_masked() -> None:
    secret = "s3cr3t-value-42"
    script = (
        "import json, os, sys\n"
        "secret = os.environ['K']\n"
        "info = {'name': secret, 'version': '1'}\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    version = request['params'].get('protocolVersion') if 'params' in request else None\n"
        "    answer = {'result': {'protocolVersion': version, 'capabilities': {}, 'serverInfo': info}}\n"
        "    if request['method'] == 'x':\n"
        "        answer = {'error': {'code': 1, 'message': secret, 'data': {secret: [secret]}}}\n"
        "    if 'id' in request:\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], **answer}), flush=True)\n"
    )
    server = ["--env", "K=${T_SECRET}", "--", PYTHON, "-c", script]
    ran = inspect("status", "--json", *server, T_SECRET=secret)
    assert ran.code == 0 and ran.json["servers"][0]["serverInfo"]["name"] == "***"
    ran = inspect("request", "x", "--json", *server, T_SECRET=secret)
    assert ran.code == 4 and ran.json["error"]["data"] == {"***": ["***"]}
    ran = inspect("status", "http://127.0.0.1:1/mcp?api_key=abcdef123456", "--json")
    assert ran.code == 3 and "abcdef123456" not in ran.out + ran.err


def test_files_found_in_the_folder_need_consent(tmp_path: Path) -> None:
    folder = tmp_path / ".paicli"
    folder.mkdir()
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"found": odd_entry()}}))
    row = inspect("status", "--json", cwd=tmp_path, HOME=str(tmp_path / "home")).json["servers"][0]
    assert (row["state"], row["error"]["kind"]) == ("disabled", "consent")
    assert inspect("call", "default", "echo", cwd=tmp_path, HOME=str(tmp_path / "home")).code == 2
    asked = inspect("status", "--json", "--yes", cwd=tmp_path, HOME=str(tmp_path / "home"))
    assert asked.code == 0
    remembered = inspect("status", "--json", cwd=tmp_path, HOME=str(tmp_path / "home"))
    assert remembered.code == 0
    named = inspect("status", str(folder / "mcp.json"), "--json", MCP_INSPECT_HOME=str(tmp_path / "fresh"))
    assert named.code == 0


@pytest.mark.parametrize("words", [["tools", "-s", "off"], ["call", "default", "echo", "-s", "off"]])
def test_what_is_switched_off_in_a_found_file_is_not_started_by_its_name_alone(
    words: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / ".paicli"
    folder.mkdir()
    entry = {**odd_entry(), "disabled": True}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"off": entry}}))
    home = str(tmp_path / "home")
    ran = inspect(*words, "--json", cwd=tmp_path, HOME=home)
    assert ran.code == 2 and ran.json["error"]["kind"] == "consent"
    row = inspect("status", "--json", cwd=tmp_path, HOME=home)
    assert row.code == 0 and row.json["servers"][0]["error"] is None
    assert inspect(*words, "--json", "--yes", cwd=tmp_path, HOME=home).code == 0


def test_paths_are_all_below_the_home_that_was_chosen(tmp_path: Path) -> None:
    paths = inspect("paths", "--json", MCP_INSPECT_HOME=str(tmp_path)).json
    assert all(path.startswith(str(tmp_path)) for path in paths.values())


def test_config_explains_and_starts_nothing(tmp_path: Path) -> None:
    config = write_config(tmp_path, one=odd_entry(), bad={"command": "a", "url": "http://b.test"})
    ran = inspect("config", config, "--json")
    assert ran.code == 2
    assert [server["name"] for server in ran.json["servers"]] == ["one", "bad"]
    assert [problem["server"] for problem in ran.json["problems"] if problem["severity"] == "error"] == [
        "bad"
    ]
    assert inspect("config", config, "-s", "one").code == 0


@pytest.mark.parametrize("name", ["bakery", "library"])
def test_one_server_of_the_demo_can_be_named(name: str) -> None:
    ran = inspect("tools", "demo", "-s", name, "--json")
    assert ran.code == 0 and ran.json["server"] == name and ran.json["tools"]
    called = inspect("request", "demo", "ping", "-s", name, "--json")
    assert called.code == 0 and called.json["result"] == {}
    several = inspect("call", "demo", "x")
    assert several.code == 2 and "bakery, library, post, orders, notes" in several.err


def test_what_is_said_for_a_server_counts_for_those_of_the_demo() -> None:
    ran = inspect("status", "demo", "-s", "notes", "--env", "NOTES_KEY=any", "--json")
    assert (ran.code, ran.json["servers"][0]["state"]) == (0, "ready")


def test_the_demo_has_every_state() -> None:
    ran = inspect("status", "demo", "--json")
    assert {row["name"]: row["state"] for row in ran.json["servers"]} == {
        "bakery": "ready", "library": "ready", "post": "ready", "orders": "ready", "notes": "error",
        "attic": "disabled",
    }  # fmt: skip


def test_status_names_the_extensions_in_its_steps(tmp_path: Path) -> None:
    config = write_config(tmp_path, own=odd_entry("extensions"))
    (row,) = inspect("status", config, "--json").json["servers"]
    (told,) = [step["outcome"] for step in row["steps"] if step["step"] == "extensions"]
    assert told == "in force: io.modelcontextprotocol/skills; not in force: com.example/own"
    assert told in inspect("status", config, "-v").err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("call", "t", "--args", "@/dev/zero", *odd()), "more than 64.0 MiB"),
        (("call", "t", "--answer", "/dev/zero", *odd()), "are read up to"),
        (("form", "t", "--fill", "@/dev/zero", *odd()), "more than 64.0 MiB"),
        (("config", "/dev/zero"), "no regular file"),
        (("log", "/dev/zero"), "is no file"),
    ],
)
def test_a_device_without_end_is_no_input(words: tuple[str, ...], told: str) -> None:
    ran = inspect(*words)
    assert ran.code == 2 and told in ran.err


def test_a_filter_may_begin_with_a_negation(tmp_path: Path) -> None:
    file = tmp_path / "r.mcprec"
    inspect("call", "echo", "--record", str(file), *odd())
    told = inspect(
        "log", str(file), "-kind:sys,response", "-method:tools/call", "-/initiali[sz]e/", '-"x y"', "-v"
    )
    assert told.code == 0 and "server/discover" in told.out
    assert not [word for word in ("tools/call", "initialize 2", "  sys  ") if word in told.out]
    assert "-kinds:sys" in inspect("log", str(file), "-kinds:sys").err


def test_a_recording_read_as_json_sends_nothing_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "hostile.mcprec"
    hostile = str(Path(ODD).with_name("hostile.py"))
    inspect("call", "x", "--record", str(file), "--", PYTHON, hostile, PYTHONIOENCODING="utf-8")
    raw = file.read_text("utf-8")
    file.write_text(raw.replace("gnp", "g\u202enp\u009b\u200b"), encoding="utf-8")
    shown = inspect("log", str(file), "--json").out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", shown)
    written = tmp_path / "copy.jsonl"
    inspect("log", str(file), "--json", "-o", str(written))
    whole = written.read_text("utf-8").splitlines()
    assert [json.loads(line) for line in shown.splitlines()] == [json.loads(line) for line in whole]
    assert "\u202e" in "".join(whole)


def test_a_refused_call_is_told_with_what_this_command_line_may_have_to_do_with_it() -> None:
    behind = ["--", PYTHON, str(Path(__file__).parent.parent / "servers" / "asker.py")]
    unknown = inspect("call", "no-such-tool", *behind)
    assert unknown.code == 4 and "--answer" in unknown.err


def test_a_list_that_does_not_come_is_told_by_status(tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(_NO_LIST)
    ran = inspect("status", "--timeout", "1", "--", PYTHON, str(server))
    assert ran.code == 0 and "tools cannot be read: no answer to tools/list within 1.0 s" in ran.err


_NO_LIST = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "x"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    elif message["method"] == "server/discover":
        error = {"code": -32601, "message": "no"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
"""
