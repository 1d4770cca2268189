"""What config files say by now, beside what runs: marks and sentences, and nothing that starts or ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from inspector.config.load import load
from inspector.traffic.store import Traffic
from inspector.workspace.config_files import ConfigFiles
from inspector.workspace.workspace import Workspace


class Run:
    """A workspace on a file."""

    def __init__(self, path: Path, **servers: Any) -> None:
        self.path = path
        self.write(**servers)
        self.workspace = Workspace(Traffic.in_memory(), environment={"PATH": ""})
        for entry in self.load()[0].entries:
            self.workspace.add(entry)
        self.files = ConfigFiles([path], self.load)

    def load(self) -> list[Any]:
        return [load(self.path, home=self.path.parent, environment={})]

    def write(self, **servers: Any) -> None:
        self.path.write_text(json.dumps({"mcpServers": servers}))

    def look(self) -> list[str]:
        return self.files.compare(self.workspace, self.files.reload())

    def marks(self) -> dict[str, str]:
        return {
            name: "gone" if one.gone else "changed" if one.waiting else ""
            for name, one in self.workspace.connections.items()
        }


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with kept(Run(tmp_path / "mcp.json", a={"command": "a"}, b={"command": "b"})) as made:
        yield made


@contextmanager
def kept(run: Run) -> Iterator[Run]:
    yield run
    run.workspace.book.close()


def test_the_same_is_not_worth_a_word(run: Run) -> None:
    run.write(b={"command": "b", "description": "words"}, a={"command": "a", "args": []})
    assert run.look() == []
    assert run.marks() == {"a": "", "b": ""}


def test_changed_new_and_gone(run: Run) -> None:
    run.write(a={"command": "a", "args": ["-v"]}, c={"command": "c"})
    assert run.look() == [
        "a: changed; r starts it with what the file says now",
        "c: new, and not started: r starts it",
        "b: no longer there; what runs goes on",
    ]
    assert run.marks() == {"a": "changed", "b": "gone", "c": ""}
    assert run.workspace.connections["a"].entry.args == []
    new = run.workspace.connections["c"]
    assert (new.state, new.error.kind if new.error else "") == ("disabled", "consent")
    assert run.look() == []


def test_back_as_it_was_takes_the_marks_away(run: Run) -> None:
    run.write(a={"command": "a", "args": ["-v"]})
    run.look()
    run.write(a={"command": "a"}, b={"command": "b"})
    assert run.look() == []
    assert run.marks() == {"a": "", "b": ""}


def test_what_is_changed_once_more_is_told_once_more(run: Run) -> None:
    for word in ("-v", "-w"):
        run.write(a={"command": "a", "args": [word]}, b={"command": "b"})
        assert len(run.look()) == 1
    run.workspace.connections["a"].take_waiting()
    assert run.workspace.connections["a"].entry.args == ["-w"]
    assert run.look() == []


@pytest.mark.parametrize("text", ['{"mcpServers": {"a"', "", "[1]"])
def test_a_file_in_the_middle_of_an_edit_changes_nothing_and_says_why(run: Run, text: str) -> None:
    run.path.write_text(text)
    (told,) = run.look()
    assert told.startswith(f"{run.path}:1:") and told.endswith("; the servers stay as they are")
    assert run.marks() == {"a": "", "b": ""}


def test_a_file_that_is_gone_changes_nothing(run: Run) -> None:
    run.path.unlink()
    assert run.look() == [f"{run.path}: the file is gone; the servers stay as they are"]
    assert run.marks() == {"a": "", "b": ""}


def test_an_answer_stays_with_the_server(tmp_path: Path) -> None:
    run = Run(tmp_path / "mcp.json", a={"url": "https://h.test", "headers": {"X": "1"}})
    with kept(run):
        run.workspace.connections["a"].entry.answers = {"tok": "typed"}
        run.write(a={"url": "https://h.test", "headers": {"X": "2"}})
        run.look()
        run.workspace.connections["a"].take_waiting()
        assert run.workspace.connections["a"].entry.answers == {"tok": "typed"}
