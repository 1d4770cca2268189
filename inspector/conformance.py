"""The client under test of the official conformance suite: `python -m inspector.conformance URL`.

The suite names the scenario in MCP_CONFORMANCE_SCENARIO, its data in MCP_CONFORMANCE_CONTEXT and the version to be
spoken in MCP_CONFORMANCE_PROTOCOL_VERSION, and starts a server for it. What the scenario asks of a client
is done over the same core that the command line and the app use; what came of it goes to stderr. The exit code is
that of the failure where a connection or an answer failed, else 0.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from inspector.base.errors import Failed, fail
from inspector.conformance_login import Logins
from inspector.protocol.revisions import LATEST_MODERN
from inspector.session.responders import Profile
from inspector.session.session import Options, Session
from inspector.session.skills import list_skills, load, read
from inspector.traffic.unkept import UnkeptLog
from inspector.transports.http_any import http_pipe

_LOGINS = 3
_Scenario = Callable[[Session], Awaitable[None]]


async def _tools(session: Session) -> list[dict[str, Any]]:
    listing = await session.list("tools")
    if listing.failure is not None:
        raise Failed(listing.failure)
    return [entry for entry in listing.entries if isinstance(entry, dict)]


async def _call(session: Session, tool: str, arguments: dict[str, Any]) -> None:
    answer = await session.request("tools/call", {"name": tool, "arguments": arguments})
    if answer.failure is not None:
        raise Failed(answer.failure)
    print(f"{tool}: {answer.result}", file=sys.stderr)


async def _list(session: Session) -> None:
    await _tools(session)


async def _add_numbers(session: Session) -> None:
    await _tools(session)
    await _call(session, "add_numbers", {"a": 5, "b": 3})


async def _elicitation_defaults(session: Session) -> None:
    await _tools(session)
    await _call(session, "test_client_elicitation_defaults", {})


async def _reconnection(session: Session) -> None:
    await _tools(session)
    await _call(session, "test_reconnection", {})


async def _every_standard_header(session: Session) -> None:
    """One request of each kind that has a header of its own."""
    for tool in await _tools(session):
        await _call(session, tool["name"], _filled(tool))
    resources, prompts = await session.list("resources"), await session.list("prompts")
    for entry in resources.entries:
        await session.request("resources/read", {"uri": entry["uri"]})
    for entry in prompts.entries:
        await session.request("prompts/get", {"name": entry["name"]})


async def _custom_headers(session: Session) -> None:
    """Exactly the calls that the scenario names, in its order."""
    await _tools(session)
    for call in _context().get("toolCalls", []):
        await _call(session, call["name"], call.get("arguments", {}))


async def _usable_tools(session: Session) -> None:
    """Every tool; those that must not be used are refused by the core, which is no failure here."""
    for tool in await _tools(session):
        try:
            await _call(session, tool["name"], _filled(tool))
        except Failed as failed:
            print(failed.failure.message, file=sys.stderr)


async def _every_tool(session: Session) -> None:
    for tool in await _tools(session):
        await _call(session, tool["name"], {})


async def _list_skills(session: Session) -> None:
    for skill in (await list_skills(session.request)).skills:
        print(f"{skill.uri}: {skill.name}", file=sys.stderr)


async def _use_skills(session: Session) -> None:
    """Every skill with all its files; nothing more of one whose SKILL.md is not what was listed."""
    for skill in (await list_skills(session.request)).skills:
        await load(session.request, skill)
        for uri in skill.files.keys() - {skill.uri}:
            await read(session.request, skill, uri)


def _filled(tool: dict[str, Any]) -> dict[str, Any]:
    """Arguments with a value of its type for each property that is required."""
    schema = tool.get("inputSchema", {})
    values = {"integer": 1, "number": 1.5, "boolean": True, "object": {}, "array": [], "null": None}
    properties = schema.get("properties", {})
    return {
        name: values.get(properties.get(name, {}).get("type"), "text") for name in schema.get("required", [])
    }


async def _schema_echo(session: Session) -> None:
    served = {tool.get("name"): tool.get("inputSchema") for tool in await _tools(session)}
    if "json_schema_2020_12_tool" not in served:
        raise fail("protocol", "json_schema_2020_12_tool is not among the tools")
    await _call(session, "json_schema_echo", {"schema": served["json_schema_2020_12_tool"]})


SCENARIOS: dict[str, _Scenario] = {
    "initialize": _list,
    "tools_call": _add_numbers,
    "elicitation-sep1034-client-defaults": _elicitation_defaults,
    "sse-retry": _reconnection,
    "json-schema-2020-12-preservation": _schema_echo,
    "http-standard-headers": _every_standard_header,
    "http-custom-headers": _custom_headers,
    "http-invalid-tool-headers": _usable_tools,
    "sep-2322-client-request-state": _every_tool,
    "sep-2640-client-no-prefetch": _list_skills,
    "sep-2640-client-verify-digest": _use_skills,
    "sep-2640-client-verify-size": _use_skills,
    "sep-2640-client-verify-frontmatter": _use_skills,
}
"""What a scenario asks for after the handshake. One that is not here gets its tools listed."""

_CONTENT: dict[str, dict[str, Any]] = {"sep-2322-client-request-state": {"confirmed": True}}
"""What is entered over the defaults where the server asks for it."""


async def run(url: str, scenario: str) -> None:
    """Raises Failed."""
    named = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "")
    protocol = "auto" if not named else "modern" if named == LATEST_MODERN else "legacy"
    logins = Logins(url, named or None, _context()) if scenario.startswith("auth/") else None
    credentials = logins.credentials if logins is not None else None

    async def once() -> None:
        session = Session(
            lambda listener: http_pipe(
                "auto", url, {}, observer=UnkeptLog(), listener=listener, credentials=credentials
            ),
            Options(protocol=protocol, responder=Profile(form="accept", content=_CONTENT.get(scenario, {}))),
        )
        try:
            await session.connect()
            await SCENARIOS.get(scenario, _list if logins is None else _every_tool)(session)
        finally:
            await session.close()

    if logins is None:
        await once()
        return
    if scenario == "auth/client-credentials-basic":
        logins.in_its_own_name()
    try:
        await _with_logins(once, logins)
    finally:
        logins.close()


async def _with_logins(once: Callable[[], Awaitable[None]], logins: Logins) -> None:
    """As in the app: what is refused for its token is offered again after a login, a few times."""
    for _ in range(_LOGINS):
        try:
            await once()
            return
        except Failed as failed:
            if failed.failure.kind != "auth" or failed.failure.http_status not in (401, 403):
                raise
            await logins.after(failed.failure)
    await once()


def _context() -> dict[str, Any]:
    given = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    return given if isinstance(given, dict) else {}


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m inspector.conformance URL", file=sys.stderr)
        return 2
    try:
        asyncio.run(run(sys.argv[1], os.environ.get("MCP_CONFORMANCE_SCENARIO", "")))
    except Failed as failed:
        print(f"{failed.failure.kind}: {failed.failure.message}", file=sys.stderr)
        return failed.failure.exit
    return 0


if __name__ == "__main__":
    sys.exit(main())
