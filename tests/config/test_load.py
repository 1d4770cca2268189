"""Whole targets: the handed failures, PaiCLI's two files, folders, broken files, problems with their places."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.config.load import MOST_SERVERS, Loaded, Problem, load

HANDED = ("jsonc_bom.json", "broken.json", "vscode_servers.json", "env_expand.json", "paths.json")
TRANSPORTS = {"http-or-auto": ("http", "auto"), "auto-or-sse": ("auto", "sse", "auto-sse")}

Write = Callable[[str, Any], Path]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file below the test's folder: text as it is, anything else as JSON."""

    def write(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8"
        )
        return path

    return write


def named(loaded: Loaded, server: str | None = None) -> list[tuple[str, str]]:
    return [(p.severity, p.where) for p in loaded.problems if server is None or p.server == server]


def servers(loaded: Loaded) -> dict[str, dict[str, Any]]:
    return {server["name"]: server for server in loaded.as_json(reveal=True)["servers"]}


def the_problem(loaded: Loaded) -> Problem:
    (problem,) = loaded.problems
    return problem


@pytest.mark.shared
@pytest.mark.parametrize("name", HANDED)
def test_handed_failures(shared: Path, name: str, home: Path) -> None:
    folder = shared / "faults" / "configs"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[name]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)} | expected.get("set_env", {})
    loaded = load(folder / name, environment=environment, home=home, inputs=expected.get("inputs"))
    got = servers(loaded)
    for server, fields in expected["servers"].items():
        for field, value in fields.items():
            assert _as_expected(got[server][field], field, value, folder, home), (server, field)
    for problem in expected["problems"]:
        assert any(_is(found, problem) for found in loaded.problems), problem
    foreseen = {(p.get("server"), p["severity"]) for p in expected["problems"]}
    surprises = {(p.server, p.severity) for p in loaded.problems if p.severity == "error"} - foreseen
    # Nothing was put into this home, so its program is truly missing.
    assert surprises <= {("tilde command", "error")}


def _as_expected(got: Any, field: str, value: Any, folder: Path, home: Path) -> bool:
    if field == "transport":
        return got in TRANSPORTS.get(value, (value,))
    if field == "env":
        return {k: v for k, v in got.items() if k != "T_WS"} == {
            k: str(home) if v == "<HOME>" else v for k, v in value.items() if k != "T_WS"
        } and got.get("T_WS", str(folder)) == str(folder)
    if isinstance(value, str):
        value = value.replace("<HOME>", str(home)).replace("<dir of the config>", str(folder))
        return (
            bool(os.path.normpath(got) == os.path.normpath(value)) if field == "cwd" else bool(got == value)
        )
    return bool(got == value)


def _is(found: Problem, expected: dict[str, Any]) -> bool:
    return all(
        getattr(found, key) == expected[key]
        for key in ("server", "where", "severity", "line")
        if key in expected
    )


def test_the_example_of_paicli(write: Write, project: Path, home: Path) -> None:
    write(
        "project/.paicli/mcp.json",
        {
            "mcpServers": {
                "notes": {"command": "node", "args": ["srv.js", "${PROJECT_DIR}/notes"], "env": {"LOG": "1"}},
                "docs": {
                    "type": "http",
                    "url": "https://mcp.example.test/${TENANT}",
                    "headers": {"Authorization": "Bearer ${DOCS_KEY}"},
                },
                "old": {"url": "https://old.example.test/mcp", "disabled": True},
                "odd": {"command": "a", "url": "https://b.example.test"},
            }
        },
    )
    loaded = load(environment={"TENANT": "acme", "PATH": ""}, home=home)
    got = servers(loaded)
    notes, docs, old = got["notes"], got["docs"], got["old"]
    assert (notes["transport"], notes["args"]) == ("stdio", ["srv.js", f"{project}/notes"])
    assert (notes["env"], notes["cwd"], notes["enabled"]) == ({"LOG": "1"}, str(project), True)
    assert (docs["transport"], docs["url"], docs["unresolved"]) == (
        "http",
        "https://mcp.example.test/acme",
        ["DOCS_KEY"],
    )
    assert docs["warnings"] == ["type: type is ignored by PaiCLI"]
    assert ("error", "headers.Authorization") in named(loaded, "docs")
    assert (old["transport"], old["enabled"], named(loaded, "old")) == ("http", False, [])
    assert ("error", "") in named(loaded, "odd")
    odd = next(server for server in loaded.servers if server.name == "odd")
    assert odd.failure is not None and "both command and url" in odd.failure.message


