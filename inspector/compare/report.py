"""What differs between two sides, of all their servers: in sentences, as JSON, as JUnit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Failure
from inspector.base.jsondiff import Change
from inspector.base.text import duration, visible
from inspector.compare.listings import Changed, Comparison, Entry
from inspector.compare.recorded import Compared, Figures
from inspector.formats import junit

_WIDTH = 60


@dataclass(slots=True)
class Report:
    """Of all servers. `failures` are those that could not be asked, by server."""

    title: str
    listings: list[Comparison] = field(default_factory=list)
    calls: list[Compared] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return any(each.differs for each in self.listings) or any(is_worse(each) for each in self.calls)

    def added(self) -> list[Entry]:
        return [entry for each in self.listings for entry in each.added]

    def removed(self) -> list[Entry]:
        return [entry for each in self.listings for entry in each.removed]

    def changed(self) -> list[Changed]:
        return [change for each in self.listings for change in each.changed]


def is_worse(call: Compared) -> bool:
    """Slowness alone is no difference: it may be that of a machine."""
    return bool(call.different) or call.worse


def document_of(report: Report, notes: Sequence[str], value: Callable[[Any], Any]) -> dict[str, Any]:
    """As `diff` and `baseline` have it (design: JSON); foreign values go through `value`."""
    document: dict[str, Any] = {
        "added": [_entry(entry) for entry in report.added()],
        "removed": [_entry(entry) for entry in report.removed()],
        "changed": [
            {
                "server": change.server, "kind": change.kind, "name": change.name, "pointer": change.pointer,
                "old": value(change.old), "new": value(change.new), "breaking": change.breaking,
            }
            for change in report.changed()
        ],
        "calls": [
            {
                "server": call.server, "name": call.name, "old": _figures(call.old), "new": _figures(call.new),
                "different": call.different, "worse": call.worse, "slower": call.slower,
                "changes": changes_json(call.changes, value),
            }
            for call in report.calls
        ],
        "warnings": list(notes),
    }  # fmt: skip
    if report.failures:
        document["errors"] = [
            {"server": name, "error": failure.as_json()} for name, failure in report.failures.items()
        ]
    return document


def changes_json(changes: Sequence[Change], value: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """Of one answer."""
    return [
        {"pointer": change.pointer, "old": value(change.old), "new": value(change.new)} for change in changes
    ]


def _entry(entry: Entry) -> dict[str, Any]:
    return {"server": entry.server, "kind": entry.kind, "name": entry.name}


def _figures(figures: Figures) -> dict[str, Any]:
    p50 = None if figures.p50 is None else round(figures.p50 * 1000, 3)
    return {"calls": figures.calls, "errors": figures.errors, "p50_ms": p50}


def lines(report: Report) -> Iterator[str]:
    """For people; foreign parts unescaped where `Output.text` does it. The last one sums up."""
    several = len(report.listings) > 1
    for sign, entries in (("+", report.added()), ("-", report.removed())):
        for entry in entries:
            where = f"{entry.server}  " if several else ""
            breaks = "   breaking" if sign == "-" else ""
            yield f"{sign} {where}{entry.kind[:-1]} {visible(entry.name)}{breaks}"
    before = None
    for change in report.changed():
        place = change.server, change.kind, change.name
        if place != before:
            where = f"{change.server}  " if several else ""
            yield f"~ {where}{change.kind[:-1]} {visible(change.name)}"
            before = place
        yield f"    {_changed(change)}"
    for call in report.calls:
        if is_worse(call) or call.slower:
            yield f"~ {call.server}  {visible(call.name)}: {'; '.join(verdicts(call))}"
            yield from (f"    {change_line(change)}" for change in call.changes[:5])
    yield summary(report)


def summary(report: Report) -> str:
    changed = {(each.server, each.kind, each.name) for each in report.changed()}
    breaking = len(report.removed()) + sum(change.breaking for change in report.changed())
    told = [
        f"{len(report.added())} added", f"{len(report.removed())} removed", f"{len(changed)} changed",
        f"{breaking} breaking",
    ]  # fmt: skip
    if report.calls:
        told.append(f"{sum(map(is_worse, report.calls))} of {len(report.calls)} calls differ")
    return ", ".join(told)


def verdicts(call: Compared) -> Iterator[str]:
    if call.different:
        yield f"{call.different} answered differently"
    if call.worse:
        yield f"{call.old.errors} of {call.old.calls} failed, now {call.new.errors} of {call.new.calls}"
    if call.slower and call.old.p50 is not None and call.new.p50 is not None:
        yield f"slower: {duration(call.old.p50)}, now {duration(call.new.p50)}"


def _changed(change: Changed) -> str:
    breaks = "   breaking" if change.breaking else ""
    return _told(change.pointer, change.old, change.new) + breaks


def change_line(change: Change) -> str:
    """Where, what was and what is, cut to a width."""
    return _told(change.pointer, change.old, change.new)


def _told(pointer: str, old: Any, new: Any) -> str:
    where = visible(pointer) or "the whole"
    if old is None:
        return f"{where}  new: {numbers.brief(new, _WIDTH)}"
    if new is None:
        return f"{where}  gone: {numbers.brief(old, _WIDTH)}"
    return f"{where}  {numbers.brief(old, _WIDTH)} → {numbers.brief(new, _WIDTH)}"


def junit_of(report: Report) -> str:
    cases = [
        junit.Case(f"{entry.kind[:-1]} {entry.name}", entry.server, None, [said])
        for entries, said in ((report.added(), "added"), (report.removed(), "removed (breaking)"))
        for entry in entries
    ]
    places = dict.fromkeys((each.server, each.kind, each.name) for each in report.changed())
    for server, kind, name in places:
        wrong = [
            _changed(each)
            for each in report.changed()
            if (each.server, each.kind, each.name) == (server, kind, name)
        ]
        cases.append(junit.Case(f"{kind[:-1]} {name}", server, None, wrong))
    for call in report.calls:
        wrong = [*verdicts(call), *map(change_line, call.changes)] if is_worse(call) else []
        cases.append(junit.Case(call.name, call.server, call.new.p50, wrong))
    for name, failure in report.failures.items():
        cases.append(junit.Case("connect", name, None, [failure.message]))
    return junit.document(report.title, cases)
