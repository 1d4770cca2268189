"""Files that match patterns, looked at again and again: which of them came, went or were written.

By looking, not by being told: it costs some milliseconds for what a person edits, needs nothing installed, and it works
where notifications of a system do not: folders of a network or container, and editors that put a new file in the place
of the old one.
"""

from __future__ import annotations

import asyncio
import glob
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from fnmatch import translate

from inspector.base.errors import fail

MOST = 5_000
"""Files that may match."""
_ENTRIES = 100_000
"""Files and folders that are looked at to find them."""
LOOK = 0.25
"""Seconds between two looks, at the least; where a look takes long, ten times as long as it."""
_LONGEST = 20
"""Looks that are waited for until nothing more changes: files are saved many at once, and some in pieces."""
_TIMES = 3
"""Times in a row that a file may change by itself while nobody waits."""
_NEVER = frozenset({"node_modules", "__pycache__"})

Stamp = tuple[int, int, int]


class SourceFiles:
    """Of patterns with `*`, `?`, `[...]` and `**` for any depth; a folder stands for all that is in it. Names that
    begin with a dot must be written so, and `node_modules` and `__pycache__` are found only where they are named.

    `told` gets sentences for the person. Raises Failed (config) where more matches than can be looked at.
    """

    def __init__(self, patterns: Sequence[str], told: Callable[[str], None] = lambda text: None) -> None:
        self._patterns = [os.path.join(each, "**") if os.path.isdir(each) else each for each in patterns]
        self._told = told
        self._left_out: set[str] = set()
        self._times: dict[str, int] = {}
        self._pause = LOOK
        self._seen = self.look()
        if not self._seen:
            told(f"no file matches {', '.join(patterns)} yet")

    @property
    def count(self) -> int:
        return len(self._seen)

    def look(self) -> dict[str, Stamp]:
        """Every file that matches now, with what tells that it was written."""
        found: dict[str, Stamp] = {}
        looked = 0
        for pattern in self._patterns:
            for entry in _matches(pattern):
                looked += 1
                if len(found) >= MOST or looked > _ENTRIES:
                    raise fail(
                        "config",
                        f"too many files to watch match {pattern}: more than {MOST}",
                        "name fewer, as in src/**/*.py",
                    )
                if entry is None or entry in self._left_out:
                    continue
                try:
                    stat = os.stat(entry)
                except OSError:
                    continue
                found[entry] = stat.st_mtime_ns, stat.st_size, stat.st_ino
        return found

    async def changed(self) -> list[str]:
        """Waits until files have changed since the last time that this was told, and no more do; sorted. What changed
        while nobody waited counts; a file that does so again and again is written by what is started, and left out."""
        before, now = self._seen, await self._look()
        self._leave_out(_differ(before, now))
        while not (names := self._wanted(before, now)):
            await asyncio.sleep(self._pause)
            now = await self._look()
        for _ in range(_LONGEST):
            await asyncio.sleep(self._pause)
            last, now = now, await self._look()
            if now == last:
                break
        self._seen = now
        return self._wanted(before, now) or names

    async def _look(self) -> dict[str, Stamp]:
        began = time.monotonic()
        found = await asyncio.to_thread(self.look)
        self._pause = max(LOOK, 10 * (time.monotonic() - began))
        return found

    def _wanted(self, before: dict[str, Stamp], now: dict[str, Stamp]) -> list[str]:
        return [name for name in _differ(before, now) if name not in self._left_out]

    def _leave_out(self, names: list[str]) -> None:
        self._times = {name: self._times.get(name, 0) + 1 for name in names}
        for name, times in self._times.items():
            if times >= _TIMES:
                self._left_out.add(name)
                self._told(f"{name} is written whenever the server runs, so it is not watched any more")


def _differ(old: dict[str, Stamp], new: dict[str, Stamp]) -> list[str]:
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _matches(pattern: str) -> Iterator[str | None]:
    """Paths of files; None for each thing that was looked at in vain."""
    drive, rest = os.path.splitdrive(pattern)
    parts = [part for part in re.split(r"[/\\]" if os.sep == "\\" else "/", rest) if part not in ("", ".")]
    root = drive + (os.sep if rest[:1] in ("/", os.sep) else "")
    return _below(root, parts) if parts else iter(())


def _below(folder: str, parts: Sequence[str]) -> Iterator[str | None]:
    first, rest = parts[0], parts[1:]
    if first == "**":
        yield from _below(folder, rest or ("*",))
        for entry in _entries(folder):
            if entry.is_dir(follow_symlinks=False) and entry.name[:1] != "." and entry.name not in _NEVER:
                yield from _below(os.path.join(folder, entry.name), parts)
    elif not glob.has_magic(first):
        path = os.path.join(folder, first)
        if rest:
            yield from _below(path, rest)
        else:
            yield path if os.path.isfile(path) else None
    else:
        fits = re.compile(translate(first)).match
        for entry in _entries(folder):
            if not fits(entry.name) or (entry.name[:1] == "." and first[:1] != "."):
                yield None
            elif rest:
                if entry.is_dir():
                    yield from _below(os.path.join(folder, entry.name), rest)
            else:
                yield os.path.join(folder, entry.name) if entry.is_file() else None


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder or ".") as found:
            return list(found)
    except OSError:
        return []