def test_the_projects_entry_replaces_the_users_whole_even_when_disabled(
    write: Write, project: Path, home: Path
) -> None:
    mine = {"command": "python3", "args": ["mine"], "env": {"A": "1"}}
    write("home/.paicli/mcp.json", {"mcpServers": {"a": mine, "b": mine, "c": mine}})
    write(
        "project/.paicli/mcp.json",
        {"mcpServers": {"a": {"command": "python3"}, "b": {"command": "x", "disabled": True}}},
    )
    loaded = load(home=home)
    got = servers(loaded)
    assert (got["a"]["args"], got["a"]["env"]) == ([], {})
    assert got["b"]["enabled"] is False
    assert got["c"]["args"] == ["mine"]
    assert [file.state for file in loaded.files] == ["read", "read"]
    assert {entry.name: entry.source.scope for entry in loaded.entries} == {
        "a": "project",
        "b": "project",
        "c": "user",
    }
    assert got["c"]["cwd"] == str(project)


def test_a_broken_file_costs_only_itself(write: Write, project: Path, home: Path) -> None:
    write("home/.paicli/mcp.json", {"mcpServers": {"a": {"command": "python3"}}})
    write("project/.paicli/mcp.json", '{"mcpServers": {\n "b": {"command" "x"}}}')
    loaded = load(home=home)
    assert [file.state for file in loaded.files] == ["read", "broken"]
    assert list(servers(loaded)) == ["a"]
    problem = the_problem(loaded)
    assert (problem.line, problem.column, problem.server) == (2, 18, None)
    assert problem.message.endswith('"b": {"command" "x"}}}')


def test_nothing_configured_names_both_files(project: Path, home: Path) -> None:
    loaded = load(home=home)
    assert [file.state for file in loaded.files] == ["missing", "missing"]
    assert not loaded.has_errors
    assert str(home) in the_problem(loaded).message and str(project) in the_problem(loaded).message


def test_paicli_refuses_comments_and_we_say_so(write: Write, project: Path, home: Path) -> None:
    path = write(
        "project/.paicli/mcp.json", '{\n // why\n "mcpServers": {"a": {"command": "python3", "cwd": "/tmp"}}}'
    )
    loaded = load(path, home=home)
    assert next((p.severity, p.line, p.column) for p in loaded.problems) == ("warning", 2, 2)
    assert ("warning", "cwd") in named(loaded, "a")
    assert servers(loaded)["a"]["cwd"] == str(project)


def test_project_dir_given_and_by_place(write: Write, project: Path, home: Path, tmp_path: Path) -> None:
    path = write(
        "elsewhere/.paicli/mcp.json",
        {"mcpServers": {"a": {"command": "python3", "args": ["${PROJECT_DIR}"]}}},
    )
    assert servers(load(path, home=home))["a"]["args"] == [str(tmp_path / "elsewhere")]
    given = servers(load(path, home=home, project_dir=tmp_path))["a"]
    assert (given["args"], given["cwd"]) == ([str(tmp_path)], str(tmp_path))


def test_claude_code(write: Write, project: Path, home: Path) -> None:
    path = write(
        "project/.mcp.json",
        {
            "mcpServers": {
                "api": {
                    "type": "http",
                    "url": "${API_BASE:-https://api.example.test}/mcp",
                    "headers": {"X-Key": "${API_KEY}"},
                },
                "tool": {"command": "${HOME}/bin/tool", "args": ["--port", "$PORT"]},
                "bare": {"url": "https://bare.example.test/mcp"},
            }
        },
    )
    loaded = load(path, environment={"HOME": "/home/u"}, home=home)
    got = servers(loaded)
    assert got["api"]["url"] == "https://api.example.test/mcp"
    assert (got["api"]["headers"], got["api"]["unresolved"]) == ({"X-Key": "${API_KEY}"}, ["API_KEY"])
    assert (got["tool"]["command"], got["tool"]["args"]) == ("/home/u/bin/tool", ["--port", "$PORT"])
    assert got["bare"]["transport"] == "auto"
    assert got["bare"]["warnings"] == ["url: Claude Code requires type for url"]


