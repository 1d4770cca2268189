"""`config`: the normalised servers, where each came from, and every problem; starts nothing."""

from __future__ import annotations

import os
from pathlib import Path

from inspector.base.errors import Exit, fail
from inspector.base.secrets import MASK
from inspector.base.text import visible
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.inputs import spare
from inspector.cli.output import Output
from inspector.cli.tables import sign, table
from inspector.cli.targets import dialect_of, load_target, missing_server
from inspector.config.discover import location_of
from inspector.config.entry import Entry, Note
from inspector.config.load import Loaded, Problem, of_command_line
from inspector.config.server import Server

_NO_FILE = "command line"


def run(arguments: Arguments) -> int:
    """Prints in every case; 2 where a problem is an error."""
    loaded = _discovered(arguments) if arguments.discover else _of_target(arguments)
    if arguments.server:
        _only(loaded, arguments.server)
    if arguments.to is not None:
        return _translate(loaded, arguments)
    output = Output(arguments.output, None)
    if arguments.json:
        output.document(loaded.as_json(reveal=arguments.reveal))
    else:
        _print(loaded, output, Diagnostics(None), reveal=arguments.reveal, clients=arguments.discover)
    return Exit.USAGE if loaded.has_errors else Exit.OK


def _of_target(arguments: Arguments) -> Loaded:
    target = load_target(arguments)
    if target.demo:
        raise fail("config", "the demo has no config file", "start it with mcp-inspect demo")
    if target.loaded is not None:
        return target.loaded
    return of_command_line(target.entries, os.environ)


def _discovered(arguments: Arguments) -> Loaded:
    """What is found of all clients, for the folder that is named, or the current one."""
    from inspector.config.found import discover

    folder = Path(arguments.operands[0] if arguments.operands else arguments.project_dir or ".")
    if arguments.command is not None or not folder.is_dir():
        raise Usage("--discover looks into a folder: leave the target out, or name the folder of a project")
    if arguments.dialect is not None:
        raise Usage("--discover reads each file as its own client does: leave out --dialect")
    loaded = discover(folder)
    spare(arguments, [file.path for file in loaded.files])
    if not loaded.files:
        said = f"no client has a file here: neither below {Path.home()} nor in {folder.absolute()}"
        loaded.problems.append(Problem("", None, None, None, "", "warning", said))
    return loaded


def _translate(loaded: Loaded, arguments: Arguments) -> int:
    """Prints the servers as the file of another client would hold them."""
    from inspector.config.emit import emit
    from inspector.config.forms import FORMS
    from inspector.config.writing import write

    target = dialect_of(arguments.to)
    output = Output(arguments.output, None)
    diagnostics = Diagnostics(None)
    if output.to_file:
        _spare_clients(arguments.output)
    reveal = arguments.reveal or output.to_file
    written = write(loaded.entries, target, reveal=reveal)
    text = emit(written.value, FORMS[target.id].language)
    found = [problem for problem in loaded.problems if problem.severity == "error" and problem.server is None]
    problems = [*found, *(_problem(entry, note) for entry, note in written.notes)]
    if arguments.json:
        as_json = [problem.as_json() for problem in problems]
        document = {"dialect": target.id, "value": written.value, "text": text, "problems": as_json}
        output.document(document)
    else:
        private = output.to_file and not Path(arguments.output).exists()
        output.text(text.rstrip("\n"))
        if private:
            # It may hold the keys that the file which it was made of holds.
            Path(arguments.output).chmod(0o600)
        for problem in problems:
            diagnostics.say(_sentence(problem))
    if not reveal and MASK in text:
        diagnostics.say("secrets are shown as ***: --reveal prints them, and -o FILE writes them")
    return Exit.USAGE if any(problem.severity == "error" for problem in problems) else Exit.OK


def _problem(entry: Entry, note: Note) -> Problem:
    path = entry.source.path
    return Problem(path, None, None, entry.name, note.where, note.severity, note.message)


def _spare_clients(file: str) -> None:
    """Files of other programs are only read, also where one was named by mistake."""
    path = Path(os.path.abspath(file))
    location = location_of(path)
    if location is not None and path.exists():
        label = location.dialect.label
        raise fail(
            "config", f"{file} is a file of {label}, and is left alone", "name another file, and copy from it"
        )


def _only(loaded: Loaded, names: list[str]) -> None:
    known = [server.name for server in loaded.servers]
    missing_server(names, known, "this config")
    loaded.servers = [server for server in loaded.servers if server.name in names]
    loaded.entries = [entry for entry in loaded.entries if entry.name in names]
    loaded.problems = [
        problem for problem in loaded.problems if problem.server is None or problem.server in names
    ]


def _print(loaded: Loaded, output: Output, diagnostics: Diagnostics, *, reveal: bool, clients: bool) -> None:
    rows = [["", "SERVER", *(["CLIENT"] if clients else []), "TRANSPORT", "STARTS", "FROM"]]
    bad = {(problem.path, problem.server) for problem in loaded.problems if problem.severity == "error"}
    for server in loaded.servers:
        wrong = (server.entry.source.path, server.name) in bad or server.transport.startswith("unsupported:")
        mark = sign("○", "off") if not server.enabled else sign("✗", "wrong") if wrong else sign("●", "fine")
        source = server.entry.source
        place = f"{source.path}#{source.pointer}" if source.path else _NO_FILE
        client = [server.entry.dialect.label] if clients else []
        rows.append([mark, server.name, *client, server.transport, _starts(server, reveal), place])
    if len(rows) > 1:
        output.text(table(rows))
    elif not loaded.problems:
        diagnostics.say("there is no server in it")
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
