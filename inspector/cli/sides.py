"""What is to be compared: the lists of live servers, or what a recording holds of them."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Failed, Failure, fail
from inspector.cli import running
from inspector.cli.arguments import Arguments
from inspector.cli.running import Run
from inspector.cli.targets import is_recording, is_url
from inspector.compare import recorded
from inspector.compare.listings import Lists
from inspector.protocol.listing import LISTS
from inspector.replay.plan import Plan, plans
from inspector.session.listings import Listing
from inspector.workspace.connection import Connection


@dataclass(slots=True)
class Side:
    """`lists` by server; `plans` are the conversations of a recording; `failures` those of servers that could not be
    asked."""

    title: str
    lists: dict[str, Lists] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    recorded: bool = False

    @property
    def servers(self) -> list[str]:
        return list(dict.fromkeys([*self.lists, *self.plans]))


def of_recording(path: str, servers: list[str] | None) -> Side:
    """Raises Failed: io, unsupported, config."""
    from inspector.traffic.store import Traffic

    traffic = Traffic.open_recording(Path(path))
    try:
        traffic.advance()
        found = recorded.listings(traffic)
        side = Side(path, dict(found), plans(traffic), recorded=True)
    finally:
        traffic.close()
    for wanted in servers or ():
        if wanted not in side.servers:
            there = ", ".join(side.servers) or "none"
            raise fail("config", f"no server {wanted} in {path}", f"there are: {there}")
    if servers:
        side.lists = {name: lists for name, lists in side.lists.items() if name in servers}
        side.plans = {name: plan for name, plan in side.plans.items() if name in servers}
    return side


def of_word(arguments: Arguments, word: str | None) -> Side:
    """A recording, or the target that the word names; None stands for the command behind `--`. Raises Failed, Usage,
    and KeyboardInterrupt where it was interrupted."""
    if word is not None and is_recording(word):
        return of_recording(word, arguments.server)
    words = [] if word is None else [word]
    command = arguments.command if word is None else None
    options = arguments.options
    if word is None or is_url(word):
        # There is one server, and its name is of our making: -s is about the other side.
        options = Namespace(**{**vars(options), "server": None})
    one = replace(arguments, operands=words, command=command, options=options)
    found: list[Side] = []

    async def collect(run: Run) -> int:
        found.append(await of_servers(run))
        return 0

    code = running.run(one, collect, lists=False)
    if not found:
        raise KeyboardInterrupt(code)
    found[0].title = word if word is not None else found[0].title
    return found[0]


async def of_servers(run: Run) -> Side:
    """Connects to all that are wanted and reads every list that they declare, with secrets that are known here masked:
    what is compared and kept outlives the run that knows them. Never raises Failed."""
    connections = run.wanted
    run.workspace.start([connection.name for connection in connections if connection.error is None])
    side = Side(run.target.name)
    outcomes = await asyncio.gather(*map(lists_of, connections))
    for connection, outcome in zip(connections, outcomes, strict=True):
        if isinstance(outcome, Failure):
            side.failures[connection.name] = _masked_failure(run, outcome)
        else:
            side.lists[connection.name] = numbers.spelled(run.output.value(outcome))
    return side


def _masked_failure(run: Run, failure: Failure) -> Failure:
    mask = run.diagnostics.mask
    return replace(
        failure,
        message=mask(failure.message),
        hint=None if failure.hint is None else mask(failure.hint),
        data=numbers.spelled(run.output.value(failure.data)),
        stderr=tuple(mask(line) for line in failure.stderr),
    )


async def lists_of(connection: Connection) -> Lists | Failure:
    """Every list that it declares, when it is ready."""
    await connection.settled()
    if connection.session is None or connection.state != "ready":
        return connection.error or Failure(kind="cancelled", message="the connection was closed")
    try:
        listed = await connection.session.lists()
    except Failed as failed:
        return failed.failure
    # What is not declared is not there: it counts as a list without entries.
    lists: dict[Any, Any] = {kind: [] for kind in LISTS}
    for kind, listing in listed.items():
        if listing.failure is None:
            lists[kind] = _entries(listing)
        elif listing.failure.code is None:
            return listing.failure
    return lists


def _entries(listing: Listing) -> list[Any]:
    """With numbers as the server spelled them."""
    texts = listing.texts()
    if len(texts) != len(listing.entries):
        return listing.entries
    entries: list[Any] = []
    for text, entry in zip(texts, listing.entries, strict=True):
        try:
            entries.append(numbers.spelled(text))
        except ValueError:
            entries.append(entry)
    return entries
