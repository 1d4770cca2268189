"""Each fault of the table is told in its words on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from command import inspect
from fault_table import FAULTS, ODDITIES, Fault, configured, reachable


@pytest.fixture(scope="module")
def urls() -> Iterator[dict[str, str]]:
    with reachable() as urls:
        yield urls


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_the_kind_the_cause_and_the_next_step_are_told(
    fault: Fault, urls: dict[str, str], tmp_path: Path
) -> None:
    config = configured(fault, urls, tmp_path)
    clocks = ["--timeout", f"{fault.patience}", "--connect-timeout", f"{fault.connect_patience}"]
    words = ["call", config, fault.tool] if fault.tool else ["status", config]
    ran = inspect(*words, "--json", *clocks, **fault.environment)
    error = ran.json["error"] if fault.tool else ran.json["servers"][0]["error"]
    assert error is not None, ran.json
    assert error["kind"] == fault.kind, error
    assert "\n" not in error["message"] + error["hint"]
    place = 0
    for part in fault.cause:
        place = error["message"].index(part, place)
    assert fault.step in error["hint"]


@pytest.mark.parametrize("fault", ODDITIES, ids=str)
def test_what_is_odd_is_said_beside_what_works(fault: Fault, tmp_path: Path) -> None:
    config = configured(fault, {}, tmp_path)
    ran = inspect(*(["call", config, fault.tool] if fault.tool else ["status", config]), "--json")
    assert ran.code == 0
    if fault.tool:
        said = ran.json["warnings"]
        assert "result" in ran.json and ran.json["error"] is None
    else:
        row = ran.json["servers"][0]
        said = row["warnings"] + [step["outcome"] for step in row["steps"]]
        assert row["state"] == "ready"
    for words in fault.cause:
        assert any(words in text for text in said), said
