"""Conversations with values in them that nobody expects: no rule may fail on any of them. Seeds are kept, so that what
fails once fails again."""

from __future__ import annotations

import json
from copy import copy
from random import Random
from typing import Any

import pytest
from check.conversation import Post, Row, found
from check.test_rules import CASES

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**40,
    "",
    "\u202e",
    "https://[",
    [],
    [None],
    {},
    {"": None},
    {"type": []},
]
MEMBERS = [
    "type",
    "icons",
    "annotations",
    "_meta",
    "task",
    "$ref",
    "mode",
    "id",
    "result",
    "error",
    "method",
    "nextCursor",
]


def mutated(value: Any, chance: Random) -> Any:
    if chance.random() < 0.12:
        return chance.choice(ODD)
    if isinstance(value, list):
        return [mutated(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    held = {name: mutated(item, chance) for name, item in value.items() if chance.random() > 0.05}
    return {**held, chance.choice(MEMBERS): chance.choice(ODD)} if chance.random() < 0.05 else held


def changed(row: Any, chance: Random) -> Any:
    if isinstance(row, Row):
        try:
            return Row(row.sent, mutated(json.loads(row.raw), chance), row.at)
        except ValueError:
            return row
    post: Post = copy(row)
    post.said = post.said if isinstance(post.said, bytes) else mutated(post.said, chance)
    post.back = tuple(each if isinstance(each, bytes) else mutated(each, chance) for each in post.back)
    post.headers = [(name, chance.choice([value, value, "", "http://["])) for name, value in post.headers]
    post.sends = [(name, chance.choice([value, value, "", "http://["])) for name, value in post.sends]
    post.status = chance.choice([post.status, post.status, 0, 99999])
    return post


@pytest.mark.parametrize("seed", range(12))
def test_no_rule_fails(seed: int) -> None:
    chance = Random(seed)
    for name in chance.sample(sorted(CASES), 60):
        found([changed(row, chance) for row in chance.choice(CASES[name])])
