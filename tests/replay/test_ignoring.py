"""What is passed over between then and now, and what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.base.errors import Failed
from inspector.replay.ignoring import Ignoring, ignoring

RULES = Ignoring()


def pointers(old: Any, new: Any, rules: Ignoring = RULES) -> list[str]:
    return [change.pointer for change in rules.differences(old, new)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("at 2026-01-02T03:04:05.678Z", "at 2027-11-12T13:14:15Z"),
        ("Tue Dec 01 2026 10:00:00 GMT+0000 (Coordinated Universal Time)", "Wed Jan 06 2027 01:02:03 GMT+0000 (UTC)"),
        ("done in 12 ms", "done in 7.25 s"), ("12:30:59", "08:00:01"), ("id 1790000000123", "id 1790000099999"),
        ("task 7e57d004-2b97-4e7a-b45f-5387367791cd", "task 11111111-2222-4333-8444-555555555555"),
        ("key *** of 2", "key abc of 2"), ("***", "anything"), ("a *** b *** c", "a 1 b 2 c"),
        ('{"a": 1, "b": 2}', '{"b":2,"a":1}'),
    ],
)  # fmt: skip
def test_times_ids_masks_and_spelling_are_passed_over(old: str, new: str) -> None:
    assert pointers({"text": old}, {"text": new}) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("12 apples", "13 apples"), ("version 1.2.3", "version 1.2.4"), ("key *** of 2", "key abc of 3"),
        ("a *** b *** c", "a b c"), ("***a", "b"), (1, 1.0), ("1", 1), (None, False), ("on 2026-01-02", "on Monday"),
    ],
)  # fmt: skip
def test_everything_else_counts(old: Any, new: Any) -> None:
    assert pointers({"value": old}, {"value": new}) == ["/value"]


def test_members_by_name() -> None:
    old = {
        "_meta": {"a": 1},
        "nextCursor": "x",
        "task": {"taskId": "1", "ttl": 5},
        "elapsed_ms": 3,
        "createdAt": 1,
    }
    new = {
        "nextCursor": "y",
        "task": {"taskId": "2"},
        "elapsed_ms": 4.5,
        "createdAt": 2,
        "resultType": "complete",
    }
    assert pointers(old, new) == []
    assert pointers({"elapsed": 3}, {"elapsed": "long"}) == ["/elapsed"]
    assert pointers({"format": 3}, {"format": 4}) == ["/format"]
    assert len(pointers(old, new, Ignoring(exact=True))) == 7


@pytest.mark.parametrize(
    ("pointer", "passed"),
    [
        ("/a/0/b", True), ("/a", True), ("/a/*/b", True), ("/**/b", True), ("/**", True), ("/a/1/b", False),
        ("/*/b", False), ("/b", False), ("/a/0/b/c", False), ("/a~1", False),
    ],
)  # fmt: skip
def test_pointers(pointer: str, passed: bool) -> None:
    found = pointers({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, ignoring([pointer], []))
    assert found == ([] if passed else ["/a/0/b"])


def test_what_is_no_rule_is_refused() -> None:
    for pointer_, text in ((["a"], []), ([], ["("])):
        with pytest.raises(Failed) as refused:
            ignoring(pointer_, text)
        assert refused.value.failure.kind == "config"


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=30),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=5), inner, max_size=4),
)


@given(JSON, JSON)
def test_a_value_is_the_same_as_itself_and_rules_only_take_away(old: Any, new: Any) -> None:
    copy = json.loads(json.dumps(old))
    assert pointers(old, copy) == []
    strict = set(pointers(old, new, Ignoring(exact=True)))
    assert set(pointers(old, new)) <= strict


def test_a_masked_number_fits_any_number() -> None:
    assert pointers({"card": "***"}, {"card": 4711}) == []
    assert pointers({"card": "***"}, {"card": [4711]}) == ["/card"]
    assert pointers({"card": "a ***"}, {"card": 4711}) == ["/card"]


def test_ids_that_the_server_minted_are_passed_over_unless_they_were_asked_for() -> None:
    old = {"id": 17, "order_id": 4.0, "text": '{"itemId": 9}', "count": 3, "valid": 1}
    new = {"id": 18, "order_id": 5.0, "text": '{"itemId": 10}', "count": 4, "valid": 2}

    def told(params: Any, rules: Ignoring = RULES) -> list[str]:
        return [change.pointer for change in rules.between_answers(old, new, params)]

    assert told(None) == ["/count", "/valid"]
    assert told({"arguments": {"which": [17]}}) == ["/id", "/count", "/valid"]
    assert len(told(None, Ignoring(exact=True))) == 5
    assert pointers({"id": 1}, {"id": 2}) == ["/id"]
