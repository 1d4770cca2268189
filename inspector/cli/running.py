"""Runs the asynchronous part of a verb: signals end it politely, a second one at once, and nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.secrets import Secrets
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.targets import Target, choose, load_target
from inspector.config.entry import Entry
from inspector.config.settings import load_settings
from inspector.policy.audit import COMMAND_LINE, Audit
from inspector.protocol.identity import identity_of
from inspector.session.dispatcher import IDLE, TOTAL
from inspector.session.responders import read_profile
from inspector.session.session import CONNECT, Options
from inspector.workspace.connection import Book, Connection
from inspector.workspace.signals import Signals
from inspector.workspace.status import error
from inspector.workspace.tool_calls import ToolCalls
from inspector.workspace.workspace import Workspace

if TYPE_CHECKING:
    from inspector.traffic.writer import Writer


@dataclass(slots=True)
class Run:
    """What a verb works with: the answer's way out, the person's ear, the target, and the live workspace."""

    arguments: Arguments
    output: Output
    diagnostics: Diagnostics
    target: Target
    workspace: Workspace
    prepared: Any = None
    answered: Any = None
    """What the verb came to, to be compared with what it comes to another time."""
    approved: set[str] = field(default_factory=set)
    """Tools that were allowed by a person, each behind the name of its server."""

    @property
    def watches(self) -> bool:
        """Whether the verb is done again when files change."""
        return bool(getattr(self.arguments.options, "watch", None))

    @property
    def mask(self) -> Callable[[str], str]:
        """Hides known secret values."""
        return self.output.mask

    def sum_up(self, text: str) -> None:
        """What the answer comes to, for the person, where the answer itself goes into a file."""
        if self.output.to_file:
            self.diagnostics.say(text)

    def error_json(self, failure: Failure) -> dict[str, Any]:
        """The error member of a document, with secrets hidden."""
        return error(failure, self.diagnostics.mask, self.output.value)

    @property
    def connections(self) -> list[Connection]:
        return list(self.workspace.connections.values())

    async def connected(self, connection: Connection) -> None:
        """Starts it, unless it must not be, and waits until it is ready. Raises Failed where it is not."""
        if connection.error is None:
            self.workspace.start([connection.name])
        await connection.settled()
        if connection.state != "ready":
            raise Failed(connection.error or Failure(kind="cancelled", message="the connection was closed"))

    @property
    def wanted(self) -> list[Connection]:
        """Those that the verb is about: named by `-s`, though they be disabled; else all but the disabled ones.
        One that has an error already must not be started: its consent is missing."""
        named = bool(self.arguments.server) or self.target.single
        return [one for one in self.connections if named or one.state != "disabled" or one.error is not None]

    @property
    def judged(self) -> list[Connection]:
        """The same for verbs that pass or fail. Raises Failed where there is none: nothing looked at is not green."""
        if not self.wanted:
            off = ", ".join(one.name for one in self.connections)
            raise fail(
                "config",
                f"{self.target.name} has no server to look at" + (f": {off} is switched off" if off else ""),
                "choose one with -s NAME"
                if off
                else "name a target; mcp-inspect config says what is in a file",
            )
        return self.wanted


def run(
    arguments: Arguments,
    verb: Callable[[Run], Awaitable[int]],
    *,
    lists: bool,
    keep: bool = False,
    prepare: Callable[[Arguments], object] = lambda arguments: None,
) -> int:
    """Connects nothing by itself: opens the workspace for `verb`, and closes it behind it. Returns the exit code.

    `lists` tells whether connections read their lists when they are ready, `keep` whether the verb has a use for their
    traffic. `prepare` reads the operands before
    anything is started, for `Run.prepared`; it may raise Usage.
    """
    prepared = prepare(arguments)
    secrets = Secrets()
    shown = None if arguments.reveal else secrets
    diagnostics = Diagnostics(shown, verbose=arguments.verbose)
    output = Output(arguments.output, shown)
    target = choose(arguments, load_target(arguments), diagnostics)

    async def main() -> int:
        signals: Signals | None = None
        try:
            async with (
                _workspace(arguments, secrets, diagnostics, lists=lists, keep=keep) as (workspace, signals),
                target_entries(target) as entries,
            ):
                for entry in entries:
                    connection = workspace.add(entry)
                    if entry.name in target.unapproved:
                        refuse(connection)
                this = Run(arguments, output, diagnostics, target, workspace, prepared)
                if this.watches:
                    from inspector.cli import watched

                    return await watched.run(this, verb)
                return await verb(this)
        except asyncio.CancelledError:
            if arguments.json and not output.written:
                output.document({"error": Failure(kind="cancelled", message="interrupted").as_json()})
            return (signals.code if signals is not None else None) or Exit.INTERRUPTED

    gc.freeze()
    gc.enable()
    return asyncio.run(main())


@asynccontextmanager
async def target_entries(target: Target) -> AsyncIterator[list[Entry]]:
    """The entries to connect to; those of the demo have their HTTP servers in this process while the block runs."""
    if not target.demo:
        yield target.entries
        return
    from inspector import demo

    async with demo.open_house() as urls:
        for entry in target.entries:
            if entry.url:
                entry.url = urls[entry.name]
        yield target.entries


def refuse(connection: Connection) -> None:
    """Keeps a server of a file that was only found from being started, unless it was approved before."""
    from inspector.policy.consent import needs_consent, refusal

    if needs_consent(connection.entry):
        connection.refuse(refusal(connection.entry))


@asynccontextmanager
async def _workspace(
    arguments: Arguments, secrets: Secrets, diagnostics: Diagnostics, *, lists: bool, keep: bool
) -> AsyncIterator[tuple[Workspace, Signals]]:
    """The first signal cancels the task that is in the block. Raises Failed (io) where recording broke."""
    task = asyncio.current_task()
    assert task is not None
    broken: list[Failure] = []
    book = _book(arguments, secrets, broken, keep)
    options, at_once = options_of(arguments, diagnostics), load_settings().starts
    workspace = Workspace(book, secrets=secrets, options=options, lists=lists, at_once=at_once)
    workspace.tool_calls = ToolCalls(Audit(secrets, COMMAND_LINE, on_problem=diagnostics.say))
    try:
        with Signals(workspace, task.cancel) as signals:
            async with workspace:
                yield workspace, signals
    finally:
        book.close()
        if arguments.record and not arguments.no_redact and secrets.short:
            diagnostics.say(
                f"note: too short to be masked wherever they turn up: the values of {', '.join(secrets.short)}"
            )
    if broken:
        raise Failed(broken[0])


def options_of(arguments: Arguments, diagnostics: Diagnostics) -> Options:
    """The command line, else our settings, else what is built in. Raises Failed: io, config."""
    settings = load_settings()
    for problem in settings.problems:
        diagnostics.say(problem)
    return Options(
        responder=read_profile(arguments.answer) if arguments.answer else None,
        protocol=arguments.protocol or settings.protocol,
        protocol_by_entry=arguments.protocol is None,
        connect_timeout=arguments.connect_timeout or settings.connect_timeout or CONNECT,
        timeout=arguments.timeout or settings.timeout or IDLE,
        max_time=arguments.max_time or settings.max_time or TOTAL,
        roots=(Path(arguments.project_dir).absolute().as_uri(),) if arguments.project_dir else settings.roots,
        stderr_lines=settings.stderr_lines,
        leaves=arguments.yes,
        identity=identity_of(arguments.identity or settings.client),
    )


def _book(arguments: Arguments, secrets: Secrets, broken: list[Failure], keep: bool) -> Book:
    """A store only where something is recorded or looked at: loading it costs more than a call. Raises Failed (io)."""
    if not arguments.record and not keep:
        from inspector.traffic.unkept import Unkept

        return Unkept()
    from inspector.traffic.store import Traffic

    traffic = Traffic.in_memory()
    if arguments.record:
        traffic.attach(writer(arguments, secrets, broken.append))
    return traffic


def writer(arguments: Arguments, secrets: Secrets, on_error: Callable[[Failure], None]) -> Writer:
    """The recorder that `--record` asks for. Raises Failed: io, config (a redaction pattern)."""
    from inspector.traffic.redact import patterns_of
    from inspector.traffic.writer import Writer

    return Writer(
        Path(arguments.record),
        secrets=secrets,
        redact=not arguments.no_redact,
        patterns=patterns_of(load_settings().redact),
        force=arguments.force,
        on_error=on_error,
    )
