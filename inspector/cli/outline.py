"""A form for people to read: its fields line by line, indented as they are nested."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from inspector.base import numbers
from inspector.base.jsonptr import tokens
from inspector.base.text import cells, clip, visible

_WIDTH = 96
_CHOICES = 12


def of(document: dict[str, Any]) -> str:
    """The outline of one FORM document of `form --json`, a line for a field; help is not yet escaped."""
    fields = document["fields"]
    lines = [visible(str(document["tool"] or "(no name)")) + ("" if fields else ": takes no arguments")]
    if any(field["required"] for field in fields):
        lines[0] += "   (* required)"
    lines += _block(fields, "  ")
    lines += [f"  ! {visible(problem)}" for problem in document["problems"]]
    return "\n".join(lines)


def _block(fields: list[dict[str, Any]], indent: str) -> Iterator[str]:
    width = min(28, max((cells(_name(field)) for field in fields), default=0))
    for field in fields:
        name = _name(field)
        kind = field["type"] + (" | null" if field["nullable"] and field["type"] != "null" else "")
        line = f"{indent}{name}{' ' * max(0, width - cells(name))}  {_WIDGETS.get(field['widget'], kind)}"
        if field["widget"] in _WIDGETS and field["nullable"]:
            line += " | null"
        if field["choices"]:
            line += f": {_choices(field['choices'])}"
        yield line
        for text in field["help"].split("\n"):
            yield from textwrap.wrap(
                text, max(_WIDTH, len(indent) + 40), initial_indent=f"{indent}    ",
                subsequent_indent=f"{indent}    ", max_lines=3, placeholder=" …",
            )  # fmt: skip
        if field.get("more"):
            yield f"{indent}    … the same again, or deeper than is shown"
        yield from _inside(field, indent + "    ")


def _inside(field: dict[str, Any], indent: str) -> Iterator[str]:
    yield from _block(field.get("fields", []), indent)
    for part in ("items", "entry"):
        if part in field:
            yield from _block([field[part]], indent)
    for number, branch in enumerate(field.get("branches", [])):
        yield f"{indent}{'or' if number else 'either'} {visible(branch['title'])}"
        yield from _block(branch["fields"], indent + "    ")


_WIDGETS = {"list": "list of", "tuple": "list", "map": "keys and values", "union": "one of", "multi": "several of",
            "choice": "one of", "any": "any value", "json": "JSON", "none": "no value"}  # fmt: skip


def _name(field: dict[str, Any]) -> str:
    """The name of a member, `each` for the items of a list and `any key` for entries."""
    path = tokens(field["pointer"])
    last = path[-1] if path else ""
    if not path:
        return "any argument" if field["widget"] == "map" else "the arguments"
    word = {"-": "each", "*": "any key"}.get(last, last or '""')
    title = field["label"]
    shown = f"{word} ({clip(title, 40)})" if title and title != last and word == last else word
    return visible(shown) + (" *" if field["required"] and word == last else "")


def _choices(choices: list[dict[str, Any]]) -> str:
    shown = []
    for choice in choices[:_CHOICES]:
        value = clip(numbers.dumps(choice["value"]), 40)
        title = choice["title"]
        plain = isinstance(choice["value"], str) and choice["value"] == title
        shown.append(value if plain or title == value else f"{value} ({visible(clip(title, 40))})")
    more = len(choices) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
