"""What the rules find in servers that other people wrote, probes included: each was read against the specification.

What is not listed is a false alarm, or a rule that sees more than before: read the section, then add it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from live import stdio

from inspector.check.checking import Checking, wanted
from inspector.check.probes import PROBED, probe
from inspector.session.session import Options
from inspector.traffic.store import Traffic

CURSOR = {
    "R13"
}  # an invalid cursor should be refused with -32602 (server/utilities/pagination, error handling)
TOOL = {"T18"}  # an unknown tool is a protocol error (server/tools, error handling)
RESOURCE = {"R03"}  # -32002 should say that a resource is not found (server/resources, error handling)
BATCH = {"J08"}  # batches must be received (2025-03-26: basic, batching)


async def found(*command: str, protocol: str = "auto") -> set[str]:
    traffic = Traffic.in_memory()
    options = Options(connect_timeout=30, protocol=protocol)
    async with stdio(*command, options=options, traffic=traffic) as session:
        await session.connect()
        await probe(session, await session.lists(), PROBED)
    traffic.advance()
    checking = Checking(traffic, wanted())
    checking.finish()
    assert checking.broken == {}
    return {each.rule for each in checking.findings}


@pytest.mark.node
@pytest.mark.parametrize(
    ("program", "protocol", "confirmed"),
    [
        ("mcp-server-everything", "auto", CURSOR | TOOL | RESOURCE),
        ("mcp-server-everything", "2025-03-26", CURSOR | TOOL | RESOURCE | BATCH),
        ("mcp-server-memory", "auto", CURSOR | TOOL | RESOURCE),
        ("context7-mcp", "legacy", CURSOR | RESOURCE),
    ],
)
async def test_servers_of_npm(
    npm_server: Callable[[str], str], program: str, protocol: str, confirmed: set[str]
) -> None:
    assert await found(npm_server(program), protocol=protocol) - {"L17"} == confirmed


@pytest.mark.parametrize(
    ("program", "protocol", "confirmed"),
    [
        ("mcp-server-git", "modern", CURSOR),
        ("mcp-server-git", "legacy", CURSOR | RESOURCE),
        ("mcp-server-git", "2025-03-26", CURSOR | RESOURCE | BATCH),
        ("mcp-server-time", "modern", CURSOR),
    ],
)
async def test_servers_of_pypi(
    pypi_server: Callable[[str], str], program: str, protocol: str, confirmed: set[str]
) -> None:
    assert await found(pypi_server(program), protocol=protocol) - {"L17"} == confirmed
