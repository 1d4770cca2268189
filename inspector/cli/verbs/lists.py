"""`tools`, `resources`, `templates`, `prompts`: what servers list, every page, every entry as served."""

from __future__ import annotations

import asyncio
import json
import textwrap
from typing import Any

from inspector.base.errors import Exit, Failed, Failure
from inspector.base.text import first_line
from inspector.cli.running import Run
from inspector.cli.verbs.skill_notes import offered
from inspector.protocol.listing import LISTS, ListKind
from inspector.session.listings import Listing
from inspector.workspace.connection import Connection


async def run(run: Run, kind: ListKind) -> int:
    """Connects to every chosen server side by side and prints one list a server."""
    connections = run.wanted
    run.workspace.start([connection.name for connection in connections if connection.error is None])
    outcomes = await asyncio.gather(*(_read(connection, kind) for connection in connections))
    code = max((_exit(outcome) for outcome in outcomes), default=Exit.OK)
    if run.arguments.json:
        documents = [_document(run, kind, *pair) for pair in zip(connections, outcomes, strict=True)]
        run.output.document(documents[0] if run.target.single else documents)
    else:
        _print(run, kind, connections, outcomes)
    return code


async def _read(connection: Connection, kind: ListKind) -> Listing | Failure:
    await connection.settled()
    if connection.catalog is None or connection.state != "ready":
        return connection.error or Failure(kind="cancelled", message="the connection was closed")
    try:
        listing = await connection.catalog.ask(kind)
        if kind == "resources":
            listing.warnings += await offered(connection)
        return listing
    except Failed as failed:
        return failed.failure


def _exit(outcome: Listing | Failure) -> int:
    failure = outcome if isinstance(outcome, Failure) else outcome.failure
    return failure.exit if failure is not None else Exit.OK


def _document(run: Run, kind: ListKind, connection: Connection, outcome: Listing | Failure) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {"server": connection.name, "error": run.error_json(outcome)}
    if outcome.failure is not None:
        return {"server": connection.name, "error": run.error_json(outcome.failure)}
    return {
        "server": connection.name,
        kind: [
            outcome.entries[index] if index in outcome.broken else run.output.served(text)
            for index, text in enumerate(outcome.texts())
        ],
        "pages": outcome.pages,
        "invalid": [{"index": oddity.index, "reason": run.mask(oddity.reason)} for oddity in outcome.invalid],
        "warnings": [run.mask(text) for text in outcome.warnings + _session_warnings(connection)],
    }


def _session_warnings(connection: Connection) -> list[str]:
    return connection.session.warnings if connection.session is not None else []


def _print(
    run: Run, kind: ListKind, connections: list[Connection], outcomes: list[Listing | Failure]
) -> None:
    blocks: list[str] = []
    for connection, outcome in zip(connections, outcomes, strict=True):
        failure = outcome if isinstance(outcome, Failure) else outcome.failure
        if failure is not None:
            run.diagnostics.failed(connection.name, failure)
            continue
        assert isinstance(outcome, Listing)
        lines = (
            [f"{connection.name}: {_counted(len(outcome.entries), kind)}"] if not run.target.single else []
        )
        indent = "" if run.target.single else "  "
        odd = {oddity.index: oddity.reason for oddity in reversed(outcome.invalid)}
        lines += [
            line
            for index, entry in enumerate(outcome.entries)
            for line in _entry(kind, entry, odd.get(index), indent)
        ]
        blocks.append("\n".join(lines) if lines else f"no {kind}")
        for warning in outcome.warnings + _session_warnings(connection):
            run.diagnostics.say(f"{connection.name}: {warning}")
    if blocks:
        run.output.text("\n".join(blocks))


def _counted(count: int, kind: ListKind) -> str:
    return f"{count} {kind[:-1] if count == 1 else kind}"


def _entry(kind: ListKind, entry: Any, odd: str | None, indent: str) -> list[str]:
    if not isinstance(entry, dict):
        return [f"{indent}! {json.dumps(entry, ensure_ascii=False):.60} ({odd})"]
    name = entry.get(LISTS[kind].key)
    head = str(name) if isinstance(name, str) else "(no name)"
    if kind == "tools":
        head += _signature(entry.get("inputSchema"))
    elif kind == "prompts" and isinstance(arguments := entry.get("arguments"), list):
        head += _arguments(arguments)
    elif kind in ("resources", "templates"):
        head += "".join(f"  {entry[key]}" for key in ("name", "mimeType") if isinstance(entry.get(key), str))
    lines = [indent + head + (f"   ! {odd}" if odd else "")]
    description = entry.get("description") or entry.get("title")
    if isinstance(description, str) and description.strip():
        lines += [indent + "    " + line for line in textwrap.wrap(first_line(description), 96)[:2]]
    return lines


def _signature(schema: Any) -> str:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return "()"
    required = schema.get("required")
    wanted = required if isinstance(required, list) else []
    parts = []
    for name, part in properties.items():
        kind = part.get("type") if isinstance(part, dict) else None
        parts.append(
            f"{name}{'' if name in wanted else '?'}" + (f": {kind}" if isinstance(kind, str) else "")
        )
    return f"({', '.join(parts)})"


def _arguments(arguments: list[Any]) -> str:
    names = [
        f"{argument.get('name')}{'' if argument.get('required') is True else '?'}"
        for argument in arguments
        if isinstance(argument, dict)
    ]
    return f"({', '.join(names)})"
