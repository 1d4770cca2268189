"""Recordings of ours in an older version of the format, brought up to this one line by line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator
from typing import BinaryIO

from inspector.traffic import header
from inspector.traffic.header import FORMAT, line_of, major_of


def is_older(head: bytes) -> bool:
    """Whether a file that begins like this is a recording of an older version."""
    version = _members(head.partition(b"\n")[0])
    major = major_of(version.get("version")) if version.get("format") == FORMAT else None
    return major is not None and 1 <= major < header.VERSION


def copy(source: BinaryIO, file: BinaryIO) -> Generator[None, None, list[str]]:
    """Writes it in this version, and returns what a person should know."""
    first = source.readline()
    version = major_of(_members(first).get("version")) or header.VERSION
    digest = hashlib.sha256()
    line = first
    while line:
        end = _members(line).get("end") if line.startswith(b'{"end"') else None
        if isinstance(end, dict) and end.get("sha256") == digest.hexdigest():
            file.write(line_of({"end": {"rows": end.get("rows")}}))
        else:
            file.write(_migrated(line, version))
        digest.update(line)
        line = source.readline()
        yield
    return [f"written in version {version} of the format, and read as version {header.VERSION}"]


def _migrated(line: bytes, version: int) -> bytes:
    for migrate in header.MIGRATIONS[version - 1 :]:
        line = migrate(line)
    return line


def _members(line: bytes) -> dict[str, object]:
    try:
        members = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return members if isinstance(members, dict) else {}
