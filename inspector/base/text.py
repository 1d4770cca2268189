"""Makes any foreign text safe to show and visible in full.

Text from a server, a file or the environment may carry terminal control
sequences, bidirectional overrides, invisible characters and lone surrogates.
They are never interpreted: they are written as `\\uXXXX`, so that a person
sees that something is there and what it is.
"""

from __future__ import annotations

import re
import unicodedata

from inspector.base.patterns import pattern

# C0 without TAB and LF, DEL, C1; soft hyphen; Arabic letter mark; zero-width characters, bidi marks,
# embeddings, overrides and isolates; line and paragraph separator; invisible operators; BOM; interlinear
# annotation; surrogates; the tag block (invisible ASCII) and both variation selector supplements.
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_UNSAFE_LINE = pattern(f"[\x00-\x1f\x7f-\x9f{_HIDDEN}]+")
_UNSAFE_BLOCK = pattern(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_HIDDEN}]+")
_UNSAFE_JSON = pattern(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{_HIDDEN}]+")


class _Escapes(dict[int, str]):
    """Code points as `\\uXXXX`, for `str.translate`; made when they are met."""

    def __missing__(self, code: int) -> str:
        if code > 0xFFFF:
            above = code - 0x10000
            escape = f"\\u{0xD800 + (above >> 10):04x}\\u{0xDC00 + (above & 0x3FF):04x}"
        else:
            escape = f"\\u{code:04x}"
        self[code] = escape
        return escape


_ESCAPES = _Escapes()


def _escape(match: re.Match[str]) -> str:
    return match.group().translate(_ESCAPES)


def visible(text: str) -> str:
    """One line of foreign text: every control, bidi, zero-width and surrogate code point as `\\uXXXX`."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE_LINE.sub(_escape, text)


def visible_block(text: str) -> str:
    """Like `visible`, for text of several lines: LF and TAB stay, CRLF counts as LF."""
    return _UNSAFE_BLOCK.sub(_escape, text.replace("\r\n", "\n"))


def visible_json(text: str) -> str:
    """JSON text with every unsafe character written as its JSON escape; the value does not change.

    Outside of strings JSON has no other control characters than TAB and LF, which stay, and CR, which becomes a blank:
    a terminal would write over the line.
    """
    if "\r" in text:
        text = text.replace("\r", " ")
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE_JSON.sub(_escape, text)


def decode(raw: bytes) -> str:
    """Bytes as text that never raises: what is not UTF-8 becomes U+FFFD."""
    return raw.decode("utf-8", "replace")


def is_utf8(raw: bytes) -> bool:
    """True where the bytes are strict UTF-8 (RFC 3629: no surrogates)."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def cells(text: str) -> int:
    """Width in terminal cells: wide and fullwidth characters count two, combining marks none."""
    if text.isascii():
        return len(text)
    width = 0
    for char in text:
        if unicodedata.combining(char):
            continue
        width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width


def clip(text: str, width: int) -> str:
    """At most `width` characters, the last one an ellipsis where something was cut."""
    if len(text) <= width:
        return text
    return text[: max(0, width - 1)] + "…"


def quoted(value: object, width: int) -> str:
    """At most `width` characters of a foreign value: a text in quotes, anything else as JSON has it. What cannot be
    seen is written as in `visible`."""
    if isinstance(value, str):
        mark = '"' if "'" in value else "'"
        return f"{mark}{visible(clip(value, width))}{mark}"
    import json

    return visible(clip(json.dumps(value, ensure_ascii=False, default=str), width))


def first_line(text: str) -> str:
    """The first line that is not blank, stripped; empty if there is none."""
    for line in text.split("\n"):
        if line.strip():
            return line.strip()
    return ""


def counted(number: int, noun: str) -> str:
    """The number with its noun, which takes an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def bytes_size(count: int) -> str:
    """A size in bytes for people: `112 B`, `4.2 KiB`, `3.0 MiB`."""
    if count < 1024:
        return f"{count} B"
    size = float(count)
    for unit in ("KiB", "MiB", "GiB"):
        size /= 1024
        if size < 1023.95 or unit == "GiB":
            break
    return f"{size:.1f} {unit}"


def duration(seconds: float) -> str:
    """A span of time for people: `0.4 ms`, `12 ms`, `3.2 s`, `4m 05s`, `2h 10m`."""
    # The bounds are where the rounded number would need another unit or fewer places.
    if seconds < 0.00095:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds + 0.05), 60)
    if minutes < 60:
        return f"{minutes}m {rest:02d}s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes:02d}m"
