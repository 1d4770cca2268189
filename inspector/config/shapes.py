"""Under which key the servers of a file are, and whose file it is where its place does not say so.

The shape of an `mcpServers` map tells no client: many have it, and each with variables of its own. What only one client
writes is that client's, wherever the file lies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from inspector.config.dialects import (
    AMP,
    CLAUDE_CODE,
    CODEX,
    COMMON,
    CONTINUE,
    DEV_CONTAINER,
    GOOSE,
    OPENCODE,
    REGISTRY,
    VSCODE,
    ZED,
    Dialect,
)

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
_ENTRY_KEYS = frozenset({"command", "url", "httpUrl", "serverUrl", "cmd", "uri"})
_GOOSE_TYPES = frozenset(
    {"builtin", "platform", "stdio", "sse", "streamable_http", "frontend", "inline_python"}
)
_MARKS: tuple[tuple[str, str], ...] = (
    ("httpUrl", "gemini"),
    ("trust", "gemini"),
    ("includeTools", "gemini"),
    ("excludeTools", "gemini"),
    ("serverUrl", "windsurf"),
    ("transportType", "cline"),
    ("autoApprove", "cline"),
    ("alwaysLoad", "claude-code"),
    ("headersHelper", "claude-code"),
    ("allowedTools", "solon"),
)
"""Members that one client writes more than others."""


def dialect_of(value: Any) -> Dialect:
    """Whose file this is by its shape; the common profile where several clients write such files."""
    if not isinstance(value, dict):
        return COMMON
    if "servers" in value and "inputs" in value and "mcpServers" not in value:
        return VSCODE
    if is_registry(value):
        return REGISTRY
    for path, dialect in ((("mcp_servers",), CODEX), (("context_servers",), ZED), (AMP.roots[0], AMP)):
        if _entries(pick(value, path)):
            return dialect
    if _entries(pick(value, DEV_CONTAINER.roots[0])):
        return DEV_CONTAINER
    if isinstance(value.get("mcpServers"), list):
        return CONTINUE
    if any(_is_opencode(pick(value, path)) for path in (("mcp", "servers"), ("mcp",))):
        return OPENCODE
    return GOOSE if _is_goose(value.get("extensions")) else COMMON


def neighbour_of(dialect: Dialect, value: Any) -> Dialect:
    """The client that keeps a file of this shape at the place of another one: Visual Studio has VS Code's form in a
    `.mcp.json`."""
    of_an_editor = isinstance(value, dict) and "servers" in value and "mcpServers" not in value
    return VSCODE if dialect is CLAUDE_CODE and of_an_editor else dialect


def looks_like(value: Any) -> str | None:
    """The id of the client that an `mcpServers` map was probably written for, by what its entries hold."""
    servers = value.get("mcpServers") if isinstance(value, dict) else None
    entries = (
        [entry for entry in servers.values() if isinstance(entry, dict)] if isinstance(servers, dict) else []
    )
    for key, id in _MARKS:
        if any(key in entry for entry in entries):
            return id
    types = {entry.get("type") for entry in entries if isinstance(entry.get("type"), str)}
    if "streamableHttp" in types:
        return "cline"
    return "solon" if types & {"streamable", "streamable_stateless"} else None


def is_registry(value: Any) -> bool:
    """A `server.json` of the registry: one server, with the ways to get it."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    lists = [value.get(key) for key in ("packages", "remotes") if key in value]
    return bool(lists) and all(isinstance(each, list) for each in lists) and not _ENTRY_KEYS & value.keys()


def roots_in(value: Any, dialect: Dialect) -> list[tuple[str, ...]]:
    """The keys under which this file holds servers, the client's own first. `mcp` alone counts only where its
    members look like servers, and then what is called `servers` there may be one of them."""
    order = dict.fromkeys((*dialect.roots, *_ROOTS))
    found = [root for root in order if pick(value, root) is not ABSENT]
    inner = pick(value, ("mcp", "servers"))
    if isinstance(inner, dict) and isinstance(inner.get("type"), str):
        found.remove(("mcp", "servers"))
    if dialect is OPENCODE and found == [("mcp",)]:
        return found if isinstance(value["mcp"], dict) else []
    return [
        root for root in found if root != ("mcp",) or (len(found) == 1 and is_bare_map(pick(value, root)))
    ]


def nested_root(value: Any, depth: int = 6) -> list[tuple[str, ...]]:
    """Where an `mcpServers` stands deep in the file of an application, by that name or at the end of a dotted one."""
    members = value.items() if isinstance(value, dict) and depth else ()
    for key, member in members:
        if isinstance(member, dict | list) and key.rpartition(".")[2] == "mcpServers":
            return [(key,)]
    for key, member in members:
        if found := nested_root(member, depth - 1):
            return [(key, *found[0])]
    return []


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


def _entries(value: Any) -> bool:
    return (
        isinstance(value, dict) and bool(value) and any(isinstance(entry, dict) for entry in value.values())
    )


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _is_opencode(value: Any) -> bool:
    return isinstance(value, dict) and any(
        isinstance(entry, dict) and entry.get("type") in ("local", "remote") for entry in value.values()
    )


def _is_goose(value: Any) -> bool:
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    inner = [
        entry.get("config", entry) if isinstance(entry, dict) and "type" not in entry else entry
        for entry in entries
    ]
    return any(
        isinstance(entry, dict)
        and (_word(entry.get("type")) in _GOOSE_TYPES or {"cmd", "uri"} & entry.keys())
        for entry in inner
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
