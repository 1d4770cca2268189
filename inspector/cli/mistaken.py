"""What stands in the place of a target and is none: it is said what it is, and what to do with it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from inspector.base.errors import fail
from inspector.base.patterns import pattern
from inspector.cli.arguments import Arguments
from inspector.cli.vocabulary import FILE_FIRST

_HEAD = 4096
_PROGRAMS = {
    ".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "npx tsx", ".sh": "sh", ".rb": "ruby",
    ".php": "php", ".jar": "java -jar",
}  # fmt: skip
_PAGE = pattern(r"(?i)\s*<(?:!doctype html|html)\b")


def refuse_mistaken(word: str, arguments: Arguments) -> None:
    """Raises Failed (config, io) for a file or folder that can be no config, whatever is wrong with it. It is none that
    is known as a recording."""
    path = Path(word)
    if path.suffix == ".mcprec":
        from inspector.traffic.store import Traffic

        Traffic.open_recording(path).close()
    try:
        # A pipe would be waited for, and what was read from it would be gone.
        if not path.is_file():
            return
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return
    if head.startswith(b"\x1f\x8b"):
        raise fail("io", f"{word} is compressed", f"unpack it first: gunzip -k {shlex.quote(word)}")
    if (program := _program(path, head)) is not None:
        at = 1 if arguments.verb in FILE_FIRST else 0
        words = ["mcp-inspect", *filter(None, [arguments.verb])]
        words += [*arguments.operands[:at], *arguments.operands[at + 1 :]]
        # Of a comparison only this side is known here, and only the newer one can be a command.
        words += ["OLD", "--"] if arguments.verb == "diff" else ["--"]
        start = f"{shlex.join(words)} {program}"
        raise fail("config", f"{word} is a program, and no config", f"to start it: {start}")
    text = head.decode("utf-8", "replace")
    if _PAGE.match(text):
        raise fail("config", f"{word} is a page, and no config", "open it in a browser")
    if text.lstrip().startswith('{"resourceSpans"'):
        said = "send them to a collector; mcp-inspect reads recordings, HAR and configs"
        raise fail("config", f"{word} holds spans, and no config", said)
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise fail("config", f"{word} is no text, and no config", "a config is JSON with mcpServers")


def _program(path: Path, head: bytes) -> str | None:
    """The command line that starts a file."""
    if (runs := _PROGRAMS.get(path.suffix.lower())) is not None:
        return f"{runs} {shlex.quote(str(path))}"
    if head.startswith((b"#!", b"\x7fELF")) or (head.startswith(b"MZ") and path.suffix.lower() == ".exe"):
        return shlex.quote(str(path) if len(path.parts) > 1 else f".{os.sep}{path}")
    return None
