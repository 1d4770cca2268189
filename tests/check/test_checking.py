"""The engine that shows rules a conversation: at once, or while it grows."""

from __future__ import annotations

import pytest
from check.conversation import Post, checked, found, judged, message, meta, old, wants
from check.test_rules import CASES

from inspector.check.rules import V07


@pytest.mark.parametrize("key", sorted(CASES))
def test_row_by_row_the_same_is_found_as_at_once(key: str) -> None:
    for rows in CASES[key]:
        assert found(rows, live=True) == found(rows)


def test_findings_are_told_at_their_rows_the_worst_first() -> None:
    checking, traffic = judged(old(wants("nonsense", id_=None)))
    row = max(max(each.frames) for each in checking.findings)
    found = traffic.judged.at(row)
    levels = [each.level for each in found]
    assert traffic.judged.at(row - 1) == ()
    assert len(levels) > 1 and levels == sorted(levels, key=("error", "warning", "info").index)
    assert set(map(id, found)) == {id(each) for each in checking.findings if row in each.frames}


def test_to_finish_twice_is_to_finish_once() -> None:
    checking = checked(CASES["J27"][0])
    before = [(each.rule, each.message, list(each.frames)) for each in checking.findings]
    checking.finish()
    checking.finish(1)
    assert [(each.rule, each.message, each.frames) for each in checking.findings] == before
    assert "J27" in {each.rule for each in checking.findings}


def test_a_server_of_an_older_version_may_refuse_the_probe_with_any_status() -> None:
    asked = message(id=1, method="server/discover", params={"_meta": meta()})
    sends = [("mcp-protocol-version", V07), ("mcp-method", "server/discover")]
    probe = Post(asked, message(id=1, error={"code": -32601, "message": "no"}), sends=sends)
    assert "H27" not in {each.rule for each in found([probe, *old()])}
