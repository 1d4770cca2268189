"""Our own file of servers: what is added to it, what stays, what two at once do."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.errors import Failed
from inspector.base.locks import locked
from inspector.base.paths import paths
from inspector.config import jsonc, kept
from inspector.config.load import load

RAW = {"command": "npx", "args": ["-y", "server"], "env": {"K": "v"}}


def written(text: str) -> Path:
    path = paths().servers
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def servers() -> dict[str, object]:
    return jsonc.parse(paths().servers.read_bytes()).value["mcpServers"]


def test_a_new_file_is_private_and_read_as_any_config() -> None:
    assert kept.keep("one", RAW) == "one"
    path = paths().servers
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (entry,) = load(path).entries
    assert (entry.name, entry.command, entry.args, entry.env) == ("one", "npx", ["-y", "server"], {"K": "v"})


def test_a_name_that_is_taken_gets_a_number_unless_it_is_replaced() -> None:
    assert [kept.keep("x", RAW), kept.keep("x", {"url": "http://h/"})] == ["x", "x (2)"]
    assert kept.keep("x", {"url": "http://other/"}, replace=True) == "x"
    assert servers() == {"x": {"url": "http://other/"}, "x (2)": {"url": "http://h/"}}


COMMENTED = """// mine
{
    "mcpServers": {
        // the first one
        "a": {"command": "a"}, /* beside a, with a comma */
        "b": {
            "command": "b", // why b
        }, // beside b
    },
    "other": [1, 2.50]
}
"""


def test_comments_and_everything_else_stay() -> None:
    path = written(COMMENTED)
    kept.keep("c", RAW)
    text = path.read_text()
    assert list(servers()) == ["a", "b", "c"]
    for line in (
        "// mine",
        "/* beside a, with a comma */",
        "// why b",
        "}, // beside b",
        '"other": [1, 2.50]',
    ):
        assert line in text
    kept.forget("c")
    assert jsonc.parse(path.read_text()).value == jsonc.parse(COMMENTED).value
    kept.forget("b")
    kept.forget("a")
    kept.forget("nobody")
    assert servers() == {} and "// the first one" in path.read_text()


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"mcpServers":{}}', '{"mcpServers": {"a": {"command": "a"}}}', '{"other": 1}', "{ // this\n}"],
)  # fmt: skip
def test_whatever_is_there_takes_one_more(text: str) -> None:
    written(text)
    kept.keep("new", RAW)
    assert servers()["new"] == RAW


def test_servers_under_another_name_stay_together() -> None:
    path = written('{"servers": {"a": {"command": "a"}}}')
    kept.keep("b", RAW)
    assert list(json.loads(path.read_text())["servers"]) == ["a", "b"]


@pytest.mark.parametrize("text", ['{"mcpServers": {', '{"mcpServers": []}', "[1]", '{"mcpServers": {"a" 1}}'])
def test_what_cannot_be_read_is_left_alone(text: str) -> None:
    path = written(text)
    with pytest.raises(Failed) as failed:
        kept.keep("new", RAW)
    assert path.read_text() == text
    assert str(path) in failed.value.failure.message and failed.value.failure.hint


def test_a_lock_that_is_held_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    path = written("{}")
    with locked(path.with_name(path.name + ".lock")):
        code = "from inspector.base import locks; locks.locked.__wrapped__.__defaults__ = (0.0,)\n"
        code += "from inspector.config import kept; kept.keep('x', {})"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "another process holds its lock" in done.stderr and path.read_text() == "{}"


def test_two_at_once_lose_nothing() -> None:
    code = "import sys; from inspector.config import kept\n"
    code += "for n in range(10): kept.keep(f'{sys.argv[1]}{n}', {'command': 'c'})"
    running = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("a", "b", "c")]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(servers()) == 30


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(st.lists(NAMES, unique=True, max_size=5), st.data())
def test_any_names_go_in_and_out(names: list[str], data: st.DataObject) -> None:
    paths().servers.unlink(missing_ok=True)
    kept.keep("first", RAW)
    for name in names:
        kept.keep(name, {"command": name})
    inside = [name for name in servers() if name != "first"]
    gone = data.draw(st.sets(st.sampled_from(inside))) if inside else set()
    for name in gone:
        kept.forget(name)
    assert list(servers()) == ["first", *(name for name in inside if name not in gone)]
