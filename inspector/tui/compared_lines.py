"""What differs between two sides as lines: entries with their changes, calls with what became of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base import numbers
from inspector.compare.listings import Changed
from inspector.compare.recorded import Compared
from inspector.compare.report import Report, is_worse, verdicts
from inspector.compare.sides import Side
from inspector.protocol.listing import LISTS, ListKind

Tone = Literal["new", "old", "changed", "quiet"]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """`text` is foreign. `old` and `new` are what stands on either side, as text; None where there is nothing."""

    sign: str
    tone: Tone
    text: str
    old: str | None
    new: str | None
    breaking: bool = False
    inside: bool = False


def lines(report: Report, old: Side, new: Side) -> list[Line]:
    """What breaks comes first, then what else changed, what came, and the calls."""
    found = [*_removed(report, old), *_changed(report, old, new), *_added(report, new)]
    return [*found, *_calls(report)]


def _removed(report: Report, old: Side) -> Iterator[Line]:
    for entry in report.removed():
        text = _text(_entry(old, entry.server, entry.kind, entry.name))
        yield Line("−", "old", _named(report, entry.server, entry.kind, entry.name), text, None, True)


def _added(report: Report, new: Side) -> Iterator[Line]:
    for entry in report.added():
        text = _text(_entry(new, entry.server, entry.kind, entry.name))
        yield Line("+", "new", _named(report, entry.server, entry.kind, entry.name), None, text)


def _changed(report: Report, old: Side, new: Side) -> Iterator[Line]:
    by_entry: dict[tuple[str, ListKind, str], list[Changed]] = {}
    for change in report.changed():
        by_entry.setdefault((change.server, change.kind, change.name), []).append(change)
    # A stable order: those that break somebody first.
    for (server, kind, name), changes in sorted(
        by_entry.items(), key=lambda each: not any(change.breaking for change in each[1])
    ):
        before, after = (_text(_entry(side, server, kind, name)) for side in (old, new))
        breaking = any(change.breaking for change in changes)
        yield Line("~", "changed", _named(report, server, kind, name), before, after, breaking)
        for change in changes:
            sign = "+" if change.old is None else "−" if change.new is None else "~"
            where = change.pointer or "the whole"
            yield Line(
                sign, "quiet", where, _value(change.old), _value(change.new), change.breaking, inside=True
            )


def _calls(report: Report) -> Iterator[Line]:
    for call in report.calls:
        if not (is_worse(call) or call.slower):
            continue
        old, new = _answers(call)
        said = "; ".join(verdicts(call))
        tone: Tone = "changed" if is_worse(call) else "quiet"
        yield Line("≠" if is_worse(call) else "◔", tone, f"{call.name}  {said}", old, new, call.worse)


def _answers(call: Compared) -> tuple[str | None, str | None]:
    if call.pair is None:
        return None, None
    old, new = (_text(step.answer) for step in call.pair)
    return old, new


def _named(report: Report, server: str, kind: ListKind, name: str) -> str:
    where = f"{server}  " if len(report.listings) > 1 else ""
    return f"{where}{kind[:-1]} {name}"


def _entry(side: Side, server: str, kind: ListKind, name: str) -> Any:
    """Of the side, whatever it calls its only server."""
    lists = side.lists.get(server) or (next(iter(side.lists.values())) if len(side.lists) == 1 else {})
    key = LISTS[kind].key
    found = (each for each in lists.get(kind, ()) if isinstance(each, dict) and each.get(key) == name)
    return next(found, None)


def _value(value: Any) -> str | None:
    return None if value is None else value if isinstance(value, str) else _text(value)


def _text(value: Any) -> str | None:
    if value is None:
        return None
    try:
        return numbers.dumps(value, 2)
    except ValueError:
        return repr(value)
