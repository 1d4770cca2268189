"""What is copied for the shell is run by a shell: against real servers, with secrets as variables only."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from inspector import demo
from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command, from_url, parse_overrides
from inspector.config.entry import Entry
from inspector.config.load import load
from inspector.traffic.store import Traffic
from inspector.tui.calls import Call, book_of
from inspector.tui.copying import Offer, Shell, offers
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash")

DEMO = [sys.executable, "-m", "inspector.demo", "stdio", "bakery"]
TOKEN = "s3cr3t-t0ken-value"
ODD = 'it\'s "odd" $HOME `x` \\ é 漢 \x1b[31m\n2nd line'


@asynccontextmanager
async def connected(entry: Entry, environment: dict[str, str] | None = None) -> AsyncIterator[Connection]:
    given = {**os.environ, **(environment or {})}
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment=given) as workspace:
        connection = workspace.add(entry)
        connection.start()
        await connection.settled()
        assert connection.state == "ready", connection.error
        yield connection


async def offered(connection: Connection, tool: str, arguments: Any) -> dict[str, Offer]:
    call = Call("tools/call", {"name": tool, "arguments": arguments})
    await book_of(connection).begin(call)
    return {offer.key: offer for offer in offers(connection, call, call.answer, None)}


async def bash(text: str, tmp_path: Path, environment: dict[str, str] | None = None) -> str:
    """What a shell prints that runs it; `mcp-inspect` is this very project."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    script = folder / "mcp-inspect"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m inspector "$@"\n')
    script.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    process = await asyncio.create_subprocess_exec(
        str(BASH), "-c", text, stdout=-1, stderr=-1, env={**os.environ, "PATH": path, **(environment or {})}
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, (text, out, err)
    return out.decode()


def result_of(frames: str) -> Any:
    """The result of the request with id 2 among frames, bare or as data of events."""
    for line in frames.splitlines():
        line = line.removeprefix("data: ")
        if line.startswith("{") and (message := json.loads(line)).get("id") == 2:
            return message["result"]
    raise AssertionError(frames)


async def test_the_command_line_calls_the_same_again(tmp_path: Path) -> None:
    arguments = {"note": ODD}
    async with connected(from_command(DEMO)) as connection:
        ways = await offered(connection, "write_note", arguments)
        line = ways["m"].text
        assert line.startswith("mcp-inspect call write_note ") and "\n" not in line and "\x1b" not in line
        assert json.loads(ways["a"].text) == arguments
        said = await bash(
            line + " --json" if "--" not in line else line.replace("call ", "call --json ", 1), tmp_path
        )
        assert (
            ODD in json.loads(said)["result"]["content"][0]["text"]
            or json.dumps(ODD, ensure_ascii=False) in (json.loads(said)["result"]["content"][0]["text"])
        )


async def test_typed_values_and_names_that_are_odd(tmp_path: Path) -> None:
    async with connected(from_command(DEMO)) as connection:
        ways = await offered(connection, "price_of", {"item": "rye loaf", "count": 12})
        assert "'item=rye loaf' count:=12" in ways["m"].text
        said = json.loads(await bash(ways["m"].text.replace("call ", "call --json ", 1), tmp_path))
        assert said["result"]["structuredContent"]["count"] == 12
        assert json.loads(ways["j"].text)["structuredContent"]["item"] == "rye loaf"
        assert json.loads(ways["t"].text)["currency"] == "EUR"
        ways = await offered(connection, "say_hello", {"a=b": 1, "name": "x"})
        assert "--args" in ways["m"].text


async def test_the_pipe_asks_a_process_of_its_own(tmp_path: Path) -> None:
    async with connected(from_command(DEMO)) as connection:
        ways = await offered(connection, "write_note", {"note": ODD})
        assert "curl" in ways["c"].title and not ways["c"].text and "no URL" in ways["c"].why_not
        said = await bash(ways["p"].text, tmp_path)
        assert "2nd line" in result_of(said)["content"][0]["text"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
async def test_curl_opens_a_session_and_calls(tmp_path: Path) -> None:
    async with demo.hosted() as url, connected(from_url(url)) as connection:
        ways = await offered(connection, "find_books", {"word": "it's"})
        assert not ways["p"].text and "URL" in ways["p"].why_not
        result = result_of(await bash(ways["c"].text, tmp_path))
        assert "structuredContent" in result
        said = json.loads(await bash(ways["m"].text.replace("call ", "call --json ", 1), tmp_path))
        assert said["result"]["structuredContent"] == result["structuredContent"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
async def test_secrets_are_variables_in_every_line(tmp_path: Path) -> None:
    overrides = parse_overrides(
        headers=["Authorization: Bearer ${SHOP_TOKEN}", "X-Api-Key: literal-secret-key"]
    )
    async with demo.hosted() as url:
        entry = from_url(f"{url}?api_key=query-secret-1", overrides)
        async with connected(entry, {"SHOP_TOKEN": TOKEN}) as connection:
            ways = await offered(connection, "find_books", {"word": TOKEN})
            for way in (ways["c"], ways["m"]):
                assert TOKEN not in way.text and "secret" not in way.text.replace("is not set", ""), way.text
            assert '"${SHOP_TOKEN}"' in ways["c"].text and '"${X_API_KEY}"' in ways["c"].text
            given = {"SHOP_TOKEN": TOKEN, "X_API_KEY": "literal-secret-key", "API_KEY": "query-secret-1"}
            assert "structuredContent" in result_of(await bash(ways["c"].text, tmp_path, given))
            line = ways["m"].text.replace("call ", "call --json ", 1)
            assert json.loads(await bash(line, tmp_path, given))["error"] is None


async def test_a_server_of_a_file_is_named_by_file_and_name(tmp_path: Path) -> None:
    file = tmp_path / "my servers.json"
    server = {"command": DEMO[0], "args": DEMO[1:], "env": {"NOTES_TOKEN": "${SHOP_TOKEN}", "PLAIN": "a b"}}
    file.write_text(json.dumps({"mcpServers": {"the bakery": server, "other": server}}))
    (entry, _) = load(str(file)).entries
    async with connected(entry, {"SHOP_TOKEN": TOKEN}) as connection:
        ways = await offered(connection, "say_hello", {"name": "Ada", "language": "de"})
        assert "-s 'the bakery'" in ways["m"].text and "my servers.json'" in ways["m"].text
        said = await bash(ways["m"].text, tmp_path, {"SHOP_TOKEN": TOKEN})
        assert "Guten Morgen, Ada!" in said
        assert (
            TOKEN not in ways["p"].text
            and '"${SHOP_TOKEN}"' in ways["p"].text
            and "'PLAIN=a b'" in ways["p"].text
        )
        piped = await bash(ways["p"].text, tmp_path, {"SHOP_TOKEN": TOKEN})
        assert "Guten Morgen" in result_of(piped)["content"][0]["text"]


async def test_quoting_survives_the_shell(tmp_path: Path) -> None:
    shell = Shell(None)
    for word in (ODD, "", "-n", "a'b", "\x00x"[1:], "\u202eevil", "~", "*", "a\tb", "\\", "$'x'", "\x7f\x80"):
        assert await bash(f"printf %s {shell.quote(word)}", tmp_path) == word
