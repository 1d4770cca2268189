"""Servers as another client's file would hold them: what is written is read back as the same, or it was said."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.config.dialects import DIALECTS, named
from inspector.config.emit import emit
from inspector.config.entry import Entry, Note
from inspector.config.forms import FORMS
from inspector.config.load import Loaded, load
from inspector.config.server import Server
from inspector.config.writing import write

ENVIRONMENT = {"TOKEN": "t0ken-of-the-test", "TENANT": "acme", "HOME": "/home/u", "PATH": os.environ["PATH"]}
FILES = {
    "paicli": ".paicli/mcp.json", "claude-desktop": "claude_desktop_config.json", "claude-code": ".mcp.json",
    "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json", "windsurf": ".codeium/windsurf/mcp_config.json",
    "antigravity": ".gemini/antigravity/mcp_config.json", "cline": "cline_mcp_settings.json", "roo": ".roo/mcp.json",
    "zed": ".zed/settings.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json",
    "lmstudio": ".lmstudio/mcp.json", "codex": ".codex/config.toml", "opencode": "opencode.json",
    "continue": ".continue/config.yaml", "copilot": ".copilot/mcp-config.json", "kiro": ".kiro/settings/mcp.json",
    "goose": ".config/goose/config.yaml", "amp": ".amp/settings.json", "mcp-inspector": ".mcp-inspector/mcp.json",
}  # fmt: skip
ADDRESSES = ("http", "sse", "auto", "auto-sse")


def read(path: Path, dialect: str | None = None) -> Loaded:
    return load(
        path,
        home=Path("/home/u"),
        environment=ENVIRONMENT,
        project_dir=Path("/w"),
        dialect=DIALECTS[dialect] if dialect else None,
    )


def again(loaded: Loaded, target: str, folder: Path) -> tuple[Loaded, list[tuple[Entry, Note]]]:
    """The same servers, written for a client and read from its own place."""
    written = write(loaded.entries, DIALECTS[target])
    path = folder / FILES.get(target, f"{target}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(emit(written.value, FORMS[target].language), encoding="utf-8")
    return read(path, None if target in FILES else target), written.notes


def facts(server: Server) -> dict[str, Any]:
    transport = "address" if server.transport in ADDRESSES else server.transport
    return {
        "transport": transport, "command": server.command, "args": server.args,
        "env": {**{name: ENVIRONMENT[name] for name in server.entry.passed if name in ENVIRONMENT}, **server.env},
        "url": server.url, "headers": server.headers, "enabled": server.enabled,
        "timeouts": (server.request_timeout, server.connect_timeout),
    }  # fmt: skip


FIELDS = {"args": "args", "env": "env", "headers": "headers", "url": "url", "disabled": "enabled",
          "timeout": "timeouts", "command": "command", "cwd": "cwd"}  # fmt: skip

WORDS = st.text(alphabet="abZ019 .-_/:=@\"'\\é\t\U0001f600#,", max_size=12)
PIECES = st.sampled_from(
    ["${TOKEN}", "Bearer ${TOKEN}", "${TENANT:-x}", "a-${TENANT}", "${PROJECT_DIR}/n", "${HOME}"]
)
VALUES = WORDS | PIECES
NAMES = st.text(alphabet="abcXYZ019_-", min_size=1, max_size=8)
LAUNCHED = st.fixed_dictionaries(
    {"command": st.just("python3"), "args": st.lists(VALUES, max_size=4)},
    optional={
        "env": st.dictionaries(st.sampled_from(["A", "B_KEY", "TOKEN"]), VALUES, max_size=3),
        "disabled": st.booleans(),
        "tool_timeout_sec": st.integers(1, 500),
        "startup_timeout_sec": st.sampled_from([1, 2.5, 30]),
    },
)
HEADER = st.text(alphabet="abZ019 .-_/:=@", max_size=12).map(str.strip)
REACHED = st.fixed_dictionaries(
    {"url": st.sampled_from(["https://h.example.test/mcp", "http://127.0.0.1:1/${TENANT}/mcp"])},
    optional={
        "type": st.sampled_from(["http", "sse"]),
        "headers": st.dictionaries(
            st.sampled_from(["Authorization", "X-A"]),
            HEADER | st.sampled_from(["${TOKEN}", "Bearer ${TOKEN}"]),
            max_size=2,
        ),
        "disabled": st.booleans(),
    },
)


def test_a_text_that_some_readers_of_yaml_take_for_a_number_stands_in_quotes() -> None:
    numbers = ["08", "1e3", "-1.5e3", "0o17", ".1e3", "+.5", "1_000", "12:30", "2001-01-01", "0x1f"]
    written = emit({"args": [*numbers, "-x", 5, -1.5], "env": {"08": "1e3"}}, "yaml").splitlines()
    assert written == [
        "args:",
        *(f"- '{number}'" for number in numbers),
        "- -x",
        "- 5",
        "- -1.5",
        "env:",
        "  '08': '1e3'",
    ]


@pytest.mark.parametrize("target", sorted(FORMS))
@given(servers=st.dictionaries(NAMES, LAUNCHED | REACHED, min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_written_and_read_again(
    target: str, servers: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("again")
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    before = read(folder / "mcp.json")
    after, notes = again(before, target, folder)
    assert after.files[0].dialect.id == target
    found = {server.name: server for server in after.servers}
    for server in before.servers:
        said = [note for entry, note in notes if entry is server.entry]
        if any(note.severity == "error" for note in said):
            assert server.name not in found
            continue
        fields = {FIELDS.get(note.where.partition(".")[0].partition("[")[0]) for note in said}
        mine, theirs = facts(server), facts(found[server.name])
        assert [key for key in mine if mine[key] != theirs[key] and key not in fields] == [], (mine, theirs)
    assert len(found) == len([one for one in before.servers if one.name in found])


def test_what_a_client_cannot_say_is_said(tmp_path: Path) -> None:
    entries = {
        "old": {"type": "sse", "url": "https://h.test/sse"},
        "own": {"command": "x", "cwd": "/tmp", "trust": True, "colour": "red", "ca": "a.pem"},
        "both": {"command": "x", "url": "https://h.test"},
    }
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": entries}))
    _, notes = again(read(tmp_path / "mcp.json"), "claude-desktop", tmp_path)
    said = {(entry.name, note.where, note.message) for entry, note in notes}
    assert ("old", "", "left out: Claude Desktop has no way to say HTTP+SSE") in said
    assert ("own", "cwd", "Claude Desktop has no working directory: /tmp is lost") in said
    assert ("own", "", "Claude Desktop has no list of tools that need no approval: *") in said
    assert ("own", "ca", "Claude Desktop has nothing like ca") in said
    assert any(name == "own" and "colour" in message for name, _, message in said)
    assert ("both", "", "left out: both command and url are given") in said


@pytest.mark.parametrize(
    ("source", "text", "target", "written"),
    [
        ("paicli", "${PROJECT_DIR}/x", "cursor", "${workspaceFolder}/x"),
        ("cursor", "${workspaceFolder}/x", "paicli", "${PROJECT_DIR}/x"),
        ("cursor", "${env:A}", "claude-code", "${A}"),
        ("cursor", "${userHome}", "vscode", "${userHome}"),
        ("gemini", "$A", "opencode", "{env:A}"),
        ("gemini", "${A:-d}", "claude-code", "${A:-d}"),
        ("opencode", "{file:/x}", "windsurf", "${file:/x}"),
        ("claude-code", "${A}", "continue", "${{ secrets.A }}"),
        ("continue", "${{ secrets.A }}", "claude-code", "${A}"),
        ("continue", "${{ secrets.A }}", "cursor", "${env:A}"),
        ("cline", "${env:A}", "gemini", "${A}"),
    ],
)
def test_variables_are_translated(tmp_path: Path, source: str, text: str, target: str, written: str) -> None:
    raw = {"s": {"command": "x", "type": "stdio", "args": [text]}}
    value = (
        {"mcp": {"s": {"type": "local", "command": ["x", text]}}}
        if source == "opencode"
        else {"mcpServers": raw}
    )
    (tmp_path / "mcp.json").write_text(json.dumps(value))
    entries = read(tmp_path / "mcp.json", source).entries
    made, notes = write(entries, DIALECTS[target])
    assert written in json.dumps(made)
    assert [note for _, note in notes if note.severity != "info"] == []


def test_an_input_becomes_a_variable_where_nobody_asks(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    server = {"type": "http", "url": "https://h.test", "headers": {"X": "${input:api-key}"}}
    path.write_text(json.dumps({"inputs": [{"id": "api-key", "password": True}], "servers": {"s": server}}))
    made, notes = write(read(path).entries, DIALECTS["claude-code"])
    assert made["mcpServers"]["s"]["headers"] == {"X": "${API_KEY}"}
    assert any("becomes the variable API_KEY" in note.message for _, note in notes)
    made, _ = write(read(path).entries, DIALECTS["vscode"])
    assert made["inputs"] == [{"id": "api-key", "description": "", "type": "promptString", "password": True}]


def test_a_variable_that_stands_twice_in_a_text_is_told_of_once(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"a": {"command": "x", "env": {"A": "${T}${T}"}}}}))
    _, notes = write(read(path).entries, DIALECTS["zed"])
    assert [note.where for _, note in notes if note.severity == "warning"] == ["env.A"]


def test_codex_is_told_the_names_of_variables(tmp_path: Path) -> None:
    raw = {
        "run": {"command": "x", "env": {"TOKEN": "${TOKEN}", "A": "1"}},
        "web": {
            "type": "http",
            "url": "https://h.test",
            "headers": {"Authorization": "Bearer ${TOKEN}", "X": "${T}"},
        },
    }
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": raw}))
    made, notes = write(read(tmp_path / "mcp.json").entries, DIALECTS["codex"])
    run, web = made["mcp_servers"].values()
    assert (run["env"], run["env_vars"]) == ({"A": "1"}, ["TOKEN"])
    assert (web["bearer_token_env_var"], web["env_http_headers"]) == ("TOKEN", {"X": "T"})
    assert [note for _, note in notes if note.severity == "warning"] == []


def test_secrets_in_plain_text_are_masked_unless_revealed(tmp_path: Path) -> None:
    raw = {
        "command": "x",
        "args": ["--token", "arg-secret"],
        "env": {"API_KEY": "env-secret", "B": "${TOKEN}"},
    }
    web = {"url": "https://u:url-secret@h.test", "headers": {"Authorization": "Bearer head-secret"}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"a": raw, "b": web}}))
    entries = read(tmp_path / "mcp.json").entries
    for target in FORMS:
        assert "-secret" not in json.dumps(write(entries, DIALECTS[target], reveal=False).value)
    shown = json.dumps(write(entries, DIALECTS["cursor"]).value)
    assert all(f"{part}-secret" in shown for part in ("arg", "env", "url", "head"))
    assert "${env:TOKEN}" in shown


def test_a_client_is_known_by_its_name_however_it_is_written() -> None:
    for word in (
        "VS Code",
        "vscode",
        "Claude Code",
        "claude_code",
        "Gemini",
        "gemini-cli",
        "LM Studio",
        "codex",
    ):
        assert named(word) is not None, word
    assert named("emacs") is None
