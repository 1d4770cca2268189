"""TOML with the place of every value: the standard library decodes it, and says nothing of places."""

from __future__ import annotations

import datetime
import math
import re
from typing import Any

from inspector.base.patterns import pattern
from inspector.config.document import Keys, Placed
from inspector.config.jsonc import Broken, Lines, Number

_AT = pattern(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")
_TOKEN = pattern(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
    r"|#[^\n]*|\[\[|\]\]|[\[\]{}=,.\n]|[^\s\"'#\[\]{}=,.]+",
    re.DOTALL,
)
MAX_CHARACTERS = 2_000_000
_MOST_DEPTH = 60


def parse(text: str) -> Placed:
    """Raises Broken with the place of the mistake."""
    import tomllib

    if len(text) > MAX_CHARACTERS:
        raise Broken(f"the file has {len(text)} characters; TOML is read up to {MAX_CHARACTERS}")
    try:
        value = tomllib.loads(text, parse_float=_number)
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        lines = Lines(text)
        end = lines.position(len(text))
        line, column = (int(found[1]), int(found[2])) if found and found[1] else end
        message = _AT.sub("", str(error))
        raise Broken(
            f"{message[:1].lower()}{message[1:]}", line, column, lines.excerpt(line, column)
        ) from None
    except RecursionError:
        raise Broken("the file is nested too deeply to be a config file") from None
    except ValueError as error:
        raise Broken(f"no TOML: {error}") from None
    return Placed("toml", text, _plain(value), lambda: _Places(text).found, [])


def _number(spelling: str) -> float:
    number = Number(spelling.replace("_", ""))
    return number if math.isfinite(number) else float(number)


def _plain(value: Any) -> Any:
    """The same as JSON would hold it: dates are texts."""
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


class _Places:
    """Walks over a text that is known to be TOML. What it cannot follow has no place, never a wrong one."""

    def __init__(self, text: str) -> None:
        self.found: dict[Keys, int] = {}
        self._tokens = [(match.group(), match.start()) for match in _TOKEN.finditer(text)]
        self._at = 0
        self._counts: dict[Keys, int] = {}
        table: Keys = ()
        while self._at < len(self._tokens):
            token, start = self._tokens[self._at]
            if token in ("[", "[["):
                self._at += 1
                table = self._header(start, of_list=token == "[[")
            elif token == "\n" or token[0] == "#":
                self._at += 1
            else:
                self._member(table, 0)

    def _next(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _header(self, start: int, *, of_list: bool) -> Keys:
        keys = self._placed(self._key())
        while self._next() in ("]", "]]"):
            self._at += 1
        if of_list:
            number = self._counts[keys] = self._counts.get(keys, -1) + 1
            keys = (*keys, number)
        self.found.setdefault(keys, start)
        return keys

    def _placed(self, keys: Keys) -> Keys:
        """A name of a list of tables means its last one."""
        known: Keys = ()
        for key in keys[:-1]:
            known = (*known, key)
            if known in self._counts:
                known = (*known, self._counts[known])
        return (*known, *keys[-1:])

    def _key(self) -> Keys:
        keys: list[str] = []
        while (token := self._next()) and token not in ("=", "]", "]]", "\n", "{", "}", ","):
            self._at += 1
            if token != ".":
                keys.append(_unquoted(token))
        return tuple(keys)

    def _member(self, table: Keys, depth: int) -> None:
        start = self._tokens[self._at][1]
        path = (*table, *self._key())
        for end in range(len(table) + 1, len(path)):
            self.found.setdefault(path[:end], start)
        if self._next() != "=":
            self._at += 1
            return
        self._at += 1
        self._value(path, depth)

    def _value(self, path: Keys, depth: int) -> None:
        if self._at >= len(self._tokens) or depth > _MOST_DEPTH:
            self._at = len(self._tokens)
            return
        token, start = self._tokens[self._at]
        self.found.setdefault(path, start)
        self._at += 1
        if token == "{":
            self._inside(path, "}", depth)
        elif token in ("[", "[["):
            if token == "[[":
                self._tokens[self._at - 1 : self._at] = [("[", start), ("[", start + 1)]
            self._inside(path, "]", depth)
        else:
            # A number with a fraction and a date with blanks are several tokens.
            while (rest := self._next()) and rest not in (",", "]", "]]", "}", "\n") and rest[0] != "#":
                self._at += 1

    def _inside(self, path: Keys, close: str, depth: int) -> None:
        number = 0
        while token := self._next():
            if token == "]]" and close == "]":
                start = self._tokens[self._at][1]
                self._tokens[self._at : self._at + 1] = [("]", start), ("]", start + 1)]
                token = "]"
            if token == close:
                self._at += 1
                return
            if token in (",", "\n") or token[0] == "#":
                self._at += 1
            elif close == "}":
                self._member(path, depth + 1)
            else:
                self._value((*path, number), depth + 1)
                number += 1


def _unquoted(token: str) -> str:
    if token[0] == "'":
        return token.strip("'")
    if token[0] != '"':
        return token
    import json

    try:
        return str(json.loads(token))
    except ValueError:
        return token.strip('"')
