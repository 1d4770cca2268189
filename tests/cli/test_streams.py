"""Whatever has become of stdin, stdout and stderr: no traceback, no mix-up, the exit code of the contract."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from command import ODD, PYTHON, inspect, odd

ROOT = Path(__file__).parent.parent.parent
SERVER = ["--", PYTHON, ODD]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="these are the streams of POSIX shells")


def shell(redirection: str, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs `mcp-inspect WORDS` with a redirection of the shell, in `cwd` even where that is gone."""
    script = f'{f"cd {cwd} && rmdir {cwd} && " if cwd else ""}exec "$0" -m inspector "$@" {redirection}'
    done = subprocess.run(
        ["sh", "-c", script, PYTHON, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.mark.parametrize(
    ("redirection", "words", "code"),
    [
        (">&-", ["tools", *SERVER], 0),
        (">&-", ["tools", "--json", *SERVER], 0),
        (">&-", ["--version"], 0),
        (">&- 2>&-", ["no-such-file", "--json"], 2),
        ("<&-", ["tools", *SERVER], 0),
        ("<&-", ["call", "echo", "--args", "-", *SERVER], 2),
    ],
)
def test_a_closed_stream_is_nobody_listening(redirection: str, words: list[str], code: int) -> None:
    assert shell(redirection, *words).returncode == code


def test_what_is_said_to_the_person_never_lands_in_the_answer() -> None:
    done = shell("2>&-", "no-such-file")
    assert (done.returncode, done.stdout) == (2, "")


def test_a_file_of_ours_never_takes_the_place_of_a_closed_stdout(tmp_path: Path) -> None:
    recording = tmp_path / "r.mcprec"
    assert shell(">&-", "call", "echo", "--record", str(recording), *SERVER).returncode == 0
    lines = [json.loads(line) for line in recording.read_text().splitlines()]
    assert "end" in lines[-1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "words", [["tools", *SERVER], ["tools", "--json", *SERVER], ["no-such-file", "--json"], ["--version"]]
)
def test_a_full_disk_behind_stdout_exits_2(words: list[str]) -> None:
    assert shell(">/dev/full", *words).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_stderr_changes_nothing() -> None:
    assert shell("2>/dev/full", "no-such-file").returncode == 2


@pytest.mark.parametrize("words", [["tools", "--json", *SERVER], ["config", "--json"], ["status", "--json"]])
def test_a_folder_that_is_gone_is_told(words: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = shell("", *words, cwd=folder)
    assert (
        done.returncode == 2
        and "the current directory is gone" in json.loads(done.stdout)["error"]["message"]
    )


@pytest.mark.parametrize("option", ["-o", "--record", "--cwd", "--ca", "--project-dir"])
def test_a_name_that_is_empty_is_refused(option: str) -> None:
    ran = inspect("tools", option, "", "--json", *odd())
    assert (
        ran.code == 2 and option in ran.json["error"]["message"] and "empty" in ran.json["error"]["message"]
    )


def test_a_secret_in_what_was_typed_is_not_repeated() -> None:
    ran = inspect("tools", "http://127.0.0.1:1/?token=abcdef123456", "-s", "x", "--json")
    assert ran.code == 2 and "abcdef123456" not in ran.out + ran.err
