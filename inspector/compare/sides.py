"""What is compared with what: the lists of servers, and what a recording holds of their conversations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.base.errors import Failure, fail
from inspector.compare import paired, recorded
from inspector.compare.listings import Lists, compare
from inspector.compare.report import Report
from inspector.replay.ignoring import Ignoring
from inspector.replay.plan import Plan, plans
from inspector.session.answer import Answer
from inspector.traffic.store import Traffic


@dataclass(frozen=True, slots=True)
class Called:
    """One `tools/call`. `failure` says why there is no answer."""

    params: dict[str, Any]
    answer: Answer | None = None
    failure: Failure | None = None

    @property
    def title(self) -> str:
        return f"tools/call {self.params['name']}"


@dataclass(slots=True)
class Side:
    """`lists` by server; `plans` are the conversations of a recording; `failures` those of servers that could not be
    asked."""

    title: str
    lists: dict[str, Lists] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    recorded: bool = False
    called: dict[str, list[Called]] = field(default_factory=dict)
    """What came of the calls that a person asked for, by server and in their order, the same on both sides."""

    @property
    def servers(self) -> list[str]:
        return list(dict.fromkeys([*self.lists, *self.plans]))


def of_traffic(title: str, traffic: Traffic) -> Side:
    """Of a traffic that is described wholly."""
    return Side(title, dict(recorded.listings(traffic)), plans(traffic), recorded=True)


def of_recording(path: Path, servers: Sequence[str] | None = None) -> Side:
    """Of all servers of a recording, or some. Raises Failed: io, unsupported, config."""
    traffic = Traffic.open_recording(path)
    try:
        traffic.advance()
        side = of_traffic(str(path), traffic)
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


def compared(old: Side, new: Side, rules: Ignoring) -> Report:
    """What differs; answers under `rules`. Raises Failed (config) where no servers belong together."""
    report = Report(f"diff {old.title} {new.title}", failures={**old.failures, **new.failures})
    for first, second in _pairs(old, new, report):
        report.listings.append(compare(second, old.lists.get(first, {}), new.lists.get(second, {})))
        if first in old.plans and second in new.plans:
            report.calls += recorded.calls(second, old.plans[first], new.plans[second], rules)
            report.notes += _declared(second, old.plans[first], new.plans[second])
        for then, now in zip(old.called.get(first, ()), new.called.get(second, ()), strict=False):
            report.calls.append(
                paired.compared(second, now.title, then.answer, now.answer, now.params, rules)
            )
            report.notes += [
                f"{name}: {called.title}: {called.failure.message}"
                for name, called in ((first, then), (second, now))
                if called.failure is not None
            ]
    return report


def _declared(server: str, old: Plan, new: Plan) -> Iterator[str]:
    """A server may list and answer otherwise to a client that can do more."""
    if old.declared.keys() != new.declared.keys():
        then, now = (", ".join(sorted(plan.declared)) or "none" for plan in (old, new))
        yield f"{server}: the client declared other capabilities: {then}; then {now}"


def _pairs(old: Side, new: Side, report: Report) -> list[tuple[str, str]]:
    """Servers belong together by name; one of each do, whatever they are called. Raises Failed (config) where none
    do."""
    failed = report.failures
    if len(old.servers) == len(new.servers) == 1 and not failed:
        return [(old.servers[0], new.servers[0])]
    for side, other in ((old, new), (new, old)):
        alone = [name for name in side.servers if name not in other.servers and name not in failed]
        if alone:
            report.notes.append(f"only in {side.title}: {', '.join(alone)}")
    shared = [name for name in old.servers if name in new.servers]
    if not shared and not failed:
        there, here = ", ".join(old.servers) or "none", ", ".join(new.servers) or "none"
        raise fail("config", f"no server is in both: {there}; {here}", "choose one of each side with -s")
    return [(name, name) for name in shared]
