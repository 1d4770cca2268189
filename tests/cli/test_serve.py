"""`serve`: a recorded session as a server that any client can start."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from command import PYTHON, inspect, write_config
from terminal import Terminal

DRIFTING = str(Path(__file__).parent.parent / "servers" / "drifting.py")


def recorded(path: Path) -> str:
    server = ["--", PYTHON, DRIFTING]
    ran = inspect("call", "price", "item=rye", "--record", str(path), *server)
    assert ran.code == 0, ran.err
    return str(path)


def served(file: str, *options: str) -> list[str]:
    return ["--", PYTHON, "-m", "inspector", "serve", file, *options]


def test_our_client_gets_the_recorded_answer_and_a_miss_says_why(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a.mcprec")
    ran = inspect("call", "price", "item=rye", "--json", *served(file))
    assert ran.code == 0 and '"price": "1.50"' in ran.json["result"]["content"][0]["text"], ran.err
    missed = inspect("call", "price", "item=oat", "--json", "-v", *served(file))
    assert missed.code == 4 and missed.json["error"]["code"] == -32602
    why = 'which differs at /arguments/item: recorded "rye", now "oat"'
    assert why in missed.json["error"]["message"]
    assert inspect("call", "price", "item=oat", *served(file, "--match", "sequence")).code == 0
    assert inspect("call", "price", "item=oat", *served(file, "--ignore", "/arguments/item")).code == 0
    assert inspect("replay", file, "--yes", *served(file)).code == 0


def test_what_is_neither_recording_nor_definition_is_told_what_would_be(tmp_path: Path) -> None:
    (tmp_path / "calls.yaml").write_text("calls: []\n")
    ran = inspect("serve", str(tmp_path / "calls.yaml"))
    assert (
        ran.code == 2
        and "neither a recording nor a definition file" in ran.err
        and "begins with definition: 1" in ran.err
    )
    (tmp_path / "bytes").write_bytes(b"\xb1\xff\x00")
    ran = inspect("serve", str(tmp_path / "bytes"))
    assert ran.code == 2 and "byte string" not in ran.err and len(ran.err.splitlines()) == 2, ran.err
    (tmp_path / "d.yaml").write_text("definition: 1\nanswers: [{tool: b, text: x}]\n")
    ran = inspect("serve", str(tmp_path / "d.yaml"))
    assert ran.code == 0 and "note: an answer is for the tool b, which is not listed" in ran.err
    assert "recordings only" not in ran.err
    for option in (["--match", "strict"], ["--pace", "recorded"], ["--ignore", "/a"], ["-s", "x"]):
        assert "counts for recordings only" in inspect("serve", str(tmp_path / "d.yaml"), *option).err


def test_what_is_served_can_be_recorded(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a.mcprec")
    again = str(tmp_path / "b.mcprec")
    assert inspect("call", "price", "item=rye", *served(file, "--record", again)).code == 0
    listed = inspect("log", again)
    assert "tools/call price" in listed.out and "initialize ok drifting" in listed.out


def test_what_is_refused_over_http_is_recorded_too(tmp_path: Path) -> None:
    record = str(tmp_path / "b.mcprec")
    words = ["serve", recorded(tmp_path / "a.mcprec"), "--http", "0", "--record", record]
    server = subprocess.Popen([PYTHON, "-m", "inspector", *words], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        assert inspect("tools", url).code == inspect("tools", url).code == 0
        wanted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(url, b"no JSON at all", wanted), timeout=30)
        refused.value.close()
    finally:
        server.terminate()
        server.communicate()
    log = Path(record).read_text()
    assert "no JSON at all" in log and '"status":400' in log and "Parse error" in log
    # Clients that count alike are told apart.
    assert "reused id" not in inspect("log", record).out


def test_stdout_carries_the_protocol_alone(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a.mcprec")
    lines = [
        b"no JSON",
        b'{"jsonrpc":"2.0","id":1,"method":"nothing/known"}',
        b'{"jsonrpc":"2.0","id":2,"method":"ping"}',
    ]
    done = subprocess.run(
        [PYTHON, "-m", "inspector", "serve", file],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert [json.loads(line).get("id") for line in done.stdout.splitlines()] == [None, 1, 2]
    assert b"nobody asked for that method" in done.stderr


def test_what_cannot_be_served_is_told(tmp_path: Path) -> None:
    assert inspect("serve").code == 2
    url = inspect("serve", "http://127.0.0.1:1/mcp")
    assert url.code == 2 and "serve plays a file" in url.err
    missing = inspect("serve", str(tmp_path / "none.mcprec"))
    assert missing.code == 2 and "cannot read" in missing.err and missing.out == ""
    text = tmp_path / "a.txt"
    text.write_text("no recording\n")
    assert inspect("serve", str(text)).code == 2
    file = recorded(tmp_path / "a.mcprec")
    assert "no server of the recording is called x" in inspect("serve", file, "-s", "x").err
    assert inspect("serve", file, "--ignore", "x").code == 2


def test_over_http_the_url_is_the_answer(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a.mcprec")
    again = str(tmp_path / "b.mcprec")
    command = [PYTHON, "-m", "inspector", "serve", file, "--http", "0", "--record", again]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        for kind, at in (("http", url), ("sse", url.removesuffix("/mcp") + "/sse")):
            ran = inspect("call", at, "price", "item=rye", "--transport", kind)
            assert ran.code == 0 and "1.50" in ran.out, ran.err
        port = url.split(":")[2].split("/")[0]
        taken = inspect("serve", file, "--http", port)
        assert taken.code == 2 and f"cannot listen on port {port}" in taken.err
    finally:
        server.terminate()
        server.communicate()
    assert server.returncode == 0
    assert inspect("log", again, "method:tools/call", "kind:request").out.count("tools/call price") == 2
    assert inspect("serve", file, "--http", "70000").code == 2


def entries(out: str) -> list[str]:
    return [line for line in out.splitlines() if not line.startswith(('  "server"', '  "pages"'))]


def test_what_was_frozen_lists_the_same_bytes(tmp_path: Path) -> None:
    file = str(tmp_path / "frozen.json")
    live = ["--", PYTHON, "-m", "inspector.demo", "stdio", "bakery"]
    ran = inspect("freeze", "--read", "-o", file, *live)
    assert ran.code == 0 and "tools" in ran.err and ran.out == ""
    for kind in ("tools", "resources", "templates", "prompts"):
        there, here = (inspect(kind, "--json", *server) for server in (live, served(file)))
        assert here.json[kind] == there.json[kind] and here.code == 0
        # All but the name of the server and the number of pages, spelled in the same way.
        assert entries(here.out) == entries(there.out) and len(entries(here.out)) > 2
    uri = inspect("resources", "--json", *live).json["resources"][0]["uri"]
    assert inspect("read", uri, *served(file)).out == inspect("read", uri, *live).out
    two = write_config(tmp_path, a={"command": PYTHON}, b={"command": PYTHON})
    assert "freeze needs one server" in inspect("freeze", two).err


RECORDED = """{"format":"mcp-inspect/recording","version":1,"base":0}
{"session":1,"label":"shop"}
"""


def test_what_was_answered_is_in_the_definition_of_a_recording(tmp_path: Path) -> None:
    frames = [
        ("c2s", {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
        ("s2c", {"id": 0, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                     "serverInfo": {"name": "shop", "version": "9"}, "instructions": "Ask."}}),
        ("c2s", {"id": 1, "method": "tools/list"}),
        ("s2c", {"id": 1, "result": {"tools": [{"name": "price", "inputSchema": {"type": "object"}}]}}),
        ("c2s", {"id": 2, "method": "tools/call", "params": {"name": "price", "_meta": {"progressToken": 7}}}),
        ("s2c", {"method": "notifications/progress", "params": {"progressToken": 7, "progress": 1, "total": 2}}),
        ("s2c", {"id": 2, "result": {"content": [{"type": "text", "text": "which?"}]}}),
        ("c2s", {"id": 3, "method": "tools/call", "params": {"name": "price", "arguments": {"item": "rye"}}}),
        ("s2c", {"id": 3, "result": {"content": [{"type": "text", "text": "1.50 {item}"}], "x": 1.0}}),
        ("c2s", {"id": 4, "method": "tools/call", "params": {"name": "price", "arguments": {"item": "rye"}}}),
        ("s2c", {"id": 4, "error": {"code": -32000, "message": "sold out"}}),
        ("c2s", {"id": 5, "method": "tools/call", "params": {"name": "none"}}),
        ("s2c", {"id": 5, "error": {"code": -32602, "message": "no"}}),
    ]  # fmt: skip
    lines = (
        json.dumps({"t": number, "q": number, "s": 1, "d": way, "m": {"jsonrpc": "2.0", **message}})
        for number, (way, message) in enumerate(frames)
    )
    recording, made = tmp_path / "a.mcprec", tmp_path / "shop.json"
    recording.write_text(RECORDED + "\n".join(lines) + "\n")
    done = inspect("freeze", str(recording), "-o", str(made))
    assert done.code == 0, done.err
    assert "record 11) is left out" in done.err and "record 7) has names in braces" in done.err
    assert "shop: 1 tools, 3 answers" in done.err
    written = json.loads(made.read_text())
    rye = {"tool": "price", "when": {"item": "rye"}}
    assert written["server"]["name"] == "shop" and written["instructions"] == "Ask."
    assert written["versions"] == ["2025-06-18", "2025-03-26", "2024-11-05"]
    assert written["answers"] == [
        {**rye, "times": 1, "result": {"content": [{"type": "text", "text": "1.50 {item}"}], "x": 1.0}},
        {**rye, "error": {"code": -32000, "message": "sold out"}},
        {"tool": "price", "before": [{"progress": 1, "total": 2}],
         "result": {"content": [{"type": "text", "text": "which?"}]}},
    ]  # fmt: skip
    assert "1.50 rye" in inspect("call", "price", "item=rye", *served(str(made))).out
    assert inspect("call", "price", *served(str(made))).out == "which?\n"


def test_calls_alone_are_frozen_with_the_names_of_their_tools(tmp_path: Path) -> None:
    file, made = tmp_path / "a.mcprec", tmp_path / "shop.json"
    price = {"method": "tools/call", "params": {"name": "price", "arguments": {"item": "rye"}}}
    lines = [
        {"t": 0, "q": 0, "s": 1, "d": "c2s", "m": {"jsonrpc": "2.0", "id": 1, **price}},
        {"t": 1, "q": 1, "s": 1, "d": "s2c", "m": {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}},
        {"t": 2, "q": 2, "s": 1, "d": "c2s", "m": {"jsonrpc": "2.0", "id": 2, "method": "resources/read",
                                                   "params": {"uri": "shop://hours"}}},
        {"t": 3, "q": 3, "s": 1, "d": "s2c", "m": {"jsonrpc": "2.0", "id": 2, "result": {"contents": [1]}}},
    ]  # fmt: skip
    file.write_text(RECORDED + "".join(json.dumps(line) + "\n" for line in lines))
    done = inspect("freeze", str(file), "-o", str(made))
    assert done.code == 0 and "1 tools, 1 resources, 2 answers" in done.err, done.err
    assert "tools are listed by their names alone: tools/list is not in the recording" in done.err
    assert json.loads(made.read_text())["resources"] == [{"uri": "shop://hours", "name": "shop://hours"}]
    assert inspect("call", "price", "item=rye", *served(str(made))).code == 0


def test_on_a_terminal_it_says_that_it_waits(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text("definition: 1\nserver: {name: shop}\n")
    with Terminal("serve", str(tmp_path / "shop.yaml")) as terminal:
        terminal.until("shop waits for JSON-RPC on stdin")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_stdout_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text("definition: 1\n")
    command = [PYTHON, "-m", "inspector", "serve", str(tmp_path / "shop.yaml")]
    for more in ([], ["--fault", "delay:ms=1"], ["--fault", "noise"]):
        with Path("/dev/full").open("wb") as full:
            ran = subprocess.run(
                [*command, *more], input=b"{}\n", stdout=full, stderr=subprocess.PIPE, timeout=30, check=False
            )
        assert ran.returncode == 2 and b"stdout cannot be written: No space left" in ran.stderr, ran.stderr


def test_ctrl_c_is_told_in_the_exit_code(tmp_path: Path) -> None:
    file = recorded(tmp_path / "a.mcprec")
    for words in (
        ["serve", file, "--http", "0"],
        ["tap", "-o", f"{file}2", "--listen", "0", "http://127.0.0.1:1/"],
    ):
        command = [PYTHON, "-m", "inspector", *words]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert server.stdout is not None and server.stdout.readline()
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)
        assert server.returncode == 130


def test_a_request_without_its_version_is_refused_over_http(tmp_path: Path) -> None:
    command = [PYTHON, "-m", "inspector", "serve", recorded(tmp_path / "a.mcprec"), "--http", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        request = urllib.request.Request(
            server.stdout.readline().strip(), b'{"id": 7, "method": "ping"}', headers
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=30)
        with refused.value as answer:
            assert answer.code == 400 and json.loads(answer.read())["id"] == 7
    finally:
        server.terminate()
        server.communicate()


def test_what_is_under_way_when_stdin_ends_is_answered_still(tmp_path: Path) -> None:
    """As when messages are piped in. What waits for the client, or for much longer, is left."""
    asks = "{tool: ask, before: [{ask: elicitation/create, params: {message: a}}], text: never}"
    (tmp_path / "d.yaml").write_text(
        "definition: 1\ntools: [{name: slow}, {name: ask}, {name: days}]\n"
        f"answers: [{{tool: slow, before: [{{wait: 0.2}}, {{wait: 0.2}}], text: done}}, {asks},\n"
        "          {tool: days, before: [{wait: 100000}], text: never}]\n"
    )
    info = {"name": "x", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": info}
    said = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": {"name": name, "arguments": {}}}
          for name in ("slow", "ask", "days")),
    ]  # fmt: skip
    ran = inspect("serve", str(tmp_path / "d.yaml"), stdin="".join(f"{json.dumps(each)}\n" for each in said))
    answers = {each["id"]: each for line in ran.out.splitlines() if "result" in (each := json.loads(line))}
    assert ran.code == 0 and answers.keys() == {0, "slow"}
    assert answers["slow"]["result"]["content"][0]["text"] == "done"
