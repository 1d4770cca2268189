"""Whose a spool folder is: a live process holds the lock beside it, that of a dead one is free."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from inspector.base.errors import fail
from inspector.base.locks import try_lock
from inspector.base.paths import private_folder
from inspector.base.patterns import pattern


class Claim:
    """A spool folder that belongs to a live process: the lock beside it is held until the process ends.

    The lock is taken before the folder exists, so that nobody who finds the folder can find the lock free.
    """

    def __init__(self, folder: Path, descriptor: int) -> None:
        self.folder = folder
        self._descriptor = descriptor

    @classmethod
    def create(cls, parent: Path) -> Claim:
        """A new empty folder (0700) under `parent`, locked. Raises Failed where that is not possible."""
        try:
            private_folder(parent)
            folder = parent / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{os.urandom(4).hex()}"
            claim = cls.take(folder)
            if claim is None:
                raise OSError("its lock is taken")
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise fail(
                "io",
                f"cannot keep traffic in {parent}: {error.strerror or error}",
                "see the folder: mcp-inspect paths names it, MCP_INSPECT_HOME moves it",
            ) from error
        return claim

    @classmethod
    def take(cls, folder: Path) -> Claim | None:
        """The claim on a folder, or None where a live process holds it. Raises OSError."""
        path = _lock_path(folder)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        # A lock on a file that was removed meanwhile is worth nothing.
        if try_lock(descriptor) and path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
            return cls(folder, descriptor)
        os.close(descriptor)
        return None

    def discard(self) -> None:
        """Removes the folder and lets go of it."""
        import shutil

        shutil.rmtree(self.folder, ignore_errors=True)
        self.release(remove=True)

    def release(self, remove: bool = False) -> None:
        if self._descriptor < 0:
            return
        if remove and os.name == "posix":
            _lock_path(self.folder).unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1
        if remove and os.name != "posix":
            try:
                _lock_path(self.folder).unlink(missing_ok=True)
            except OSError:
                pass  # another process has it open just now; its sweep removes it


def _lock_path(folder: Path) -> Path:
    return folder.with_name(folder.name + ".lock")


_SEGMENT = pattern(r"\d{6}\.mcprec")


@dataclass(frozen=True, slots=True)
class Crashed:
    """The spool of a process that ended without removing it. `written`: seconds since the epoch."""

    folder: Path
    segments: tuple[Path, ...]
    size: int
    written: float

    def discard(self) -> None:
        """Removes it; never raises."""
        try:
            claim = Claim.take(self.folder)
        except OSError:
            return
        if claim is not None:
            claim.discard()


def sweep(parent: Path, *, keep_for: float = 7 * 86400, now: float | None = None) -> list[Crashed]:
    """Removes what dead processes left under `parent`, but for spools younger than `keep_for` seconds that
    hold traffic: these are returned, newest first, to be offered for recovery. Live spools are not
    touched."""
    now = time.time() if now is None else now
    found: list[Crashed] = []
    try:
        folders = [path for path in parent.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError:
        return found
    for folder in folders:
        try:
            claim = Claim.take(folder)
            if claim is None:
                continue
            crashed = _crashed(folder)
            if crashed.size and now - crashed.written < keep_for:
                claim.release()
                found.append(crashed)
            else:
                claim.discard()
        except OSError:
            continue
    return sorted(found, key=lambda crashed: crashed.written, reverse=True)


def segments_from(path: Path) -> list[Path]:
    """A segment of a spool and those behind it, in their order; any other file alone."""
    if not _SEGMENT.fullmatch(path.name):
        return [path]
    behind = sorted(each for each in path.parent.glob("*.mcprec") if _SEGMENT.fullmatch(each.name))
    return [path, *(each for each in behind if each.name > path.name)]


def _crashed(folder: Path) -> Crashed:
    segments = tuple(sorted(folder.glob("*.mcprec")))
    facts = [path.stat() for path in segments]
    written = max((fact.st_mtime for fact in facts), default=0.0)
    return Crashed(folder, segments, sum(fact.st_size for fact in facts), written)
