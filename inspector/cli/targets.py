"""From the words of a command line to the servers that are meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.base.errors import fail
from inspector.base.patterns import pattern
from inspector.cli.arguments import Arguments, Usage, nearest_verb
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.inputs import spare
from inspector.cli.mistaken import refuse_mistaken
from inspector.cli.vocabulary import FILE_FIRST, ONE_SERVER
from inspector.config.adhoc import from_command, from_url, parse_overrides
from inspector.config.entry import Entry, Overrides

if TYPE_CHECKING:
    from inspector.config.dialects import Dialect
    from inspector.config.load import Loaded

_LINK = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:(?=//|mcp)")
"""A link to a client, or to a page that leads to one."""
DEMO = "demo"
DEFAULT = "default"


@dataclass(slots=True)
class Target:
    """The servers of a command line. `single` tells that exactly one was named, so that the answer is an object and
    not a list; `unapproved` are names that wait for a yes nobody gave. `demo` asks for the bundled servers.
    `reload` reads the config once more, as it is then."""

    name: str
    entries: list[Entry] = field(default_factory=list)
    single: bool = False
    unapproved: list[str] = field(default_factory=list)
    loaded: Loaded | None = None
    demo: bool = False
    reload: Callable[[], Loaded] | None = None
    recording: Path | None = None


def is_url(word: str) -> bool:
    return word.lower().startswith(("http://", "https://"))


def is_recording(word: str) -> bool:
    """True for a file whose first line is the header of a recording, and for what another program recorded."""
    from inspector.traffic import imports

    try:
        # A pipe would be waited for, and what was read from it would be gone.
        if not Path(word).is_file():
            return False
        with Path(word).open("rb") as file:
            if file.read(200).startswith(b'{"format":"mcp-inspect/recording"'):
                return True
    except OSError:
        return False
    return imports.format_of(Path(word)) is not None


def target_word(arguments: Arguments) -> str:
    """The operand that names the target, where no command stands in its place."""
    operands = arguments.operands[1:] if arguments.verb in FILE_FIRST else arguments.operands
    return operands[0] if operands else DEFAULT


def overrides_of(arguments: Arguments) -> Overrides:
    """What `--header`, `--env`, `--cwd`, `--transport`, `--insecure`, `--ca`, `--message-url` say. Raises Failed
    (config)."""
    if arguments.cwd is not None and not Path(arguments.cwd).is_dir():
        raise fail("config", f"--cwd {arguments.cwd} is no folder", "name one that exists")
    return parse_overrides(
        arguments.header or (),
        arguments.env or (),
        arguments.cwd,
        None if arguments.transport == "auto" else arguments.transport,
        insecure=arguments.insecure,
        ca=arguments.ca,
        message_url=arguments.message_url,
    )


def load_target(arguments: Arguments) -> Target:
    """Reads the target, without choosing among its servers and without asking anybody. Raises Usage, Failed."""
    try:
        os.getcwd()
    except OSError as error:
        raise fail("config", "the current directory is gone", "change to one that exists") from error
    overrides = overrides_of(arguments)
    if arguments.project_dir is not None and not Path(arguments.project_dir).is_dir():
        raise fail("config", f"--project-dir {arguments.project_dir} is no folder", "name one that exists")
    if arguments.command is not None:
        _fits(arguments.transport, ("stdio",), "a command line")
        return Target(arguments.command[0], [from_command(arguments.command, overrides)], single=True)
    word = target_word(arguments)
    if not word:
        raise Usage("TARGET is empty; is a variable unset? Leave it out for the default config")
    if _is_link(word):
        return _loaded(word, arguments, overrides)
    if is_url(word):
        _fits(arguments.transport, ("http", "sse"), "a URL")
        return Target(word, [from_url(word, overrides)], single=True)
    if word == DEMO:
        return Target(DEMO, _demo_entries(overrides), demo=True)
    if word != DEFAULT and not Path(word).exists() and arguments.verb != "config":
        raise _missing(word, arguments)
    if is_recording(word):
        if arguments.verb != "":
            raise Usage(
                f"{word} is a recording, not a config; read it with: mcp-inspect log {word}, "
                f"or ask it as a server: -- mcp-inspect serve {word}"
            )
        return Target(word, recording=Path(word))
    if word != DEFAULT:
        refuse_mistaken(word, arguments)
    return _loaded(word, arguments, overrides)


def _is_link(word: str) -> bool:
    """True for a link that would add a server to some client."""
    if not _LINK.match(word):
        return False
    from inspector.config.deep_links import is_link

    return is_link(word)


def _loaded(word: str, arguments: Arguments, overrides: Overrides) -> Target:
    from inspector.config.load import load

    project = Path(arguments.project_dir) if arguments.project_dir else None
    dialect = dialect_of(arguments.dialect) if arguments.dialect else None
    if dialect is not None and (word == DEFAULT or not Path(word).is_file()):
        raise Usage("--dialect says how one file is read: name that file")

    def reload() -> Loaded:
        return load(word, project_dir=project, overrides=overrides, dialect=dialect)

    loaded = reload()
    spare(arguments, [file.path for file in loaded.files])
    name = "~/.paicli/mcp.json" if word == DEFAULT else "the link" if _is_link(word) else word
    return Target(name, loaded.entries, loaded=loaded, reload=reload)


def dialect_of(name: str) -> Dialect:
    """The client that an option names. Raises Failed (config)."""
    from inspector.config import dialects

    if (found := dialects.named(name)) is None:
        known = ", ".join(dialects.DIALECTS)
        raise fail("config", f"no client {name} is known", f"there are: {known}")
    return found


def _demo_entries(overrides: Overrides) -> list[Entry]:
    """The bundled servers; the addresses of those over HTTP are only known when they are served."""
    from inspector import demo

    entries = []
    for name, raw in demo.demo_config(dict.fromkeys(("library", "post"), "http://127.0.0.1/"))[
        "mcpServers"
    ].items():
        entry = (
            from_url(raw["url"], overrides)
            if "url" in raw
            else from_command([raw["command"], *raw["args"]], overrides)
        )
        entry.name, entry.enabled = name, not raw.get("disabled", False)
        entries.append(entry)
    return entries


def _fits(wanted: str, possible: tuple[str, ...], what: str) -> None:
    if wanted not in ("auto", *possible):
        raise Usage(f"--transport {wanted} does not fit {what}, which is always {' or '.join(possible)}")


def choose(arguments: Arguments, target: Target, diagnostics: Diagnostics) -> Target:
    """Keeps the servers that `-s` names, and asks for the consent that is missing. Raises Usage, Failed."""
    _tell_problems(target, diagnostics)
    wanted = arguments.server
    if wanted:
        names = [entry.name for entry in target.entries]
        missing_server(wanted, names, target.name)
        target.entries = [entry for entry in target.entries if entry.name in wanted]
        target.single = target.single or len(wanted) == 1
    if arguments.verb in ONE_SERVER:
        _only_one(target, bool(wanted))
    if any(entry.source.scope == "project" or entry.inputs for entry in target.entries):
        from inspector.cli.questions import ask_inputs, consent

        # `status` leaves alone what is switched off; other verbs start it when it is named.
        named = target.single or bool(wanted)
        starting = [
            entry for entry in target.entries if entry.enabled or (named and arguments.verb != "status")
        ]
        for entry in starting:
            if not consent(entry, arguments.yes, diagnostics):
                target.unapproved.append(entry.name)
        ask_inputs([entry for entry in target.entries if entry.name not in target.unapproved], diagnostics)
    return target


def missing_server(wanted: list[str], names: list[str], where: str) -> None:
    """Raises Failed (config) for the first name of `-s` that is not there."""
    for name in wanted:
        if name not in names:
            raise fail("config", f"no server {name} in {where}", f"there are: {', '.join(names) or 'none'}")


def _only_one(target: Target, named: bool) -> None:
    entries = target.entries if named else [entry for entry in target.entries if entry.enabled]
    if len(entries) != 1:
        names = ", ".join(entry.name for entry in entries) or "none"
        count = f"this needs exactly one server, and {target.name} has {len(entries)}: {names}"
        raise fail("config", count, "choose one with -s NAME")
    target.entries = entries
    target.single = True


def _tell_problems(target: Target, diagnostics: Diagnostics) -> None:
    if target.loaded is None:
        return
    problems = target.loaded.problems
    fatal = None
    if target.loaded.has_errors and not target.loaded.entries:
        fatal = next(problem for problem in problems if problem.severity == "error")
    for problem in problems:
        if problem.server is None and problem.severity != "info" and problem is not fatal:
            diagnostics.say(f"{problem.place}: {problem.message}")
    if fatal is not None:
        raise fail(
            "config", f"{fatal.place}: {fatal.message}", "correct the file; mcp-inspect config says more"
        )


def _missing(word: str, arguments: Arguments) -> Usage:
    near = nearest_verb(word) if arguments.verb == "" and os.sep not in word else None
    meant = f"; did you mean the verb {near}?" if near else ""
    if ":" in word and "://" not in word and not meant:
        meant = f"; a URL begins with http:// or https://, as in http://{word}"
    return Usage(f"there is no file or folder {word}{meant}")
