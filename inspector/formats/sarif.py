"""SARIF 2.1.0 (OASIS), as code scanning reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspector import __version__

Level = Literal["error", "warning", "note"]
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A rule: its id, what it is about in a sentence, its usual level, and where one reads more; empty for nowhere."""

    id: str
    about: str
    level: Level
    url: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One finding. `place` is what it is about, from the large to the small; `file` and `line` where that stands in a
    file, by its URI or relative path, percent-encoded, with slashes, `line` from 1."""

    rule: str
    level: Level
    message: str
    place: Sequence[str] = ()
    file: str = ""
    line: int = 0


def document(kinds: Sequence[Kind], results: Sequence[Result]) -> dict[str, Any]:
    """A log with one run. Every rule that a result names is among `kinds`."""
    index = {kind.id: position for position, kind in enumerate(kinds)}
    driver = {"name": "mcp-inspect", "version": __version__, "rules": [_rule(kind) for kind in kinds]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "results": [_result(each, index[each.rule]) for each in results]}
        ],
    }


def _rule(kind: Kind) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": kind.id,
        "shortDescription": {"text": kind.about},
        "defaultConfiguration": {"level": kind.level},
    }
    return {**rule, "helpUri": kind.url} if kind.url else rule


def _result(result: Result, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if result.file:
        physical: dict[str, Any] = {"artifactLocation": {"uri": result.file}}
        if result.line:
            physical["region"] = {"startLine": result.line}
        location["physicalLocation"] = physical
    if result.place:
        location["logicalLocations"] = [
            {"name": result.place[-1], "fullyQualifiedName": " ".join(result.place)}
        ]
    return {
        "ruleId": result.rule,
        "ruleIndex": index,
        "level": result.level,
        "message": {"text": result.message},
        "locations": [location] if location else [],
    }
