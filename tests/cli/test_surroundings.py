"""Full disks, pipes that nobody holds, homes that are not there: a sentence, the exit code of the contract, no waiting
for ever, and nothing lost that was there before."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from command import ODD, PYTHON, Ran, inspect, odd, odd_entry, write_config

from inspector.base import paths, private_json

if os.name != "posix":
    pytest.skip("pipes with names and limits of files are POSIX's", allow_module_level=True)

SOON = "import inspector.base.fifo as m; m.PATIENCE = 0.2"
LITTLE = "import resource as m; m.setrlimit(m.RLIMIT_FSIZE, (4096, 4096))"
"""A disk with room for 4 KiB a file."""


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["call", "echo", "--args", "@PIPE", *odd()],
        ["call", "echo", "--answer", "PIPE", *odd()],
        ["call", "echo", "-o", "PIPE", *odd()],
        ["call", "echo", "--record", "PIPE", "--force", *odd()],
        ["tools", "--ca", "PIPE", "https://127.0.0.1:1/"],
        ["run", "PIPE", *odd()],
        ["baseline", "--file", "PIPE", *odd()],
        ["form", "sample-configs/common.json", "--fill", "@PIPE"],
        ["form", "PIPE"],
        ["status", "PIPE"],
        ["config", "PIPE"],
        ["log", "PIPE"],
        ["diff", "PIPE", "PIPE"],
    ],
    ids=lambda words: " ".join(word for word in words if word not in odd()),
)
def test_a_pipe_that_nobody_holds_is_not_waited_for_forever(words: list[str], fifo: Path) -> None:
    ran = inspect(*(word.replace("PIPE", str(fifo)) for word in words), patch=SOON)
    assert ran.code in (2, 3)
    said = ran.err + ran.out
    assert str(fifo) in said and any(
        why in said for why in ("it is a pipe", "is a pipe", "no regular file", "no file")
    )


def test_a_pipe_that_somebody_writes_to_and_one_that_is_read_are_files_like_others(tmp_path: Path) -> None:
    given, taken = tmp_path / "given", tmp_path / "taken"
    os.mkfifo(given)
    os.mkfifo(taken)
    read: list[str] = []
    ends = [
        threading.Thread(target=lambda: given.write_text('{"a": 1}')),
        threading.Thread(target=lambda: read.append(taken.read_text())),
    ]
    for end in ends:
        end.start()
    ran = inspect("call", "echo", "--args", f"@{given}", "-o", str(taken), "--json", *odd())
    for end in ends:
        end.join()
    assert ran.code == 0 and json.loads(read[0])["result"]["content"][0]["text"] == '{"a": 1}'


def test_a_recording_that_finds_no_room_stops_and_the_answer_comes(tmp_path: Path) -> None:
    recording = tmp_path / "r.mcprec"
    words = ["call", "echo", "--repeat", "100", "--json", "--record", str(recording)]
    ran = inspect(*words, *odd(), patch=LITTLE)
    assert ran.code == 2 and ran.json["calls"] == 100 and ran.json["errors"] == 0
    assert "recording stopped after" in ran.err and "File too large" in ran.err
    read = inspect("log", str(recording), "--json")
    kept = recording.read_bytes()
    assert read.code == 0 and kept.endswith(b"\n")
    assert f"recording stopped after {len(read.out.splitlines())} rows" in ran.err


def test_what_was_kept_stays_where_a_new_version_finds_no_room(tmp_path: Path) -> None:
    ours, theirs, memory = tmp_path / "ours.json", tmp_path / "theirs.json", tmp_path / "memory.json"
    for file in (ours, theirs, memory):
        file.write_text('{"old": 1}')
    theirs.chmod(0o640)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        for write in (paths.write_private, paths.write_whole):
            with pytest.raises(OSError, match="too large"):
                write(ours if write is paths.write_private else theirs, "x" * 10_000)
        with pytest.raises(OSError, match="too large"), private_json.changing(memory) as known:
            known["new"] = "x" * 10_000
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert {file.read_text() for file in (ours, theirs, memory)} == {'{"old": 1}'}
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        ".memory.json.lock",
        "memory.json",
        "ours.json",
        "theirs.json",
    ]
    paths.write_whole(theirs, "new")
    assert theirs.read_text() == "new" and theirs.stat().st_mode & 0o777 == 0o640


def without_home(home: str | None, *words: str) -> Ran:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("HOME", "MCP_INSPECT_HOME")
    }
    environment |= {} if home is None else {"HOME": home}
    environment |= {"PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "inspector", *words],
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("home", ["", "/no/such/home", "/proc", "/dev/null"])
def test_a_home_that_cannot_be_used_costs_only_what_would_be_kept_there(home: str) -> None:
    ran = without_home(home, "tools", "--json", "--", PYTHON, ODD)
    assert ran.code == 0 and ran.json["tools"] and "Traceback" not in ran.err


def test_servers_beyond_the_limit_of_open_files_fail_alone_and_say_what_to_do(tmp_path: Path) -> None:
    config = write_config(tmp_path, **{f"s{number}": odd_entry() for number in range(30)})
    few = "import resource as m; m.setrlimit(m.RLIMIT_NOFILE, (24, 24))"
    ran = inspect("status", config, "--json", patch=few)
    assert ran.code == 3 and "itself failed" not in ran.err
    servers = ran.json["servers"]
    assert len(servers) == 30 and servers[0]["state"] == "ready"
    failed = [server["error"] for server in servers if server["state"] == "error"]
    assert failed and all(
        "Too many open files" in one["message"] and "ulimit -n" in one["hint"] for one in failed
    )


def test_listeners_of_ours_beyond_the_limit_of_open_files_neither_hang_nor_count_as_bugs() -> None:
    few = "import resource as m; m.setrlimit(m.RLIMIT_NOFILE, (16, 16))"
    ran = inspect("status", "demo", "--json", "--timeout", "2", patch=few)
    assert ran.code == 3 and "itself failed" not in ran.err
    assert ran.err.count("in the middle of the work") <= 2
    assert {server["name"] for server in ran.json["servers"]} == {
        "bakery",
        "library",
        "post",
        "orders",
        "notes",
        "attic",
    }
    assert "Too many open files" in ran.out and "ulimit -n" in ran.out


def test_what_goes_wrong_again_and_again_is_told_once() -> None:
    again = """
import inspector.cli.verbs.lists as m
def bug():
    raise LookupError("again")
def run(*words, run=m.run):
    import asyncio
    for _ in range(50):
        asyncio.get_running_loop().call_soon(bug)
    return run(*words)
m.run = run
"""
    ran = inspect("tools", "--json", "--", PYTHON, ODD, patch=again)
    assert ran.code == 70 and ran.json["tools"] and ran.err.count("itself failed") == 1