def test_claude_codes_state_file_has_servers_of_this_project(write: Write, project: Path, home: Path) -> None:
    user = {"a": {"command": "user"}, "b": {"command": "user"}}
    local = {
        str(project): {"mcpServers": {"a": {"command": "local"}}},
        "/other": {"mcpServers": {"z": {"command": "z"}}},
    }
    path = write("home/.claude.json", {"numStartups": 3, "projects": local, "mcpServers": user})
    got = servers(load(path, home=home, environment={}))
    assert {name: server["command"] for name, server in got.items()} == {"a": "local", "b": "user"}
    assert got["a"]["source"]["pointer"] == f"/projects/{str(project).replace('/', '~1')}/mcpServers/a"
    write("home/.claude.json", {"numStartups": 3})
    assert load(path, home=home).problems == []


def test_claude_desktop_expands_nothing(write: Write, project: Path, home: Path) -> None:
    server = {"command": "python3", "args": ["~/Desktop"], "env": {"KEY": "${KEY}"}}
    path = write(
        "home/.config/Claude/claude_desktop_config.json", {"globalShortcut": "", "mcpServers": {"fs": server}}
    )
    loaded = load(path, environment={"PATH": os.environ["PATH"], "KEY": "k"}, home=home)
    assert servers(loaded)["fs"]["env"] == {"KEY": "${KEY}"}
    assert set(named(loaded, "fs")) == {("warning", "args[0]"), ("warning", "env.KEY")}


def test_vscode(write: Write, project: Path, home: Path) -> None:
    path = write(
        "project/.vscode/mcp.json",
        """{ // comment
  "inputs": [{"id": "tok", "type": "promptString", "description": "Token", "password": true}],
  "servers": {
    "gh":  {"type": "http", "url": "https://gh.example.test/mcp", "headers": {"Authorization": "Bearer ${input:tok}"}},
    "loc": {"command": "uvx", "args": ["thing"], "env": {"PORT": 8080, "DEBUG": null},
      "cwd": "${workspaceFolder}/sub",},
    "ask": {"type": "http", "url": "https://${input:nobody}/"},
  }
}""",
    )
    (project / "sub").mkdir()
    loaded = load(path, environment={"PATH": os.environ["PATH"]}, home=home)
    gh, loc, _ = loaded.servers
    assert gh.transport == "auto"
    assert [(asked.id, asked.secret) for asked in gh.inputs] == [("tok", True)]
    assert gh.failure is not None and "Token" in gh.failure.message
    assert (loc.env, loc.env_unset, loc.cwd) == ({"PORT": "8080"}, ("DEBUG",), f"{project}/sub")
    assert ("error", "url") in named(loaded, "ask")
    answered = loaded.entries[0].resolve({}, {"tok": "typed-secret"})
    assert answered.failure is None
    assert answered.headers == {"Authorization": "Bearer typed-secret"}
    assert "typed-secret" not in json.dumps(answered.as_json())


@pytest.mark.parametrize("url", ["https://${input:host}/mcp", "http://localhost:${input:host}/mcp"])
def test_a_url_is_judged_once_it_is_filled_in(write: Write, home: Path, url: str) -> None:
    content = {
        "inputs": [{"id": "host", "type": "promptString", "description": "Host"}],
        "servers": {"a": {"type": "http", "url": url}},
    }
    loaded = load(write("project/.vscode/mcp.json", content), environment={}, home=home)
    (server,) = loaded.servers
    assert named(loaded, "a") == []
    assert server.failure is not None and "Host" in server.failure.message
    assert loaded.entries[0].resolve({}, {"host": "8000"}).failure is None
    wrong = loaded.entries[0].resolve({}, {"host": "a b:c"})
    assert wrong.failure is not None and "is no number" in wrong.failure.message


def test_a_variable_of_a_url_that_is_missing_is_told_once(write: Write, home: Path) -> None:
    content = {"mcpServers": {"a": {"type": "http", "url": "http://localhost:${PORT}/mcp"}}}
    loaded = load(write("mcp.json", content), environment={}, home=home)
    (problem,) = loaded.problems
    assert problem.severity == "error" and "PORT has no value" in problem.message


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("project/.cursor/mcp.json", "use a variable: ${env:NAME}"),
        ("project/.vscode/mcp.json", "use a variable: ${env:NAME} or ${input:ID}"),
        ("mcp.json", "use a variable: ${NAME}"),
    ],
)
def test_what_holds_a_secret_is_named_and_no_folder(write: Write, home: Path, place: str, says: str) -> None:
    entry = {"type": "http", "url": "https://h.test", "headers": {"Authorization": "Bearer 0123456789ab"}}
    content = {"servers" if "vscode" in place else "mcpServers": {"a": entry}}
    loaded = load(write(place, content), environment={}, home=home)
    (problem,) = loaded.problems
    assert problem.message.endswith(says)


