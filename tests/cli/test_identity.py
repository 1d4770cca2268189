"""`--as`: a server hears another client."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from command import inspect

_BAKERY = ["--", sys.executable, "-m", "inspector.demo", "stdio", "bakery"]


def _sent(recording: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in inspect("log", str(recording), "--json").out.splitlines()]
    return [line["m"] for line in lines if line.get("d") == "c2s" and "m" in line]


@pytest.mark.parametrize(
    ("client", "info", "version", "capabilities"),
    [
        ("paicli", {"name": "paicli", "version": "11.0.0"}, "2025-03-26", {"tools": {}}),
        ("java-async", {"name": "Spring AI MCP Client", "version": "0.3.1"}, "2024-11-05", {}),
    ],
)
def test_name_version_capabilities_and_ids_are_those_of_the_client(
    client: str, info: Any, version: str, capabilities: Any, tmp_path: Path
) -> None:
    recording = tmp_path / "r.mcprec"
    ran = inspect(
        "call", "bake", "seconds:=0", "bread=baguette", "--as", client, "--record", str(recording), *_BAKERY
    )
    assert ran.code == 0, ran.err
    first, *rest = _sent(recording)
    assert first["method"] == "initialize" and first["params"]["clientInfo"] == info
    assert (first["params"]["protocolVersion"], first["params"]["capabilities"]) == (version, capabilities)
    call = next(message for message in rest if message["method"] == "tools/call")
    assert call["params"]["_meta"]["progressToken"] == call["id"]
    assert isinstance(call["id"], str) is client.startswith("java")


_NEWER = """
import json, sys
asked = json.loads(sys.stdin.readline())
result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "n", "version": "1"}}
print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(("client", "code"), [("java-sync", 3), ("paicli", 0)])
def test_a_client_that_takes_no_other_version_does_not_connect(client: str, code: int) -> None:
    ran = inspect("status", "--as", client, "--json", "--", sys.executable, "-c", _NEWER)
    (server,) = ran.json["servers"]
    assert ran.code == code
    if code:
        assert server["error"]["kind"] == "version" and "2025-06-18" in server["error"]["message"]


def test_settings_may_say_it_for_good(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.json").write_text('{"client": "paicli"}')
    recording = tmp_path / "r.mcprec"
    inspect("tools", "--record", str(recording), *_BAKERY, MCP_INSPECT_HOME=str(tmp_path))
    assert _sent(recording)[0]["params"]["clientInfo"]["name"] == "paicli"
    wrong = inspect("tools", "--as", "nobody", *_BAKERY)
    assert wrong.code == 2 and "paicli" in wrong.err


def test_what_is_declared_and_nobody_answers_is_said(tmp_path: Path) -> None:
    me = tmp_path / "me.json"
    me.write_text(json.dumps({"name": "me", "version": "1", "capabilities": {"sampling": {}, "roots": {}}}))
    ran = inspect("status", "--as", str(me), "--json", *_BAKERY)
    (server,) = ran.json["servers"]
    assert ran.code == 0 and [text for text in server["warnings"] if "nobody answers" in text] == [
        "me declares sampling, which nobody answers here (--answer does): a server that uses it is refused"
    ]
    answers = tmp_path / "answers.json"
    answers.write_text('{"sampling": "echo"}')
    ran = inspect(
        "call", "price_of", "item=rye", "--as", str(me), "--answer", str(answers), "--json", *_BAKERY
    )
    assert "nobody answers" not in ran.out + ran.err


def test_what_paicli_adds_for_resources_is_told_where_more_is_asked_for() -> None:
    ran = inspect("status", "-v", *_BAKERY)
    assert "PaiCLI adds two tools of its own for the resources: mcp__python__list_resources and " in ran.err
