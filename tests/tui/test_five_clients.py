"""The same five servers in the files of five clients: `config`, `status` and the app say the same of them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from app import Until

from inspector.base.secrets import Secrets
from inspector.config.load import load
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.workspace.workspace import Workspace
from tests.command import ODD, inspect

KEY = "of-the-environment"
PROGRAM = [sys.executable, ODD]


def servers(variable: str, **words: str) -> dict[str, Any]:
    """As the clients with a map have them; `words` are the values of `type`, where a client wants one."""
    bearer = {"Authorization": f"Bearer {variable}" % "FIVE_KEY"}
    stdio, http = ({"type": words[kind]} if kind in words else {} for kind in ("stdio", "http"))
    return {
        "plain": {**stdio, "command": PROGRAM[0], "args": PROGRAM[1:]},
        "keyed": {
            **stdio, "command": PROGRAM[0], "args": PROGRAM[1:],
            "env": {"SHOP_KEY": variable % "FIVE_KEY", "MODE": "x"},
        },
        "absent": {**stdio, "command": "no-such-program-here", "args": ["-y"]},
        "refused": {**http, "url": "http://127.0.0.1:1/mcp", "headers": bearer},
        "open": {**http, "url": "http://127.0.0.1:1/open"},
    }  # fmt: skip


CODEX = f"""
[mcp_servers.plain]
command = {json.dumps(PROGRAM[0])}
args = {json.dumps(PROGRAM[1:])}

[mcp_servers.keyed]
command = {json.dumps(PROGRAM[0])}
args = {json.dumps(PROGRAM[1:])}
env = {{ SHOP_KEY = "{KEY}", MODE = "x" }}

[mcp_servers.absent]
command = "no-such-program-here"
args = ["-y"]

[mcp_servers.refused]
url = "http://127.0.0.1:1/mcp"
bearer_token_env_var = "FIVE_KEY"

[mcp_servers.open]
url = "http://127.0.0.1:1/open"
"""
FILES = {
    "claude-code": (".mcp.json", json.dumps({"mcpServers": servers("${%s}", stdio="stdio", http="http")})),
    "cursor": (".cursor/mcp.json", json.dumps({"mcpServers": servers("${env:%s}")})),
    "vscode": (".vscode/mcp.json", json.dumps({"servers": servers("${env:%s}", stdio="stdio", http="http")})),
    "codex": (".codex/config.toml", CODEX),
    "paicli": (".paicli/mcp.json", json.dumps({"mcpServers": servers("${%s}")})),
}
READY = {"plain": "ready", "keyed": "ready", "absent": "error", "refused": "error", "open": "error"}
KINDS = {"plain": None, "keyed": None, "absent": "not_found", "refused": "refused", "open": "refused"}


@pytest.mark.parametrize("client", FILES)
async def test_config_status_and_app_agree(client: str, tmp_path: Path, until: Until) -> None:
    name, text = FILES[client]
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    environment = {"FIVE_KEY": KEY, "HOME": str(tmp_path / "home")}
    read = inspect("config", str(path), "--json", "--reveal", cwd=tmp_path, **environment).json
    assert [file["dialect"] for file in read["files"]] == [client]
    found = {server["name"]: server for server in read["servers"]}
    assert [*found] == [*READY]
    assert [found["keyed"]["command"], *found["keyed"]["args"]] == PROGRAM
    assert found["keyed"]["env"] == {"SHOP_KEY": KEY, "MODE": "x"}
    assert found["refused"]["headers"] == {"Authorization": f"Bearer {KEY}"}
    errors = [each["server"] for each in read["problems"] if each["severity"] == "error"]
    assert errors == ["absent"]

    done = inspect("status", str(path), "--json", cwd=tmp_path, **environment)
    assert done.code == 3
    states = {each["name"]: each["state"] for each in done.json["servers"]}
    kinds = {each["name"]: each["error"] and each["error"]["kind"] for each in done.json["servers"]}
    assert (states, kinds) == (READY, KINDS)
    assert KEY not in done.out + done.err

    around = {**os.environ, **environment}
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment=around) as workspace:
        for entry in load(path, environment=around, home=tmp_path / "home").entries:
            workspace.add(entry)
        app = InspectorApp(workspace, name)
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: {n: c.state for n, c in workspace.connections.items()} == READY)
            assert {n: c.error and c.error.kind for n, c in workspace.connections.items()} == KINDS
