"""`form`: the form of a tool as fields, and with `--fill` the arguments that it would send."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Exit, fail
from inspector.base.jsontext import Malformed
from inspector.cli import definitions, outline
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.definitions import Definitions
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.running import Run
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel


def entries_of(arguments: Arguments) -> dict[str, Any] | None:
    """What `--fill` says, by pointer; None without it. Raises Usage."""
    given = arguments.fill
    if given is None:
        return None
    try:
        if given == "-":
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        elif given.startswith("@"):
            text = Path(given[1:]).read_bytes().decode("utf-8-sig")
        else:
            text = given
        entries = numbers.loads(text)
    except (OSError, ValueError) as error:
        if isinstance(error, Malformed):
            line, column = numbers.place(text, error.position)
            raise Usage(f"--fill is not JSON: {error} (line {line}, column {column})") from error
        said = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise Usage(f"--fill {given[:200]}: {said}") from error
    if not isinstance(entries, dict):
        raise Usage('--fill is a JSON object of pointers and entries, as in {"/name": "text"}')
    for pointer in entries:
        if pointer and not pointer.startswith("/"):
            raise Usage(f'--fill: {pointer!r} is no JSON Pointer: write "/{pointer}"')
    return entries


def run_on_file(arguments: Arguments, found: Definitions) -> int:
    """The forms of a file: an object where it holds one tool or TOOL was given, else a list."""
    entries = entries_of(arguments)
    name = definitions.wanted_tool(arguments)
    (chosen,) = definitions.choose([found], name)
    output, diagnostics = Output(arguments.output, None), Diagnostics(None, verbose=arguments.verbose)
    printer = _Printer(arguments, output, diagnostics, lambda value: value)
    if entries is not None:
        return printer.filled(_only(chosen.tools), entries)
    return printer.forms([chosen], single=name is not None or len(chosen.tools) == 1, named=False)


async def run_on_servers(run: Run) -> int:
    """The forms of live servers. Where there are several servers each form says whose it is."""
    arguments, entries = run.arguments, run.prepared
    name = definitions.wanted_tool(arguments)
    found = definitions.choose(await definitions.of_servers(run), name)
    printer = _Printer(arguments, run.output, run.diagnostics, run.output.value, run.error_json)
    if entries is not None and len(found) == 1 and found[0].failure is None:
        return printer.filled(_only(found[0].tools), entries)
    if entries is not None and all(one.failure is None for one in found):
        raise fail(
            "config", f"--fill fills one form, and {len(found)} servers have one", "choose with -s NAME"
        )
    single = name is not None and len(run.wanted) == 1
    return printer.forms(found, single=single, named=not (single or run.target.single))


def _only(tools: list[Any]) -> Any:
    if len(tools) != 1:
        names = ", ".join(str(definitions.name_of(tool)) for tool in tools[:8]) or "none"
        raise fail("config", f"--fill fills one form, and there are {len(tools)}", f"name a TOOL: {names}")
    return tools[0]


class _Printer:
    def __init__(
        self,
        arguments: Arguments,
        output: Output,
        diagnostics: Diagnostics,
        masked: Callable[[Any], Any],
        error: Callable[[Any], Any] | None = None,
    ) -> None:
        self._json = arguments.json
        self._output = output
        self._diagnostics = diagnostics
        self._masked = masked
        self._error = error

    def filled(self, tool: Any, entries: dict[str, Any]) -> int:
        """What the filled form would send; 1 where something is wrong with it."""
        model = FormModel(definitions.schema_of(tool))
        problems = fill(model, entries)
        outcome = model.arguments()
        told = {issue.path for issue in problems}
        errors = problems + [issue for issue in outcome.errors if issue.path not in told]
        if self._json:
            self._output.document(
                self._masked(
                    {
                        "arguments": outcome.arguments,
                        "errors": [issue._asdict() for issue in errors],
                        "warnings": [issue._asdict() for issue in outcome.warnings],
                    }
                )
            )
        else:
            self._output.text(numbers.dumps(outcome.arguments, 2))
            for word, issues in (("error", errors), ("warning", outcome.warnings)):
                for issue in issues:
                    self._diagnostics.say(f"{word}: {issue.path or 'the form'}: {issue.message}")
        return Exit.FAILURE if errors else Exit.OK

    def forms(self, found: list[Definitions], *, single: bool, named: bool) -> int:
        """One document for each tool, or for each server that failed; `named` says whose each is."""
        documents: list[Any] = []
        blocks: list[str] = []
        for one in found:
            if one.failure is not None:
                if self._json and self._error is not None:
                    documents.append({"server": one.server, "error": self._error(one.failure)})
                else:
                    self._diagnostics.failed(one.server, one.failure)
                continue
            for warning in one.warnings:
                self._diagnostics.say(f"{one.server}: {warning}")
            for tool in one.tools:
                document = document_of(tool)
                owner = {"server": one.server} if named else {}
                if self._json:
                    documents.append(self._masked({**owner, **document}))
                else:
                    blocks.append(outline.of(document))
        if self._json:
            whole = single or (not named and found[0].failure is not None)
            self._output.document(documents[0] if whole else documents)
        elif blocks:
            self._output.text("\n\n".join(blocks))
        return definitions.exit_of(found)


def document_of(tool: Any) -> dict[str, Any]:
    """The form of one tool as JSON values; an entry that is no tool has free arguments too."""
    document = {"tool": definitions.name_of(tool), **as_json(FormModel(definitions.schema_of(tool)))}
    if not isinstance(tool, dict):
        document["problems"] = ["the entry of the list is no object, so it is no tool"]
    return document
