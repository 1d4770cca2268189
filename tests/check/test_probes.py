"""Probes: what is asked with `--active`, and that it changes nothing."""

from __future__ import annotations

import pytest
from live import http, odd

from inspector.check.checking import Checking, wanted
from inspector.check.probes import PROBED, probe
from inspector.check.rules import RULES
from inspector.demo import open_house
from inspector.session.session import Options
from inspector.traffic.store import Traffic


def test_what_is_probed_are_rules() -> None:
    assert set(RULES) >= PROBED


async def test_answers_to_probes_are_judged() -> None:
    traffic = Traffic.in_memory()
    async with odd(traffic=traffic) as session:
        await probe(session, await session.lists(), PROBED)
        traffic.advance()
        checking = Checking(traffic, wanted())
        checking.finish()
        called = {row.target for row in map(traffic.row, range(traffic.end)) if row.method == "tools/call"}
    assert called <= {"mcp-inspect-no-such-tool"}
    assert {each.rule for each in checking.findings} & PROBED


async def test_a_rule_that_is_muted_is_not_asked_about() -> None:
    traffic = Traffic.in_memory()
    async with odd(traffic=traffic) as session:
        before = traffic.end
        await probe(session, {}, frozenset({"J03"}))
        assert traffic.end == before


@pytest.mark.parametrize(("name", "protocol", "refused"), [("library", "legacy", 4), ("post", "modern", 2)])
async def test_headers_that_lie_are_refused_by_our_own_server(name: str, protocol: str, refused: int) -> None:
    traffic = Traffic.in_memory()
    options = Options(protocol=protocol, connect_timeout=20)
    async with open_house() as urls, http(urls[name], options=options, traffic=traffic) as session:
        await session.connect()
        before = traffic.end
        await probe(session, {}, frozenset({"H19", "H23", "H25", "H29"}))
        assert (await session.request("tools/list")).result is not None
    traffic.advance()
    rows = [row for row in map(traffic.row, range(before, traffic.end)) if row.kind == "http"]
    assert sum(row.status is not None and 400 <= row.status < 500 for row in rows) == refused
    checking = Checking(traffic, wanted())
    checking.finish()
    assert {each.rule for each in checking.findings if each.level == "error"} == set()
