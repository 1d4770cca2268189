"""From an entry to a server: folders, overrides, what cannot be passed on, what must be masked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.config import dialects
from inspector.config.adhoc import from_command, from_url, parse_overrides
from inspector.config.check import check, is_local
from inspector.config.dialects import Dialect
from inspector.config.discover import known_files, location_of
from inspector.config.entry import Entry, Overrides, Source
from inspector.config.reading import read
from inspector.config.server import Server

URL = "https://h.example.test/mcp"


def entry(raw: Any, dialect: Dialect = dialects.COMMON, overrides: Overrides | None = None) -> Entry:
    places = {"home": "/home/u", "project": "/w/p", "base": "/w/c", "folder": "/w/f"}
    given = Entry(
        name="a", dialect=dialect, source=Source(), raw=raw, overrides=overrides or Overrides(), **places
    )
    return read(given)


def failure(server: Server) -> str:
    assert server.failure is not None
    return server.failure.message


def test_a_command_line_is_taken_verbatim() -> None:
    server = from_command(["/usr/bin/npx", "-y", "${PKG}", "~/x", "a b", ""]).resolve({"PKG": "no"})
    assert (server.name, server.transport, server.command) == ("npx", "stdio", "/usr/bin/npx")
    assert server.args == ["-y", "${PKG}", "~/x", "a b", ""]
    assert server.cwd == os.getcwd()
    assert server.failure is None
    assert from_command(["uvx.exe", "x"]).name == "uvx"


def test_a_url_is_named_after_its_host() -> None:
    server = from_url("https://mcp.example.test:8443/${X}/mcp").resolve({})
    assert (server.name, server.transport, server.url) == (
        "mcp.example.test",
        "auto",
        "https://mcp.example.test:8443/${X}/mcp",
    )
    assert (server.command, server.cwd) == ("", None)
    with pytest.raises(Failed, match="no URL"):
        from_url("http://[::1")


def test_overrides_are_expanded_by_us_and_win() -> None:
    overrides = parse_overrides(
        ["authorization: Bearer ${TOKEN}", "X-New: ${N:-1}"], ["A=${TOKEN}", "B=x=y"], cwd="."
    )
    raw = {"type": "http", "url": URL, "headers": {"Authorization": "old", "X-Old": "1"}, "env": {"A": "old"}}
    server = entry(raw, dialects.CLAUDE_CODE, overrides).resolve({"TOKEN": "t0ken-value"})
    assert server.headers == {"X-Old": "1", "authorization": "Bearer t0ken-value", "X-New": "1"}
    assert server.env == {"A": "t0ken-value", "B": "x=y"}
    assert "t0ken-value" not in str(server.as_json())
    assert "TOKEN" in failure(entry(raw, overrides=overrides).resolve({}))


@pytest.mark.parametrize(
    ("raw", "override", "transport"),
    [
        ({"url": URL}, "http", "http"),
        ({"type": "sse", "url": URL}, "auto", "auto"),
        ({"command": "x"}, "http", "stdio"),
        ({"url": URL, "type": "pigeon"}, "http", "unsupported:pigeon"),
    ],
)
def test_the_transport_of_the_command_line(raw: Any, override: str, transport: str) -> None:
    assert entry(raw, overrides=parse_overrides(transport=override)).resolve({}).transport == transport


@pytest.mark.parametrize(
    "bad", [{"headers": ["no colon"]}, {"env": ["novalue"]}, {"env": ["=x"]}, {"transport": "pigeon"}]
)
def test_bad_overrides(bad: dict[str, Any]) -> None:
    with pytest.raises(Failed) as caught:
        parse_overrides(**bad)
    assert caught.value.failure.kind == "config"


@pytest.mark.parametrize(
    ("dialect", "cwd", "expected"),
    [
        (dialects.COMMON, None, "/w/f"),
        (dialects.COMMON, "../x", "/w/x"),
        (dialects.COMMON, "~", "/home/u"),
        (dialects.COMMON, "~/n", "/home/u/n"),
        (dialects.COMMON, "${HOME}/n", "/home/u/n"),
        (dialects.VSCODE, "${workspaceFolder}/n", "/w/f/n"),
        (dialects.CLAUDE_CODE, "~/n", "/w/c/~/n"),
        (dialects.PAICLI, "/tmp", "/w/f"),
    ],
)
def test_working_directories(dialect: Dialect, cwd: str | None, expected: str) -> None:
    assert entry({"command": "x", "cwd": cwd}, dialect).resolve({}).cwd == expected


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({"command": "x", "args": ["a\0b"]}, "args[0]"),
        ({"command": "x", "env": {"A": "\ud800"}}, "env.A"),
        ({"type": "http", "url": URL, "headers": {"X": "a\r\nEvil: 1"}}, "headers.X"),
        ({"type": "http", "url": URL, "headers": {"X": "${NL}"}}, "headers.X"),
        ({"type": "http", "url": URL, "headers": {"X Y": "a"}}, "headers.X Y"),
    ],
)
def test_what_cannot_be_passed_on_is_refused(raw: Any, where: str) -> None:
    server = entry(raw).resolve({"NL": "value\n"})
    assert [note.where for note in server.notes if note.severity == "error"] == [where]
    assert server.failure is not None and server.failure.kind == "config"


def test_unknown_transport_is_unsupported() -> None:
    server = entry({"type": "pigeon", "url": URL}).resolve({})
    assert server.failure is not None and server.failure.kind == "unsupported"
    assert "pigeon" in server.warnings[0]


def test_a_disabled_server_has_no_errors() -> None:
    server = entry({"command": "x", "args": ["${NO}"], "disabled": True}).resolve({})
    assert {note.severity for note in server.notes} == {"warning"}


def test_secrets_are_taught() -> None:
    raw = {"command": "x", "args": ["${A}", "${HOME}"], "env": {"API_KEY": "literal-key-1"}}
    secrets = Secrets()
    entry(raw).resolve({"A": "variable-value-1"}).teach(secrets)
    assert secrets.mask("variable-value-1 literal-key-1 /home/u") == "*** *** /home/u"


def test_looking_for_the_program(tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    raw = {"command": "tool", "env": {"PATH": str(tool.parent)}, "cwd": str(tmp_path)}

    def found(raw: Any, path: str = "/nowhere") -> list[tuple[str, str]]:
        environment = {"PATH": path}
        return [(note.where, note.message) for note in check(entry(raw).resolve(environment), environment)]

    assert "not executable" in found(raw)[0][1]
    tool.chmod(0o755)
    assert found(raw) == []
    assert found({**raw, "env": {}})[0][0] == "command"
    assert found({**raw, "env": {}}, path=str(tool.parent)) == []
    told = ("command", f"looked up against {tmp_path}; clients start from different folders")
    assert found({**raw, "command": "./bin/tool"}) == [told]
    assert [message for _, message in found({**raw, "command": "./tool"})][1].startswith("program not found")
    assert found({**raw, "cwd": str(tool)})[0] == ("cwd", f"the working directory {tool} is not a directory")


@pytest.mark.parametrize(
    ("url", "severity", "says"),
    [
        ("ftp://h.test/", "error", "ftp"),
        ("h.test/mcp", "error", "http://"),
        ("http:///mcp", "error", "no host"),
        ("http://h.test:port/", "error", "no URL"),
        ("http://h.test:99999/", "error", "no URL"),
        ("http://[::1/", "error", "no URL"),
        ("http://h.test/mcp", "warning", "unencrypted"),
        ("https://h.test/?token=abcdefgh", "warning", "secret"),
        ("https://user:password@h.test/", "warning", "secret"),
    ],
)
def test_addresses(url: str, severity: str, says: str) -> None:
    server = entry({"type": "http", "url": url}).resolve({})
    found = [*server.notes, *check(server, {})]
    assert any(note.severity == severity and says in note.message for note in found)
    assert not any("abcdefgh" in note.message for note in found)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [("K", "a\x01b", "control"), ("K", "a\nb", "line break"), ("K\u00e9", "a", "no name"),
     ("Content-Length", "3", "cannot be set"), ("transfer-encoding", "chunked", "cannot be set")],
)  # fmt: skip
def test_headers_that_no_request_can_carry(name: str, value: str, says: str) -> None:
    server = entry({"type": "http", "url": "https://h.test/", "headers": {name: value}}).resolve({})
    assert server.failure is not None and says in server.failure.message


def test_local_addresses() -> None:
    assert all(map(is_local, ("localhost", "127.0.0.1", "127.1.2.3", "::1", "a.localhost")))
    assert not any(map(is_local, ("127.evil.test", "10.0.0.1", "h.test")))


@pytest.mark.parametrize(
    "value", ["${KEY}", "Bearer ${env:KEY}", "<your key>", "YOUR_API_KEY", "", "Bearer "]
)
def test_references_and_stand_ins_are_no_secrets_in_plain_text(value: str) -> None:
    server = entry({"type": "http", "url": URL, "headers": {"Authorization": value}}).resolve({"KEY": "k"})
    assert [note for note in check(server, {}) if "plain text" in note.message] == []


def test_a_header_in_place_of_one_of_the_protocol_is_told() -> None:
    headers = {
        "accept": "text/plain",
        "Mcp-Session-Id": "s",
        "Content-Type": "a/b",
        "MCP-Protocol-Version": "1",
    }
    server = entry({"type": "http", "url": URL, "headers": {**headers, "X-Mine": "1"}}).resolve({})
    told = [note for note in check(server, {}) if "of the protocol" in note.message]
    assert [(note.severity, note.where) for note in told] == [
        ("warning", f"headers.{name}") for name in headers
    ]
    assert "whatever id the server gives" in told[1].message


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/home/u/.paicli/mcp.json", "paicli"),
        ("/w/p/.mcp.json", "claude-code"),
        ("/home/u/.claude.json", "claude-code"),
        ("/Users/u/Library/Application Support/Claude/claude_desktop_config.json", "claude-desktop"),
        ("/w/p/.vscode/mcp.json", "vscode"),
        ("/home/u/.config/Code/User/mcp.json", "vscode"),
        ("/home/u/.cursor/mcp.json", "cursor"),
        ("/home/u/.config/zed/settings.json", "zed"),
        ("/home/u/.config/opencode/opencode.json", "opencode"),
        ("/w/p/mcp.json", None),
    ],
)
def test_the_place_names_the_client(path: str, dialect: str | None) -> None:
    location = location_of(Path(path))
    assert (location.dialect.id if location else None) == dialect


def test_known_files(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    for path in (home / ".claude.json", home / ".config/Code/User/mcp.json", project / ".mcp.json"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    assert {(known.path.name, known.dialect.id) for known in known_files(home, [project])} == {
        (".claude.json", "claude-code"),
        ("mcp.json", "vscode"),
        (".mcp.json", "claude-code"),
    }
