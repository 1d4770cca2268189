"""What an answer must be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from inspector.calls.expecting import MISSING, Condition, Expectation, value_at

GOOD = {
    "result": {
        "content": [{"type": "text", "text": '{"price": 1.50, "of": ["rye", "oat"]}'}],
        "n": 3,
        "": "e",
    }
}
BAD = {"result": {"isError": True, "content": [{"type": "text", "text": "sold out"}]}}
ERROR = {"error": {"code": -32602, "message": "no such tool"}}


@pytest.mark.parametrize(
    ("expect", "message", "wrong"),
    [
        (Expectation(), GOOD, []), (Expectation(), BAD, ["failed: sold out"]),
        (Expectation(), ERROR, ["failed: -32602 no such tool"]), (Expectation(error=True), GOOD, ["did not fail"]),
        (Expectation(error=True), BAD, []), (Expectation(error=True), ERROR, []),
        (Expectation(error=-32602), ERROR, []),
        (Expectation(error=-1), ERROR, ["failed with -32602 no such tool, expected was the code -1"]),
        (Expectation(error=-1), BAD, ["failed as a tool (isError: sold out), expected was the JSON-RPC error -1"]),
        (Expectation(within=1.0), GOOD, ["took 2.0 s, allowed are 1.0 s"]), (Expectation(within=3.0), GOOD, []),
    ],
)  # fmt: skip
def test_outcomes(expect: Expectation, message: Any, wrong: list[str]) -> None:
    assert expect.failures(message, 2.0) == wrong


@pytest.mark.parametrize(
    ("pointer", "condition", "wrong"),
    [
        ("/n", Condition(equals=3), ""), ("/n", Condition(equals=3.0), "is 3, expected 3.0"),
        ("/n", Condition(equals="3"), 'is 3, expected "3"'), ("/n", Condition(matches=re.compile("^3$")), ""),
        ("/m", Condition(equals=3), "is not there"), ("/m", Condition(exists=False), ""),
        ("/n", Condition(exists=False), "is there: 3"), ("/n", Condition(exists=True), ""),
        ("/content/0/text/price", Condition(equals=1.5), ""), ("/content/0/text/of/1", Condition(equals="oat"), ""),
        ("/content/0/text/of", Condition(contains="rye"), ""),
        ("/content/0/text/of", Condition(contains="x"), 'is ["rye", "oat"], which does not contain "x"'),
        ("/content/0/text", Condition(contains="price"), ""), ("/content/0", Condition(contains="type"), ""),
        ("/content/0/type", Condition(matches=re.compile("i")), 'is "text", which does not match i'),
        ("/", Condition(equals="e"), ""), ("/content/01", Condition(exists=False), ""),
    ],
)  # fmt: skip
def test_values(pointer: str, condition: Condition, wrong: str) -> None:
    told = Expectation(at={pointer: condition}).failures(GOOD, 0.0)
    assert told == ([f"{pointer} {wrong}"] if wrong else [])


def test_the_whole_result_and_the_error_have_pointers_too() -> None:
    assert value_at(GOOD["result"], "") is GOOD["result"] and value_at("no JSON", "/a") is MISSING
    assert Expectation(error=True, at={"/code": Condition(equals=-32602)}).failures(ERROR, 0.0) == []
    assert (
        Expectation(at={"": Condition(exists=False)}).failures(GOOD, 0.0)[0].startswith("the result is there")
    )
