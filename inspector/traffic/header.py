"""Recording files: one UTF-8 JSON object a line, the format of the live spool.

Lines are the header, `{"session":N,"t":...,"label":...}` (repeated when its facts change), rows (see
`lines`), and `{"end":{"rows","sha256"}}` with the digest of all bytes before it. Without it the recorder was
stopped in mid-flight and everything up to there is good. Unknown keys and unknown lines are passed over.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspector import __version__
from inspector.base.errors import fail

FORMAT = "mcp-inspect/recording"
VERSION = 1
MIGRATIONS: tuple[Callable[[bytes], bytes], ...] = ()
"""The n-th turns a line of version n+1 into one of version n+2, its payload byte for byte."""


def header(base: float, redaction: Mapping[str, Any]) -> bytes:
    """The first line; `base` is the moment, in seconds since the epoch, that `t` counts from."""
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(base))
    members = {
        "format": FORMAT,
        "version": VERSION,
        "tool": f"mcp-inspect {__version__}",
        "created": created,
        "base": base,
        "redaction": dict(redaction),
    }
    return line_of(members)


def session_line(session: int, t: float, label: str, facts: Mapping[str, Any]) -> bytes:
    """The line that says what a session is; facts that JSON cannot hold are written as text."""
    return line_of({"session": session, "t": round(t, 6), "label": label} | dict(facts))


def line_of(members: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(members, separators=(",", ":"), default=str, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        plain = {
            key: value if isinstance(value, str | int | float) else str(value)
            for key, value in members.items()
        }
        text = json.dumps({key: str(value) if value != value else value for key, value in plain.items()})
    return text.encode() + b"\n"


def read_header(line: bytes, path: Path) -> dict[str, Any]:
    """The members of the first line. Raises Failed (kind io or unsupported) for what is no recording of
    ours."""
    try:
        members = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        members = None
    if type(members) is not dict or members.get("format") != FORMAT:
        raise fail(
            "io",
            f"{path} is no recording",
            "recordings are written by --record, tap -o, and key R in the app",
        )
    version = members.get("version")
    major = major_of(version)
    if major is None or not 1 <= major <= VERSION:
        raise fail(
            "unsupported",
            f"{path} has version {version} of the recording format; this program reads up to {VERSION}",
            "open it with a newer mcp-inspect: pip install --upgrade mcp-inspect",
        )
    return members


def major_of(version: Any) -> int | None:
    """1 of 1 and of "1.4"; None for what is no version."""
    if type(version) is int:
        return version
    first = version.split(".")[0] if type(version) is str else ""
    return int(first) if first.isascii() and first.isdigit() and len(first) < 9 else None
