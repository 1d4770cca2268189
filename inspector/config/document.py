"""A decoded config file, whatever it is written in: its data, and where every value stands in the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import Any, Protocol

from inspector.base.patterns import pattern
from inspector.config import jsonc
from inspector.config.jsonc import Broken, Lines

Keys = tuple[str | int, ...]

SUFFIXES: Mapping[str, str] = {
    ".json": "json",
    ".jsonc": "json",
    ".json5": "json",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
}
_TOML_LINE = pattern(r"(?m)^[ \t]*(?:\[\[?[^\[\]{}\"',:]+\]\]?[ \t]*(?:#.*)?$|[\w.\"'-]+[ \t]*=)")
_YAML_LINE = pattern(r"(?m)^(?:---|- |[\w\"'-]+:)(?:[ \t]|$)")


class Document(Protocol):
    """`value` is plain data, `language` is one of those of `SUFFIXES`. `relaxed` is the offset of the first comment or
    trailing comma of a JSON text, None elsewhere; `duplicates` are the paths of names that occur more than once (the
    last one counts)."""

    text: str
    value: Any
    language: str
    relaxed: int | None
    duplicates: list[Keys]

    def position(self, path: Sequence[str | int]) -> tuple[int, int]:
        """Line and column of the value at `path`, or of the nearest one above it that is known."""
        ...

    def position_at(self, offset: int) -> tuple[int, int]: ...

    def excerpt(self, line: int, column: int = 1) -> str:
        """That line as it may be shown; of a long one what stands round the column."""
        ...


class Placed:
    """A document whose places are found all at once, when the first one is asked for."""

    relaxed: int | None = None

    def __init__(
        self,
        language: str,
        text: str,
        value: Any,
        find: Callable[[], Mapping[Keys, int]],
        duplicates: list[Keys],
    ) -> None:
        self.language = language
        self.text = text
        self.value = value
        self.duplicates = duplicates
        self._find = find
        self._lines = Lines(text)

    @cached_property
    def _places(self) -> Mapping[Keys, int]:
        return self._find()

    def position(self, path: Sequence[str | int]) -> tuple[int, int]:
        keys = tuple(path)
        while keys and keys not in self._places:
            keys = keys[:-1]
        return self._lines.position(self._places.get(keys, 0))

    def offset(self, path: Keys) -> int | None:
        """Where the value at `path` begins, if that is known."""
        return self._places.get(path)

    def position_at(self, offset: int) -> tuple[int, int]:
        return self._lines.position(offset)

    def excerpt(self, line: int, column: int = 1) -> str:
        return self._lines.excerpt(line, column)


def parse(source: bytes | str, name: str = "") -> Document:
    """Decodes JSON, TOML or YAML, by the ending of `name`, else by what the text looks like. Raises Broken."""
    text = jsonc.decode(source) if isinstance(source, bytes) else source
    if not text.strip():
        raise Broken("the file is empty")
    language = SUFFIXES.get(PurePath(name).suffix.lower()) or language_of(text)
    if language == "toml":
        from inspector.config import toml_text

        return toml_text.parse(text)
    if language == "yaml":
        from inspector.config import yaml_text

        return yaml_text.parse(text)
    return jsonc.parse(text)


def language_of(text: str) -> str:
    """What a text without a file name is written in, by its first lines."""
    head = "\n".join(line for line in text.lstrip("\ufeff")[:8_000].splitlines() if line.strip()[:1] != "#")
    start = head.lstrip()
    if start.startswith(("{", "//", "/*")):
        return "json"
    if _TOML_LINE.match(start):
        return "toml"
    return "yaml" if _YAML_LINE.match(start) else "json"
