"""What the value of an option stands for: itself, a file or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.jsontext import Malformed
from inspector.base.text import clip
from inspector.cli.arguments import Usage


def text_of(option: str, given: str) -> str:
    """The text that is meant: of a file for `@FILE`, of stdin for `-` or `@-`, else what is given. Raises Usage."""
    try:
        if given in ("-", "@-"):
            return sys.stdin.buffer.read().decode("utf-8-sig")
        if given.startswith("@"):
            return Path(given[1:]).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Usage(f"{option} {clip(given, 200)}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Usage(f"{option} {given}: not UTF-8") from error
    return given


def json_of(text: str, what: str) -> Any:
    """The JSON value that a text is; `what` names it to the person. Raises Usage."""
    try:
        return numbers.loads(text)
    except Malformed as error:
        line, column = numbers.place(text, error.position)
        raise Usage(f"{what} is not JSON: {error} (line {line}, column {column}): {text[:80]!r}") from error
