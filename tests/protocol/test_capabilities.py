"""What is declared in which version, and what a server may ask then."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.protocol.capabilities import declared_in, undeclared
from inspector.protocol.revisions import REVISIONS

ALL = {
    "roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2024-11-05", {"roots": {"listChanged": True}, "sampling": {}}),
        ("2025-03-26", {"roots": {"listChanged": True}, "sampling": {}}),
        ("2025-06-18", {"roots": {"listChanged": True}, "elicitation": {}, "sampling": {}}),
        ("2025-11-25", ALL),
        ("2026-07-28", ALL | {"roots": {}}),
    ],
)
def test_each_version_has_its_own_capabilities(version: str, expected: dict[str, Any]) -> None:
    assert declared_in(version, ALL) == expected
    assert declared_in(version, {}) == {}


def test_where_elicitation_has_no_modes_links_alone_are_not_declared() -> None:
    links = {"elicitation": {"url": {}}}
    assert declared_in("2025-06-18", links) == {} and declared_in("2025-11-25", links) == links


@pytest.mark.parametrize("version", REVISIONS)
def test_what_was_not_declared_is_an_error(version: str) -> None:
    declared = declared_in(version, ALL)
    errors = [
        error[0] if (error := undeclared("elicitation/create", asked, declared)) else None
        for asked in ({}, {"mode": "form"}, {"mode": "url"}, {"mode": ["x"]})
    ]
    if version < "2025-06-18":
        assert errors == [-32601] * 4
    else:
        assert errors == [None, None, -32602 if version == "2025-06-18" else None, -32602]
    assert undeclared("sampling/createMessage", {}, declared) is None
    assert undeclared("sampling/createMessage", {}, {}) is not None
    assert undeclared("roots/list", {}, {}) is None and undeclared("x-vendor/ask", {}, {}) is None
