"""What is to be compared: the lists of live servers, or what a recording or a definition file holds of them."""

from __future__ import annotations

import asyncio
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Failed, Failure
from inspector.cli import running
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.given import named_values
from inspector.cli.running import Run
from inspector.cli.targets import is_recording, is_url
from inspector.compare.listings import Lists
from inspector.compare.paired import masked
from inspector.compare.sides import Called, Side, of_recording
from inspector.replay.answers import FromRecording
from inspector.replay.plan import Plan
from inspector.serving import written
from inspector.serving.definition import Listed
from inspector.workspace.calling import call
from inspector.workspace.listed import lists_of


def of_words(arguments: Arguments, first: str | None, second: str | None) -> tuple[Side, Side]:
    """Two sides: each a recording, a definition file, or the target that the word names; None stands for the command
    behind `--`. Against a recording, live servers meet a client that can do what the one of then could: some list more
    to those that can do more. Raises Failed, Usage, and KeyboardInterrupt where it was interrupted."""
    if second is not None and is_recording(second):
        new = _of_word(arguments, second)
        return _of_word(arguments, first, new.plans), new
    old = _of_word(arguments, first)
    return old, _of_word(arguments, second, old.plans)


def _of_word(arguments: Arguments, word: str | None, then: Mapping[str, Plan] | None = None) -> Side:
    if word is not None and is_recording(word):
        return of_recording(Path(word), arguments.server)
    if word is not None and is_definition(word):
        return _of_definition(Path(word))
    words = [] if word is None else [word]
    command = arguments.command if word is None else None
    options = arguments.options
    if word is None or is_url(word):
        # There is one server, and its name is of our making: -s is about the other side.
        options = Namespace(**{**vars(options), "server": None})
    one = replace(arguments, operands=words, command=command, options=options)
    found: list[Side] = []
    calls = calls_of(getattr(arguments, "call", None) or ())

    async def collect(run: Run) -> int:
        if then and not arguments.answer:
            _declare(run, then)
        found.append(await of_servers(run))
        await _call(run, found[0], calls)
        return 0

    code = running.run(one, collect, lists=False)
    if not found:
        raise KeyboardInterrupt(code)
    found[0].title = word if word is not None else found[0].title
    return found[0]


def calls_of(words: Sequence[str]) -> list[dict[str, Any]]:
    """The parameters of the calls that were typed: a tool and its arguments each, split as a shell would. Raises
    Usage."""
    found = []
    for word in words:
        try:
            tool, *rest = shlex.split(word) or [""]
        except ValueError as error:
            raise Usage(f"--call {word!r}: {error}") from error
        if not tool:
            raise Usage("--call wants a tool and its arguments, as in --call 'get-sum a:=2 b:=3'")
        found.append({"name": tool, "arguments": numbers.verbatim(named_values(rest, {}))})
    return found


async def _call(run: Run, side: Side, calls: Sequence[dict[str, Any]]) -> None:
    """Makes the calls at every server that lists something, one after the other."""
    for connection in run.judged:
        for params in calls if connection.name in side.lists else ():
            try:
                answer = await call(connection, params)
                # What is compared is printed when nobody knows the secrets of this run any more.
                mask = run.workspace.secrets.mask_json
                called = Called(params, answer if run.arguments.reveal else masked(answer, mask))
            except Failed as failed:
                called = Called(params, failure=_masked_failure(run, failed.failure))
            side.called.setdefault(connection.name, []).append(called)


def is_held(word: str) -> bool:
    """Whether the word names a file that holds what servers list, so that nobody is asked."""
    return is_recording(word) or is_definition(word)


def is_definition(word: str) -> bool:
    return Path(word).is_file() and written.is_definition(Path(word))


def _of_definition(path: Path) -> Side:
    """What it would list, spelled as it is there. Raises Failed: io, config."""
    definition = written.read(path)
    lists: Lists = {
        "tools": _entries(definition.tools), "prompts": _entries(definition.prompts),
        "resources": _entries(definition.resources), "templates": _entries(definition.templates),
    }  # fmt: skip
    return Side(str(path), {definition.name: lists})


def _entries(listed: Sequence[Listed]) -> list[Any]:
    return [each.wire() if each.as_is is None else numbers.spelled(each.as_is) for each in listed]


def _declare(run: Run, then: Mapping[str, Plan]) -> None:
    for connection in run.wanted:
        only = next(iter(then.values())) if len(then) == len(run.wanted) == 1 else None
        if (plan := then.get(connection.name, only)) is not None:
            connection.inbox.responder = FromRecording(plan)


async def of_servers(run: Run) -> Side:
    """Connects to all that are wanted and reads every list that they declare, with secrets that are known here masked:
    what is compared and kept outlives the run that knows them. Never raises Failed."""
    connections = run.judged
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
