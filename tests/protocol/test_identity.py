"""Who we say that we are, and the ids that go with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.errors import Failed
from inspector.protocol.identity import OURS, PRESETS, Identity, Ids, as_written, identity_of, written


def test_presets_go_by_name_and_ours_is_the_usual_one() -> None:
    assert identity_of("mcp-inspect") is OURS and OURS.info["name"] == "mcp-inspect"
    assert identity_of("paicli").info == {"name": "paicli", "version": "11.0.0"}
    assert identity_of("java-sync").strict and identity_of("java-async").protocol == "2024-11-05"


def test_a_file_says_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "me.json"
    file.write_text(
        json.dumps({"name": "me", "version": "3", "capabilities": {"x": {}}, "ids": "uuid", "first": 7})
    )
    found = identity_of(str(file))
    assert found == Identity({"name": "me", "version": "3"}, {"x": {}}, None, False, "uuid", 7)


@pytest.mark.parametrize("identity", [OURS, *PRESETS.values()])
def test_what_is_written_of_an_identity_reads_as_it(identity: Identity) -> None:
    assert written(json.loads(json.dumps(as_written(identity)))) == identity


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ([], "no object"),
        ({"name": "a"}, "name and version"),
        ({"name": "a", "version": 1}, "name and version"),
        ({"name": "a", "version": "1", "capabilities": []}, "capabilities"),
        ({"name": "a", "version": "1", "protocol": "1999-01-01"}, "protocol must be one of"),
        ({"name": "a", "version": "1", "ids": "odd"}, "ids must be"),
        ({"name": "a", "version": "1", "idz": 1}, "'idz' is no member"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(value: Any, says: str, tmp_path: Path) -> None:
    file = tmp_path / "me.json"
    file.write_text(json.dumps(value))
    with pytest.raises(Failed) as caught:
        identity_of(str(file))
    assert says in caught.value.failure.message and caught.value.failure.kind == "config"


def test_a_name_that_is_neither_is_told_what_is_known() -> None:
    with pytest.raises(Failed) as caught:
        identity_of("nobody")
    assert "paicli" in str(caught.value.failure.hint)


def test_ids_of_the_java_sdk_are_eight_characters_and_a_counter() -> None:
    ids = Ids(PRESETS["java-sync"])
    prefix, _, number = str(ids.at(0)).partition("-")
    assert len(prefix) == 8 and number == "0" and ids.place(f"{prefix}-12") == 12
    assert ids.place(f"{prefix}-012x") is ids.place(0) is ids.place("other-1") is None


@given(
    st.sampled_from([OURS, *PRESETS.values()]), st.integers(0, 10**9), st.none() | st.text() | st.integers()
)
def test_every_id_leads_back_to_its_place_and_nothing_else_fails(
    identity: Identity, place: int, other: Any
) -> None:
    ids = Ids(identity)
    assert ids.place(ids.at(place)) == place
    ids.place(other)
