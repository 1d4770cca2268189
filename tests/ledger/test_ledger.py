"""The ledger: what three systems ask of the product (S01 to S188), and where each of it is met.

A row, one file for each part, says at least one of three things:

    S01:
      what: Skill detection                                # in few words
      met: [tests/lenses/solon/test_detection.py::test_x]  # tests that would fail without it
      not: why it, or the rest of it, does not apply
      open: what is still missing

These tests keep the rows and the tests that they name in step.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT

_LAST = 188
_SAYS = {"met", "not", "open"}


def _rows() -> list[tuple[str, Any]]:
    """All rows, also where a number is there twice, which a mapping would hide."""
    found: list[tuple[str, Any]] = []
    for path in sorted(Path(__file__).parent.glob("*.yaml")):
        root = yaml.compose(path.read_text(encoding="utf-8"))
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
        found += [(key.value, rows[key.value]) for key, _ in root.value]
    return found


_ROWS = _rows()


@cache
def _tests_in(path: Path) -> frozenset[str]:
    """The names of the tests in a file as pytest writes them, without parameters."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        names |= {
            prefix + each.name for each in inside if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        }
    return frozenset(name for name in names if name.rpartition("::")[2].startswith("test_"))


def test_every_number_has_one_row() -> None:
    assert sorted(number for number, _ in _ROWS) == sorted(f"S{n:02}" for n in range(1, _LAST + 1))


@pytest.mark.parametrize(("number", "row"), _ROWS, ids=[number for number, _ in _ROWS])
def test_a_row_says_where_it_is_met_or_why_not(number: str, row: Any) -> None:
    assert isinstance(row, dict) and isinstance(row.get("what"), str), number
    assert set() < set(row) - {"what"} <= _SAYS, f"{number} says none of {_SAYS}, or something else"
    assert all(isinstance(row[word], str) and row[word] for word in ("not", "open") if word in row), number
    met = row.get("met", ["-"])
    assert isinstance(met, list) and met, f"{number}: met is a list of tests"
    for test in row.get("met", ()):
        path, _, name = test.partition("::")
        assert (ROOT / path).is_file(), f"{number}: there is no {path}"
        assert name.partition("[")[0] in _tests_in(ROOT / path), f"{number}: {path} has no test {name}"


@pytest.mark.shared
def test_the_numbers_are_those_of_the_list_that_was_handed(shared: Path) -> None:
    handed = (shared / "reference" / "source-systems.md").read_text(encoding="utf-8")
    assert [number for number, _ in _ROWS] == re.findall(r"(?m)^- (S\d+) ", handed)