def test_a_reconnect_reads_the_environment_again(write: Write, project: Path, home: Path) -> None:
    path = write("mcp.json", {"mcpServers": {"a": {"url": "https://h.test", "headers": {"X": "${V}"}}}})
    (entry,) = load(path, environment={}, home=home).entries
    assert entry.resolve({}).failure is not None
    assert entry.resolve({"V": "1"}).headers == {"X": "1"}
    assert entry.resolve({"V": "2"}).headers == {"X": "2"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"servers": {"a": {"command": "x"}}}, {"a": "x"}),
        ({"mcp": {"servers": {"a": {"command": "x"}}}}, {"a": "x"}),
        ({"theme": 1, "context_servers": {"a": {"command": {"path": "x", "args": ["-v"]}}}}, {"a": "x"}),
        ({"augment.advanced": {"mcpServers": [{"name": "a", "command": "x"}]}}, {"a": "x"}),
        ({"solon": {"ai": {"mcp": {"client": {"mcpServers": {"a": {"command": "x"}}}}}}}, {"a": "x"}),
        ({"extensions": [{"type": "stdio", "name": "a", "cmd": "x"}]}, {"a": "x"}),
        ({"extensions": {"a": {"enabled": True, "config": {"type": "stdio", "cmd": "x"}}}}, {"a": "x"}),
        ({"a": {"command": "x"}, "b": {"command": "y"}}, {"a": "x", "b": "y"}),
        ({"command": "x", "args": []}, {"mcp": "x"}),
        ({"mcpServers": [{"name": "a", "command": "x"}, {"command": "y"}]}, {"a": "x", "#1": "y"}),
        ({"mcp": {"a": {"type": "local", "command": ["x", "-v"], "environment": {"K": "1"}}}}, {"a": "x"}),
    ],
)
def test_containers(write: Write, project: Path, home: Path, content: Any, expected: dict[str, str]) -> None:
    loaded = load(write("mcp.json", content), environment={}, home=home)
    assert {name: server["command"] for name, server in servers(loaded).items()} == expected
    for entry in loaded.entries:
        assert entry.source.pointer.startswith("/") or entry.name == "mcp"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"foo": 1, "bar": {}}, "foo, bar"),
        ({"definition": 1, "tools": []}, "-- mcp-inspect serve FILE"),
        ({"calls": []}, "mcp-inspect run FILE"),
        ([], "not list"),
        ({"mcpServers": "x"}, "not string"),
        ({"mcpServers": None}, "not null"),
        ("", "empty"),
        ("[" * 100_000, "deep"),
    ],
)
def test_no_servers_is_an_error_that_says_what_was_found(
    write: Write, project: Path, home: Path, content: Any, says: str
) -> None:
    loaded = load(write("mcp.json", content), home=home)
    assert loaded.has_errors
    assert says in the_problem(loaded).message
    assert the_problem(loaded).server is None


def test_missing_and_unreadable_targets(write: Write, project: Path, home: Path, tmp_path: Path) -> None:
    assert load(tmp_path / "no.json", home=home).files[0].state == "missing"
    assert load(write(".codex/config.toml", "x = 1"), home=home).problems == []
    assert "no config file" in the_problem(load(tmp_path / "home", home=home)).message
    os.mkfifo(tmp_path / "pipe.json")
    assert "regular" in the_problem(load(tmp_path / "pipe.json", home=home)).message
    big = tmp_path / "big.json"
    with big.open("wb") as file:
        file.truncate(6_000_000)
    assert "6000000" in the_problem(load(big, home=home)).message


