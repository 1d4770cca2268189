"""Where the command line of an entry stands in the text of a config: JSON, TOML or YAML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector.base import jsontext
from inspector.base.patterns import pattern
from inspector.config.document import Document, Keys, Placed
from inspector.config.jsonc import Document as Json

_STRING = pattern(r'"(?!"")(?:[^"\\\n]|\\.)*"|\'(?!\'\')[^\'\n]*\'')
_REST_OF_LIST = pattern(r"(?:[\s,]|#[^\n]*)*\]")
_OWN_LINE = pattern(r"[ \t]*(?:[\w\"'.-]+\.)?command[ \t]*=[ \t]*$")


class Span(NamedTuple):
    start: int
    end: int


class Spans(NamedTuple):
    """`program` is None where `arguments` holds the program too, and `arguments` where there are none. `joint` is what
    stands between two new items of that list, `member` what stands before a list that is new behind the program."""

    program: Span | None
    arguments: Span | None
    items: Sequence[Span]
    joint: str
    member: str


def spans(document: Document, keys: Keys, names: tuple[str, str]) -> Spans | None:
    """Those of the object at `keys`, where `names` are its program and its arguments; None where they cannot be told
    for certain."""
    if isinstance(document, Json):
        return _of_json(document, keys, names)
    if isinstance(document, Placed):
        return (
            _of_toml(document, keys, names)
            if document.language == "toml"
            else _of_yaml(document, keys, names)
        )
    return None


def _of_json(document: Json, keys: Keys, names: tuple[str, str]) -> Spans:
    strict, text = document.strict_text, document.text
    offset = jsontext.skip_space(strict, 0)
    for key in keys:
        offset = [child.start for child in jsontext.children(strict, offset) if child.key == key][-1]
    members = {child.key: child for child in jsontext.children(strict, offset)}
    program: jsontext.Member | None = members[names[0]]
    arguments = members.get(names[1])
    if program is not None and strict[program.start] != '"':
        program, arguments = None, program
    items = jsontext.children(strict, arguments.start) if arguments is not None else []
    member = f', "{names[1]}": '
    if program is not None:
        line = text[text.rfind("\n", 0, program.start) + 1 : program.start]
        if line.lstrip().startswith(f'"{names[0]}"'):
            indent = line[: len(line) - len(line.lstrip())]
            member = f',{_line_end(text)}{indent}"{names[1]}": '
    return Spans(
        Span(program.start, program.end) if program is not None else None,
        Span(arguments.start, arguments.end) if arguments is not None else None,
        [Span(item.start, item.end) for item in items],
        _joint(text, arguments.start, items[0].start) if arguments is not None and items else ", ",
        member,
    )


def _of_toml(document: Placed, keys: Keys, names: tuple[str, str]) -> Spans | None:
    text = document.text

    def string(path: Keys) -> Span | None:
        start = document.offset(path)
        found = _STRING.match(text, start) if start is not None else None
        return Span(*found.span()) if found is not None else None

    program = string((*keys, names[0]))
    if program is None:
        return None
    line = text[text.rfind("\n", 0, program.start) + 1 : program.start]
    prefix = line.rpartition(names[0])[0]
    is_own = _OWN_LINE.match(line) is not None
    member = f"{_line_end(text)}{prefix}{names[1]} = " if is_own else f", {names[1]} = "
    start = document.offset((*keys, names[1]))
    if start is None:
        return Spans(program, None, (), ", ", member)
    items: list[Span] = []
    while (item := string((*keys, names[1], len(items)))) is not None:
        items.append(item)
    end = _REST_OF_LIST.match(text, items[-1].end if items else start + 1)
    if text[start] != "[" or end is None:
        return None
    joint = _joint(text, start, items[0].start) if items else ", "
    return Spans(program, Span(start, end.end()), items, joint, member)


def _of_yaml(document: Placed, keys: Keys, names: tuple[str, str]) -> Spans | None:
    import yaml

    text = document.text
    node: Any = yaml.compose(text, yaml.SafeLoader)
    try:
        for key in keys:
            node = node.value[key] if isinstance(key, int) else dict(_members(node))[key][1]
        members = dict(_members(node))
        name, program = members[names[0]]
    except KeyError:
        return None  # it is merged in from elsewhere
    arguments = members[names[1]][1] if names[1] in members else None
    if not isinstance(program.value, str):
        name, program, arguments = name, None, program
    column = name.start_mark.column
    member = f", {names[1]}: " if node.flow_style else f"{_line_end(text)}{' ' * column}{names[1]}: "
    if arguments is None:
        return Spans(_span(program), None, (), ", ", member)
    items = list(map(_span, arguments.value))
    joint = ", "
    if items and arguments.flow_style:
        joint = _joint(text, arguments.start_mark.index, items[0].start)
    elif items:
        joint = f"{_line_end(text)}{' ' * arguments.start_mark.column}- "
    return Spans(_span(program) if program is not None else None, _span(arguments), items, joint, member)


def _members(node: Any) -> list[tuple[str, tuple[Any, Any]]]:
    return [(str(key.value), (key, value)) for key, value in node.value]


def _span(node: Any) -> Span:
    return Span(node.start_mark.index, node.end_mark.index)


def _joint(text: str, start: int, first: int) -> str:
    """Each item is placed as the first one of its list is."""
    space = text[start + 1 : first]
    return f",{space}" if space and not space.strip() else ", "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
