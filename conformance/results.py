"""What a run of one scenario proves. The exit code of the suite does not: it is 0 where nothing was checked at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BAD = ("FAILURE", "WARNING")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`problems` are why it does not pass, `passed` how many checks succeeded."""

    passed: int
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems


def judge(folder: Path, exit_code: int) -> Verdict:
    """Reads what the suite wrote into `folder`: everything has to be there, with a success and without a warning."""
    found = sorted(folder.glob("**/checks.json"))
    if len(found) != 1:
        return Verdict(0, (f"{len(found)} result files in place of one",))
    try:
        checks = json.loads(found[0].read_text("utf-8"))
    except ValueError as error:
        return Verdict(0, (f"the result cannot be read: {error}",))
    if not isinstance(checks, list):
        return Verdict(0, ("the result is no list of checks",))
    known = [check for check in checks if isinstance(check, dict)]
    passed = sum(check.get("status") == "SUCCESS" for check in known)
    problems = [_told(check) for check in known if check.get("status") in _BAD]
    if not passed:
        problems.append("no check succeeded")
    if exit_code and not problems:
        problems.append(f"the suite ended with {exit_code}")
    return Verdict(passed, tuple(problems))


def _told(check: dict[str, Any]) -> str:
    reason = check.get("errorMessage") or check.get("description") or ""
    return f"{check.get('status')} {check.get('id')}: {reason}".rstrip(": ")


def listed(text: str) -> list[str]:
    """The names of the client scenarios in what `list` prints."""
    names: list[str] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith(" "):
            inside = line.startswith("Client scenarios") or (inside and not line.strip())
        elif inside and line.strip().startswith("- "):
            names.append(line.split()[1])
    return names