def test_a_folder_is_searched_for_known_files(
    write: Write, project: Path, home: Path, tmp_path: Path
) -> None:
    write("project/.mcp.json", {"mcpServers": {"a": {"command": "first"}}})
    write("project/.vscode/mcp.json", {"servers": {"a": {"command": "second"}, "b": {"command": "third"}}})
    loaded = load(project, environment={}, home=home)
    assert {name: server["command"] for name, server in servers(loaded).items()} == {
        "a": "first",
        "b": "third",
    }
    assert {entry.source.scope for entry in loaded.entries} == {"project"}
    assert ("info", "") in named(loaded, "a")
    assert [file.dialect.id for file in loaded.files] == ["claude-code", "vscode"]


def test_problems_point_at_the_line(write: Write, project: Path, home: Path) -> None:
    text = (
        '{"mcpServers": {\n "a": {"url": "https://h.test",\n  "headers": {"X-A": "1",\n   "X-B": "${NO}"}}}}'
    )
    problem = load(write("mcp.json", text), environment={}, home=home).problems[-1]
    assert (problem.line, problem.column, problem.where) == (4, 11, "headers.X-B")
    assert problem.excerpt == '"X-B": "${NO}"}}}}'
    assert problem.place.endswith("mcp.json:4:11")


def test_duplicate_names(write: Write, project: Path, home: Path) -> None:
    text = '{"mcpServers": {"a": {"command": "python3"},\n"a": {"command": "sh"}}}'
    loaded = load(write("mcp.json", text), home=home)
    assert servers(loaded)["a"]["command"] == "sh"
    assert (the_problem(loaded).line, the_problem(loaded).where) == (2, "mcpServers.a")


def test_values_from_variables_and_secrets_are_masked(write: Write, project: Path, home: Path) -> None:
    entry = {
        "command": "python3",
        "args": ["--token", "literal-token", "--password=literal-pass", "${ARG}"],
        "env": {"API_KEY": "literal-key", "PLAIN": "plain", "FROM": "a-${ARG}"},
    }
    remote = {
        "type": "http",
        "url": "https://h.test/?api_key=literal-q",
        "headers": {"Authorization": "Bearer literal-h"},
    }
    path = write("mcp.json", {"mcpServers": {"a": entry, "b": remote}})
    loaded = load(path, environment={"ARG": "very-secret", "PATH": os.environ["PATH"]}, home=home)
    text = json.dumps(loaded.as_json())
    for secret in ("literal-", "very-secret"):
        assert secret not in text
    a, b = loaded.as_json()["servers"]
    assert a["env"] == {"API_KEY": "***", "PLAIN": "plain", "FROM": "a-***"}
    assert b["headers"] == {"Authorization": "Bearer ***"}
    assert "very-secret" in json.dumps(loaded.as_json(reveal=True))
    warned = {(p.server, p.where) for p in loaded.problems if p.severity == "warning"}
    assert warned == {
        ("a", "env.API_KEY"),
        ("a", "args[1]"),
        ("a", "args[2]"),
        ("b", "url"),
        ("b", "headers.Authorization"),
    }


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=6), v, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "command",
        "args",
        "env",
        "url",
        "headers",
        "type",
        "transport",
        "disabled",
        "enabled",
        "cwd",
        "timeout",
        "httpUrl",
    ]
)
PLACES = st.sampled_from(
    ["mcp.json", ".paicli/mcp.json", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"]
)


@given(
    st.dictionaries(st.text(max_size=5), JSON | st.dictionaries(KEYS, JSON, max_size=6), max_size=3), PLACES
)
@settings(max_examples=150, deadline=None)
def test_no_entry_of_any_shape_hides_the_others(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, Any], place: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": entries | {"good": {"command": "python3"}}}))
    loaded = load(path, home=folder / "home")
    document = loaded.as_json()
    json.dumps(document)
    assert {server["name"] for server in document["servers"]} == {*entries, "good"}
    assert next(server for server in loaded.servers if server.name == "good").failure is None
    for server in document["servers"]:
        assert isinstance(server["args"], list) and all(isinstance(arg, str) for arg in server["args"])


def test_of_a_file_with_more_servers_than_anyone_has_the_first_are_read(tmp_path: Path) -> None:
    servers = {f"s{number}": {"command": "/nowhere/x"} for number in range(50_000)}
    (tmp_path / "many.json").write_text(json.dumps({"mcpServers": servers}))
    loaded = load(tmp_path / "many.json", home=tmp_path)
    assert len(loaded.servers) == MOST_SERVERS
    assert any("the file has 50000 servers; only the first 2000" in one.message for one in loaded.problems)
