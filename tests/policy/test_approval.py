"""What a person allowed, and what no longer is what they allowed."""

from __future__ import annotations

from inspector.policy.approval import Approvals

_SELL = {"name": "sell", "description": "Sells a piece"}


def test_a_tool_is_allowed_as_it_was_defined_and_of_the_server_that_it_was_of() -> None:
    here, elsewhere = object(), object()
    approvals = Approvals()
    assert approvals.rule("shop", here, "sell", _SELL) is None
    approvals.allow_tool("shop", here, "sell", dict(_SELL))
    assert approvals.rule("shop", here, "sell", _SELL) == "this tool"
    assert approvals.rule("shop", here, "sell", {**_SELL, "description": "Sells all"}) is None
    assert approvals.rule("shop", elsewhere, "sell", _SELL) is None
    assert approvals.rule("shop", here, "buy", None) is None


def test_a_server_is_allowed_while_it_is_the_same() -> None:
    here, elsewhere = object(), object()
    approvals = Approvals()
    approvals.allow_server("shop", here)
    assert approvals.rule("shop", here, "anything", None) == "this server"
    assert approvals.rule("shop", elsewhere, "anything", None) is None
    assert approvals.rule("other", here, "anything", None) is None


def test_settings_go_by_server() -> None:
    approvals = Approvals({"": "always", "shop": "never", "inn": "changing"})
    reads = {"annotations": {"readOnlyHint": True}}
    assert approvals.rule("shop", None, "sell", None) == "settings"
    assert approvals.rule("inn", None, "look", reads) == "read-only hint"
    assert approvals.rule("else", None, "look", reads) is None
    assert approvals.rule("inn", None, "nowhere", None) is None
