"""Notes of a person on rows: how they are written down, in recordings and beside them.

In a recording and in the spool a note is a line of its own, `{"note":ROW,"text":"..."}`, anywhere in the file; of
several on one row the last counts, and an empty text takes the note off. Whoever does not know such lines passes them
over.

A recording that is only read is never changed. Notes made on it stand in a file beside it, `NAME.notes`: a header,
which tells the version and how long the recording was, and lines of the same kind. Several programs may have the
recording open: each adds to what stands there by then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspector.base.errors import fail
from inspector.base.fifo import read_named
from inspector.base.locks import locked
from inspector.base.paths import paths, private_folder, write_whole
from inspector.traffic.header import line_of

FORMAT = "mcp-inspect/notes"
VERSION = 1
LONGEST = 2000
"""Characters of a note."""
_MOST_BYTES = 16 << 20
_HEAD = b'{"format":"%s","version":%d,' % (FORMAT.encode(), VERSION)


def note_line(number: int, text: str) -> bytes:
    return line_of({"note": number, "text": text})


def note_of(members: Mapping[str, Any]) -> tuple[int, str] | None:
    """Row and text of such a line; None where it is none."""
    number, text = members.get("note"), members.get("text")
    if type(number) is int and 0 <= number < 1 << 31 and type(text) is str:
        return number, text[:LONGEST]
    return None


def beside(recording: Path) -> Path:
    """Where notes on a recording stand."""
    return recording.with_name(f"{recording.name}.notes")


def read(recording: Path) -> tuple[dict[int, str], list[str]]:
    """The notes beside a recording, and what a person should know about them; never raises."""
    path = beside(recording)
    try:
        if not path.is_file():
            return {}, []
        lines = read_named(path, _MOST_BYTES).splitlines()
        size = recording.stat().st_size
    except OSError as error:
        return {}, [f"the notes in {path} cannot be read: {error.strerror or error}"]
    members = [_members(line) for line in lines]
    head = members[0] if members else {}
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        return {}, [f"{path} holds no notes that this version reads; it is left as it is"]
    told = []
    if head.get("size") != size:
        told.append("notes were made when this recording was longer or shorter: they may be on other frames")
    return dict(filter(None, map(note_of, members))), told


def _members(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if type(value) is dict else {}


def add(recording: Path, notes: Mapping[int, str]) -> dict[int, str]:
    """Puts notes beside a recording, to those that stand there by now, and returns all. Raises Failed (io); also where
    something else stands in the place of the notes."""
    path = beside(recording)
    try:
        # The lock is ours, not beside the recording, where it would be litter in a folder of the person.
        with locked(private_folder(paths().state) / "notes.lock"):
            if path.exists() and not path.read_bytes().startswith(_HEAD):
                raise fail(
                    "io",
                    f"{path} is no file of notes of this version",
                    "move it away; notes on this recording belong there",
                )
            all_of_them = {**read(recording)[0], **notes}
            head = line_of({"format": FORMAT, "version": VERSION, "size": recording.stat().st_size})
            lines = (note_line(number, all_of_them[number]) for number in sorted(all_of_them))
            write_whole(path, head + b"".join(lines))
    except OSError as error:
        raise fail(
            "io",
            f"the note is kept until you quit only: {path} cannot be written: {error.strerror or error}",
            "copy the recording to a folder where you may write",
        ) from error
    return all_of_them
