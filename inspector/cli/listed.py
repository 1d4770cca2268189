"""The tools that a verb is about, and where its answer goes: one document for each, told apart where it must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inspector.base.errors import Exit, Failure, fail
from inspector.cli import definitions
from inspector.cli.arguments import Arguments
from inspector.cli.definitions import Definitions
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.running import Run


def _unmasked(value: Any) -> Any:
    return value


@dataclass(slots=True)
class Listed:
    """`single` asks for an object and no list; `named` says at each document which server it is of. `masked` hides
    secrets in a value, `error_json` gives the error member of a document."""

    found: list[Definitions]
    output: Output
    diagnostics: Diagnostics
    json: bool
    single: bool
    named: bool
    masked: Callable[[Any], Any] = _unmasked
    error_json: Callable[[Failure], Any] = Failure.as_json

    def only(self, option: str) -> Any:
        """The one tool there is, for an option that needs exactly one, and what is odd about its list on stderr.
        Raises Failed (config)."""
        tools = [tool for one in self.found for tool in one.tools]
        if len(tools) == 1:
            for one in self.found:
                self._warn(one)
            return tools[0]
        names = (
            ", ".join([name for one in self.found for name in definitions.operands(one.tools)][:8]) or "none"
        )
        choose = "choose a server with -s NAME" if len(self.found) > 1 else "name a TOOL"
        raise fail("config", f"{option} needs exactly one tool, and there are {len(tools)}: {names}", choose)

    def _warn(self, one: Definitions) -> None:
        for warning in one.warnings:
            self.diagnostics.say(f"{one.server}: {warning}" if one.server is not None else warning)

    @property
    def failed(self) -> bool:
        return any(one.failure is not None for one in self.found)

    def show(self, document: Callable[[Any], dict[str, Any]], text: Callable[[dict[str, Any]], str]) -> int:
        """Prints a document for each tool, or for each server that failed; `text` lays one out for people."""
        documents: list[Any] = []
        blocks: list[str] = []
        for one in self.found:
            if one.failure is not None:
                documents.append({"server": one.server, "error": self.error_json(one.failure)})
                self.diagnostics.failed(one.server, one.failure)
                continue
            self._warn(one)
            for tool in one.tools:
                made = document(tool)
                if self.json:
                    documents.append(self.masked({"server": one.server, **made} if self.named else made))
                else:
                    blocks.append(text(made))
        if self.json:
            whole = self.single or (not self.named and self.failed)
            self.output.document(documents[0] if whole else documents)
        elif blocks:
            self.output.text("\n\n".join(blocks))
        return max((one.failure.exit for one in self.found if one.failure is not None), default=Exit.OK)


def of_file(arguments: Arguments, found: Definitions) -> Listed:
    """An object where the file holds one tool or TOOL was given, else a list. Raises Failed (config)."""
    name = definitions.wanted_tool(arguments)
    chosen = definitions.choose([found], name)
    single = name is not None or len(found.tools) == 1
    output, diagnostics = Output(arguments.output, None), Diagnostics(None, verbose=arguments.verbose)
    return Listed(chosen, output, diagnostics, arguments.json, single, False)


async def of_servers(run: Run) -> Listed:
    """An object where one server was meant and TOOL was given, else a list. Raises Failed (config)."""
    name = definitions.wanted_tool(run.arguments)
    found = definitions.choose(await definitions.of_servers(run), name)
    single = name is not None and len(run.wanted) == 1
    named = not (single or run.target.single)
    return Listed(
        found,
        run.output,
        run.diagnostics,
        run.arguments.json,
        single,
        named,
        run.output.value,
        run.error_json,
    )
