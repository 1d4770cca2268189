"""Saved calls made over the connections of a workspace."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.base import numbers, tasks
from inspector.base.errors import Failed, Failure, fail
from inspector.base.percentiles import figures_of
from inspector.calls.saved import SavedCall
from inspector.calls.variables import filled
from inspector.formats import junit
from inspector.policy.audit import PERSON
from inspector.replay.client import message_of
from inspector.workspace import calling
from inspector.workspace.connection import Connection

REFUSED = "its tool may change something, and that was not allowed"
STOPPED = "the run was stopped"


@dataclass(slots=True)
class Outcome:
    """`failures` are empty where all is as expected; `failure` is why no answer came; `rows` are those of the request
    and its answer in the traffic."""

    call: SavedCall
    server: str
    failures: list[str]
    seconds: float | None = None
    failure: Failure | None = None
    rows: tuple[int, ...] = ()
    times: Sequence[float] = ()
    """Seconds of each run that was answered, where there were several."""
    failed: int = 0
    """Runs of these that were not as expected."""

    def as_json(
        self, mask: Callable[[str], str], failure: Callable[[Failure], dict[str, Any]]
    ) -> dict[str, Any]:
        several = (
            {"runs": len(self.times), "failed": self.failed, **figures_of(self.times)} if self.times else {}
        )
        return {
            "name": self.call.name,
            "server": self.server,
            "ok": not self.failures,
            "failures": [mask(line) for line in self.failures],
            "duration_ms": None if self.seconds is None else round(self.seconds * 1000, 3),
            "error": None if self.failure is None else failure(self.failure),
            **several,
        }


def document(
    outcomes: Sequence[Outcome], mask: Callable[[str], str], failure: Callable[[Failure], dict[str, Any]]
) -> dict[str, Any]:
    """The document of `--json`."""
    passed = sum(not outcome.failures for outcome in outcomes)
    return {
        "calls": [outcome.as_json(mask, failure) for outcome in outcomes],
        "passed": passed,
        "failed": len(outcomes) - passed,
    }


def as_junit(outcomes: Sequence[Outcome], name: str, mask: Callable[[str], str]) -> str:
    """One test case a call. `name` is that of the file."""
    cases = [
        junit.Case(
            outcome.call.name, outcome.server, outcome.seconds, [mask(line) for line in outcome.failures]
        )
        for outcome in outcomes
    ]
    return junit.document(f"run {name}", cases)


def server_of(call: SavedCall, names: Sequence[str], *, whatever: bool = False) -> str:
    """The one of the servers that a call goes to; with `whatever` an only one is meant by every name. Raises Failed
    (config)."""
    if call.server in names:
        return call.server
    if not call.server or whatever:
        if len(names) == 1:
            return names[0]
        raise fail(
            "config",
            f"{call.name} names no server, and there are: {', '.join(names)}",
            "add server: NAME, or -s",
        )
    raise fail(
        "config", f"no server {call.server} for {call.name}", f"there are: {', '.join(names) or 'none'}"
    )


async def made(connection: Connection, call: SavedCall, approver: str = "") -> Outcome:
    """Makes one call, which `approver` has allowed, and looks at its answer. Never raises Failed."""
    began = time.monotonic()
    try:
        given = _filled(connection, call)
        params = None if given is None else {name: numbers.verbatim(value) for name, value in given.items()}
        if call.tool and params is not None:
            answer = await calling.call(connection, params, approver=approver)
        else:
            answer = await connection.request(call.method, params, approver=approver)
    except Failed as failed:
        seconds = None if failed.failure.kind == "config" else time.monotonic() - began
        return Outcome(call, connection.name, [failed.failure.message], seconds, failed.failure)
    rows = tuple(row for row in (answer.sent_row, answer.row) if row >= 0)
    failure = answer.failure
    if failure is not None and failure.kind != "rpc":
        return Outcome(call, connection.name, [failure.message], answer.seconds, failure, rows)
    wrong = call.expect.failures(message_of(answer), answer.seconds)
    return Outcome(call, connection.name, wrong, answer.seconds, rows=rows)


def _filled(connection: Connection, call: SavedCall) -> dict[str, Any] | None:
    """The parameters with variables put in, which are secrets from then on. Raises Failed (config)."""
    used: list[tuple[str, str]] = []
    params = filled(call.params, connection.environment, used, call.name)
    for value, name in used:
        connection.learn(value, name)
    return params  # type: ignore[no-any-return]


async def repeated(connection: Connection, call: SavedCall, runs: int, at_once: int) -> Outcome:
    """Makes a call so often, some at once; the outcome is that of the first run that was not as expected, else of the
    last one. Ends early where the connection does; a call that cannot be made has no runs."""
    found: list[Outcome] = []
    left = iter(range(runs))

    async def worker() -> None:
        for _ in left:
            found.append(outcome := await made(connection, call))
            if outcome.failure is not None and outcome.failure.kind in (
                "exited",
                "stream",
                "cancelled",
                "config",
            ):
                return

    await asyncio.gather(*(worker() for _ in range(min(at_once, runs))))
    wrong = [outcome for outcome in found if outcome.failures]
    shown = wrong[0] if wrong else found[-1]
    if shown.failure is None or shown.failure.kind != "config":
        shown.times = [outcome.seconds for outcome in found if outcome.seconds is not None]
        shown.failed = len(wrong)
    return shown


class Calling:
    """Some saved calls made one after the other, under way or over; it goes on whoever looks at it. `outcomes` are by
    the name of the call; `changed` is called whenever they are more."""

    def __init__(
        self,
        calls: Sequence[SavedCall],
        to: Mapping[str, Connection],
        *,
        denied: Collection[str] = (),
        outcomes: dict[str, Outcome],
        changed: Callable[[], None],
    ) -> None:
        """`to` has the connection of each call by the name of the call; calls that are `denied` are not made."""
        self._calls, self._to, self._denied = list(calls), to, denied
        self.outcomes, self._changed = outcomes, changed
        self.current: str | None = None
        for call in calls:
            outcomes.pop(call.name, None)
        self._task = tasks.spawn(self._run(), "saved calls")

    @property
    def running(self) -> bool:
        return not self._task.done()

    def stop(self) -> None:
        """The call under way is given up, and the server told; the rest is not made."""
        self._task.cancel()

    async def _run(self) -> None:
        try:
            for call in self._calls:
                self.current = call.name
                self._changed()
                connection = self._to[call.name]
                if call.name in self._denied:
                    self.outcomes[call.name] = Outcome(call, connection.name, [REFUSED])
                else:
                    self.outcomes[call.name] = await made(connection, call, PERSON)
        finally:
            self.current = None
            for call in self._calls:
                self.outcomes.setdefault(call.name, Outcome(call, self._to[call.name].name, [STOPPED]))
            self._changed()
