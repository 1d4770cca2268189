"""The app, on a config, a URL, a command, or the bundled demo servers."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.base import crash
from inspector.base.errors import Failed, Failure, fail
from inspector.base.paths import paths
from inspector.base.secrets import Secrets
from inspector.cli import running
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.running import options_of, refuse, target_entries, writer
from inspector.cli.targets import DEFAULT, DEMO, Target, load_target, missing_server, target_word
from inspector.config.settings import load_settings
from inspector.policy.approval import Approvals
from inspector.policy.audit import PERSON, Audit
from inspector.protocol.extensions import APP_TYPE, APPS
from inspector.session.session import Options
from inspector.traffic import imports
from inspector.traffic.spool import sweep
from inspector.traffic.store import Traffic
from inspector.workspace.leftovers import Roll, left_running
from inspector.workspace.signals import Signals
from inspector.workspace.tapped import Taps
from inspector.workspace.tool_calls import ToolCalls
from inspector.workspace.workspace import Workspace

if TYPE_CHECKING:
    from inspector.config.load import Loaded
    from inspector.workspace.config_files import ConfigFiles

_SOON_READ = 8 << 20
_TOO_PLAIN = ("dumb", "unknown")
"""Values of TERM of terminals that can only write line after line."""

OpenApp = Callable[..., Awaitable[int]]


def run(arguments: Arguments, open_app: OpenApp) -> int:
    """Opens the app and returns its exit code. Raises Usage, Failed (config, io)."""
    if arguments.verb == DEMO:
        arguments.operands = [DEMO]
    target = load_target(arguments)
    if arguments.plain:
        return _in_lines(arguments, target)
    if arguments.no_color:
        os.environ["NO_COLOR"] = "1"
    problems = [*_said(target.loaded), *_own_servers(arguments, target)]
    in_browser = os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")
    if not in_browser and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise fail(
            "config", "the app needs a terminal", "in scripts use a verb: mcp-inspect status TARGET --json"
        )
    if not in_browser and os.environ.get("TERM") in _TOO_PLAIN:
        raise fail(
            "config",
            f"the app needs a terminal that can place its cursor; TERM is {os.environ['TERM']}",
            "set TERM to what the terminal is, such as xterm-256color, or use a verb: mcp-inspect status TARGET",
        )
    secrets = Secrets()
    diagnostics = Diagnostics(None if arguments.reveal else secrets, verbose=arguments.verbose)
    broken: list[Failure] = []
    if target.recording is not None and _takes_a_while(target.recording):
        diagnostics.say(f"reading all of {target.recording}, which another program recorded …")
    traffic, notes, told = _traffic(target)
    if arguments.record:
        traffic.attach(writer(arguments, secrets, broken.append))
    told += problems
    try:
        code = asyncio.run(
            _main(arguments, target, traffic, secrets, options_of(arguments, diagnostics), open_app, told)
        )
    except Exception as error:
        reason = crash.failure("the app", error)
        if reason.kind == "internal" and (kept := traffic.keep()) is not None:
            hint = f"{reason.hint}; the traffic is kept for a week: mcp-inspect log {kept}"
            reason = replace(reason, hint=hint)
        raise Failed(reason) from error
    finally:
        recorded = traffic.writer
        traffic.close()
    for note in notes:
        diagnostics.say(note)
    for bug in {bug.message: bug for bug in crash.happened}.values():
        diagnostics.failed(None, bug)
    if recorded is not None and recorded.failure is not None:
        broken.append(recorded.failure)
    if broken:
        raise Failed(broken[0])
    return code


def _in_lines(arguments: Arguments, target: Target) -> int:
    """What the app would show first, line by line: nothing that is painted over can be read out."""
    if target.recording is not None:
        from inspector.cli.verbs import log

        return log.run(arguments)
    from inspector.cli.verbs import status

    arguments.verb = "status"
    code = running.run(arguments, status.run, lists=True, keep=True)
    Diagnostics(None).say(
        "the verbs tell the rest in lines: tools, call, read, check ...; see mcp-inspect --help"
    )
    return code


def _takes_a_while(path: Path) -> bool:
    """What other programs recorded is read as a whole before its first frame is shown, unless it comes in its order."""
    if path.stat().st_size <= _SOON_READ:
        return False
    name = imports.format_of(path)
    return name is not None and not imports.is_sorted(name)


def _traffic(target: Target) -> tuple[Traffic, list[str], list[str]]:
    """A recording that is to be read, or the live spool, with what the person should know about it: in full for the
    terminal when the app is left, and for the app, where long paths would be broken and cannot be copied.

    Raises Failed (io, unsupported) for a recording that cannot be opened."""
    if target.recording is not None:
        return Traffic.open_recording(target.recording), [], []
    folder = paths().spool
    try:
        traffic = Traffic.on_disk(folder)
    except Failed as failed:
        note = f"traffic was kept in memory only: {failed.failure.message}"
        return Traffic.in_memory(), [note], [note]
    notes, told = [], []
    for crashed in sweep(folder):
        notes.append(
            f"a run that ended by force left its traffic in {crashed.folder}, kept for a week; "
            f"read it with mcp-inspect log {crashed.segments[0]}"
        )
        told.append(
            "a run that ended by force left its traffic, kept for a week; where is printed when you quit"
        )
        if left := left_running(crashed.folder):
            names, numbers = ", ".join(left.values()), " ".join(map(str, left))
            notes.append(f"servers of that run are still there: {names}; end them with kill -9 {numbers}")
            told.append(notes[-1])
    return traffic, notes, told


async def _main(
    arguments: Arguments,
    target: Target,
    traffic: Traffic,
    secrets: Secrets,
    options: Options,
    open_app: OpenApp,
    problems: list[str],
) -> int:
    options = replace(options, extensions={APPS: {"mimeTypes": [APP_TYPE]}})
    settings = load_settings()
    workspace = Workspace(traffic, secrets=secrets, options=options, listens=True, at_once=settings.starts)
    workspace.tool_calls = ToolCalls(Audit(secrets, PERSON), Approvals(settings.approval))
    workspace.watched = arguments.watch or ()
    # The handlers stay until all is closed: a signal in between must not leave a server behind.
    with Signals(workspace, needs_terminal=True) as signals:
        async with workspace, target_entries(target) as entries:
            if traffic.folder is not None:
                Roll(workspace, traffic.folder)
            for entry in _chosen(arguments, target, entries):
                connection = workspace.add(entry)
                if entry.source.scope == "project" and not arguments.yes:
                    refuse(connection)
            workspace.config_files = _config_files(arguments, target)
            async with Taps(workspace) if not traffic.read_only else nullcontext():
                code = await open_app(workspace, signals, title=target.name, problems=problems)
    return signals.code or code


def _config_files(arguments: Arguments, target: Target) -> ConfigFiles | None:
    """The files whose changes concern this run: those of the target, and our own where they count."""
    if target.loaded is None or target.reload is None:
        return None
    from inspector.config.discover import FOLDER_FILES
    from inspector.config.load import load
    from inspector.workspace.config_files import ConfigFiles

    read, own = target.reload, paths().servers
    with_own = _has_own(arguments)
    files = [file.path for file in target.loaded.files if file.scope != "adhoc"]
    if (folder := Path(target_word(arguments))).is_dir():
        files = [folder.absolute() / name for name in FOLDER_FILES]
    wanted = arguments.server or ()

    def reload() -> list[Loaded]:
        found = [read(), *([load(own)] if with_own and own.exists() else [])]
        for loaded in found:
            loaded.entries = [entry for entry in loaded.entries if not wanted or entry.name in wanted]
        return found

    files += [own] if with_own else []
    return ConfigFiles(files, reload) if files else None


def _has_own(arguments: Arguments) -> bool:
    """Whether servers that were kept from inside the app are read too: where nothing else was asked for."""
    return arguments.command is None and target_word(arguments) == DEFAULT


def _own_servers(arguments: Arguments, target: Target) -> list[str]:
    """Adds the servers that were kept from inside the app, where nothing else was asked for. Returns what is wrong
    with their file."""
    file = paths().servers
    if not _has_own(arguments) or not file.exists():
        return []
    from inspector.config.load import load

    loaded = load(file)
    target.entries += loaded.entries
    return _said(loaded)


def _said(loaded: Loaded | None) -> list[str]:
    """The errors of whole files; those of a server stand beside it."""
    problems = loaded.problems if loaded is not None else ()
    return [
        f"{problem.place}: {problem.message}"
        for problem in problems
        if problem.server is None and problem.severity == "error"
    ]


def _chosen(arguments: Arguments, target: Target, entries: list[Any]) -> list[Any]:
    if not arguments.server:
        return entries
    missing_server(arguments.server, [entry.name for entry in entries], target.name)
    return [entry for entry in entries if entry.name in arguments.server]
