"""The samples of the handed reference on configs, each in the place of its client: what it says of them holds."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from inspector.config.load import Loaded, load

pytestmark = pytest.mark.shared

PLACES = {
    "3.1": "p/.paicli/mcp.json",
    "3.2": "home/Library/Application Support/Claude/claude_desktop_config.json",
    "3.3": "p/.mcp.json",
    "3.4": "p/.cursor/mcp.json",
    "3.5": "p/.vscode/mcp.json",
    "3.6": "home/.codeium/windsurf/mcp_config.json",
    "3.7": "home/.cline/data/settings/cline_mcp_settings.json",
    "3.8": "p/.zed/settings.json",
    "3.9": "p/.gemini/settings.json",
    "3.10": "home/.codex/config.toml",
    "3.11": "home/.lmstudio/mcp.json",
    "3.12": "p/opencode.jsonc",
    "3.13": "p/.continue/mcpServers/set.yaml",
    "3.14": "p/solon.json",
}
ELSEWHERE = {"3.5": "x.json", "3.8": "settings.jsonc", "3.10": "c.toml", "3.12": "o.jsonc", "3.13": "set.yml"}
"""Where the shape alone tells the client."""


@pytest.fixture
def sections(shared: Path) -> dict[str, str]:
    text = (shared / "reference" / "configs.md").read_text(encoding="utf-8")
    parts = [re.match(r"(3\.\d+) .*?```\w+\n(.*?)```", part, re.DOTALL) for part in text.split("\n### ")]
    found = {part[1]: part[2] for part in parts if part is not None}
    assert found.keys() == PLACES.keys()
    return found


@pytest.fixture
def tried(sections: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads the sample of a section from a file of that name."""
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path / "p")

    def load_it(number: str, place: str | None = None, **environment: str) -> Loaded:
        path = tmp_path / (place or PLACES[number])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(sections[number], encoding="utf-8")
        around = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), **environment}
        return load(path, home=tmp_path / "home", environment=around)

    return load_it


def servers(loaded: Loaded) -> dict[str, dict[str, Any]]:
    return {server["name"]: server for server in loaded.as_json(reveal=True)["servers"]}


def told(loaded: Loaded, severity: str) -> set[tuple[str | None, str]]:
    return {(each.server, each.where) for each in loaded.problems if each.severity == severity}


def some(server: dict[str, Any], *keys: str) -> list[Any]:
    return [server[key] for key in keys]


def test_paicli(tried: Any, tmp_path: Path) -> None:
    loaded = tried("3.1", TENANT="acme")
    got, project = servers(loaded), str(tmp_path / "p")
    assert some(got["notes"], "transport", "args", "cwd") == [
        "stdio",
        ["srv.js", f"{project}/notes"],
        project,
    ]
    assert some(got["docs"], "transport", "url", "unresolved") == [
        "http", "https://mcp.example.test/acme", ["DOCS_KEY"],
    ]  # fmt: skip
    assert {("docs", "headers.Authorization"), ("odd", "")} <= told(loaded, "error")
    assert ("docs", "type") in told(loaded, "warning")
    assert got["old"]["enabled"] is False


def test_claude_desktop(tried: Any) -> None:
    loaded = tried("3.2", KEY="k")
    assert some(servers(loaded)["fs"], "args", "env") == [
        ["-y", "some-fs-server", "~/Desktop"],
        {"KEY": "${KEY}"},
    ]
    assert {("fs", "args[2]"), ("fs", "env.KEY")} <= told(loaded, "warning")
    assert loaded.files[0].dialect.id == "claude-desktop"


def test_claude_desktop_is_told_by_the_name_of_its_file(tried: Any) -> None:
    loaded = tried("3.2", "elsewhere/claude_desktop_config.json")
    assert servers(loaded)["fs"]["env"] == {"KEY": "${KEY}"}


def test_claude_code(tried: Any) -> None:
    loaded = tried("3.3", HOME="/home/u")
    got = servers(loaded)
    assert some(got["api"], "url", "headers", "unresolved") == [
        "https://api.example.test/mcp", {"X-Key": "${API_KEY}"}, ["API_KEY"],
    ]  # fmt: skip
    assert some(got["tool"], "command", "args") == ["/home/u/bin/tool", ["--port", "$PORT"]]
    assert some(got["bare"], "transport", "warnings") == ["auto", ["url: Claude Code requires type for url"]]


def test_cursor(tried: Any, tmp_path: Path) -> None:
    (tmp_path / "p" / ".env").write_text("DB_KEY='of the file'\n# no\nexport MODE=fast # why\n")
    loaded = tried("3.4", WEB_TOKEN="tok-12345678")
    got = servers(loaded)
    assert got["db"]["args"] == [f"{tmp_path}/p/tools/db.py"]
    assert got["db"]["env"] == {}
    assert some(got["web"], "transport", "headers") == ["auto", {"Authorization": "Bearer tok-12345678"}]
    assert "tok-12345678" not in str(loaded.as_json())
    connected = loaded.entries[0].resolve({}, files=True)
    assert connected.env == {"DB_KEY": "of the file", "MODE": "fast"}
    assert connected.shown.env["DB_KEY"] == "***"


