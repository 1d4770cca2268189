"""Probes: what is asked with `--active`, and that it changes nothing."""

from __future__ import annotations

from live import odd

from inspector.check.checking import Checking, wanted
from inspector.check.probes import PROBED, probe
from inspector.check.rules import RULES
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
