"""One long JSON document, read a piece at a time: what is held is never more than one item of its list."""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from inspector.base import jsontext, numbers
from inspector.base.jsontext import Malformed

_STEP = 1 << 18
_MARGIN = 16
"""What breaks off at the end of the text at hand can be a word or an escape, which are not longer."""


class TooLarge(ValueError):
    """One value of the document is larger than what may be held."""


def items(source: BinaryIO, path: Sequence[str], most: int, about: dict[str, Any]) -> Iterator[Any]:
    """The items of the list at a path of member names, numbers as spelled (see `numbers.spelled`); nothing where
    there is no such list. Members that stand beside the way to it go into `about` as they are passed, those behind it
    at the end. Raises Malformed with the offset in characters, TooLarge for a value of more than `most` characters."""
    return _Reader(source, most).items(list(path), about)


class _Reader:
    def __init__(self, source: BinaryIO, most: int) -> None:
        self._source = source
        self._decode = getincrementaldecoder("utf-8-sig")("replace").decode
        self._most = most
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False

    def items(self, path: list[str], about: dict[str, Any]) -> Iterator[Any]:
        if not path:
            if self._next() == "[":
                for _ in self._parts("]"):
                    yield self._value()
            else:
                self._value()
            return
        if self._next() != "{":
            self._value()
            return
        for _ in self._parts("}"):
            name = self._value()
            self._expect(":")
            if name == path[0] and self._next() == ("{" if path[1:] else "["):
                yield from self.items(path[1:], about)
            else:
                about[str(name)] = self._value()

    def _parts(self, closing: str) -> Iterator[None]:
        """Stops before each part of the list or object that begins here, and behind its end."""
        self._at += 1
        mark = self._next()
        while mark != closing:
            yield
            mark = self._next()
            if mark not in (",", closing):
                raise self._malformed("two values without a comma between them")
            self._at += mark == ","
        self._at += 1

    def _expect(self, mark: str) -> None:
        if self._next() != mark:
            raise self._malformed(f"a {mark} is missing")
        self._at += 1

    def _next(self) -> str:
        """The first character that is no space."""
        while True:
            self._at = jsontext.skip_space(self._text, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                raise self._malformed("the text ends too early")

    def _value(self) -> Any:
        self._next()
        step = _STEP
        while True:
            try:
                value, end = numbers.spelled_from(self._text, self._at)
            except json.JSONDecodeError as error:
                goes_on = error.pos >= len(self._text) - _MARGIN or error.msg.startswith(
                    "Unterminated string"
                )
                if not (goes_on and self._more(step)):
                    raise Malformed(
                        error.msg[:1].lower() + error.msg[1:], self._before + error.pos
                    ) from error
            else:
                # A number may go on: 1 is the beginning of 1.5, and of 1e5.
                goes_on = self._text[end : end + 1] in ("", ".", "e", "E") and end > len(self._text) - _MARGIN
                if not (goes_on and self._more(step)):
                    self._at = end
                    return value
            step = min(2 * step, self._most)

    def _more(self, step: int = 0) -> bool:
        """Reads on; what has been passed is forgotten."""
        if self._ended:
            return False
        if len(self._text) - self._at > self._most:
            raise TooLarge(f"a value of more than {self._most} characters")
        raw = self._source.read(step or _STEP)
        self._ended = not raw
        self._before += self._at
        self._text = self._text[self._at :] + self._decode(raw, final=self._ended)
        self._at = 0
        return True

    def _malformed(self, what: str) -> Malformed:
        return Malformed(what, self._before + self._at)
