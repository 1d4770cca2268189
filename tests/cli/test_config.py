"""`config` as it is typed: every client's files, translation to another client, links, and that nothing is started."""

from __future__ import annotations

import base64
import json
import os
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml

from tests.command import Ran, inspect

SERVER_KEYS = [
    "name", "transport", "command", "args", "env", "cwd", "url", "headers", "enabled", "source", "unresolved",
    "warnings",
]  # fmt: skip
PROBLEM_KEYS = ["path", "line", "column", "server", "where", "severity", "message"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def config(home: Path, *words: str, cwd: Path | None = None, **environment: str) -> Ran:
    return inspect("config", *words, cwd=cwd or home, HOME=str(home), **environment)


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def starts(folder: Path) -> dict[str, object]:
    """A server whose start would leave a file behind."""
    return {"command": sys.executable, "args": ["-c", f"open({str(folder / 'started')!r}, 'w')"]}


def test_discover_reads_every_client_and_starts_nothing(home: Path, tmp_path: Path) -> None:
    mine = put(home / ".cursor" / "mcp.json", {"mcpServers": {"a": starts(tmp_path)}})
    theirs = put(tmp_path / "p" / ".vscode" / "mcp.json", {"servers": {"a": starts(tmp_path)}})
    before = {path: path.stat().st_mtime_ns for path in (mine, theirs)}
    done = config(home, "--discover", "--json", cwd=tmp_path / "p")
    assert done.code == 0, done.err
    assert [(file["path"], file["state"], file["dialect"]) for file in done.json["files"]] == [
        (str(mine), "read", "cursor"), (str(theirs), "read", "vscode"),
    ]  # fmt: skip
    assert [list(server) for server in done.json["servers"]] == [SERVER_KEYS, SERVER_KEYS]
    assert {server["source"]["path"] for server in done.json["servers"]} == {str(mine), str(theirs)}
    assert all(list(problem) == PROBLEM_KEYS for problem in done.json["problems"])
    assert any(problem["message"] == "the same server as a of VS Code" for problem in done.json["problems"])
    assert not (tmp_path / "started").exists()
    assert {path: path.stat().st_mtime_ns for path in (mine, theirs)} == before
    table = config(home, "--discover", str(tmp_path / "p"))
    assert "CLIENT" in table.out and "Cursor" in table.out and "VS Code" in table.out


def test_discover_without_any_file_says_where_it_looked(home: Path, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    done = config(home, "--discover", cwd=tmp_path / "p")
    assert (done.code, done.out) == (0, "")
    assert str(home) in done.err and str(tmp_path / "p") in done.err


@pytest.mark.parametrize(
    "words", [("x.json", "--discover"), ("--discover", "--dialect", "cursor"), ("--discover", "--", "x")]
)
def test_discover_takes_a_folder_only(home: Path, words: tuple[str, ...]) -> None:
    assert config(home, *words).code == 2


def test_to_codex_and_back(home: Path) -> None:
    path = put(
        home / "mcp.json", {"mcpServers": {"a": {"command": "sh", "args": ["-c", "x"], "env": {"T": "${T}"}}}}
    )
    done = config(home, str(path), "--to", "codex", T="v")
    assert done.code == 0, done.err
    assert tomllib.loads(done.out) == {
        "mcp_servers": {"a": {"command": "sh", "args": ["-c", "x"], "env_vars": ["T"]}}
    }
    done = config(home, str(path), "--to", "codex", "-o", "config.toml", T="v")
    assert (done.code, done.out) == (0, "")
    again = config(home, "config.toml", "--json", T="v")
    assert again.json["files"][0]["dialect"] == "codex"
    assert [server["command"] for server in again.json["servers"]] == ["sh"]
    if os.name == "posix":
        assert (home / "config.toml").stat().st_mode & 0o077 == 0


def test_to_continue_is_yaml_and_json_has_it_all(home: Path) -> None:
    path = put(home / "mcp.json", {"mcpServers": {"a": {"url": "https://h.test", "color": 1, "cwd": "/"}}})
    done = config(home, str(path), "--to", "Continue")
    assert yaml.safe_load(done.out)["mcpServers"] == [{"name": "a", "url": "https://h.test"}]
    assert "not carried over: color" in done.err
    done = config(home, str(path), "--to", "continue", "--json")
    assert list(done.json) == ["dialect", "value", "text", "problems"]
    assert yaml.safe_load(done.json["text"]) == done.json["value"]


def test_to_shows_no_secret_and_writes_it(home: Path) -> None:
    path = put(
        home / "mcp.json", {"mcpServers": {"a": {"command": "sh", "env": {"API_KEY": "plain-secret"}}}}
    )
    done = config(home, str(path), "--to", "cursor")
    assert "plain-secret" not in done.out + done.err
    assert "--reveal" in done.err
    assert "plain-secret" in config(home, str(path), "--to", "cursor", "--reveal").out
    config(home, str(path), "--to", "cursor", "-o", "out.json")
    assert "plain-secret" in (home / "out.json").read_text()


def test_a_clients_own_file_is_never_written(home: Path) -> None:
    path = put(home / "mcp.json", {"mcpServers": {"a": {"command": "sh"}}})
    theirs = put(home / ".cursor" / "mcp.json", "{}")
    done = config(home, str(path), "--to", "cursor", "-o", str(theirs))
    assert done.code == 2 and "left alone" in done.err
    assert theirs.read_text() == "{}"


def test_an_unknown_client_is_refused_with_the_known_ones(home: Path) -> None:
    path = put(home / "mcp.json", {"mcpServers": {"a": {"command": "sh"}}})
    for option in ("--to", "--dialect"):
        done = config(home, str(path), option, "emacs")
        assert done.code == 2 and "claude-code" in done.err


def test_what_cannot_be_said_there_is_an_error(home: Path) -> None:
    path = put(home / "mcp.json", {"mcpServers": {"a": {"type": "sse", "url": "https://h.test"}}})
    done = config(home, str(path), "--to", "codex")
    assert done.code == 2
    assert "left out: Codex has no way to say HTTP+SSE" in done.err


def test_dialect_reads_a_file_as_another_client_would(home: Path) -> None:
    path = put(home / "mcp.json", {"mcpServers": {"a": {"httpUrl": "https://h.test/$T", "trust": True}}})
    done = config(home, str(path), "--json", "--reveal", T="v")
    assert done.json["servers"][0]["url"] == "https://h.test/$T"
    assert any("--dialect gemini" in problem["message"] for problem in done.json["problems"])
    done = config(home, str(path), "--dialect", "Gemini CLI", "--json", "--reveal", T="v")
    assert done.json["servers"][0]["url"] == "https://h.test/v"
    assert done.json["files"][0]["dialect"] == "gemini"


ENTRY = {"command": "sh", "args": ["-c", "ä?"], "env": {"A": "1"}}
PACKED = base64.b64encode(json.dumps(ENTRY).encode()).decode()
QUOTED = quote(json.dumps({"name": "n", **ENTRY}))


@pytest.mark.parametrize(
    "link",
    [
        f"cursor://anysphere.cursor-deeplink/mcp/install?name=n&config={quote(PACKED)}",
        f"cursor://anysphere.cursor-deeplink/mcp/install?name=n&config={PACKED}",
        f"https://cursor.com/en/install-mcp?name=n&config={PACKED.rstrip('=')}",
        f"lmstudio://add_mcp?name=n&config={PACKED}",
        f"vscode:mcp/install?{QUOTED}",
        f"vscode-insiders:mcp/install?{QUOTED}",
        f"https://insiders.vscode.dev/redirect/mcp/install?name=n&config={quote(json.dumps(ENTRY))}",
        f"https://vscode.dev/redirect?url={quote('vscode:mcp/install?' + QUOTED)}",
        f"kiro://kiro.mcp/add?name=n&config={quote(json.dumps(ENTRY))}",
    ],
)
def test_deep_links(home: Path, link: str) -> None:
    done = config(home, link, "--json")
    assert done.code == 0, done.err
    (server,) = done.json["servers"]
    assert [server[key] for key in ("name", "command", "args", "env")] == [
        "n",
        "sh",
        ["-c", "ä?"],
        {"A": "1"},
    ]
    assert server["source"] == {"path": None, "pointer": ""}


@pytest.mark.parametrize(
    "link",
    [
        "cursor://x/mcp/install?name=n",
        "cursor://x?config=%%%",
        "cursor://x?config=W10",
        "goose://extension?x=1",
        "nobody://add?name=n",
    ],
)
def test_broken_links_say_what_is_wrong(home: Path, link: str) -> None:
    done = config(home, link, "--json")
    assert done.code == 2
    assert done.json["servers"] == []
    assert "link" in done.json["problems"][0]["message"]


def test_what_nobody_can_start_is_marked_so(home: Path) -> None:
    file = home / "goose.yaml"
    file.write_text(
        "extensions:\n  dev: {type: builtin, enabled: true}\n  run: {type: stdio, cmd: python3}\n"
    )
    dev, run = [line for line in config(home, str(file)).out.splitlines() if "goose.yaml#" in line]
    assert dev.startswith("✗  dev") and run.startswith("●  run")


def test_a_server_json_of_the_registry(home: Path) -> None:
    described = {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json",
        "name": "io.github.acme/notes",
        "version": "1.2.0",
        "packages": [
            {
                "registryType": "npm",
                "identifier": "@acme/notes",
                "version": "1.2.0",
                "transport": {"type": "stdio"},
                "packageArguments": [
                    {"type": "positional", "value": "serve"},
                    {"type": "named", "name": "--level", "default": "info"},
                    {"type": "named", "name": "--quiet"},
                ],
                "environmentVariables": [
                    {"name": "NOTES_KEY", "description": "the key", "isRequired": True, "isSecret": True},
                    {"name": "NOTES_DIR", "default": "/tmp"},
                    {"name": "NOTES_LOG"},
                ],
            },
            {"registryType": "oci", "identifier": "docker.io/acme/notes:1.2.0", "transport": {"type": "stdio"},
             "environmentVariables": [{"name": "K", "default": "v"}]},
            {"registryType": "mcpb", "identifier": "https://h.test/x.mcpb"},
        ],
        "remotes": [
            {"type": "streamable-http", "url": "https://{tenant}.h.test/mcp",
             "variables": {"tenant": {"default": "acme", "isRequired": True}},
             "headers": [{"name": "Authorization", "value": "Bearer {token}",
                          "variables": {"token": {"isSecret": True, "isRequired": True}}}]},
        ],
    }  # fmt: skip
    path = put(home / "server.json", described)
    done = config(home, str(path), "--json")
    npm, oci, other, remote = done.json["servers"]
    assert done.json["files"][0]["dialect"] == "server.json"
    assert [npm["name"], npm["command"]] == ["notes (npm)", "npx"]
    assert npm["args"] == ["-y", "@acme/notes@1.2.0", "serve", "--level", "info", "--quiet"]
    assert npm["env"] == {"NOTES_KEY": "***", "NOTES_DIR": "/tmp"}
    assert npm["unresolved"] == ["input:NOTES_KEY"]
    assert [oci["command"], oci["args"]] == [
        "docker", ["run", "-i", "--rm", "-e", "K", "docker.io/acme/notes:1.2.0"],
    ]  # fmt: skip
    assert other["transport"] == "unsupported:mcpb" and other["warnings"]
    assert [remote["transport"], remote["unresolved"]] == ["http", ["input:token", "input:tenant"]]
    assert npm["source"]["pointer"] == "/packages/0"
    asked = config(home, str(path), "--to", "vscode", "--json").json["value"]
    assert {each["id"] for each in asked["inputs"]} == {"NOTES_KEY", "token", "tenant"}


def test_to_of_one_server_a_command_and_a_url(home: Path) -> None:
    path = put(
        home / "mcp.json", {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh", "args": ["-v"]}}}
    )
    assert list(json.loads(config(home, str(path), "-s", "b", "--to", "vscode").out)["servers"]) == ["b"]
    made = json.loads(config(home, "--to", "zed", "--env", "A=1", "--", "sh", "$X").out)
    assert made == {"context_servers": {"sh": {"command": "sh", "args": ["$X"], "env": {"A": "1"}}}}
    made = json.loads(
        config(
            home, "https://h.test/mcp", "--to", "claude-code", "--header", "Authorization: Bearer ${T}", T="v"
        ).out
    )
    assert made["mcpServers"]["h.test"] == {
        "type": "http", "url": "https://h.test/mcp", "headers": {"Authorization": "Bearer ${T}"},
    }  # fmt: skip


def test_a_file_without_servers_is_told(home: Path) -> None:
    path = put(home / "mcp.json", {"mcpServers": {}})
    done = config(home, str(path))
    assert (done.code, done.out, done.err) == (0, "", "there is no server in it\n")
    assert config(home, str(path), "--json").json["problems"] == []
