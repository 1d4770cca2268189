"""What is remembered in a file of ours: programs at once lose nothing, and a broken file is as if there were none."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.base import private_json

ADD = """
import sys
from pathlib import Path
from inspector.base import private_json
for number in range(25):
    with private_json.changing(Path(sys.argv[1])) as known:
        known[f"{sys.argv[2]}-{number}"] = number
"""


def test_programs_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept.json"
    programs = [subprocess.Popen([sys.executable, "-c", ADD, str(path), name]) for name in "abcd"]
    assert [program.wait(60) for program in programs] == [0] * 4
    assert len(private_json.read(path)) == 100
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "[1]", "{", "\xff", "[" * 100_000, "null"])
def test_a_broken_file_is_as_if_there_were_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text, encoding="latin-1")
    assert private_json.read(path) == {}
    with private_json.changing(path) as known:
        known["a"] = 1
    assert private_json.read(path) == {"a": 1}


def test_a_change_that_fails_leaves_what_was(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    with private_json.changing(path) as known:
        known["a"] = 1
    with pytest.raises(RuntimeError), private_json.changing(path) as known:
        known["b"] = 2
        raise RuntimeError
    assert private_json.read(path) == {"a": 1}