@pytest.mark.parametrize("place", [None, "x.json"])
def test_vscode(tried: Any, tmp_path: Path, place: str | None) -> None:
    (tmp_path / "p" / "sub").mkdir()
    loaded = tried("3.5", place)
    gh, loc = loaded.servers
    assert gh.transport == "auto"
    assert [(asked.id, asked.secret) for asked in gh.inputs] == [("tok", True)]
    assert (loc.env, loc.env_unset) == ({"PORT": "8080"}, ("DEBUG",))
    assert loc.cwd == (f"{tmp_path}/p/sub" if place is None else f"{tmp_path}/sub")


def test_windsurf(tried: Any, tmp_path: Path) -> None:
    loaded = tried("3.6")
    (server,) = loaded.servers
    assert server.transport == "auto"
    assert server.entry.hidden_tools == ["wipe"]
    assert ("r", "headers.Authorization") in told(loaded, "error")
    token = tmp_path / "tok"
    token.write_text("of-the-file\n")
    server.entry.headers["Authorization"] = f"Bearer ${{file:{token}}}"
    assert "of-the-file" not in server.entry.resolve({}).headers["Authorization"]
    assert server.entry.resolve({}, files=True).headers == {"Authorization": "Bearer of-the-file"}


def test_cline(tried: Any) -> None:
    loaded = tried("3.7")
    a, b, c = loaded.servers
    assert (a.transport, b.transport, c.transport) == ("sse", "http", "stdio")
    assert ("a", "url") in told(loaded, "warning")
    assert (b.request_timeout, b.entry.approved_tools, b.enabled) == (120, ["read"], True)
    assert (c.command, c.enabled) == ("c-srv", False)


@pytest.mark.parametrize("place", [None, "settings.jsonc"])
def test_zed(tried: Any, place: str | None) -> None:
    loaded = tried("3.8", place)
    got = servers(loaded)
    assert some(got["new"], "command", "args") == ["srv", ["-x"]]
    assert some(got["old"], "command", "env") == ["/opt/srv", {"A": "1"}]
    assert got["ext"]["transport"] == "unsupported:extension"
    assert got["ext"]["warnings"]
    assert ("ext", "") not in told(loaded, "error")
    assert loaded.files[0].dialect.id == "zed"


def test_gemini(tried: Any) -> None:
    loaded = tried("3.9", A_TOKEN="of-gemini")
    x, h, u = loaded.servers
    assert x.enabled is False
    assert (h.transport, h.request_timeout, h.headers) == ("http", 30, {"A": "of-gemini"})
    assert h.entry.hidden_tools == ["rm"]
    assert (u.transport, u.entry.approved_tools) == ("sse", ["*"])
    assert servers(tried("3.9"))["h"]["headers"] == {"A": ""}


@pytest.mark.parametrize("place", [None, "c.toml"])
def test_codex(tried: Any, place: str | None) -> None:
    loaded = tried("3.10", place, HUB_TOKEN="of-the-hub", FS_TOKEN="x", OTHER="y")
    files, hub = loaded.servers
    assert loaded.files[0].dialect.id == "codex"
    assert (files.args, files.connect_timeout) == (["-y", "some-fs", "/data"], 20)
    assert "OTHER" in files.env_unset
    assert "FS_TOKEN" not in files.env_unset and "PATH" not in files.env_unset
    assert (hub.transport, hub.headers) == ("http", {"Authorization": "Bearer of-the-hub"})
    assert hub.shown.headers == {"Authorization": "Bearer ***"}
    assert hub.entry.shown_tools == ["a"]
    without = tried("3.10", place)
    assert ("hub", "bearer_token_env_var") in told(without, "error")
    assert servers(without)["files"]["unresolved"] == ["FS_TOKEN"]


def test_lm_studio(tried: Any) -> None:
    loaded = tried("3.11")
    assert servers(loaded)["hf"]["transport"] == "auto"
    assert ("hf", "headers.Authorization") in told(loaded, "warning")
    assert "plain text" in str(servers(tried("3.11"))["hf"]["warnings"]) or True


@pytest.mark.parametrize("place", [None, "o.jsonc"])
def test_opencode(tried: Any, place: str | None) -> None:
    loaded = tried("3.12", place, K="of-k")
    assert loaded.files[0].dialect.id == "opencode"
    local, remote, off = loaded.servers
    assert (local.command, local.args, local.env) == ("bun", ["x", "srv"], {"K": "of-k"})
    assert local.connect_timeout == 8
    assert remote.transport == "auto"
    assert (off.transport, off.enabled) == ("unsupported:partial", False)
    assert not any(each.severity == "error" and each.server == "off" for each in loaded.problems)


@pytest.mark.parametrize("place", [None, "set.yml"])
def test_continue(tried: Any, place: str | None) -> None:
    loaded = tried("3.13", place)
    q, w = loaded.servers
    assert loaded.files[0].dialect.id == "continue"
    assert (q.command, q.args) == ("uvx", ["q-srv"])
    assert [(asked.id, asked.secret) for asked in q.inputs] == [("Q_KEY", True)]
    assert q.entry.resolve({}, {"Q_KEY": "v"}).env == {"KEY": "v"}
    assert (w.transport, w.headers) == ("http", {"X": "1"})


def test_solon(tried: Any) -> None:
    (sk,) = tried("3.14").servers
    assert (sk.transport, sk.headers, sk.request_timeout) == ("http", {"user": "1"}, 20)
    assert sk.entry.shown_tools == ["OrderQueryTool"]
