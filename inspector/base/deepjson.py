"""Reads JSON that is nested deeper than the recursive readers can take."""

from __future__ import annotations

import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from inspector.base.jsontext import Malformed
from inspector.base.patterns import pattern

_TOKEN = pattern(
    r"[ \t\n\r]*(?:(?P<mark>[\[\]{}:,\"])|(?P<number>-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?)"
    r"|(?P<word>true|false|null))"
)
_WORDS = {"true": True, "false": False, "null": None}


def read(text: str, integer: Callable[[str], Any], real: Callable[[str], Any]) -> Any:
    """The value of a JSON text, its numbers made by `integer` and `real`. Raises Malformed, a ValueError."""
    return _Reader(text, integer, real).whole()


class _Reader:
    def __init__(self, text: str, integer: Callable[[str], Any], real: Callable[[str], Any]) -> None:
        self._text = text
        self._integer = integer
        self._real = real
        self._at = 0

    def whole(self) -> Any:
        value = self._value()
        if self._text[self._at :].strip(" \t\n\r"):
            raise Malformed("extra data", self._at)
        return value

    def _next(self) -> re.Match[str]:
        token = _TOKEN.match(self._text, self._at)
        if token is None:
            raise Malformed("no JSON value", self._at)
        self._at = token.end()
        return token

    def _value(self) -> Any:
        """One value with all that is in it. Containers that are still open lie on a stack, not on Python's."""
        open_ones: list[Any] = []
        key = ""
        keys: list[str] = []
        token = self._next()
        while True:
            mark = token["mark"]
            if mark == "[" or mark == "{":
                value: Any = [] if mark == "[" else {}
                token = self._next()
                if token["mark"] != ("]" if mark == "[" else "}"):
                    open_ones.append(value)
                    keys.append(key)
                    if mark == "{":
                        key, token = self._key(token)
                    continue
            else:
                value = self._scalar(token)
            while open_ones:
                above = open_ones[-1]
                if isinstance(above, list):
                    above.append(value)
                else:
                    above[key] = value
                token = self._next()
                if token["mark"] == ",":
                    token = self._next()
                    if isinstance(above, dict):
                        key, token = self._key(token)
                    break
                if token["mark"] != ("]" if isinstance(above, list) else "}"):
                    raise Malformed("a comma or the end was expected", token.end() - 1)
                value, key = open_ones.pop(), keys.pop()
            else:
                return value

    def _key(self, token: re.Match[str]) -> tuple[str, re.Match[str]]:
        """The name of a member, and the token behind its colon."""
        if token["mark"] != '"':
            raise Malformed("a member without a name", token.end() - 1)
        key = self._scalar(token)
        if self._next()["mark"] != ":":
            raise Malformed("a member without a colon", self._at - 1)
        return key, self._next()

    def _scalar(self, token: re.Match[str]) -> Any:
        if (word := token["word"]) is not None:
            return _WORDS[word]
        if (number := token["number"]) is not None:
            return self._integer(number) if number.lstrip("-").isdigit() else self._real(number)
        if token["mark"] != '"':
            raise Malformed("no JSON value", token.end() - 1)
        try:
            text, self._at = scanstring(self._text, self._at, True)
        except ValueError as error:
            raise Malformed("a string that does not end or has a broken escape", token.end() - 1) from error
        return text
