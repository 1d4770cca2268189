"""Variables: every client's spellings, what unset means, one pass only, and what must be masked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.config import interpolate as rules
from inspector.config.interpolate import Surroundings, expand

AROUND = Surroundings(
    environment={
        "A": "x",
        "C": "  ",
        "D": "${A}",
        "E": "$1\\",
        "EMPTY": "",
        "HOME": "/elsewhere",
        "SECRET": "s3cr3t!!",
    },
    home="/home/u",
    project="/w/p",
    workspace="/w/p",
    inputs={"tok": "typed"},
)
PROFILES = [value for value in vars(rules).values() if isinstance(value, rules.Profile)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${A}", "x"),
        ("a${A}b${A}c", "axbxc"),
        ("${PROJECT_DIR}/n", "/w/p/n"),
        ("${HOME}", "/home/u"),
        ("$A", "$A"),
        ("${A:-d}", "${A:-d}"),
        ("${1A}", "${1A}"),
        ("${}", "${}"),
        ("${A-B}", "${A-B}"),
        ("$${A}", "$x"),
        ("${${A}}", "${x}"),
        ("${D}", "${A}"),
        ("${E}", "$1\\"),
    ],
)
def test_paicli(text: str, expected: str) -> None:
    result = expand(text, rules.PAICLI, AROUND)
    assert result.text == expected
    assert result.unset == []


@pytest.mark.parametrize(("text", "name"), [("${B}", "B"), ("${C}", "C"), ("${project_dir}", "project_dir")])
def test_paicli_counts_blank_and_missing_as_unset(text: str, name: str) -> None:
    assert expand(text, rules.PAICLI, AROUND).unset == [name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${A}-${env:A}", "x-x"),
        ("${B:-a:-b}", "a:-b"),
        ("${B:-}", ""),
        ("${EMPTY:-fallback}", "fallback"),
        ("${C}", "  "),
        ("${D}${D}", "${A}${A}"),
        ("100% {A} $", "100% {A} $"),
        ("${env:B:-d}", "d"),
    ],
)
def test_common(text: str, expected: str) -> None:
    result = expand(text, rules.COMMON, AROUND)
    assert (result.text, result.unset, result.malformed) == (expected, [], [])


def test_common_counts_empty_as_unset() -> None:
    assert expand("${EMPTY}${B}", rules.COMMON, AROUND).unset == ["EMPTY", "B"]


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("${T_X", "malformed", ["${T_X"]),
        ("${}", "malformed", ["${}"]),
        ("${:-x}", "malformed", ["${:-x}"]),
        ("${A:-${B}}", "malformed", ["${A:-${B}"]),
        ("$A/$B", "bare", ["$A", "$B"]),
        ("${input:x}", "foreign", ["${input:x}"]),
    ],
)
def test_what_is_no_reference_stays_and_is_named(text: str, kind: str, named: list[str]) -> None:
    result = expand(text, rules.COMMON, AROUND)
    assert result.text == text
    assert getattr(result, kind) == named


@pytest.mark.parametrize(
    ("profile", "text", "expected", "unset"),
    [
        (rules.CLAUDE_CODE, "${B:-https://x}/mcp", "https://x/mcp", []),
        (rules.CLAUDE_CODE, "${B}", "${B}", ["B"]),
        (rules.CLAUDE_CODE, "${EMPTY:-d}", "", []),
        (rules.CLAUDE_CODE, "${HOME}", "/elsewhere", []),
        (rules.VSCODE, "${workspaceFolder}/${env:A}${/}", "/w/p/x/", []),
        (rules.VSCODE, "${input:tok}${env:B}", "typed", ["B"]),
        (rules.VSCODE, "${userHome} ${A}", "/home/u ${A}", []),
        (rules.EDITOR, "${workspaceFolderBasename}:${env:A}", "p:x", []),
        (rules.ENV_ONLY, "${env:A}${env:B}${A}", "x${env:B}${A}", ["B"]),
        (rules.DOLLAR, "$A ${A} ${B:-d} $B", "x x d $B", ["B"]),
        (rules.NONE, "${A} $A ${env:A}", "${A} $A ${env:A}", []),
    ],
)
def test_clients(profile: rules.Profile, text: str, expected: str, unset: list[str]) -> None:
    result = expand(text, profile, AROUND)
    assert (result.text, result.unset) == (expected, unset)


def test_inputs_that_nobody_answered_yet() -> None:
    result = expand("Bearer ${input:other}", rules.VSCODE, AROUND)
    assert (result.text, result.unanswered) == ("Bearer ${input:other}", ["other"])


def test_what_we_do_not_follow_is_refused() -> None:
    assert expand("${command:x}", rules.VSCODE, AROUND).refused == ["${command:x}"]


def test_files_are_read_at_a_connect_only() -> None:
    before = expand("Bearer ${file:/run/tok}", rules.ENV_OR_FILE, AROUND)
    assert (before.postponed, before.masked) == (["/run/tok"], "Bearer ***")
    now = expand("Bearer {file:tok}", rules.BRACE, AROUND._replace(file=lambda name: f"of {name}"))
    assert (now.text, now.masked) == ("Bearer of tok", "Bearer ***")


def test_only_pieces_from_variables_are_masked() -> None:
    result = expand("pre-${SECRET}-${B:-plain}-${HOME}", rules.COMMON, AROUND)
    assert result.masked == "pre-***-plain-/home/u"
    assert result.used == [("s3cr3t!!", "SECRET")]


@given(st.text(alphabet="${}:-envAB/ \\input", max_size=40), st.sampled_from(PROFILES))
def test_never_raises_and_keeps_the_rest(text: str, profile: rules.Profile) -> None:
    result = expand(text, profile, AROUND)
    if not (result.used or result.unset) and profile.reference is None:
        assert result.text == text
