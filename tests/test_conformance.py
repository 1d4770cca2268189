"""How the results of the conformance suite are read, and the client that it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from live import http

from conformance.results import judge, listed
from conformance.scenarios import LATER, PASS, unknown
from inspector import demo


def result(folder: Path, *statuses: str) -> Path:
    inner = folder / "tools_call-2026"
    inner.mkdir()
    checks: list[Any] = [
        {"id": f"c{n}", "status": status, "description": "d"} for n, status in enumerate(statuses)
    ]
    (inner / "checks.json").write_text(json.dumps(checks))
    return folder


@pytest.mark.parametrize(
    ("statuses", "code", "problem"),
    [
        (["INFO", "SUCCESS", "SKIPPED"], 0, ""), (["SUCCESS", "FAILURE"], 1, "FAILURE c1: d"),
        (["SUCCESS", "WARNING"], 1, "WARNING c1: d"), (["INFO", "SKIPPED"], 0, "no check succeeded"),
        ([], 0, "no check succeeded"), (["SUCCESS"], 1, "the suite ended with 1"),
    ],
)  # fmt: skip
def test_only_a_success_without_a_warning_passes(
    tmp_path: Path, statuses: list[str], code: int, problem: str
) -> None:
    verdict = judge(result(tmp_path, *statuses), code)
    assert verdict.problems == ((problem,) if problem else ())


def test_a_missing_or_unreadable_result_fails(tmp_path: Path) -> None:
    assert not judge(tmp_path, 0).ok
    (tmp_path / "checks.json").write_text("{")
    assert not judge(tmp_path, 0).ok
    (tmp_path / "checks.json").write_text("{}")
    assert not judge(tmp_path, 0).ok


def test_every_client_scenario_has_to_be_in_a_list() -> None:
    text = (
        "Server scenarios (x):\n  - ping [1]\n\nClient scenarios (y):\n  - initialize [1]\n  - new/one [2]\n"
    )
    text += "\nOther:\n  - z\n"
    assert listed(text) == ["initialize", "new/one"]
    assert unknown(["initialize", "new/one", "auth/dpop", *LATER]) == ["new/one"]
    assert not set(PASS) & set(LATER)


def client(url: str, scenario: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "inspector.conformance", url],
        env={**os.environ, "MCP_CONFORMANCE_SCENARIO": scenario},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_the_client_under_test_says_what_failed() -> None:
    ran = client("http://127.0.0.1:1/mcp", "initialize")
    assert ran.returncode == 3 and ran.stderr.startswith("refused: ") and ran.stdout == ""
    async with demo.hosted() as url, http(url) as session:
        await session.connect()
    assert client(url, "tools_call").returncode == 3
