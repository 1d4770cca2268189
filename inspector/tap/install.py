"""Puts a tap before one server of a client's config file, and takes it away again."""

from __future__ import annotations

import difflib
import os
import sys
import time
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from inspector.base import jsonptr, saving
from inspector.base.errors import Failed, fail
from inspector.base.paths import write_whole
from inspector.base.secrets import Secrets
from inspector.config import jsonc
from inspector.config.document import Document, Keys, parse
from inspector.config.entry import Entry
from inspector.config.load import load
from inspector.config.wrapping import command_of, unwrapped, wrapped


class Change(NamedTuple):
    """A config file (all links followed), what it holds and what it is to hold: that of the backup `as_in`, if it is
    the same."""

    path: Path
    before: bytes
    after: bytes
    secrets: Secrets
    as_in: Path | None = None

    def diff(self) -> list[str]:
        """Unified, with secrets masked; the texts are those of the file, not escaped."""
        before, after = (jsonc.decode(raw).splitlines() for raw in (self.before, self.after))
        lines = difflib.unified_diff(before, after, str(self.path), str(self.path), lineterm="", n=2)
        return [self.secrets.mask_message(jsonc.without_secrets(line)) for line in lines]

    def write(self) -> Path:
        """Writes it, whole or not at all, and returns where the old bytes are kept. Raises Failed (io)."""
        backup = self.path.with_name(f"{self.path.name}.{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.bak")
        saving.save(backup, self.before)
        try:
            if self.path.read_bytes() != self.before:
                raise fail("io", f"{self.path} was changed meanwhile", "look at it, then try again")
            write_whole(self.path, self.after)
        except BaseException as error:
            backup.unlink(missing_ok=True)
            if not isinstance(error, OSError):
                raise
            raise fail(
                "io", f"{self.path} was not changed: {error.strerror or error}", "check its folder"
            ) from error
        return backup


def install(path: Path, server: str, output: str | None, project: Path | None = None) -> Change:
    """The tap put before a server; `output` is the recording, None for one of our own, `project` the folder whose
    servers are meant where a file holds those of several. Raises Failed (config, io)."""
    found = _Found(path, server, project)
    if found.tapped:
        raise fail("config", f"{server} is tapped already", "take the tap away with --uninstall first")
    if not found.words and found.entry.url:
        raise _over_http(found.entry)
    output_words = [] if output is None else ["-o", os.path.abspath(output)]
    words = [*_ourselves(), "tap", f"--server={server}", *output_words, "--"]
    return found.change(wrapped(found.document, found.keys, words))


def uninstall(path: Path, server: str, project: Path | None = None) -> Change:
    """The tap taken away. Where nothing else was changed since it came, the bytes are those of before. Raises Failed
    (config, io)."""
    found = _Found(path, server, project)
    if not found.tapped:
        raise fail("config", f"{server} is not tapped in {path}", "there is nothing to take away")
    change = found.change(unwrapped(found.document, found.keys, found.tapped))
    for backup in sorted(found.path.parent.glob(f"{found.path.name}.*.bak"), reverse=True):
        if (raw := _wrapped_as_now(backup, found)) is not None:
            return change._replace(after=raw, as_in=backup)
    return change


class _Found:
    """A server in a config file. `tapped` is how many words of its command are ours."""

    def __init__(self, path: Path, server: str, project: Path | None) -> None:
        try:
            self.path = path.resolve(strict=True)
            self.raw = self.path.read_bytes()
        except OSError as error:
            raise fail("io", f"{path} cannot be read: {error.strerror or error}", "check the path") from error
        loaded = load(path, project_dir=project)
        entries = {entry.name: entry for entry in loaded.entries}
        if server not in entries:
            broken = next((each for each in loaded.problems if each.server is None), None)
            if broken is not None and not entries:
                raise fail(
                    "config", f"{broken.place}: {broken.message}", "correct the file; nothing was changed"
                )
            raise fail(
                "config", f"no server {server} in {path}", f"there are: {', '.join(entries) or 'none'}"
            )
        self.entry = entries[server]
        self.secrets = Secrets()
        for resolved in loaded.servers:
            resolved.teach(self.secrets)
        self.document = _document(self.raw, path)
        self.keys = _keys(self.document.value, self.entry.source.pointer)
        self.words = command_of(self.document.value, self.keys)
        self.tapped = _our_words(self.words)

    def change(self, text: str) -> Change:
        return Change(self.path, self.raw, jsonc.encoded_like(self.raw, text), self.secrets)


def _keys(value: Any, pointer: str) -> Keys:
    keys: list[str | int] = []
    for token in jsonptr.tokens(pointer):
        keys.append(int(token) if isinstance(value, list) else token)
        value = value[keys[-1]]
    return tuple(keys)


def _document(raw: bytes, path: Path) -> Document:
    try:
        return parse(raw, path.name)
    except jsonc.Broken as broken:
        raise fail(
            "config", f"{path} cannot be read: {broken.message}", "correct it; nothing was changed"
        ) from broken


def _wrapped_as_now(backup: Path, found: _Found) -> bytes | None:
    """The bytes of a backup, where the tap put before its server makes the file of now."""
    try:
        raw = backup.read_bytes()
        document = parse(raw, found.path.name)
        text = wrapped(document, found.keys, found.words[: found.tapped])
    except (OSError, jsonc.Broken, Failed):
        return None
    return raw if jsonc.encoded_like(raw, text) == found.raw else None


def _ourselves() -> list[str]:
    """How a client starts this program, whatever its PATH is."""
    script = Path(sys.executable).with_name("mcp-inspect.exe" if os.name == "nt" else "mcp-inspect")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "inspector"]


def _our_words(words: list[str]) -> int:
    """How many words before the server's own are ours; 0 where it is not tapped."""
    if "--" not in words:
        return 0
    program = PurePath(words[0].replace("\\", "/")).stem
    ours = (program == "mcp-inspect" and words[1] == "tap") or words[1:4] == ["-m", "inspector", "tap"]
    return words.index("--") + 1 if ours else 0


def _over_http(entry: Entry) -> Failed:
    return fail(
        "config",
        f"{entry.name} is reached over HTTP, so there is no command to put a tap before",
        f"run mcp-inspect tap --listen 8765 {entry.url} and write http://127.0.0.1:8765, with that path, as its url",
    )
