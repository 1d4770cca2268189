"""What `action.yml` does on the machine of a workflow: the checks that its inputs ask for, reports, and a summary."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

_MOST = 50
_MARKS = {"error": "❌", "warning": "⚠️", "note": "ℹ️"}


def given(name: str) -> str:
    """An input of the action."""
    return os.environ.get(f"INPUT_{name}", "").strip()


def words(name: str) -> list[str]:
    return shlex.split(given(name), posix=os.name == "posix")


def steps(reports: Path) -> Iterator[tuple[str, list[str], Path]]:
    """What is asked for: the name, the words of the command before the server, and where its report goes."""
    if given("CHECK") == "true":
        active = ["--active", "--yes"] if given("ACTIVE") == "true" else []
        report = reports / "check.sarif"
        yield (
            "check",
            ["check", *active, "--fail-on", given("FAIL_ON") or "error", "--format", "sarif"],
            report,
        )
    if given("CALLS"):
        yield "run", ["run", given("CALLS"), "--yes", "--format", "junit"], reports / "run.xml"
    if given("RECORDING"):
        yield "replay", ["replay", given("RECORDING"), "--yes", "--format", "junit"], reports / "replay.xml"


def server() -> list[str]:
    """The end of every command."""
    named = ["-s", given("SERVER")] if given("SERVER") else []
    if command := words("COMMAND"):
        return [*words("OPTIONS"), "--", *command]
    return [*([given("TARGET")] if given("TARGET") else []), *named, *words("OPTIONS")]


def findings(report: Path) -> list[str]:
    """The lines of a table of what a report holds against the server."""
    if not report.is_file():
        return []
    if report.suffix == ".sarif":
        results = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
        found = [(_MARKS.get(each["level"], ""), each["ruleId"], each["message"]["text"]) for each in results]
    else:
        cases = ElementTree.parse(report).iter("testcase")
        found = [
            ("❌", case.get("name", ""), (wrong.get("message") or wrong.text or "").strip())
            for case in cases
            for wrong in (*case.iter("failure"), *case.iter("error"))
        ]
    more = [f"| | | and {len(found) - _MOST} more |"] if len(found) > _MOST else []
    return [f"| {mark} | {cell(name)} | {cell(text)} |" for mark, name, text in found[:_MOST]] + more


def cell(text: str) -> str:
    """Text of a server in a table of Markdown: never markup, and with nothing in it that cannot be seen."""
    plain = " ".join(text.split())[:300]
    seen = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in plain)
    return "".join(f"&#{ord(char)};" if char in "|<>&`*_[]()!\\@#" else char for char in seen)


def main() -> int:
    if bool(given("COMMAND")) == bool(given("TARGET")):
        print("mcp-inspect: set either `command` or `target`", file=sys.stderr)
        return 2
    reports = Path(given("REPORTS") or "mcp-inspect-reports")
    reports.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("MCP_INSPECT", "mcp-inspect")
    code, summary = 0, ["## mcp-inspect", ""]
    for name, begun, report in steps(reports):
        command = [program, *begun, "-o", str(report), *server()]
        # What a server writes to stderr may be told here, and no line of it is a command of the workflow.
        token = secrets.token_hex()
        print(f"::group::{name}\n::stop-commands::{token}", flush=True)
        done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
        said = done.stderr.decode(errors="backslashreplace").strip()
        print(f"{said}\n::{token}::\n::endgroup::", flush=True)
        code = max(code, done.returncode)
        rows = findings(report)
        summary += [f"### {name}: {'✅' if done.returncode == 0 else f'❌ exit code {done.returncode}'}", ""]
        if rows:
            summary += ["| | | |", "|---|---|---|", *rows, ""]
        elif done.returncode:
            summary += [*(f"    {line}" for line in said.splitlines()[-20:]), ""]
    append("GITHUB_STEP_SUMMARY", "\n".join(summary))
    append("GITHUB_OUTPUT", f"code={code}")
    return code


def append(variable: str, text: str) -> None:
    if path := os.environ.get(variable):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
