"""One entry: every spelling of every client (B67), odd values (B68), and what is said about them."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.config import dialects
from inspector.config.dialects import Dialect
from inspector.config.entry import Entry, Source
from inspector.config.reading import read
from inspector.config.spelling import transport_of

URL = "https://h.example.test/mcp"


def entry(raw: Any, dialect: Dialect = dialects.COMMON) -> Entry:
    places = {"home": "/home/u", "project": "/w/p", "base": "/w/c", "folder": "/w/c"}
    return read(Entry(name="a", dialect=dialect, source=Source(), raw=raw, **places))


def notes(raw: Any, dialect: Dialect = dialects.COMMON) -> list[tuple[str, str]]:
    return [(note.severity, note.where) for note in entry(raw, dialect).notes]


@pytest.mark.parametrize(
    ("raw", "transport"),
    [
        *(
            ({"type": spelling, "url": URL}, "http")
            for spelling in ("http", "HTTP", "streamable-http", "streamableHttp")
        ),
        *(
            ({"type": spelling, "url": URL}, "http")
            for spelling in ("streamable_http", "streamable", "http-stream")
        ),
        ({"type": "sse", "url": URL}, "sse"),
        ({"type": "remote", "url": URL}, "auto"),
        ({"transport": "streamable-http", "url": URL}, "http"),
        ({"transportType": "sse", "url": URL}, "sse"),
        ({"transport": {"type": "sse", "url": URL}}, "sse"),
        ({"transport": {"type": "stdio", "command": "c-srv", "args": []}}, "stdio"),
        ({"type": "local", "command": ["bun", "x"]}, "stdio"),
        ({"command": "x"}, "stdio"),
        ({"url": URL}, "auto"),
        ({"serverUrl": URL}, "auto"),
        ({"httpUrl": URL}, "http"),
        ({"type": "websocket", "url": URL}, "unsupported:websocket"),
        ({"type": "ws", "url": URL}, "unsupported:ws"),
        (None, "unsupported:null"),
        ("npx -y x", "unsupported:string"),
    ],
)
def test_transports(raw: Any, transport: str) -> None:
    assert entry(raw).transport == transport


def test_where_a_url_without_type_means_something_else() -> None:
    assert entry({"url": URL}, dialects.PAICLI).transport == "http"
    assert entry({"url": URL}, dialects.CLINE).transport == "sse"
    assert entry({"url": URL}, dialects.CLAUDE_CODE).transport == "auto"
    assert entry({"type": "http", "url": URL}, dialects.VSCODE).transport == "auto"
    assert notes({"url": URL}, dialects.CLINE) == [("warning", "url")]
    assert notes({"url": URL}, dialects.VSCODE) == []


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ({}, ("error", "")),
        ({"args": []}, ("error", "command")),
        ({"command": "x", "url": URL}, ("error", "")),
        ({"type": "http", "command": "x"}, ("error", "url")),
        ({"type": "stdio", "url": URL}, ("error", "command")),
        ({"type": "carrier-pigeon", "url": URL}, ("warning", "type")),
        ({"type": 7, "url": URL}, ("error", "type")),
        ({"command": 7}, ("error", "command")),
        ({"command": " x "}, ("warning", "command")),
        ({"type": "http", "url": f" {URL}\n"}, ("warning", "url")),
        ({"type": "http", "url": ["x"]}, ("error", "url")),
        ({"httpUrl": URL, "url": URL}, ("warning", "url")),
        ({"command": "x", "args": None}, ("warning", "args")),
        ({"command": "x", "args": "-y 'a b'"}, ("warning", "args")),
        ({"command": "x", "args": "it's"}, ("error", "args")),
        ({"command": "x", "args": [1, None, {}]}, ("error", "args[2]")),
        ({"command": "x", "env": None}, ("warning", "env")),
        ({"command": "x", "env": "A=1"}, ("error", "env")),
        ({"command": "x", "env": {"N": None}}, ("warning", "env.N")),
        ({"command": "x", "env": {"A=B": "1"}}, ("error", "env.A=B")),
        ({"command": "x", "disabled": "true"}, ("warning", "disabled")),
        ({"command": "x", "disabled": "maybe"}, ("warning", "disabled")),
        ({"command": "x", "cwd": 3}, ("error", "cwd")),
        ({"command": "x", "timeout": -1}, ("warning", "timeout")),
        ({"command": "x", "envFile": 1}, ("error", "envFile")),
        ({"type": "http", "url": URL, "headersHelper": "x"}, ("warning", "headersHelper")),
        ({"command": "x", "colour": "red"}, ("info", "")),
        ({"type": "http", "url": URL, "headers": ["a"]}, ("error", "headers")),
    ],
)
def test_odd_values_are_named(raw: Any, found: tuple[str, str]) -> None:
    assert found in notes(raw)


def test_scalars_become_text() -> None:
    got = entry(
        {
            "command": "x",
            "args": [8080, True, 1.10, "a b"],
            "env": {"P": 8080, "B": True, "F": False, "N": None},
        }
    )
    assert got.args == ["8080", "true", "1.1", "a b"]
    assert got.env == {"P": "8080", "B": "true", "F": "false"}


def test_null_in_the_environment_takes_a_variable_away_only_in_vscode() -> None:
    assert entry({"command": "x", "env": {"N": None}}, dialects.VSCODE).env_unset == ["N"]
    assert entry({"command": "x", "env": {"N": None}}).env_unset == []


@pytest.mark.parametrize(
    ("raw", "enabled"),
    [
        ({"disabled": True}, False),
        ({"disabled": "true"}, False),
        ({"disabled": False}, True),
        ({"enabled": False}, False),
        ({"enabled": True}, True),
        ({"disabled": None}, True),
        ({}, True),
    ],
)
def test_switched_off(raw: dict[str, Any], enabled: bool) -> None:
    assert entry({"command": "x"} | raw).enabled is enabled


def test_command_as_a_list_and_nested() -> None:
    got = entry({"command": ["bun", "x", "srv"], "args": ["-v"]})
    assert (got.command, got.args) == ("bun", ["x", "srv", "-v"])
    nested = entry({"command": {"path": "/opt/srv", "args": ["-x"], "env": {"A": "1"}}}, dialects.ZED)
    assert (nested.command, nested.args, nested.env) == ("/opt/srv", ["-x"], {"A": "1"})


def test_a_string_of_arguments_is_split_as_a_shell_would() -> None:
    assert entry({"command": "x", "args": "-y 'a b'"}).args == ["-y", "a b"]


@pytest.mark.parametrize(
    ("dialect", "raw", "seconds"),
    [
        (dialects.CLAUDE_CODE, {"timeout": 30000}, 30.0),
        (dialects.CLINE, {"timeout": 120}, 120.0),
        (dialects.COMMON, {"timeout": 30000}, 30.0),
        (dialects.COMMON, {"timeout": 45}, 45.0),
        (dialects.PAICLI, {"timeout": 45}, None),
    ],
)
def test_the_unit_of_a_timeout(dialect: Dialect, raw: dict[str, Any], seconds: float | None) -> None:
    assert entry({"command": "x"} | raw, dialect).request_timeout == seconds


def test_paicli_ignores_all_other_keys_and_says_so() -> None:
    got = entry({"command": "x", "type": "sse", "cwd": "/tmp", "timeout": 1, "x": 1}, dialects.PAICLI)
    assert (got.cwd, got.request_timeout) == (None, None)
    assert [note.where for note in got.notes] == ["type", "cwd", "timeout", "x", "url"]
    remote = entry({"url": URL, "type": "sse"}, dialects.PAICLI)
    assert remote.transport == "sse"


def test_unknown_spellings_are_kept() -> None:
    assert transport_of("Carrier Pigeon") == "unsupported:Carrier Pigeon"


@pytest.mark.parametrize(
    ("raw", "client", "scopes"),
    [
        ({"oauth": {"clientId": "c", "scopes": ["a", "b"], "callbackPort": 8123}}, "c", ("a", "b")),
        ({"oauth": {"client_id": "c", "scope": "a b"}}, "c", ("a", "b")),
        ({"auth": {"CLIENT_ID": "c", "scopes": ["a"]}}, "c", ("a",)),
        ({"scopes": ["a"]}, None, ("a",)),
    ],
)
def test_what_an_entry_says_about_logging_in(raw: Any, client: str | None, scopes: tuple[str, ...]) -> None:
    said = entry({"type": "http", "url": URL, **raw}).resolve({}).oauth
    assert said is not None
    assert (said.client_id, said.scopes) == (client, scopes)


def test_an_entry_that_says_nothing_about_logging_in_or_forbids_it() -> None:
    for raw in ({}, {"oauth": False}, {"oauth": {}}, {"auth": "x"}):
        assert entry({"type": "http", "url": URL, **raw}).oauth is None


def test_the_id_of_a_client_may_be_a_variable_and_its_secret_is_not_used() -> None:
    raw = {"url": URL, "auth": {"CLIENT_ID": "${env:ID}", "CLIENT_SECRET": "s"}}
    said = entry(raw, dialects.CURSOR).resolve({"ID": "mine"}).oauth
    assert said is not None and said.client_id == "mine"
    assert ("warning", "auth") in notes(raw, dialects.CURSOR)
