"""`schema`: the input schema of a tool as served, as PaiCLI's model sees it, what differs, and as the Java SDK reads
it."""

from __future__ import annotations

from typing import Any

from inspector.base import jsondiff, numbers
from inspector.base.text import clip
from inspector.cli import definitions
from inspector.cli.listed import Listed
from inspector.cli.tables import sign
from inspector.lenses.java_sdk.clients import V0_10, tool_report
from inspector.lenses.paicli import Rewrite, Sanitized, sanitize

_SIGNS = {"add": "+", "remove": "-"}


def run(listed: Listed, view: str) -> int:
    """Prints the schemas, or the changes of `--view diff`."""
    if view == "diff":
        return listed.show(_diff, _changes)
    return listed.show({"sanitized": _sanitized, "java": _java}.get(view, _raw), _shown)


def _raw(tool: Any) -> dict[str, Any]:
    return {
        "tool": definitions.name_of(tool),
        "view": "raw",
        "schema": definitions.schema_of(tool),
        "report": [],
    }


def _clean(tool: Any) -> Sanitized:
    missing = not isinstance(tool, dict) or "inputSchema" not in tool
    return sanitize(definitions.schema_of(tool), missing=missing)


def _sanitized(tool: Any) -> dict[str, Any]:
    found = _clean(tool)
    report = [rewrite._asdict() for rewrite in found.report]
    return {"tool": definitions.name_of(tool), "view": "sanitized", "schema": found.schema, "report": report}


def _java(tool: Any) -> dict[str, Any]:
    """The schema is that of 0.10.0, null where it reads none; the report is of 2.0.1 too, its pointers go into the
    tool."""
    bound = V0_10.entry("tools", tool)
    return {
        "tool": definitions.name_of(tool),
        "view": "java",
        "schema": None if bound.refused else definitions.schema_of(bound.value),
        "report": [rewrite._asdict() for rewrite in tool_report(tool)],
    }


def _diff(tool: Any) -> dict[str, Any]:
    changes = [
        {"pointer": change.pointer, "op": change.op, "old": change.old, "new": change.new}
        for change in jsondiff.diff(definitions.schema_of(tool), _clean(tool).schema)
    ]
    return {"tool": definitions.name_of(tool), "changes": changes}


def _shown(document: dict[str, Any]) -> str:
    lines = [f"{document['tool'] or '(no name)'}:", numbers.dumps(document["schema"], 2)]
    for rewrite in document["report"]:
        at, by = rewrite["pointer"] or "(the whole)", Rewrite(**rewrite).by
        lines.append(f"  {rewrite['severity']:<7}  {at}: {rewrite['message']} ({by})")
    return "\n".join(lines)


def _changes(document: dict[str, Any]) -> str:
    head = f"{document['tool'] or '(no name)'}: "
    changes = document["changes"]
    if not changes:
        return head + "nothing changes"
    lines = [head + f"{len(changes)} change{'' if len(changes) == 1 else 's'}"]
    for change in changes:
        mark, at = _SIGNS.get(change["op"], "~"), change["pointer"] or "(the whole)"
        old, new = (clip(numbers.dumps(change[side]), 100) for side in ("old", "new"))
        said = {"+": new, "-": old}.get(mark, f"{old} {sign('→', 'becomes')} {new}")
        lines.append(f"  {mark} {at}: {said}")
    return "\n".join(lines)
