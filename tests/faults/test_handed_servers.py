"""The handed servers that fail as real ones did, and what their headers ask of a client."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect, write_config
from live import is_alive
from terminal import Terminal

pytestmark = pytest.mark.shared


@pytest.fixture
def servers(shared: Path) -> Path:
    return shared / "faults" / "servers"


def call(server: Path, tool: str, *words: str) -> Any:
    return inspect("call", tool, "--json", "--", PYTHON, str(server), *words)


@contextmanager
def running(server: Path, *words: str) -> Iterator[str]:
    """An HTTP server that prints its URL first."""
    process = subprocess.Popen(
        [sys.executable, str(server), "0", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
    finally:
        process.kill()
        process.wait()


def test_noisy_stdout(servers: Path) -> None:
    row = inspect("status", "--json", "--", PYTHON, str(servers / "noisy_stdout.py")).json["servers"][0]
    assert row["state"] == "ready" and row["noise"] > 3
    text = call(servers / "noisy_stdout.py", "any").json["result"]["content"][0]["text"]
    assert "\u2028" in text and "\u0085" in text
    glued = inspect(
        "status", "--json", "--connect-timeout", "1.5", "--", PYTHON, str(servers / "noisy_stdout.py"), "glue"
    )
    error = glued.json["servers"][0]["error"]
    assert error["kind"] == "timeout" and "handler added" in error["message"]


def test_stderr_flood(servers: Path) -> None:
    ran = call(servers / "stderr_flood.py", "any")
    assert ran.code == 0 and ran.err == ""


def test_big_lines(servers: Path) -> None:
    ran = call(servers / "big_lines.py", "big")
    text = ran.json["result"]["content"][0]["text"]
    assert len(text.encode()) > 3_000_000 and "\ufffd" not in text
    assert len(inspect("tools", "--json", "--", PYTHON, str(servers / "big_lines.py")).json["tools"]) == 101


@pytest.mark.parametrize(
    ("tool", "code"),
    [("string", 0), ("float", 0), ("unknown", 0), ("twice", 0), ("progress_alien", 0), ("null", 4), ("both", 4),
     ("neither", 4)],
)  # fmt: skip
def test_id_tricks(servers: Path, tool: str, code: int) -> None:
    assert call(servers / "id_tricks.py", tool).code == code


def test_orphan_child(servers: Path) -> None:
    ran = call(servers / "orphan_child.py", "pids")
    pids = json.loads(ran.json["result"]["content"][0]["text"])
    assert len(pids) == 3 and not [pid for pid in pids if is_alive(pid)]


def test_never_answers(servers: Path, tmp_path: Path) -> None:
    config = write_config(
        tmp_path,
        never={"command": PYTHON, "args": [str(servers / "never_answers.py")]},
        slow={"command": PYTHON, "args": [str(servers / "never_answers.py"), "1"]},
    )
    never, slow = inspect("status", config, "--json", "--connect-timeout", "4").json["servers"]
    assert slow["state"] == "ready"
    assert never["error"]["kind"] == "timeout" and "npm http fetch" in never["error"]["message"]
    assert not is_alive(never["pid"]) and not is_alive(slow["pid"])


def test_never_answers_is_shown_live_and_quit_in_the_middle(servers: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, never={"command": PYTHON, "args": [str(servers / "never_answers.py")]})
    with Terminal(config) as terminal:
        terminal.until("starting")
        end = time.monotonic() + 20
        while not (pids := terminal.children()):
            assert terminal.read() and time.monotonic() < end
        terminal.type("q")
        assert terminal.wait() == 0
    assert not [pid for pid in pids if is_alive(pid)]


def test_bad_tools_list(servers: Path) -> None:
    server = servers / "bad_tools_list.py"
    document = inspect("tools", "--json", "--", PYTHON, str(server)).json
    assert len(document["tools"]) == 17 and "not an object" in document["tools"]
    odd = {entry["index"] for entry in document["invalid"]}
    assert odd == {2, 3, 4, 5, 6, 7, 13, 14, 15}
    assert call(server, "good_last").code == 0 and call(server, "null_schema").code == 0
    row = inspect("status", "--json", "--", PYTHON, str(server)).json["servers"][0]
    assert row["state"] == "ready" and row["counts"]["resources"] is None and row["counts"]["tools"] == 17
    assert any("not implemented" in step["outcome"] for step in row["steps"])
    assert len(inspect("tools", "--json", "--", PYTHON, str(server), "nocaps").json["tools"]) == 17


def test_env_report(servers: Path, tmp_path: Path) -> None:
    args = [str(servers / "env_report.py"), "a b", "", "it's", '--json={"a": 1}', "*", "$HOME"]
    config = write_config(
        tmp_path, env={"command": PYTHON, "args": args, "env": {"T_A": "1"}, "cwd": str(tmp_path)}
    )
    report = inspect("call", config, "report", "--json").json["result"]["structuredContent"]
    assert report["argv"] == args[1:] and Path(report["cwd"]).samefile(tmp_path)
    assert report["env"]["T_A"] == "1" and report["env"]["PATH"] and report["env_count"] > 3


def test_server_asks(servers: Path, tmp_path: Path) -> None:
    text = call(servers / "server_asks.py", "ask").json["result"]["content"][0]["text"]
    assert "ping -> {}" in text and re.search(r'roots/list -> \{"roots": \[', text)
    assert text.count("error -32601") == 3
    answers = tmp_path / "answers.json"
    answers.write_text('{"elicitation": "accept", /* as a model would */ "sampling": "hello"}')
    server = ["--", PYTHON, str(servers / "server_asks.py")]
    text = inspect("call", "ask", "--json", "--answer", str(answers), *server).json["result"]["content"][0][
        "text"
    ]
    assert '"content": {"ok": true}' in text and '"text": "hello"' in text
    text = inspect("call", "ask", "--json", "--answer", "deny", *server).json["result"]["content"][0]["text"]
    assert '{"action": "decline"}' in text and "error -1\n" in text
    assert inspect("tools", "--answer", "/no/such/file", *server).code == 2


@pytest.mark.parametrize(
    "tool", ["markup", "ansi", "surrogate", "nan", "deep", "dupkey", "hugeint", "blocks", "structured_only", "iserror",
             "nonobject", "nullcontent", "longline"],
)  # fmt: skip
def test_odd_results(servers: Path, tool: str) -> None:
    ran = call(servers / "odd_results.py", tool)
    document = ran.json
    assert ran.code in (0, 1, 4) and not set(ran.out) & set("\x1b\x9b\x07\u202e")
    assert (document["result"] is None) == (tool in ("nan", "deep", "hugeint"))
    assert ("raw" in document) == (document["result"] is None)
    people = inspect("call", tool, "--", PYTHON, str(servers / "odd_results.py"))
    assert people.code == ran.code and not set(people.out + people.err) & set("\x1b\x9b\x07\u202e")


@pytest.mark.parametrize("mode", ["404", "400"])
def test_http_session_expires(servers: Path, mode: str) -> None:
    with running(servers / "http_session_expires.py", mode) as url:
        ran = inspect("call", url, "who", "--repeat", "6", "--json")
        # The session dies once, within the six calls; the call that met it is not repeated, all others work.
        assert ran.json["errors"] == 1 and "session s!2" in ran.json["result"]["content"][0]["text"]


def test_http_sse_framing(servers: Path) -> None:
    with running(servers / "http_sse_framing.py") as url:
        text = inspect("call", url, "any", "--json").json["result"]["content"][0]["text"]
        assert text == "one\u2028two\u0085three \u00e9\U0001f600"


@pytest.mark.parametrize(
    ("path", "code", "kind"),
    [("401", 3, "auth"), ("403", 3, "auth"), ("400v", 3, "version"), ("500json", 4, "rpc"), ("502html", 3, "http"),
     ("200html", 3, "not_mcp"), ("badjson", 4, "protocol"), ("noid", 4, "protocol"), ("short", 3, "stream"),
     ("hang", 5, "timeout"), ("batch", 4, "rpc")],
)  # fmt: skip
def test_http_errors(servers: Path, path: str, code: int, kind: str) -> None:
    with running(servers / "http_errors.py") as url:
        ran = inspect("tools", url.replace("/401", f"/{path}"), "--json", "--connect-timeout", "2")
        assert (ran.code, ran.json["error"]["kind"]) == (code, kind)
        assert ran.json["error"]["hint"]


@pytest.mark.parametrize("transport", ["auto", "sse"])
@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("root", "", "/gw/messages?sid=1"), ("relative", "", "/gw/messages?sid=1"), ("late", "", "/gw/messages?sid=1"),
        ("noprefix", "http", "/messages?sid=1"), ("origin", "redirect", "http://0.0.0.0:"),
        ("never", "timeout", "no endpoint event"), ("html", "", "text/html"),
    ],
)  # fmt: skip
def test_http_old_sse(servers: Path, transport: str, mode: str, kind: str, words: str) -> None:
    patience = ["--connect-timeout", "1"] if mode == "never" else []
    with running(servers / "http_old_sse.py", mode) as url:
        row = inspect("status", url, "--json", "--transport", transport, *patience).json["servers"][0]
    if words.startswith("/gw"):
        assert (row["state"], row["transport"], row["counts"]["tools"]) == ("ready", "sse", 1)
        assert any(words in step["outcome"] for step in row["steps"])
        return
    error = row["error"]
    assert words in error["message"] and url in error["message"] and error["hint"]
    if kind:
        assert error["kind"] == kind


@pytest.mark.parametrize("mode", ["noprefix", "origin"])
@pytest.mark.parametrize("kept", [False, True])
def test_the_message_url_can_be_said(servers: Path, mode: str, kept: bool, tmp_path: Path) -> None:
    with running(servers / "http_old_sse.py", mode) as url:
        if kept:
            entry = {"type": "sse", "url": url, "messageUrl": "${PREFIX}/messages"}
            ran = inspect("status", write_config(tmp_path, said=entry), "--json", PREFIX="/gw")
        else:
            ran = inspect("status", url, "--json", "--message-url", "/gw/messages")
    (row,) = ran.json["servers"]
    assert (row["state"], row["counts"]["tools"]) == ("ready", 1)


@pytest.mark.parametrize(
    ("mode", "code", "kind", "said"),
    [("401", 3, "auth", "Session not found"), ("200err", 4, "protocol", "Invalid Request"),
     ("sse", 4, "protocol", "Session not found")],
)  # fmt: skip
def test_what_looks_like_an_expired_session_is_told_with_a_way_out(
    servers: Path, mode: str, code: int, kind: str, said: str
) -> None:
    with running(servers / "http_session_expires.py", mode) as url:
        ran = inspect("call", url, "who", "--repeat", "6", "--json")
    error = ran.json["error"]
    assert (ran.code, error["kind"]) == (code, kind) and said in error["message"]
    assert "connect again" in error["hint"]


def test_the_scheme_of_a_challenge_is_no_secret(servers: Path) -> None:
    with running(servers / "http_errors.py") as url:
        message = inspect("tools", url, "--json").json["error"]["message"]
    assert message == "HTTP 401 (Bearer): token expired"


@pytest.mark.parametrize(
    ("path", "code", "kind"), [("200html", 3, "not_mcp"), ("badjson", 4, "protocol"), ("401", 3, "auth")]
)
def test_what_is_no_mcp_is_told_as_that_to_who_insists_on_a_version(
    servers: Path, path: str, code: int, kind: str
) -> None:
    with running(servers / "http_errors.py") as url:
        ran = inspect("tools", url.replace("/401", f"/{path}"), "--json", "--protocol", "modern")
    assert (ran.code, ran.json["error"]["kind"]) == (code, kind)


def test_two_answers_in_reverse_order(servers: Path) -> None:
    command = ["--", PYTHON, str(servers / "id_tricks.py")]
    ran = inspect("call", "swap", "--json", "--repeat", "2", "--concurrency", "2", *command)
    assert (ran.code, ran.json["errors"]) == (0, 0)
