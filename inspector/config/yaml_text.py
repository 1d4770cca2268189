"""YAML of other programs, with the place of every value: words mean what YAML 1.2 says, nothing is constructed, and
references may not stand for more than a file could hold."""

from __future__ import annotations

from typing import Any

from inspector.base.patterns import pattern
from inspector.config.document import Keys, Placed
from inspector.config.jsonc import Broken, Lines, Number

MAX_CHARACTERS = 500_000
_MOST_VALUES = 100_000
_INT = pattern(r"[-+]?[0-9]{1,4000}$")
_FLOAT = pattern(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
_STR, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"


def parse(text: str) -> Placed:
    """Raises Broken with the place of the mistake."""
    import yaml

    lines = Lines(text)
    if len(text) > MAX_CHARACTERS:
        raise Broken(f"the file has {len(text)} characters; YAML is read up to {MAX_CHARACTERS}")
    try:
        node = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        what = str(error.problem or error.context or "no YAML")
        if what.startswith("but ") and error.context:
            what = f"{error.context}, {what}"
        raise Broken(_plain(what), line, column, lines.excerpt(line, column)) from None
    except yaml.reader.ReaderError as error:
        line, column = lines.position(min(error.position, len(text)))
        raise Broken(
            f"the character U+{int(error.character):04X} is not allowed in YAML", line, column
        ) from None
    except RecursionError:
        raise Broken("the file is nested too deeply to be a config file") from None
    except (yaml.YAMLError, ValueError) as error:
        raise Broken(f"no YAML: {error}") from None
    reader = _Reader(lines)
    try:
        value = reader.read(node, ()) if node is not None else None
    except RecursionError:
        raise Broken("the file is nested too deeply to be a config file") from None
    return Placed("yaml", text, value, lambda: reader.places, reader.duplicates)


def _plain(what: str) -> str:
    """The two commonest mistakes in words that say what to do."""
    if "character '\\t'" in what:
        return "a tab: YAML is indented by spaces only"
    if "but found '<stream end>'" in what:
        return "the text ends too early: a bracket, brace or quote is not closed"
    return what


class _Reader:
    """Makes plain data of nodes."""

    def __init__(self, lines: Lines) -> None:
        self.places: dict[Keys, int] = {}
        self.duplicates: list[Keys] = []
        self._lines = lines
        self._count = 0
        self._open: set[int] = set()

    def read(self, node: Any, path: Keys) -> Any:
        self._count += 1
        if self._count > _MOST_VALUES:
            raise self._broken(node, f"references (*name) that stand for more than {_MOST_VALUES} values")
        self.places[path] = node.start_mark.index
        if not isinstance(node.value, list):
            return _scalar(node)
        if id(node) in self._open:
            raise self._broken(node, "a reference (*name) to what it stands in has no end")
        self._open.add(id(node))
        value = self._mapping(node, path) if _is_mapping(node) else self._sequence(node, path)
        self._open.discard(id(node))
        return value

    def _sequence(self, node: Any, path: Keys) -> list[Any]:
        return [self.read(item, (*path, number)) for number, item in enumerate(node.value)]

    def _mapping(self, node: Any, path: Keys) -> dict[str, Any]:
        """A merge (`<<`) gives way to what stands there itself, and an earlier one of a list to none behind it."""
        merged: dict[str, Any] = {}
        members = []
        for key, member in node.value:
            if isinstance(key.value, list):
                raise self._broken(key, "a name must be a word or a text in quotes")
            if key.tag == _MERGE:
                merged = self._merged(member, path) | merged
            else:
                members.append((str(key.value), member))
        self.places[path] = node.start_mark.index
        own: dict[str, Any] = {}
        for name, member in members:
            if name in own:
                self.duplicates.append((*path, name))
            own[name] = self.read(member, (*path, name))
        return merged | own

    def _merged(self, node: Any, path: Keys) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for each in node.value if isinstance(node.value, list) and not _is_mapping(node) else [node]:
            value = self.read(each, path)
            if not isinstance(value, dict):
                raise self._broken(each, "only a mapping can be merged (<<)")
            found = value | found
        return found

    def _broken(self, node: Any, message: str) -> Broken:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        return Broken(message, line, column, self._lines.excerpt(line, column))


def _is_mapping(node: Any) -> bool:
    return bool(node.id == "mapping")


def _scalar(node: Any) -> Any:
    """Only what YAML 1.2 calls so is a number, a truth or nothing; `no`, dates and 12:30 are texts."""
    text = str(node.value)
    if node.style is not None or node.tag == _STR:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if _INT.match(text):
        return int(text)
    return Number(text) if _FLOAT.match(text) else text
