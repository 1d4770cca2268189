"""Files that are watched, on a real folder."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from inspector.base import source_files
from inspector.base.errors import Failed
from inspector.base.source_files import SourceFiles


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name} {path.stat().st_size if path.exists() else ''}")


NAMES = (
    "a.py",
    "b.txt",
    "src/c.py",
    "src/deep/d.py",
    ".hidden/e.py",
    "node_modules/f.py",
    "src/__pycache__/g.py",
)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ["a.py"]),
        ("**/*.py", ["a.py", "src/c.py", "src/deep/d.py"]),
        ("src/**", ["src/c.py", "src/deep/d.py"]),
        ("src", ["src/c.py", "src/deep/d.py"]),
        ("src/*/d.p?", ["src/deep/d.py"]),
        ("**/deep/**/*.py", ["src/deep/d.py"]),
        ("b.txt", ["b.txt"]),
        ("node_modules/*.py", ["node_modules/f.py"]),
        (".hidden/*", [".hidden/e.py"]),
        ("[ab].*", ["a.py", "b.txt"]),
        ("no/such/*", []),
        ("", []),
    ],
)
def test_what_matches(
    pattern: str, found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, *NAMES)
    monkeypatch.chdir(tmp_path)
    assert sorted(SourceFiles([pattern]).look()) == found
    absolute = SourceFiles([os.path.join(tmp_path, pattern)]).look() if pattern else {}
    assert sorted(absolute) == [os.path.join(tmp_path, name) for name in found]


async def test_files_that_come_go_and_are_written_are_told_together(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.py", "same.py")
    files = SourceFiles([str(tmp_path / "*.py")])
    waiting = asyncio.create_task(files.changed())
    await asyncio.sleep(0)
    write(tmp_path, "a.py", "new.py", "other.txt")
    (tmp_path / "b.py").unlink()
    assert [Path(name).name for name in await waiting] == ["a.py", "b.py", "new.py"]


async def test_what_changed_while_nobody_waited_counts(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    files = SourceFiles([str(tmp_path)])
    write(tmp_path, "a.py")
    assert [Path(name).name for name in await files.changed()] == ["a.py"]


async def test_a_file_that_each_run_writes_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "log.py")
    told: list[str] = []
    files = SourceFiles([str(tmp_path)], told.append)
    for _ in range(2):
        write(tmp_path, "log.py")
        assert [Path(name).name for name in await files.changed()] == ["log.py"]
    write(tmp_path, "log.py")
    waiting = asyncio.create_task(files.changed())
    while not told:
        await asyncio.sleep(0)
    write(tmp_path, "a.py")
    assert [Path(name).name for name in await waiting] == ["a.py"]
    assert told == [
        f"{tmp_path / 'log.py'} is written whenever the server runs, so it is not watched any more"
    ]


def test_more_files_than_can_be_looked_at_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "MOST", 2)
    write(tmp_path, "a", "b", "c")
    with pytest.raises(Failed, match="more than 2"):
        SourceFiles([str(tmp_path / "**")])
    monkeypatch.setattr(source_files, "_ENTRIES", 2)
    with pytest.raises(Failed, match="too many files"):
        SourceFiles([str(tmp_path / "*.x")])


def test_nothing_to_watch_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    assert SourceFiles([str(tmp_path / "*.rs")], told.append).count == 0
    assert told == [f"no file matches {tmp_path / '*.rs'} yet"]
