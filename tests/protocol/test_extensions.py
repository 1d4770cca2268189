"""Which extensions are in force between two sides."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.protocol.capabilities import declared_in
from inspector.protocol.extensions import APPS, SKILLS, TASKS, extensions
from inspector.protocol.revisions import REVISIONS


def test_what_both_declare_is_in_force_and_comes_first() -> None:
    theirs = {"extensions": {TASKS: {}, APPS: {}, "com.example/own": {"x": 1}}, "experimental": {"old": {}}}
    found = extensions({"extensions": {APPS: {}, "com.example/mine": {}}}, theirs)
    assert [(each.name, each.in_force, each.theirs, each.experimental) for each in found] == [
        (APPS, True, True, False),
        (TASKS, False, True, False),
        ("com.example/own", False, True, False),
        ("old", False, True, True),
        ("com.example/mine", False, False, False),
    ]
    assert [each.standing for each in found[:2]] == [
        "in force, both sides declare it",
        "not in force, only the server declares it",
    ]
    assert found[-1].standing == "not in force, only we declare it"
    assert found[0].about and not found[2].about


def test_skills_need_the_word_of_the_server_alone() -> None:
    (only,) = extensions({}, {"extensions": {SKILLS: {}}})
    assert only.in_force and only.standing == "in force, the server offers it"
    assert not extensions({"extensions": {SKILLS: {}}}, {})[0].in_force


@pytest.mark.parametrize("odd", [None, 1, "all", [APPS], {APPS: None}])
def test_a_declaration_of_any_shape_is_read(odd: Any) -> None:
    assert [each.name for each in extensions({}, {"extensions": odd})] == list(
        odd if isinstance(odd, dict) else ()
    )


@pytest.mark.parametrize("version", REVISIONS)
def test_extensions_are_declared_from_the_version_on_that_has_them(version: str) -> None:
    declared = {"extensions": {APPS: {}}}
    assert declared_in(version, declared) == (declared if version >= "2025-11-25" else {})
