"""What a terminal can show, and what stands in ASCII for what it cannot."""

from __future__ import annotations

import codecs
import os
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import IO

from inspector.base.text import cells

_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python makes of `LC_CTYPE` by itself where `LANG` is C (PEP 538)."""
_FEW_SIGNS = ("linux", "vt", "ansi", "cons", "dumb", "unknown", "pcansi", "sun", "wyse")
"""Beginnings of TERM of terminals whose fonts have letters and hardly any signs or lines."""

_SIGNS = {
    "…": "~", "·": "-", "•": "-", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "×": "x", "✗": "x", "✕": "x",
    "✓": "v", "●": "*", "○": "o", "◌": ".", "◔": "%", "◉": "@", "◆": "*", "■": "#", "□": "_", "▣": "#", "▲": "!",
    "⊘": "/", "‖": "=", "✎": "'", "⏎": "$", "⋯": "~", "↻": "@", "→": ">", "←": "<", "↑": "^", "↓": "v", "⇄": "=",
    "▸": ">", "▶": ">", "▾": "v", "▼": "v", "›": ">", "‹": "<", "»": ">", "«": "<", "≠": "!", "≥": ">", "≤": "<",
    "≈": "~", "µ": "u", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " ",
    "▁": "_", "▂": "_", "▃": ".", "▄": "-", "▅": "-", "▆": "=", "▇": "=", "█": "#", "▉": "#", "▊": "|", "▋": "|",
    "▌": "|", "▍": "|", "▎": "|", "▏": "|", "▐": "|", "▕": "|", "▀": '"', "▔": " ", "░": ":", "▒": "%", "▓": "#",
}  # fmt: skip
_LONG = {"…": "...", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "≠": "!="}
"""What may take more room where nothing is drawn."""


def charset(stream: IO[str]) -> str:
    """The character set of a stream, as a codec of Python. Of a terminal the locale tells it: Python itself takes UTF-8
    where that says C, or names a locale that is not installed."""
    encoding: str = getattr(stream, "encoding", None) or "utf-8"
    environment = os.environ
    if os.name == "nt" or environment.get("PYTHONIOENCODING") or not stream.isatty():
        return encoding
    everything, letters, usual = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    said = everything or (usual if letters in _COERCED and usual in ("C", "POSIX") else letters or usual)
    if said in ("C", "POSIX"):
        return "ascii"
    try:
        return codecs.lookup(said.partition(".")[2].partition("@")[0] or encoding).name
    except LookupError:
        return encoding


def has_signs(stream: IO[str]) -> bool:
    """Whether marks, arrows and lines can be drawn there."""
    if not charset(stream).startswith("utf"):
        return False
    return not (stream.isatty() and os.environ.get("TERM", "").startswith(_FEW_SIGNS))


def in_ascii(char: str) -> str:
    """One character as such of ASCII, in as many cells: signs and lines as what looks like them, letters without their
    accents, others as question marks."""
    if char.isascii():
        return char
    if (sign := _SIGNS.get(char)) is not None:
        return sign
    if "\u2500" <= char <= "\u257f":
        return _line(unicodedata.name(char, ""))
    bare = unicodedata.normalize("NFKD", char)[:1]
    width = cells(char)
    return bare if bare.isascii() and width == 1 else "?" * width


def _line(name: str) -> str:
    """A box drawing character by its name in Unicode."""
    rest = name.removeprefix("BOX DRAWINGS ")
    across = any(word in rest for word in ("HORIZONTAL", "LEFT", "RIGHT"))
    along = any(word in rest for word in ("VERTICAL", "UP", "DOWN"))
    if across and along:
        return "+"
    if along:
        return "|"
    return "." if "DASH" in rest else "=" if rest.startswith(("HEAVY", "DOUBLE")) else "-"


@lru_cache(4)
def shown_in(charset: str) -> Callable[[str], str]:
    """A function that gives what is shown of a character where there are few signs: letters and digits that `charset`
    has, and ASCII for all others."""

    @lru_cache(4096)
    def shown(char: str) -> str:
        try:
            return char if char.isalnum() and char.encode(charset) else in_ascii(char)
        except UnicodeEncodeError:
            return in_ascii(char)

    return shown


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Signs of ours in ASCII, all else as escapes, for a stream that has them not."""
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    parts = (_LONG.get(char) or _SIGNS.get(char) for char in lost)
    escaped = (char.encode("ascii", "backslashreplace").decode() for char in lost)
    return "".join(part or other for part, other in zip(parts, escaped, strict=True)), error.end


codecs.register_error("inspector.spelled", _spell)
SPELLED = "inspector.spelled"
"""The handler of errors for `str.encode`."""
