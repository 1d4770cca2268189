"""Verbs that call tools in bulk ask first: about those that are not marked as reading only."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable

from inspector.base.errors import fail
from inspector.base.text import clip
from inspector.cli.questions import can_ask
from inspector.cli.running import Run
from inspector.policy.approval import changing
from inspector.workspace.connection import Connection

_NAMED = 10


async def refused(run: Run, connection: Connection, called: Iterable[str]) -> set[str]:
    """The tools that must not be called. Raises Failed (config) where there is nobody to be asked and no `--yes`."""
    if run.arguments.yes or connection.session is None:
        return set()
    wanted = dict.fromkeys(tool for tool in called if f"{connection.name} {tool}" not in run.approved)
    tools = await changing(connection.session, wanted)
    if not tools:
        return set()
    names = ", ".join(clip(tool, 40) for tool in tools[:_NAMED]) + (" …" if len(tools) > _NAMED else "")
    told = f"{connection.name}: tools that are not marked as reading only will be called: {names}"
    if not can_ask():
        raise fail("config", told, "allow it with --yes")
    run.diagnostics.say(f"{told}\nCall them? [y/N]")
    said = (await asyncio.to_thread(sys.stdin.readline)).strip().lower()
    if said not in ("y", "yes"):
        return set(tools)
    run.approved.update(f"{connection.name} {tool}" for tool in tools)
    return set()
