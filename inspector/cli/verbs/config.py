"""`config`: the normalised servers, where each came from, and every problem; starts nothing."""

from __future__ import annotations

import os

from inspector.base.errors import Exit, fail
from inspector.base.text import visible
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.tables import table
from inspector.cli.targets import load_target, missing_server
from inspector.config.load import Loaded, Problem, of_command_line
from inspector.config.server import Server

_NO_FILE = "command line"


def run(arguments: Arguments) -> int:
    """Prints in every case; 2 where a problem is an error."""
    target = load_target(arguments)
    loaded = target.loaded
    if target.demo:
        raise fail("config", "the demo has no config file", "start it with mcp-inspect demo")
    if loaded is None:
        loaded = of_command_line(target.entries, os.environ)
    if arguments.server:
        _only(loaded, arguments.server)
    output = Output(arguments.output, None)
    if arguments.json:
        output.document(loaded.as_json(reveal=arguments.reveal))
    else:
        _print(loaded, output, Diagnostics(None), reveal=arguments.reveal)
    return Exit.USAGE if loaded.has_errors else Exit.OK


def _only(loaded: Loaded, names: list[str]) -> None:
    known = [server.name for server in loaded.servers]
    missing_server(names, known, "this config")
    loaded.servers = [server for server in loaded.servers if server.name in names]
    loaded.problems = [
        problem for problem in loaded.problems if problem.server is None or problem.server in names
    ]


def _print(loaded: Loaded, output: Output, diagnostics: Diagnostics, *, reveal: bool) -> None:
    rows = [["", "SERVER", "TRANSPORT", "STARTS", "FROM"]]
    bad = {problem.server for problem in loaded.problems if problem.severity == "error"}
    for server in loaded.servers:
        mark = "○" if not server.enabled else "✗" if server.name in bad else "●"
        source = server.entry.source
        place = f"{source.path}#{source.pointer}" if source.path else _NO_FILE
        rows.append([mark, server.name, server.transport, _starts(server, reveal), place])
    if len(rows) > 1:
        output.text(table(rows))
    for problem in loaded.problems:
        diagnostics.say(_sentence(problem))
        if problem.excerpt and problem.severity == "error":
            diagnostics.say(f"    {visible(problem.excerpt.strip())}")


def _starts(server: Server, reveal: bool) -> str:
    shown = server.as_json(reveal)
    if shown["url"]:
        return str(shown["url"])
    return " ".join([shown["command"] or "", *shown["args"]])


def _sentence(problem: Problem) -> str:
    who = f"{problem.server}: " if problem.server else ""
    where = f"{problem.where}: " if problem.where else ""
    return f"{problem.severity}: {problem.place or _NO_FILE}: {who}{where}{problem.message}"
