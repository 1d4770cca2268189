"""The action for other people's workflows: what it does on their machines."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SCRIPT = ROOT / ".ci" / "action.py"
BAKERY = shlex.join([sys.executable, "-m", "inspector.demo", "stdio", "bakery"])
CALLS = """\
calls:
  - {name: a price, tool: price_of, arguments: {item: croissant}, expect: {at: {/structuredContent/currency: EUR}}}
  - name: "a | wrong `price`"
    tool: price_of
    arguments: {item: croissant}
    expect: {at: {/structuredContent/currency: USD}}
"""


class Job:
    """One step of a workflow, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "mcp-inspect"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m inspector "$@"\n')
        program.chmod(0o755)
        self._program = str(program)

    def run(self, **inputs: str) -> tuple[int, str, str]:
        """The exit code, the summary, and what was printed."""
        usual = {name.upper().replace("-", "_"): each["default"] for name, each in ACTION["inputs"].items()}
        environment = {f"INPUT_{name}": value for name, value in {**usual, **inputs}.items()}
        files = {name: str(self.folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        done = subprocess.run(
            [sys.executable, str(SCRIPT)], capture_output=True, text=True, cwd=self.folder, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MCP_INSPECT": self._program, **environment, **files},
        )  # fmt: skip
        summary = self.folder / "GITHUB_STEP_SUMMARY"
        return done.returncode, summary.read_text() if summary.exists() else "", done.stdout + done.stderr


def test_a_server_is_checked_called_and_replayed_with_reports_and_a_summary(tmp_path: Path) -> None:
    job = Job(tmp_path)
    (tmp_path / "calls.yaml").write_text(CALLS)
    record = [sys.executable, "-m", "inspector", "call", "price_of", "item=croissant", "--record"]
    subprocess.run(
        [*record, str(tmp_path / "good.mcprec"), "--", *shlex.split(BAKERY)],
        check=True, capture_output=True, cwd=ROOT,
    )  # fmt: skip
    code, summary, _ = job.run(COMMAND=BAKERY, CALLS="calls.yaml", RECORDING="good.mcprec")
    assert code == 1
    assert "### check: ✅" in summary and "### replay: ✅" in summary and "### run: ❌ exit code 1" in summary
    assert "a &#124; wrong &#96;price&#96;" in summary and "USD" in summary
    reports = tmp_path / "mcp-inspect-reports"
    assert json.loads((reports / "check.sarif").read_text())["version"] == "2.1.0"
    assert "<testsuite" in (reports / "run.xml").read_text()
    assert "<testsuite" in (reports / "replay.xml").read_text()
    assert (tmp_path / "GITHUB_OUTPUT").read_text() == "code=1\n"


def test_a_server_that_does_not_start_fails_the_job_and_says_why(tmp_path: Path) -> None:
    script = shlex.join([sys.executable, "-c", "import sys; sys.exit('no key was set')"])
    code, summary, printed = Job(tmp_path).run(COMMAND=script)
    assert code == 3 and "no key was set" in summary and "no key was set" in printed


def test_nothing_that_a_server_says_is_a_command_of_the_workflow_or_cannot_be_seen(tmp_path: Path) -> None:
    said = "import sys; sys.stderr.buffer.write(b'::error::not ours\\n\\xff\\x1b[31m\\n'); sys.exit(1)"
    _, summary, printed = Job(tmp_path).run(
        COMMAND=shlex.join([sys.executable, "-c", said]), OPTIONS="--verbose"
    )
    begun = re.search(r"^::stop-commands::(\w+)$", printed, re.M)
    assert begun is not None and "not ours" in printed
    stopped = printed[begun.end() : printed.index(f"\n::{begun[1]}::\n")]
    assert re.findall(r"^\s*(::.*)$", printed.replace(stopped, ""), re.M) == [
        "::group::check", f"::stop-commands::{begun[1]}", f"::{begun[1]}::", "::endgroup::",
    ]  # fmt: skip
    tool = {"name": "a\x1b\u202eb", "description": "\x9b\u200b", "inputSchema": {"type": "object"}}
    (tmp_path / "server.yaml").write_text(json.dumps({"definition": 1, "tools": [tool]}))
    serving = shlex.join([sys.executable, "-m", "inspector", "serve", "server.yaml"])
    _, hidden, printed = Job(tmp_path).run(COMMAND=serving)
    assert "a&#92;u001b&#92;u202eb" in hidden, printed
    assert all(char.isprintable() for char in (summary + hidden).replace("\n", ""))


@pytest.mark.parametrize("inputs", [{}, {"COMMAND": "a", "TARGET": "b"}])
def test_one_server_must_be_named(tmp_path: Path, inputs: dict[str, str]) -> None:
    code, _, printed = Job(tmp_path).run(**inputs)
    assert code == 2 and "either `command` or `target`" in printed


def test_every_input_reaches_the_script_through_the_environment_and_never_as_text_of_it() -> None:
    steps: list[Any] = ACTION["runs"]["steps"]
    handed = {name for step in steps for name in step.get("env", {}) if name.startswith("INPUT_")}
    asked = {f"INPUT_{name}" for name in re.findall(r'(?:given|words)\("(\w+)"\)', SCRIPT.read_text())}
    assert handed == asked
    assert not [step["run"] for step in steps if "${{" in step.get("run", "")]
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])


def test_workflows_name_files_and_targets_that_exist() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        assert yaml.safe_load(text)["jobs"]
        assert all((ROOT / name).exists() for name in re.findall(r"\btests/[\w/.]+", text))
        targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
        for line in re.findall(r"run: make (.+)", text):
            assert set(line.split()) <= targets
