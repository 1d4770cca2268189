"""JSON as people write it into config files: comments, trailing commas, a byte order mark, any line ends.

Comments and trailing commas are replaced by as many blanks, so that every offset stays true: the rest is strict
JSON, decoded at full speed, and positions are found on demand in the very same text.
"""

from __future__ import annotations

import codecs
import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from inspector.base import jsontext
from inspector.base.patterns import pattern
from inspector.base.secrets import MASK, is_reference, is_secret_name, mask_url
from inspector.base.text import clip

MAX_BYTES = 5_000_000
_EXCERPT = 160
_WHOLE = 1 << 16
"""Characters of a line that is masked as a whole."""
_DUPLICATE_DEPTH = 6
"""Duplicates below this depth cannot concern a server entry and are not looked for."""

_STRING = r'"(?:[^"\\\r\n]++|\\.)*+"?'
_COMMENT = pattern(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/|/\*", re.DOTALL)
_COMMA = pattern(rf"{_STRING}|,(?=[ \t\r\n]*[}}\]])", re.DOTALL)
_CONSTANT = pattern(rf"{_STRING}|-?Infinity|NaN", re.DOTALL)
_LONG_NUMBER = pattern(rf"{_STRING}|\d{{4301,}}", re.DOTALL)
_LINE_END = pattern(r"\r\n|\r|\n")
_MEMBER = pattern(r"""["']([^"'\\]{1,80})["'](\s*:?\s*)["']((?:[^"'\\]|\\.)*)["']?""")
_BARE_MEMBER = pattern(r"""([\w-]{1,80})(\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s,}\]"'][^,}\]]*)""")
"""A name without quotes, as TOML, YAML and options of a command line have it."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REASONS = (
    ("Expecting ',' delimiter", "a comma or a closing bracket is missing before this"),
    ("Expecting ':' delimiter", "a colon is missing before this"),
    ("Expecting property name", "a name in double quotes is expected here"),
    ("Expecting value", "a value is expected here"),
    ("Extra data", "something follows the end of the JSON value"),
    ("Invalid control character", "a string may not hold a line break or control character; write \\n"),
    ("Unterminated string", "a string that does not end"),
    ("Invalid \\u", "a broken \\u escape; it takes four hexadecimal digits"),
    ("Invalid \\", 'a broken escape; a backslash itself is written \\\\ (as in "C:\\\\tools")'),
)


class Broken(ValueError):
    """The text is no JSON, not even with comments. Line and column count from 1; `excerpt` is the offending line,
    with the values of secret-looking names masked."""

    def __init__(self, message: str, line: int = 1, column: int = 1, excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.excerpt = excerpt


class Number(float):
    """A fractional number that still knows how it was spelled: `1.10` is not `1.1` in a version."""

    spelling: str

    def __new__(cls, spelling: str) -> Number:
        number = super().__new__(cls, spelling)
        number.spelling = spelling
        return number


Path = Sequence[str | int]


class Document:
    """A decoded text. `value` is plain data; `relaxed` is the offset of the first comment or trailing comma, None
    for strict JSON; `duplicates` are the paths of member names that occur more than once (the last one counts)."""

    language = "json"

    def __init__(
        self, text: str, strict_text: str, value: Any, relaxed: int | None, duplicated: bool
    ) -> None:
        self.text = text
        self.value = value
        self.relaxed = relaxed
        self.strict_text = strict_text
        """The same with blanks for comments and trailing commas: every offset is the same."""
        self._lines = Lines(text)
        self._children: dict[int, list[jsontext.Member]] = {}
        self._places: dict[int, dict[str | int, int]] = {}
        self.duplicates = self._find_duplicates() if duplicated else []

    def position(self, path: Path) -> tuple[int, int]:
        """Line and column of the value at `path`, or of the nearest one above it that exists."""
        return self._lines.position(self._offset(path))

    def position_at(self, offset: int) -> tuple[int, int]:
        return self._lines.position(offset)

    def excerpt(self, line: int, column: int = 1) -> str:
        """That line as it may be shown; of a long one what stands round the column."""
        return self._lines.excerpt(line, column)

    def _offset(self, path: Path) -> int:
        offset = jsontext.skip_space(self.strict_text, 0)
        for key in path:
            if offset not in self._places:
                self._places[offset] = {child.key: child.start for child in self._open(offset)}
            if key not in self._places[offset]:
                break
            offset = self._places[offset][key]
        return offset

    def _open(self, offset: int) -> list[jsontext.Member]:
        if offset not in self._children:
            opens = self.strict_text[offset : offset + 1] in ("{", "[")
            self._children[offset] = jsontext.children(self.strict_text, offset) if opens else []
        return self._children[offset]

    def _find_duplicates(self) -> list[tuple[str | int, ...]]:
        found: list[tuple[str | int, ...]] = []
        start = jsontext.skip_space(self.strict_text, 0)
        level: list[tuple[tuple[str | int, ...], int]] = [((), start)]
        for _ in range(_DUPLICATE_DEPTH):
            below: list[tuple[tuple[str | int, ...], int]] = []
            for path, offset in level:
                seen: set[str | int] = set()
                for child in self._open(offset):
                    if child.key in seen:
                        found.append((*path, child.key))
                    seen.add(child.key)
                    below.append(((*path, child.key), child.start))
            level = below
        return list(dict.fromkeys(found))


class Lines:
    """Turns offsets of a text into line and column, both from 1."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        starts = self._all()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def excerpt(self, line: int, column: int = 1) -> str:
        """A line without what is secret, of a long one what stands round the column."""
        starts = self._all()
        if not 1 <= line <= len(starts):
            return ""
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(self._text)
        if column < _EXCERPT or end - start > _WHOLE:
            return clip(without_secrets(self._text[start : min(end, start + 4 * _EXCERPT)].strip()), _EXCERPT)
        # Masked as a whole: a stretch of it may begin in the midst of a secret.
        shown = without_secrets(self._text[start:end].rstrip())
        at = min(len(shown), len(without_secrets(self._text[start : start + column - 1])))
        return "…" + clip(shown[max(0, at - _EXCERPT // 2) :].strip(), _EXCERPT - 1)

    def _all(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self._text))]
        return self._starts


def decode(raw: bytes) -> str:
    """The text of a file: UTF-8, or what its byte order mark says. Raises Broken with the place of a bad byte."""
    if len(raw) > MAX_BYTES:
        raise Broken(f"the file has {len(raw)} bytes; config files are read up to {MAX_BYTES}")
    bom, encoding = _encoding(raw)
    body = raw[len(bom) :]
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, "replace")
        line, column = Lines(before).position(len(before))
        what = f"byte 0x{body[error.start]:02x} is not {encoding.upper()}; save the file as UTF-8"
        raise Broken(what, line, column) from None


def encoded_like(raw: bytes, text: str) -> bytes:
    """A text as the file that held `raw` would hold it: same encoding, same byte order mark."""
    bom, encoding = _encoding(raw)
    return bom + text.encode(encoding, "surrogatepass")


def _encoding(raw: bytes) -> tuple[bytes, str]:
    return next(((bom, name) for bom, name in _BOMS if raw.startswith(bom)), (b"", "utf-8"))


def parse(source: bytes | str) -> Document:
    """Decodes a text. Raises Broken, nothing else."""
    text = decode(source) if isinstance(source, bytes) else source
    if not text.strip():
        raise Broken("the file is empty")
    try:
        return _document(text, text, None)
    except Broken as strict:
        blanked, relaxed = _blank(text)
        if relaxed is None:
            raise strict from None
    return _document(text, blanked, relaxed)


def _document(text: str, strict_text: str, relaxed: int | None) -> Document:
    duplicated = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal duplicated
        value = dict(pairs)
        duplicated = duplicated or len(value) < len(pairs)
        return value

    try:
        value = json.loads(
            strict_text, object_pairs_hook=members, parse_float=Number, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        raise _broken(text, _reason(strict_text, error), error.pos) from None
    except _Constant as error:
        where = _first(_CONSTANT, strict_text)
        raise _broken(text, f"{error} is not JSON; write it as a string", where) from None
    except RecursionError:
        raise Broken("the file is nested too deeply to be a config file") from None
    except ValueError:
        raise _broken(text, "a number with too many digits", _first(_LONG_NUMBER, strict_text)) from None
    return Document(text, strict_text, value, relaxed, duplicated)


class _Constant(Exception):
    """NaN or an infinity stands where JSON allows none."""


def _refuse_constant(name: str) -> Any:
    raise _Constant(name)


def _broken(text: str, message: str, offset: int) -> Broken:
    lines = Lines(text)
    line, column = lines.position(min(offset, len(text)))
    return Broken(message, line, column, lines.excerpt(line, column))


def _reason(text: str, error: json.JSONDecodeError) -> str:
    here = text[error.pos : error.pos + 1]
    if not here:
        return "the text ends too early: a bracket, brace or quote is not closed"
    if here == "'":
        return "strings take double quotes, not single ones"
    if here == "\0":
        return "a NUL character: perhaps UTF-16 without its byte order mark; save the file as UTF-8"
    for start, reason in _REASONS:
        if error.msg.startswith(start):
            return reason
    return error.msg


def _first(pattern: re.Pattern[str], text: str) -> int:
    return next((match.start() for match in pattern.finditer(text) if match.group()[0] != '"'), 0)


def _blank(text: str) -> tuple[str, int | None]:
    """The text with blanks for comments and trailing commas, and the offset of the first of them."""
    starts: list[int] = []

    def comment(match: re.Match[str]) -> str:
        found = match.group()
        if found[0] == '"':
            return found
        if found == "/*":
            raise _broken(text, "a comment that does not end", match.start())
        starts.append(match.start())
        return re.sub(r"[^\r\n]", " ", found)

    def comma(match: re.Match[str]) -> str:
        if match.group() != "," or not _follows_value(uncommented, match.start()):
            return match.group()
        starts.append(match.start())
        return " "

    uncommented = _COMMENT.sub(comment, text)
    blanked = _COMMA.sub(comma, uncommented)
    return blanked, min(starts, default=None)


def _follows_value(text: str, offset: int) -> bool:
    before = offset - 1
    while before >= 0 and text[before] in " \t\r\n":
        before -= 1
    return before >= 0 and text[before] not in "{[,:"


def without_secrets(line: str) -> str:
    """A line of a file with the values of members of a secret name masked; a reference to a value is none."""

    def member(match: re.Match[str]) -> str:
        name, colon, value = match.groups()
        if not is_secret_name(name) or is_reference(value):
            return match.group()
        return f'"{name}"{colon}"{MASK}"'

    def bare(match: re.Match[str]) -> str:
        name, mark, value = match.groups()
        if not is_secret_name(name) or is_reference(value.strip(" \"',")):
            return match.group()
        return f"{name}{mark}{MASK}"

    return mask_url(_BARE_MEMBER.sub(bare, _MEMBER.sub(member, line)))
