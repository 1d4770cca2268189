"""Variables in what a saved call sends."""

from __future__ import annotations

from inspector.calls.proposing import proposed
from inspector.calls.variables import escaped, filled

ENVIRONMENT = {"KEY": "value", "EMPTY": ""}


def test_what_was_sent_is_written_so_that_it_is_sent_again() -> None:
    sent = {"a": ["${KEY}", "$${KEY}", "$KEY", "{}", 7, None, {"${KEY}": "x${"}]}
    assert filled(escaped(sent), ENVIRONMENT, [], "call") == sent
    entry = proposed("n", {"name": "t", "arguments": {"code": "`${KEY}`"}}, {"result": {}})
    assert entry["arguments"] == {"code": "`$${KEY}`"}


def test_values_that_were_put_in_are_told() -> None:
    used: list[tuple[str, str]] = []
    given = {"a": "${KEY}-${env:KEY}", "b": ["${EMPTY:-none}"], "n": 1}
    assert filled(given, ENVIRONMENT, used, "call") == {"a": "value-value", "b": ["none"], "n": 1}
    assert used == [("value", "KEY"), ("value", "KEY")]
