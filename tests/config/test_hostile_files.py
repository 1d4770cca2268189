"""Files that nobody means well with, or that an editor saved oddly: each ends in a sentence, and costs only itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.config.document import parse
from inspector.config.jsonc import Broken
from inspector.config.load import Loaded, load

SERVER = '{"mcpServers": {"a": {"command": "sh"}}}'
YAML = "mcpServers:\n  - name: a\n    command: sh\n"
TOML = '[mcp_servers.a]\ncommand = "sh"\n'


def tried(folder: Path, name: str, content: bytes | str) -> Loaded:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load(path, home=folder, environment={"PATH": "/bin:/usr/bin"})


@pytest.mark.parametrize("text", [SERVER, YAML, TOML])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_byte_order_marks(tmp_path: Path, text: str, encoding: str) -> None:
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    name = {SERVER: "a.json", YAML: "a.yaml", TOML: "a.toml"}[text]
    loaded = tried(tmp_path, name, marks.get(encoding, b"") + text.encode(encoding))
    assert [server.command for server in loaded.servers] == ["sh"]


@pytest.mark.parametrize(("name", "text"), [("a.json", SERVER), ("a.yaml", YAML), ("a.toml", TOML)])
def test_line_ends_of_windows_keep_their_places(tmp_path: Path, name: str, text: str) -> None:
    wrong = text.replace("\n", "\r\n").replace('"sh"', '"no-such"').replace("command: sh", "command: no-such")
    (problem,) = [each for each in tried(tmp_path, name, wrong).problems if each.severity == "error"]
    there = tried(tmp_path, name, wrong.replace("\r\n", "\n")).problems[0]
    assert (problem.line, problem.column) == (there.line, there.column)
    assert "no-such" in problem.excerpt and "\r" not in problem.excerpt


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.yaml", "[" * 100_000, "nested too deeply"),
        ("a.toml", "a = " + "[" * 100_000, "nested too deeply"),
        ("a.toml", "x = " + "{a = " * 5_000, "nested too deeply"),
        ("a.json", '{"a": ' * 50_000 + "1" + "}" * 50_000, "nested too deeply"),
        ("a.yaml", "a: &a [*a]", "has no end"),
        ("a.yaml", "a: *b", "undefined alias"),
        ("a.yaml", "a: 1\n---\nb: 2\n", "another document"),
        ("a.yaml", "a:\n\t- b", "a tab: YAML is indented by spaces only"),
        ("a.yaml", "? [x]\n: 1", "a name must be a word"),
        ("a.yaml", "<<: 5", "only a mapping can be merged"),
        ("a.yaml", "a: \x01", "U+0001"),
        ("a.yaml", "a: 'x", "end of stream"),
        ("a.toml", "a = 1\na = 2", "cannot overwrite"),
        ("a.toml", "[a]\n[a]", "cannot declare"),
        ("a.toml", "a.b = 1\n[a]\nb = 2", "cannot"),
        ("a.toml", 'a = "x', "unterminated"),
        ("a.toml", "a = 99999999999-01-01", "expected"),
        ("a.json", '{"a": NaN}', "NaN is not JSON"),
        ("a.json", '{"a": ' + "9" * 5_000 + "}", "too many digits"),
        ("a.json", '{"mcpServers": {"a": {"command": "x"} "b": 1}}', "comma"),
        ("a.json", b"\xff\xfe{", "UTF-16"),
        ("a.json", b'{"a": "\xe9"}', "not UTF-8"),
        ("a.json", b"\x00{\x00}", "NUL"),
        ("a.yaml", "x: 1\n" * 110_000, "read up to"),
        ("a.toml", "# x\n" * 600_000, "read up to"),
    ],
)  # fmt: skip
def test_a_sentence_and_a_place(tmp_path: Path, name: str, text: bytes | str, says: str) -> None:
    loaded = tried(tmp_path, name, text)
    assert loaded.files[0].state == "broken"
    problem = loaded.problems[0]
    assert problem.severity == "error" and says in problem.message
    assert len(problem.message) < 500
    json.dumps(loaded.as_json())


def test_a_bomb_of_references_is_no_bomb(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    loaded = tried(tmp_path, "a.yaml", "\n".join(lines))
    assert "stand for more than" in loaded.problems[0].message


def test_merges_and_references_are_followed(tmp_path: Path) -> None:
    text = (
        "base: &base {command: sh, env: &env {A: '1'}, args: [base]}\n"
        "more: &more {cwd: /, args: [more]}\n"
        "mcpServers:\n"
        "  one:\n    <<: *base\n    args: [own]\n"
        "  two:\n    args: [own]\n    <<: [*base, *more]\n"
        "  three: {command: sh, env: *env}\n"
    )
    one, two, three = tried(tmp_path, "a.yaml", text).servers
    assert (one.command, one.args, one.env) == ("sh", ["own"], {"A": "1"})
    assert (two.args, two.cwd) == (["own"], "/")
    assert three.env == {"A": "1"}


def test_a_merge_of_many_is_bounded(tmp_path: Path) -> None:
    text = "a0: &a0 {k0: 1, k1: 2}\n" + "".join(
        f"a{n}: &a{n} {{x{n}: [*a{n - 1}, *a{n - 1}], <<: *a{n - 1}}}\n" for n in range(1, 40)
    )
    assert "stand for more than" in tried(tmp_path, "a.yaml", text).problems[0].message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"mcpServers": {"a": {"command": "x"},\n"a": {"command": "sh"}}}'),
        ("a.yaml", "mcpServers:\n  a: {command: x}\n  a: {command: sh}\n"),
    ],
)
def test_names_that_occur_twice(tmp_path: Path, name: str, text: str) -> None:
    loaded = tried(tmp_path, name, text)
    assert [server.command for server in loaded.servers] == ["sh"]
    assert [each.where for each in loaded.problems if each.severity == "warning"] == ["mcpServers.a"]


def test_dotted_names_of_toml_are_followed_and_placed(tmp_path: Path) -> None:
    text = (
        'mcp_servers.a.command = "sh"\n'
        'mcp_servers.a.env."X.Y" = "1"\n'
        'mcp_servers."b c" = { command = "no-such", args = [ "x",\n  "$T" ] }\n'
    )
    loaded = tried(tmp_path, "a.toml", text)
    a, b = loaded.servers
    assert (a.env, b.name, b.args) == ({"X.Y": "1"}, "b c", ["x", "$T"])
    places = {each.where: (each.line, each.column) for each in loaded.problems if each.server == "b c"}
    assert places["command"] == (3, 33)
    assert places["args[1]"] == (4, 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"mcpServers": {"a": {"command": "sh", "env": {"API_KEY": "top-secret-1"}, }'),
        ("a.yaml", "a:\n  API_KEY: 'top-secret-1\n"),
        ("a.toml", 'API_KEY = "top-secret-1" x\n'),
    ],
)
def test_the_line_of_a_mistake_shows_no_secret(tmp_path: Path, name: str, text: str) -> None:
    loaded = tried(tmp_path, name, text)
    assert "top-secret-1" not in str(loaded.as_json()) + loaded.problems[0].excerpt


@given(st.binary(max_size=300), st.sampled_from(["a.json", "a.toml", "a.yaml", "a"]))
@settings(max_examples=300, deadline=None)
def test_any_bytes(data: bytes, name: str) -> None:
    try:
        document = parse(data, name)
    except Broken as broken:
        assert broken.message and broken.line >= 1 and broken.column >= 1
    else:
        document.position(("a", 0, "b"))


TOKENS = st.lists(
    st.sampled_from([
        "[", "]", "{", "}", "=", ".", ",", "\n", "#", '"', "'", '"""', "a", '"b"', "1", "1.5", "- ", ": ", "&x ", "*x",
        "<<", "|", ">", "  ", "mcpServers", "mcp_servers", "command", "true", "2020-01-01", "\\", "é", "?", "!!str ",
    ]),
    max_size=40,
).map("".join)  # fmt: skip


@given(TOKENS, st.sampled_from(["a.json", "a.toml", "a.yaml", "a"]))
@settings(max_examples=600, deadline=None)
def test_any_text_that_looks_like_it(text: str, name: str) -> None:
    try:
        document = parse(text, name)
    except Broken as broken:
        assert broken.message
    else:
        _walk(document, document.value, ())


def _walk(document: Any, value: Any, path: tuple[str | int, ...]) -> None:
    """Every value has a place inside the text."""
    line, column = document.position(path)
    assert line >= 1 and column >= 1
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in pairs:
        _walk(document, member, (*path, key))
