"""No option writes over what the command line reads, and an answer's file is whole or not there."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from command import PYTHON, inspect, odd, odd_entry, write_config

CALLS = "calls:\n  - tool: echo\n    arguments: {a: 1}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_config(tmp_path, odd=odd_entry())
    (tmp_path / "calls.yaml").write_text(CALLS)
    (tmp_path / "args.json").write_text('{"a": 1}')
    (tmp_path / "answers.json").write_text('{"form": "decline"}')
    (tmp_path / "server.py").write_text(f"import runpy\nrunpy.run_path({odd()[-1]!r}, run_name='__main__')\n")
    ran = inspect("call", "echo", "a=1", "--record", "v.mcprec", *odd(), cwd=tmp_path)
    assert ran.code == 0, ran.err
    (tmp_path / ".mcp.json").write_bytes((tmp_path / "servers.json").read_bytes())
    (tmp_path / "link.json").symlink_to("servers.json")
    (tmp_path / "hard.mcprec").hardlink_to(tmp_path / "v.mcprec")
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "baseline servers.json --accept --file servers.json",
        "baseline --accept --file server.py -- PYTHON server.py",
        "replay v.mcprec servers.json --yes -o v.mcprec",
        "replay v.mcprec servers.json --yes --record v.mcprec --force",
        "diff v.mcprec servers.json --json -o v.mcprec",
        "check v.mcprec --json -o v.mcprec",
        "check v.mcprec -o hard.mcprec",
        "log v.mcprec -o v.mcprec",
        "export v.mcprec --to har -o v.mcprec",
        "run calls.yaml servers.json --yes --format junit -o calls.yaml",
        "run calls.yaml servers.json --yes -o servers.json",
        "freeze servers.json -o servers.json",
        "tools servers.json -o link.json",
        "tools link.json -o servers.json",
        "tools . -o .mcp.json",
        "config servers.json -o servers.json",
        "form servers.json echo -o servers.json",
        "call servers.json echo --args @args.json -o args.json",
        "call servers.json echo --answer answers.json -o answers.json",
        "tools -o server.py -- PYTHON server.py",
    ],
)
def test_what_is_read_is_not_written_over(line: str, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    ran = inspect(*(PYTHON if word == "PYTHON" else word for word in line.split()), cwd=folder)
    assert ran.code == 2 and "is what this command reads" in ran.err, ran
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check v.mcprec --json", "0 errors, "),
        ("check v.mcprec --format sarif", "0 errors, "),
        ("diff v.mcprec hard.mcprec --format junit", "0 added, 0 removed, 0 changed, 0 breaking"),
        ("replay v.mcprec servers.json --yes --json", "1 request: 1 same"),
        ("run calls.yaml servers.json --yes", "1 passed, 0 failed"),
    ],
)
def test_what_a_report_in_a_file_comes_to_is_told(line: str, said: str, folder: Path) -> None:
    ran = inspect(*line.split(), "-o", "report", cwd=folder)
    assert ran.code == 0 and ran.out == "" and said in ran.err, ran


def test_an_operand_that_names_no_file_may_be_called_as_the_output_is(folder: Path) -> None:
    (folder / "echo").write_text("the answer of yesterday")
    assert inspect("call", "servers.json", "echo", "-o", "echo", cwd=folder).code == 0
    assert "yesterday" not in (folder / "echo").read_text()


@pytest.mark.parametrize("held", [b"print('mine')\n", b'{"mcpServers": {}}', b"\xff\xfe"])
def test_a_baseline_replaces_only_a_baseline(held: bytes, folder: Path) -> None:
    mine = folder / "mine"
    mine.write_bytes(held)
    ran = inspect("baseline", "--accept", "--file", "mine", *odd(), cwd=folder)
    assert ran.code == 2 and "mine is no baseline" in ran.err
    assert mine.read_bytes() == held
    mine.write_bytes(b"")
    assert inspect("baseline", "--accept", "--file", "mine", *odd(), cwd=folder).code == 0
    assert inspect("baseline", "--accept", "--file", "mine", *odd(), cwd=folder).code == 0


@pytest.mark.parametrize(
    "line",
    [
        "tools servers.json --json",
        "run calls.yaml servers.json --yes --format junit",
        "check v.mcprec --json",
        "log v.mcprec",
        "freeze servers.json",
    ],
)
def test_an_answer_that_finds_no_room_leaves_what_was_there(line: str, folder: Path) -> None:
    answer = folder / "answer"
    answer.write_text("the answer of yesterday")
    names = {path.name for path in folder.iterdir()}
    little = (
        "import resource, signal\nresource.setrlimit(resource.RLIMIT_FSIZE, (16, resource.RLIM_INFINITY))"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    ran = inspect(*line.split(), "-o", "answer", cwd=folder, patch=little)
    assert ran.code == 2 and "answer cannot be written: File too large" in ran.err, ran
    assert answer.read_text() == "the answer of yesterday"
    assert {path.name for path in folder.iterdir()} == names
