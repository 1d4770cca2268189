"""`form`: the form of a tool as fields, and with `--fill` the arguments that it would send."""

from __future__ import annotations

import re
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Exit
from inspector.base.text import visible
from inspector.cli import definitions, outline
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.given import json_of, text_of
from inspector.cli.listed import Listed
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel

_LONE_TILDE = re.compile(r"~(?![01])")


def entries_of(arguments: Arguments) -> dict[str, Any] | None:
    """What `--fill` says, by pointer; None without it. Raises Usage."""
    given = arguments.fill
    if given is None:
        return None
    entries = json_of(text_of("--fill", given), "--fill")
    if not isinstance(entries, dict):
        raise Usage('--fill is a JSON object of pointers and entries, as in {"/name": "text"}')
    for pointer in entries:
        if pointer and not pointer.startswith("/"):
            raise Usage(f'--fill: {pointer!r} is no JSON Pointer: write "/{pointer}"')
        if _LONE_TILDE.search(pointer):
            raise Usage(f"--fill: {pointer!r} is no JSON Pointer: ~ is written ~0, and a / in a name ~1")
    return entries


def run(listed: Listed, entries: dict[str, Any] | None) -> int:
    """Prints the forms, or what the one form would send: 1 where something is wrong with it."""
    if entries is None or listed.failed:
        return listed.show(document_of, outline.of)
    return _filled(listed, listed.only("--fill"), entries)


def _filled(listed: Listed, tool: Any, entries: dict[str, Any]) -> int:
    model = FormModel(definitions.schema_of(tool))
    problems = fill(model, entries)
    outcome = model.arguments()
    told = {issue.path for issue in problems}
    errors = problems + [issue for issue in outcome.errors if issue.path not in told]
    if listed.json:
        document = {
            "arguments": outcome.arguments,
            "errors": [issue._asdict() for issue in errors],
            "warnings": [issue._asdict() for issue in outcome.warnings],
        }
        listed.output.document(listed.masked(document))
    else:
        listed.output.text(numbers.dumps(outcome.arguments, 2))
        for word, issues in (("error", errors), ("warning", outcome.warnings)):
            for issue in issues:
                listed.diagnostics.say(f"{word}: {visible(issue.path) or 'the form'}: {issue.message}")
    return Exit.FAILURE if errors else Exit.OK


def document_of(tool: Any) -> dict[str, Any]:
    """The form of one tool as JSON values; an entry that is no tool has free arguments too."""
    document = {"tool": definitions.name_of(tool), **as_json(FormModel(definitions.schema_of(tool)))}
    if not isinstance(tool, dict):
        document["problems"] = ["the entry of the list is no object, so it is no tool"]
    return document
