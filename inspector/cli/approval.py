"""Verbs that call tools in bulk ask first: about those that are not marked as reading only."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable

from inspector.base.errors import fail
from inspector.base.text import clip
from inspector.cli.questions import can_ask
from inspector.cli.running import Run
from inspector.policy.approval import judged
from inspector.policy.audit import PERSON, READ_ONLY, YES
from inspector.workspace.connection import Connection

_NAMED = 10


async def refused(run: Run, connection: Connection, called: Iterable[str]) -> set[str]:
    """The tools that must not be called. Raises Failed (config) where there is nobody to be asked and no `--yes`."""
    if run.arguments.yes or connection.session is None:
        connection.approver = YES
        return set()
    wanted = dict.fromkeys(tool for tool in called if f"{connection.name} {tool}" not in run.approved)
    listed, unlisted = await judged(connection.session, wanted)
    tools = [*listed, *unlisted]
    if not tools:
        connection.approver = PERSON if run.approved else READ_ONLY
        return set()
    told = f"{connection.name}: " + "; ".join(
        f"{what}: {_names(some)}"
        for what, some in (
            ("the server lists no such tool", unlisted),
            ("tools that are not marked as reading only will be called", listed),
        )
        if some
    )
    if not can_ask():
        hint = "correct the name, or call it all the same with --yes" if unlisted else "allow it with --yes"
        raise fail("config", told, hint)
    run.diagnostics.say(f"{told}\nCall them? [y/N]")
    said = (await asyncio.to_thread(sys.stdin.readline)).strip().lower()
    if said not in ("y", "yes"):
        return set(tools)
    connection.approver = PERSON
    run.approved.update(f"{connection.name} {tool}" for tool in tools)
    return set()


def _names(tools: list[str]) -> str:
    return ", ".join(clip(tool, 40) for tool in tools[:_NAMED]) + (" …" if len(tools) > _NAMED else "")
