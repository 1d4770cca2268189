"""Checks the entries of a list one by one: an odd entry costs only itself, and says why it is odd."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

ListKind = Literal["tools", "resources", "templates", "prompts"]


@dataclass(frozen=True, slots=True)
class Catalogued:
    """Where a kind of list lives on the wire: method, member of the result, capability, identifying member."""

    method: str
    member: str
    capability: str
    key: str


LISTS: dict[ListKind, Catalogued] = {
    "tools": Catalogued("tools/list", "tools", "tools", "name"),
    "resources": Catalogued("resources/list", "resources", "resources", "uri"),
    "templates": Catalogued("resources/templates/list", "resourceTemplates", "resources", "uriTemplate"),
    "prompts": Catalogued("prompts/list", "prompts", "prompts", "name"),
}


@dataclass(frozen=True, slots=True)
class Oddity:
    """An entry that a strict client would refuse: its place in the list, and why. `member` is the one that is odd;
    empty where it is the whole."""

    index: int
    reason: str
    member: str = ""


def oddities(kind: ListKind, entries: list[Any]) -> list[Oddity]:
    """What is wrong with entries, several reasons for one entry where there are several. Never raises."""
    found: list[Oddity] = []
    seen: dict[str, int] = {}
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            found.append(Oddity(index, f"not an object but {json_type(entry)}"))
            continue
        key = LISTS[kind].key
        name = entry.get(key)
        if not isinstance(name, str):
            found.append(
                Oddity(
                    index,
                    f"no {key}" if name is None else f"{key} is not a string but {json_type(name)}",
                    key,
                )
            )
        elif name in seen:
            found.append(Oddity(index, f"the same {key} as entry {seen[name]}", key))
        else:
            seen[name] = index
        found.extend(Oddity(index, reason, member) for member, reason in _reasons(kind, entry))
    return found


def _reasons(kind: ListKind, entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The member that is odd, and why."""
    if kind == "tools":
        yield from (("inputSchema", reason) for reason in _tool_reasons(entry))
    elif kind == "prompts":
        arguments = entry.get("arguments")
        if arguments is not None and not isinstance(arguments, list):
            yield "arguments", f"arguments is not a list but {json_type(arguments)}"
    elif not isinstance(entry.get("name"), str):
        yield "name", "no name"
    description = entry.get("description")
    if description is not None and not isinstance(description, str):
        yield "description", f"description is not a string but {json_type(description)}"


def _tool_reasons(entry: Mapping[str, Any]) -> Iterator[str]:
    if "inputSchema" not in entry:
        yield "no inputSchema"
        return
    schema = entry["inputSchema"]
    if not isinstance(schema, dict):
        yield f"inputSchema is not an object but {json_type(schema)}"
        return
    if schema.get("type") != "object":
        yield 'inputSchema has no "type": "object"'
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        yield f"inputSchema.properties is not an object but {json_type(properties)}"
        return
    for name, part in properties.items():
        if not isinstance(part, dict | bool):
            yield f"inputSchema.properties.{name} is not a schema but {json_type(part)}"


def json_type(value: Any) -> str:
    """The JSON name of a decoded value's type, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
