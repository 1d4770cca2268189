"""The app, on a config, a URL, a command, or the bundled demo servers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from inspector.base.errors import Failed, Failure, fail
from inspector.base.paths import paths
from inspector.base.secrets import Secrets
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.running import options_of, refuse, target_entries, writer
from inspector.cli.targets import DEMO, Target, load_target, missing_server
from inspector.traffic.store import Traffic
from inspector.workspace.signals import Signals
from inspector.workspace.workspace import Workspace

OpenApp = Callable[..., Awaitable[int]]


def run(arguments: Arguments, open_app: OpenApp) -> int:
    """Opens the app and returns its exit code. Raises Usage, Failed (config, io)."""
    if arguments.verb == DEMO:
        arguments.operands = [DEMO]
    target = load_target(arguments)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise fail(
            "config", "the app needs a terminal", "in scripts use a verb: mcp-inspect status TARGET --json"
        )
    secrets = Secrets()
    diagnostics = Diagnostics(None if arguments.reveal else secrets, verbose=arguments.verbose)
    broken: list[Failure] = []
    traffic, note = _traffic(target)
    if arguments.record:
        traffic.attach(writer(arguments, secrets, broken.append))
    try:
        code = asyncio.run(_main(arguments, target, traffic, secrets, open_app))
    finally:
        traffic.close()
    if note:
        diagnostics.say(note)
    if broken:
        raise Failed(broken[0])
    return code


def _traffic(target: Target) -> tuple[Traffic, str]:
    """A recording that is to be read, or the live spool, and a word for the person where there can be none on disk.

    Raises Failed (io, unsupported) for a recording that cannot be opened."""
    if target.recording is not None:
        return Traffic.open_recording(target.recording), ""
    try:
        return Traffic.on_disk(paths().spool), ""
    except Failed as failed:
        return Traffic.in_memory(), f"traffic was kept in memory only: {failed.failure.message}"


async def _main(
    arguments: Arguments, target: Target, traffic: Traffic, secrets: Secrets, open_app: OpenApp
) -> int:
    workspace = Workspace(traffic, secrets=secrets, options=options_of(arguments))
    # The handlers stay until all is closed: a signal in between must not leave a server behind.
    with Signals(workspace) as signals:
        async with workspace, target_entries(target) as entries:
            for entry in _chosen(arguments, target, entries):
                connection = workspace.add(entry)
                if entry.source.scope == "project" and not arguments.yes:
                    refuse(connection)
            code = await open_app(workspace, signals, title=target.name)
    return signals.code or code


def _chosen(arguments: Arguments, target: Target, entries: list[Any]) -> list[Any]:
    if not arguments.server:
        return entries
    missing_server(arguments.server, [entry.name for entry in entries], target.name)
    return [entry for entry in entries if entry.name in arguments.server]
