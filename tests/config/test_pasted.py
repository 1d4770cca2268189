"""What is understood of pasted text, and what becomes of it when it is edited."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.config.draft import Draft
from inspector.config.load import load_text
from inspector.config.pasted import Pasted, join_command, name_of, split_command, understand


def read(text: str) -> Pasted:
    return understand(text, {"PATH": "/usr/bin:/bin"})


def one(text: str) -> Draft:
    pasted = read(text)
    (entry,) = pasted.entries
    return Draft.of(entry)


@pytest.mark.parametrize("text", ["", "  \n", "// only a comment", "\ufeff"])
def test_nothing(text: str) -> None:
    assert read(text).kind == "nothing" and not read(text).broken


def test_a_url() -> None:
    draft = one("  https://mcp.example.org/mcp?x=1\n")
    assert (draft.name, draft.url, draft.is_http) == (
        "mcp.example.org",
        "https://mcp.example.org/mcp?x=1",
        True,
    )
    assert draft.entry().transport == "auto" and draft.raw() == {"url": "https://mcp.example.org/mcp?x=1"}


@pytest.mark.parametrize("text", ["http://", "http://[::1/mcp"])
def test_no_url(text: str) -> None:
    assert read(text).broken and read(text).troubles[0].severity == "error"


def test_a_url_with_more_behind_it_says_where() -> None:
    (trouble, *_) = read("https://h/mcp  --header x").troubles
    assert (trouble.severity, trouble.line, trouble.column) == ("warning", 1, 16)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("npx -y @scope/server-a@1.2.3 /tmp", "server-a", ["npx", "-y", "@scope/server-a@1.2.3", "/tmp"]),
        ("$ uvx mcp-server-git --repo 'a b'", "mcp-server-git", ["uvx", "mcp-server-git", "--repo", "a b"]),
        ("python3 -m my.server", "my.server", ["python3", "-m", "my.server"]),
        ("node ./dist/index.js", "index", ["node", "./dist/index.js"]),
        ("docker run -i --rm \\\n  image", "docker", ["docker", "run", "-i", "--rm", "image"]),
        ("python -c 'print(1)'", "python", ["python", "-c", "print(1)"]),
        ("uv tool run thing", "thing", ["uv", "tool", "run", "thing"]),
    ],
)  # fmt: skip
def test_a_command_line(text: str, name: str, words: list[str]) -> None:
    draft = one(text)
    assert draft.name == name and split_command(draft.command) == words
    assert draft.raw()["command"] == words[0] and draft.raw()["args"] == words[1:]


def test_variables_before_a_command() -> None:
    draft = one("env A=1 TOKEN='x y' server --flag")
    assert draft.env == [("A", "1"), ("TOKEN", "x y")] and draft.command == "server --flag"
    assert read("A=1").broken


def test_what_only_a_shell_knows_is_named() -> None:
    (trouble,) = read("server | tee log").troubles
    assert trouble.severity == "warning" and "no shell" in trouble.message and trouble.column == 8
    assert read("server 'x").troubles[0].column == 8


MAP = '{"mcpServers": {"a": {"command": "sh"}, "b": {"url": "http://127.0.0.1/mcp", "headers": {"X": "1"}}}}'


@pytest.mark.parametrize(
    "text",
    [
        MAP,
        MAP.replace("mcpServers", "servers"),
        MAP.replace('{"mcpServers": ', "", 1)[:-1],
        MAP[1:-1],
        MAP[1:-1] + ",",
        '"a": {"command": "sh"}, "b": {"url": "http://127.0.0.1/mcp", "headers": {"X": "1"}},',
        "// copied\n" + MAP[:-3] + ", // trailing\n}}}",
    ],
)
def test_a_piece_of_a_config(text: str) -> None:
    pasted = read(text)
    assert [entry.name for entry in pasted.entries] == ["a", "b"]
    assert not [trouble for trouble in pasted.troubles if trouble.severity == "error"]
    assert pasted.entries[1].headers == {"X": "1"}


def test_a_bare_entry_gets_its_name_from_what_it_runs() -> None:
    assert one('{"command": "npx", "args": ["-y", "some-server"]}').name == "some-server"
    assert one('{"url": "http://h/mcp"}').name == "h"
    assert one('{"name": "mine", "command": "x"}').name == "mine"


def test_it_runs_in_the_folder_where_the_app_was_started() -> None:
    assert {one(text).origin.folder for text in ("sh x", '{"command": "sh"}')} == {os.getcwd()}


def test_troubles_have_their_place_in_what_was_pasted() -> None:
    (trouble,) = read('{"mcpServers": {\n  "a": {"command" "x"}}}').troubles
    assert (trouble.severity, trouble.line, trouble.column) == ("error", 2, 19)
    found = [t for t in read('"a": {"command": 7}').troubles if "must be a string" in t.message]
    assert (found[0].line, found[0].column, found[0].server) == (1, 18, "a")


def test_inputs_of_vs_code_come_along() -> None:
    text = '{"inputs": [{"id": "k", "password": true}], "servers": {"a": {"command": "x", "args": ["${input:k}"]}}}'
    (entry,) = read(text).entries
    assert entry.inputs["k"].secret and [asked.id for asked in entry.resolve({}).inputs] == ["k"]


@given(st.text(max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    for entry in read(text).entries:
        draft = Draft.of(entry)
        if draft.problem() is None:
            draft.raw()


@given(st.lists(st.text(st.characters(exclude_characters="\0"), max_size=10), min_size=1, max_size=5))
def test_words_survive_the_command_line(words: list[str]) -> None:
    assert split_command(join_command(words)) == words
    assert isinstance(name_of(words), str)


def test_what_was_edited_is_what_is_connected_to() -> None:
    draft = one('{"mcpServers": {"a": {"command": "sh", "args": ["x"], "timeout": 5}}}')
    draft.env = [("K", "${V}"), ("", "ignored")]
    draft.cwd = "/"
    assert draft.problem() is None
    server = draft.entry().resolve({"V": "value-of-v"})
    assert server.env == {"K": "value-of-v"} and server.cwd == "/" and server.request_timeout == 5
    assert ("value-of-v", "V") in server.secrets
    text = f'{{"mcpServers": {{"a": {json.dumps(draft.raw())}}}}}'
    (again,) = load_text(text).entries
    assert (again.command, again.args, again.env, again.cwd) == ("sh", ["x"], {"K": "${V}"}, "/")


def test_an_error_is_gone_when_what_it_was_about_was_filled_in() -> None:
    draft = one('{"mcpServers": {"a": {"args": ["x"]}}}')
    assert draft.problem() is not None
    draft.command = "sh x"
    assert draft.problem() is None and draft.entry().resolve({}).failure is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": " "}, "needs a name"),
        ({"command": "sh 'x"}, "quote"),
        ({"command": ""}, "command line or a URL"),
        ({"url": "http://h/"}, "not both"),
        ({"env": [("A", "1"), ("A", "2")]}, "A is there twice"),
    ],
)
def test_why_nothing_can_be_made_of_it(change: dict[str, object], said: str) -> None:
    draft = one("sh x")
    for name, value in change.items():
        setattr(draft, name, value)
    assert said in (draft.problem() or "")


def test_foreign_variables_are_named() -> None:
    vscode = '{"inputs": [], "servers": {"a": {"command": "${env:SHELL}"}}}'
    assert "VS Code" in (one(vscode).foreign_variables() or "")
    assert one("sh ${X}").foreign_variables() is None


@pytest.mark.parametrize(
    "text",
    [
        '[mcp_servers.a]\ncommand = "x"\nargs = ["-v"]\n',
        "# Codex\n[mcp_servers.a] # mine\ncommand = 'x'\nargs = ['-v']",
        "mcpServers:\n  - name: a\n    command: x\n    args: [-v]\n",
        "extensions:\n  a:\n    type: stdio\n    cmd: x\n    args: [-v]\n",
        "cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=eyJjb21tYW5kIjoieCIsImFyZ3MiOlsiLXYiXX0=",
    ],
)
def test_toml_yaml_and_links(text: str) -> None:
    pasted = understand(text, {})
    assert (pasted.kind, [(one.name, one.command, one.args) for one in pasted.entries]) == (
        "config", [("a", "x", ["-v"])],
    )  # fmt: skip


def test_a_broken_link_says_why() -> None:
    pasted = understand("cursor://x/mcp/install?name=a", {})
    assert pasted.broken and "link" in pasted.troubles[0].message


def test_variables_before_a_command_are_no_toml() -> None:
    (entry,) = understand("A=1 npx -y srv", {}).entries
    assert (entry.command, entry.env) == ("npx", {"A": "1"})
