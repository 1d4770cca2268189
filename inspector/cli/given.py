"""What the value of an option stands for: itself, a file or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.fifo import read_named
from inspector.base.jsontext import Malformed
from inspector.base.text import bytes_size, clip
from inspector.cli.arguments import Usage
from inspector.transports.framing import FRAME_CAP


def text_of(option: str, given: str) -> str:
    """The text that is meant: of a file for `@FILE`, of stdin for `-` or `@-`, else what is given. Raises Usage."""
    try:
        if given in ("-", "@-"):
            return _text(sys.stdin.buffer.read(FRAME_CAP + 1), option, given)
        if given.startswith("@"):
            # A device may have no end.
            return _text(read_named(Path(given[1:]), FRAME_CAP + 1), option, given)
    except OSError as error:
        raise Usage(f"{option} {clip(given, 200)}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Usage(f"{option} {given}: not UTF-8") from error
    return given


def _text(data: bytes, option: str, given: str) -> str:
    if len(data) > FRAME_CAP:
        raise Usage(
            f"{option} {clip(given, 200)}: more than {bytes_size(FRAME_CAP)}, which no frame may have"
        )
    return data.decode("utf-8-sig")


def json_of(text: str, what: str) -> Any:
    """The JSON value that a text is; `what` names it to the person. Raises Usage."""
    try:
        return numbers.loads(text)
    except Malformed as error:
        line, column = numbers.place(text, error.position)
        raise Usage(f"{what} is not JSON: {error} (line {line}, column {column}): {text[:80]!r}") from error


def named_values(words: list[str], known: dict[str, Any]) -> dict[str, Any]:
    """`NAME=VALUE` as text and `NAME:=JSON` as its value, put to what is known already. Raises Usage."""
    for word in words:
        name, mark, value = word.partition("=")
        if not mark:
            if word.startswith("@"):
                raise Usage(f"{word!r} is no argument: a file of all arguments is read by --args {word}")
            how = "use NAME=VALUE for text, NAME:=JSON for anything else; a TARGET comes before them"
            raise Usage(f"{word!r} is no argument: {how}")
        if name.endswith(":"):
            known[name[:-1]] = json_of(value, name[:-1])
        else:
            known[name] = value
    return known
