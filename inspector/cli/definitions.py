"""The tool definitions that a command line names: those of a file, or those that live servers list."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Failed, Failure, fail
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.mistaken import refuse_mistaken
from inspector.cli.running import Run
from inspector.cli.targets import DEFAULT, DEMO, is_recording, is_url, target_word
from inspector.config.dialects import COMMON
from inspector.config.shapes import is_bare_entry, is_bare_map, roots_in
from inspector.workspace.connection import Connection

_SHAPES = 'a FILE holds a tool object, a list of them, or {"tools": [...]}'
_TOOLS = re.compile(r'\s*(\[|\{\s*"tools"\s*:)')
"""How a text begins that is no config, whatever is wrong with it."""
_LARGEST = 256 * 1024 * 1024


@dataclass(slots=True)
class Definitions:
    """The tools of one file or server, as served: entries may be anything. `server` is None for a file; `failure`
    is set where the server did not give its list."""

    server: str | None
    tools: list[Any] = field(default_factory=list)
    failure: Failure | None = None
    warnings: list[str] = field(default_factory=list)


def wanted_tool(arguments: Arguments) -> str | None:
    """The operand TOOL."""
    at = 0 if arguments.command is not None else 1
    return arguments.operands[at] if len(arguments.operands) > at else None


def of_file(arguments: Arguments) -> Definitions | None:
    """The tools of the file that is named; None where the operand is a target. Raises Usage, Failed (config)."""
    word = target_word(arguments)
    if arguments.command is not None or word in (DEMO, DEFAULT) or is_url(word):
        return None
    path = Path(word)
    try:
        if not path.is_file() or is_recording(word):
            return None
        if path.stat().st_size > _LARGEST:
            raise fail("config", f"{word} is larger than 256 MiB", _SHAPES)
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise fail("config", f"{word} cannot be read: {error.strerror}", "name another file") from error
    except UnicodeDecodeError:
        return None
    try:
        value = numbers.spelled(text)
    except ValueError as error:
        refuse_mistaken(word, arguments)
        if not _TOOLS.match(text) and ('"inputSchema"' not in text or '"mcpServers"' in text):
            # Configs may hold comments; the reader of configs says what is wrong with this one.
            return None
        line, column = numbers.place(text, getattr(error, "pos", getattr(error, "position", 0)))
        said = getattr(error, "msg", str(error))
        raise fail(
            "config", f"{word}:{line}:{column}: not JSON: {said[:1].lower()}{said[1:]}", _SHAPES
        ) from error
    tools = _tools(value, word)
    if tools is None:
        return None
    if arguments.server:
        raise Usage(f"{word} holds tools and no servers: leave out -s")
    if arguments.record:
        raise Usage(f"{word} holds tools, nothing is connected to: leave out --record")
    return Definitions(None, tools)


def _tools(value: Any, word: str) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        raise fail("config", f"{word} holds {_called(value)}, no tools", _SHAPES)
    if is_bare_entry(value) or is_bare_map(value) or roots_in(value, COMMON):
        return None
    if isinstance(value.get("tools"), list):
        tools: list[Any] = value["tools"]
        return tools
    if "inputSchema" in value or isinstance(value.get("name"), str):
        return [value]
    raise fail("config", f"{word} holds neither tools nor servers{_hint(value)}", _SHAPES)


def _hint(value: dict[str, Any]) -> str:
    if "tools" in value:
        return f": its member tools is {_called(value['tools'])} and no list"
    inside = next((name for name in ("tool", "result", "params") if isinstance(value.get(name), dict)), None)
    if inside is not None:
        return f": what is under {inside} has to stand in a file of its own"
    if "properties" in value or "type" in value or "$schema" in value:
        return ': it looks like a schema alone; write {"name": "any", "inputSchema": ...} around it'
    return ""


def _called(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return numbers.dumps(value)
    if isinstance(value, str):
        return "a string"
    return "a number" if isinstance(value, int | float) else "an object"


async def of_servers(run: Run) -> list[Definitions]:
    """The tools of every chosen server, read side by side."""
    connections = run.wanted
    run.workspace.start([connection.name for connection in connections if connection.error is None])
    return list(await asyncio.gather(*map(_of_server, connections)))


async def _of_server(connection: Connection) -> Definitions:
    found = Definitions(connection.name)
    await connection.settled()
    if connection.catalog is None or connection.state != "ready":
        found.failure = connection.error or Failure(kind="cancelled", message="the connection was closed")
        return found
    try:
        listing = await connection.catalog.ask("tools")
    except Failed as failed:
        found.failure = failed.failure
        return found
    found.failure = listing.failure
    found.warnings = list(listing.warnings)
    texts = listing.texts()
    found.tools = list(map(_as_spelled, texts, listing.entries)) if texts else listing.entries
    return found


def _as_spelled(text: str, entry: Any) -> Any:
    """An entry read anew, since what was decoded for us has lost the spelling of its numbers."""
    try:
        return numbers.spelled(text)
    except ValueError:
        return entry


def name_of(tool: Any) -> str | None:
    """The name of a tool; None where it has none."""
    name = tool.get("name") if isinstance(tool, dict) else None
    return name if isinstance(name, str) else None


def schema_of(tool: Any) -> Any:
    """The input schema as it stands; None where there is none."""
    return tool.get("inputSchema") if isinstance(tool, dict) else None


def choose(found: list[Definitions], name: str | None) -> list[Definitions]:
    """Leaves the tools of that name, and the servers that have one or failed. Raises Failed (config) where nobody
    has it and nobody failed; the nearest name is told. Of several of one name the first is left, with a warning."""
    if name is None:
        return found
    left = []
    for one in found:
        tools = _of_name(one.tools, name)
        warnings = list(one.warnings)
        if len(tools) > 1:
            warnings.append(f"{len(tools)} tools are called {name}: this is the first, {name}#2 the second")
        if tools or one.failure is not None:
            left.append(Definitions(one.server, tools[:1], one.failure, warnings))
    if not left:
        names = [known for one in found for tool in one.tools if (known := name_of(tool)) is not None]
        raise fail("config", f"there is no tool {name}", _nearest(name, names))
    return left


def _of_name(tools: list[Any], name: str) -> list[Any]:
    """The tools that are called so; for NAME#2 the second one of a name, where no tool is called just that."""
    same = [tool for tool in tools if name_of(tool) == name]
    first, mark, place = name.rpartition("#")
    if same or not (mark and place.isascii() and place.isdigit() and len(place) < 6):
        return same
    return [tool for tool in tools if name_of(tool) == first][: int(place)][int(place) - 1 :]


def operands(tools: list[Any]) -> list[str]:
    """What each of the tools is called by on a command line."""
    times: Counter[str] = Counter()
    found = []
    for tool in tools:
        name = str(name_of(tool))
        times[name] += 1
        found.append(name if times[name] == 1 else f"{name}#{times[name]}")
    return found


def _nearest(name: str, names: list[str]) -> str:
    import difflib

    folded = {known.casefold(): known for known in reversed(names)}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.5)
    close = close or [known for known in folded if name and name.casefold() in known][:1]
    if close:
        return f"did you mean {folded[close[0]]}?"
    shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    return f"there are: {shown or 'none'}"
