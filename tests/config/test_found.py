"""All files of all clients: which are found, whose they are, what is said of the same server in several."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.config.found import discover
from inspector.config.loaded import Loaded

Put = Callable[[str, Any], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    (tmp_path / "home").mkdir()
    (tmp_path / "p").mkdir()

    def put(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return put


def found(tmp_path: Path, **environment: str) -> Loaded:
    return discover(tmp_path / "p", home=tmp_path / "home", environment={"PATH": "", **environment})


def said(loaded: Loaded, path: Path) -> list[str]:
    return [each.message for each in loaded.problems if each.path == str(path) and each.severity == "info"]


MAP = {"mcpServers": {"a": {"command": "a-srv"}}}
YAML = "schema: v1\nmcpServers:\n  - {name: a, command: a-srv}\n"
OPENCODE = {"mcp": {"a": {"type": "local", "command": ["a-srv"]}}}
CODEX = '[mcp_servers.a]\ncommand = "a-srv"\n'


@pytest.mark.parametrize(
    ("name", "content", "dialect"),
    [
        ("home/.paicli/mcp.json", MAP, "paicli"),
        ("p/.paicli/mcp.json", MAP, "paicli"),
        ("home/.claude.json", MAP, "claude-code"),
        ("p/.mcp.json", MAP, "claude-code"),
        ("home/.config/Claude/claude_desktop_config.json", MAP, "claude-desktop"),
        ("home/Library/Application Support/Claude/claude_desktop_config.json", MAP, "claude-desktop"),
        ("home/AppData/Roaming/Claude/claude_desktop_config.json", MAP, "claude-desktop"),
        ("home/.cursor/mcp.json", MAP, "cursor"),
        ("p/.cursor/mcp.json", MAP, "cursor"),
        ("p/.vscode/mcp.json", {"servers": MAP["mcpServers"]}, "vscode"),
        ("home/.config/Code/User/mcp.json", {"servers": MAP["mcpServers"]}, "vscode"),
        ("home/.config/Code/User/profiles/-1a2b/mcp.json", {"servers": MAP["mcpServers"]}, "vscode"),
        ("home/Library/Application Support/Code/User/settings.json", {"mcp": {"servers": MAP["mcpServers"]}}, "vscode"),
        ("p/.devcontainer/devcontainer.json",
         {"customizations": {"vscode": {"mcp": {"servers": MAP["mcpServers"]}}}}, "vscode"),
        ("home/.codeium/windsurf/mcp_config.json", MAP, "windsurf"),
        ("home/.codeium/mcp_config.json", MAP, "windsurf"),
        ("home/.gemini/antigravity/mcp_config.json", MAP, "antigravity"),
        ("home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", MAP, "cline"),
        ("home/.cline/data/settings/cline_mcp_settings.json", MAP, "cline"),
        ("home/.cline/mcp.json", MAP, "cline"),
        ("home/.config/zed/settings.json", {"context_servers": MAP["mcpServers"]}, "zed"),
        ("p/.zed/settings.json", {"context_servers": MAP["mcpServers"]}, "zed"),
        ("home/.gemini/settings.json", MAP, "gemini"),
        ("p/.gemini/settings.json", MAP, "gemini"),
        ("p/.qwen/settings.json", MAP, "qwen"),
        ("home/.codex/config.toml", CODEX, "codex"),
        ("p/.codex/config.toml", CODEX, "codex"),
        ("home/.lmstudio/mcp.json", MAP, "lmstudio"),
        ("home/.cache/lm-studio/mcp.json", MAP, "lmstudio"),
        ("home/.config/opencode/opencode.json", OPENCODE, "opencode"),
        ("p/opencode.jsonc", OPENCODE, "opencode"),
        ("p/.opencode/opencode.json", OPENCODE, "opencode"),
        ("home/.continue/config.yaml", YAML, "continue"),
        ("p/.continue/mcpServers/a.yaml", YAML, "continue"),
        ("p/.continue/mcpServers/a.json", {"command": "a-srv"}, "continue"),
        ("home/.copilot/mcp-config.json", MAP, "copilot"),
        ("p/.kiro/settings/mcp.json", MAP, "kiro"),
        ("home/.config/goose/config.yaml", "extensions:\n  a: {type: stdio, cmd: a-srv, args: []}\n", "goose"),
        ("p/.roo/mcp.json", MAP, "roo"),
        ("home/.mcp-inspector/mcp.json", MAP, "mcp-inspector"),
        ("home/.config/amp/settings.json", {"amp.mcpServers": MAP["mcpServers"]}, "amp"),
        ("p/.amp/settings.json", {"amp.mcpServers": MAP["mcpServers"]}, "amp"),
        ("p/.mcp.json", {"servers": MAP["mcpServers"], "inputs": []}, "vscode"),
    ],
)  # fmt: skip
def test_each_place(put: Put, tmp_path: Path, name: str, content: Any, dialect: str) -> None:
    path = put(name, content)
    loaded = found(tmp_path)
    assert [(file.path, file.dialect.id, file.state) for file in loaded.files] == [(path, dialect, "read")]
    (server,) = loaded.servers
    assert (server.name, server.command) == ("a", "a-srv")
    assert server.entry.source.scope == ("user" if name.startswith("home") else "project")


@pytest.mark.parametrize(
    ("variable", "value", "file", "content"),
    [
        ("CODEX_HOME", "elsewhere", "elsewhere/config.toml", CODEX),
        ("CLAUDE_CONFIG_DIR", "elsewhere", "elsewhere/.claude.json", MAP),
        ("CLINE_MCP_SETTINGS_PATH", "elsewhere/c.json", "elsewhere/c.json", MAP),
        ("OPENCODE_CONFIG", "elsewhere/o.json", "elsewhere/o.json", OPENCODE),
        ("COPILOT_HOME", "elsewhere", "elsewhere/mcp-config.json", MAP),
        ("XDG_CONFIG_HOME", "elsewhere", "elsewhere/opencode/opencode.json", OPENCODE),
        ("XDG_CONFIG_HOME", "elsewhere", "elsewhere/Claude/claude_desktop_config.json", MAP),
    ],
)
def test_places_that_a_variable_names(
    put: Put, tmp_path: Path, variable: str, value: str, file: str, content: Any
) -> None:
    path = put(file, content)
    loaded = found(tmp_path, **{variable: str(tmp_path / value)})
    assert [each.path for each in loaded.files] == [path]
    assert [server.command for server in loaded.servers] == ["a-srv"]


def test_opencode_is_looked_for_up_to_the_repository(put: Put, tmp_path: Path) -> None:
    put("p/.git/HEAD", "")
    above = put("p/opencode.json", OPENCODE)
    put("opencode.json", OPENCODE)
    loaded = discover(tmp_path / "p" / "a" / "b", home=tmp_path / "home", environment={})
    assert [file.path for file in loaded.files] == [above]


def test_every_entry_stays_and_what_hides_it_is_said(put: Put, tmp_path: Path) -> None:
    mine = put("home/.cursor/mcp.json", {"mcpServers": {"a": {"command": "mine"}, "b": {"command": "b"}}})
    theirs = put("p/.cursor/mcp.json", {"mcpServers": {"a": {"command": "theirs"}}})
    loaded = found(tmp_path)
    assert [(server.name, server.command) for server in loaded.servers] == [
        ("a", "mine"), ("b", "b"), ("a", "theirs"),
    ]  # fmt: skip
    assert said(loaded, mine) == [f"Cursor takes the entry of the same name in {theirs}#/mcpServers/a"]
    assert said(loaded, theirs) == []


def test_of_claude_code_the_projects_own_servers_win(put: Put, tmp_path: Path) -> None:
    local = {"projects": {str(tmp_path / "p"): {"mcpServers": {"a": {"command": "local"}}}}}
    put("home/.claude.json", {**local, "mcpServers": {"a": {"command": "mine"}}})
    put("p/.mcp.json", {"mcpServers": {"a": {"command": "shared"}}})
    loaded = discover(tmp_path / "p", home=tmp_path / "home", environment={})
    assert sorted(server.command for server in loaded.servers) == ["local", "mine", "shared"]
    hidden = [each.path for each in loaded.problems if "Claude Code takes the entry" in each.message]
    assert sorted(hidden) == [str(tmp_path / "home/.claude.json"), str(tmp_path / "p/.mcp.json")]


def test_the_same_server_of_two_clients(put: Put, tmp_path: Path) -> None:
    put("home/.cursor/mcp.json", {"mcpServers": {"n": {"url": "https://h.test/mcp"}, "x": {"command": "x"}}})
    other = put("home/.lmstudio/mcp.json", {"mcpServers": {"m": {"url": "https://h.test/mcp/"}}})
    assert said(found(tmp_path), other) == ["the same server as n of Cursor"]


def test_a_broken_file_costs_only_itself(put: Put, tmp_path: Path) -> None:
    broken = put("home/.cursor/mcp.json", '{"mcpServers": {')
    put("home/.codex/config.toml", CODEX)
    loaded = found(tmp_path)
    assert {file.path: file.state for file in loaded.files}[broken] == "broken"
    assert [server.name for server in loaded.servers] == ["a"]
