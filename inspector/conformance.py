"""The client under test of the official conformance suite: `python -m inspector.conformance URL`.

The suite names the scenario in MCP_CONFORMANCE_SCENARIO and starts a server for it. What the scenario asks of a client
is done over the same core that the command line and the app use; what came of it goes to stderr. The exit code is
that of the failure where a connection or an answer failed, else 0.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from inspector.base.errors import Failed, fail
from inspector.session.responders import Profile
from inspector.session.session import Options, Session
from inspector.traffic.unkept import UnkeptLog
from inspector.transports.http_any import http_pipe

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
}
"""What a scenario asks for after the handshake. One that is not here gets its tools listed."""


async def run(url: str, scenario: str) -> None:
    """Raises Failed."""
    session = Session(
        lambda listener: http_pipe("auto", url, {}, observer=UnkeptLog(), listener=listener),
        Options(responder=Profile(form="accept")),
    )
    try:
        await session.connect()
        await SCENARIOS.get(scenario, _list)(session)
    finally:
        await session.close()


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
