"""Under which key the servers of a file are. The shape tells the container, never the variable syntax.

One exception: `servers` beside `inputs` is VS Code's, wherever the file lies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from inspector.config.dialects import Dialect


def is_vscode_shape(value: Any) -> bool:
    return isinstance(value, dict) and "servers" in value and "inputs" in value and "mcpServers" not in value


ABSENT: Any = object()


class Container(NamedTuple):
    """Where the servers of a file are: `path` leads to the map or list, `named` are pairs of server name and path."""

    path: tuple[str | int, ...]
    named: tuple[tuple[str, tuple[str | int, ...]], ...]


_ROOTS: tuple[tuple[str, ...], ...] = (
    ("mcpServers",),
    ("servers",),
    ("mcp", "servers"),
    ("mcp", "mcpServers"),
    ("context_servers",),
    ("mcp_servers",),
    ("mcp",),
)
_ENTRY_KEYS = frozenset({"command", "url", "httpUrl", "serverUrl"})


def roots_in(value: Any, dialect: Dialect) -> list[tuple[str, ...]]:
    """The keys under which this file holds servers, the client's own first. `mcp` alone counts only where its
    members look like servers."""
    order = dict.fromkeys((*dialect.roots, *_ROOTS))
    found = [root for root in order if pick(value, root) is not ABSENT]
    return [
        root for root in found if root != ("mcp",) or (len(found) == 1 and is_bare_map(pick(value, root)))
    ]


def pick(value: Any, path: tuple[str | int, ...]) -> Any:
    """The value at `path`, or `ABSENT`."""
    for key in path:
        in_object = isinstance(value, dict) and key in value
        if not in_object and not (isinstance(value, list) and isinstance(key, int) and key < len(value)):
            return ABSENT
        value = value[key]
    return value


def is_bare_entry(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(key), str | list) for key in _ENTRY_KEYS)


def is_bare_map(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(map(_like_entry, value.values()))


def _like_entry(value: Any) -> bool:
    return isinstance(value, dict) and (
        bool(_ENTRY_KEYS & value.keys()) or value.get("type") in ("local", "remote")
    )


def container_at(value: Any, path: tuple[str | int, ...]) -> Container | str:
    """The servers below `path`; a text says why there are none."""
    found = pick(value, path)
    if isinstance(found, dict):
        return Container(path, tuple((name, (*path, name)) for name in found))
    if isinstance(found, list):
        return Container(path, tuple((_item_name(item, i), (*path, i)) for i, item in enumerate(found)))
    return f"{'.'.join(map(str, path))} must be an object of servers, not {kind_of(found)}"


def _item_name(item: Any, index: int) -> str:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) and name else f"#{index}"


def kind_of(value: Any) -> str:
    """What a JSON value is called."""
    names = {dict: "object", list: "list", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
