"""Two servers side by side: what stands on both sides, and what both were asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from inspector.base import jsontext, numbers
from inspector.base.errors import Failed
from inspector.base.jsondiff import Change
from inspector.compare import paired as comparing
from inspector.compare.listings import Lists, compare
from inspector.compare.paired import Pair
from inspector.compare.report import Report
from inspector.protocol.listing import LISTS
from inspector.protocol.methods import NOTIFICATIONS, REQUESTS, is_notification
from inspector.replay.ignoring import Ignoring, rules_of
from inspector.schema.takeover import take_over
from inspector.session.answer import Answer
from inspector.tui.calls import Call, book_of, restored
from inspector.tui.laid_out import laid_out
from inspector.tui.paired_asks import TABS, Ask, Tab, ask_of, schema, written
from inspector.workspace.by_hand import offered, undeclared
from inspector.workspace.connection import Connection
from inspector.workspace.listed import known_lists
from inspector.workspace.longtasks import TTL, may_be_task
from inspector.workspace.paired import Paired
from inspector.workspace.tool_calls import listed

_TOLD = 40
"""Differences of the handshakes that a report tells."""


@dataclass(eq=False)
class Both:
    """One request to both. `title` is foreign; `changes` are what differs and counts, None while it is not known: one
    still runs, or has no answer."""

    tab: Tab
    name: str
    left: Call
    right: Call
    lines: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """Both answers, laid out for reading."""
    changes: list[Change] | None = None
    spared: bool = False
    """Something differs that may differ."""
    judged: bool = False

    @property
    def running(self) -> bool:
        return self.left.running or self.right.running

    @property
    def title(self) -> str:
        subject = self.left.subject
        return f"{self.left.ask} {subject}" if subject else self.left.ask


@dataclass(eq=False)
class PairedModel:
    """Outlives its screen. `rows` are read anew by `read` where something is different."""

    paired: Paired
    rows: dict[Tab, list[Pair]] = field(default_factory=lambda: {tab: [] for tab in TABS})
    asked: dict[tuple[Tab, str], Both] = field(default_factory=dict)
    forms: dict[tuple[Tab, str, bool], Ask] = field(default_factory=dict)
    """What was filled in, by the row and whether the form is that of the right side."""
    tab: Tab = "opening"
    place: str | None = None
    """The name under the cursor."""
    view: str = "definition"
    methods: list[str] = field(default_factory=list)
    """Methods that a person wrote, beside those that are known."""
    right_form: bool = False
    """Whether forms are those of the right side, where that lists the entry."""
    reading: bool = False
    rules: str = ""
    exact: bool = False
    _seen: list[object] = field(default_factory=list)

    @property
    def ignoring(self) -> Ignoring:
        return rules_of(self.rules, exact=self.exact)

    def use(self, rules: str, exact: bool) -> None:
        """Other rules about what may differ. Raises Failed (config)."""
        rules_of(rules, exact=exact)
        self.rules, self.exact = rules, exact
        for both in self.asked.values():
            both.judged = False

    def swap(self) -> None:
        self.paired.swap()
        self.forms = {(tab, name, not right): ask for (tab, name, right), ask in self.forms.items()}
        for both in self.asked.values():
            both.left, both.right = both.right, both.left
            both.judged = False

    async def read(self) -> bool:
        """Compares what is known of both sides by now; False where that is what was compared before."""
        sides = self.paired.sides
        seen = [known for side in sides for known in (side, side.handshake, *_listings(side))]
        if len(seen) == len(self._seen) and all(map(is_, seen, self._seen)):
            return False
        self.reading = True
        try:
            rows: dict[Tab, list[Pair]] = {
                "opening": comparing.opening(sides[0].handshake, sides[1].handshake),
                **await asyncio.to_thread(_entries, *sides),
                "requests": _methods(sides, self.methods),
            }
            for tab in rows:
                if any(_is_unread(side, tab) for side in sides):
                    rows[tab] = comparing.unknown(rows[tab])
            self.rows, self._seen = rows, seen
        finally:
            self.reading = False
        return True

    # What is asked

    def can_ask(self, pair: Pair) -> bool:
        return self.tab != "opening" and (self.tab == "requests" or isinstance(self._entry(pair), dict))

    def _right(self, pair: Pair) -> bool:
        """Whether the form of an entry is that of the right side."""
        return pair.left is None or (self.right_form and pair.right is not None)

    def _entry(self, pair: Pair) -> Any:
        return pair.right if self._right(pair) else pair.left

    def form_side(self, pair: Pair) -> Connection:
        return self.paired.right if self._right(pair) else self.paired.left

    def turn(self, pair: Pair) -> bool:
        """Takes the forms of the other side; False where that has none for this entry."""
        if pair.left is None or pair.right is None or self.tab == "requests":
            return False
        self.right_form = not self.right_form
        return True

    def ask(self, pair: Pair) -> Ask | None:
        """What an entry is asked with, as it was filled in so far; anew where what it takes is another by now."""
        entry, key = self._entry(pair), (self.tab, pair.name, self._right(pair))
        wanted = schema(self.tab, entry)
        known = self.forms.get(key)
        if known is None or known.wanted != wanted:
            template = self.template(pair.name) if self.tab == "requests" else ""
            made = ask_of(self.tab, pair, entry, template)
            if made is None:
                return None
            if known is not None:
                take_over(known.model.root, made.model.root)
            known = self.forms[key] = made
        return known

    def add_method(self, method: str) -> None:
        self.methods.insert(0, method)
        self.rows["requests"] = _methods(self.paired.sides, self.methods)

    def template(self, method: str) -> str:
        """Params of a method to begin with."""
        return next(
            (each.get(method, "") for each in map(offered, self.paired.sides) if each.get(method)), ""
        )

    def send(self, tab: Tab, name: str, ask: Ask, entered: dict[str, Any]) -> Both:
        """Sends a request to both, side by side; each runs by itself from here on."""
        params = written(ask.params(entered))
        calls = [Call(ask.method, _for(side, ask.method, params)) for side in self.paired.sides]
        both = self.asked[tab, name] = Both(tab, name, calls[0], calls[1])
        for side, call in zip(self.paired.sides, calls, strict=True):
            if is_notification(ask.method):
                _notify(side, call)
            else:
                book_of(side).begin(call)
        return both

    async def judge(self, both: Both) -> None:
        """Compares both answers under the rules of now."""
        both.judged = True
        left, right = (self.answer_of(call) for call in (both.left, both.right))
        rules, params = self.ignoring, both.left.params

        def compared() -> tuple[tuple[list[str], list[str]], list[Change] | None, bool]:
            lines = _lines(both.left, left), _lines(both.right, right)
            if left is None or right is None:
                return lines, None, False
            changes = comparing.differences(left, right, params, rules)
            whole = not changes and bool(comparing.differences(left, right, params, _EXACT))
            return lines, changes, whole

        both.lines, both.changes, both.spared = await asyncio.to_thread(compared)

    def answer_of(self, call: Call) -> Answer | None:
        return restored(call, self.paired.workspace.traffic.raw)

    def report(self) -> Report:
        """What differs, secrets that are known here masked: it outlives the run that knows them."""
        left, right = self.paired.sides
        report = Report(f"{left.name} and {right.name}")
        report.listings.append(compare(right.name, self._masked(left), self._masked(right)))
        for both in self.asked.values():
            if not both.running:
                mask = self.paired.workspace.secrets.mask_json
                left_answer, right_answer = (
                    comparing.masked(answer, mask) if (answer := self.answer_of(call)) is not None else None
                    for call in (both.left, both.right)
                )
                report.calls.append(
                    comparing.compared(
                        right.name, both.title, left_answer, right_answer, both.left.params, self.ignoring
                    )
                )
        for side in self.paired.sides:
            if side.error is not None:
                report.failures[side.name] = side.error
        told = [pair for pair in self.rows["opening"] if pair.mark != "same"]
        report.notes += [_note(pair) for pair in told[:_TOLD]]
        return report

    def _masked(self, connection: Connection) -> Lists:
        text = jsontext.dump(known_lists(connection), None)
        return numbers.spelled(self.paired.workspace.secrets.mask_json(text))  # type: ignore[no-any-return]


_EXACT = Ignoring(exact=True)


def _listings(connection: Connection) -> list[object]:
    """The very lists that are known; another reading is another object."""
    listings = connection.catalog.listings if connection.catalog is not None else {}
    return [listings.get(kind) for kind in LISTS]


def _is_unread(connection: Connection, tab: Tab) -> bool:
    """Whether it is not known what a server has there."""
    handshake = connection.handshake
    if handshake is None or tab == "opening" or tab == "requests":
        return handshake is None
    listings = connection.catalog.listings if connection.catalog is not None else {}
    return handshake.declares(tab) and tab not in listings


def _entries(left: Connection, right: Connection) -> dict[Tab, list[Pair]]:
    old, new = known_lists(left), known_lists(right)
    return {kind: comparing.entries(kind, old[kind], new[kind]) for kind in LISTS}


def _methods(sides: Sequence[Connection], more: Sequence[str]) -> list[Pair]:
    """Every method, and which side has not declared what it belongs to."""
    found = []
    lacks = [undeclared(side) for side in sides]
    for method in (*more, *REQUESTS, *NOTIFICATIONS):
        told = [f"{each[method]} is not declared" if method in each else "" for each in lacks]
        found.append(Pair(method, "same" if told[0] == told[1] else "differs", told[0], told[1]))
    return found


def _for(connection: Connection, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """A tool that must be called as a task is called so."""
    handshake = connection.handshake
    if method != "tools/call" or handshake is None or "task" in params:
        return params
    support = may_be_task(listed(connection, params.get("name")), handshake.capabilities)
    return {**params, "task": {"ttl": TTL}} if support == "required" else params


def _notify(connection: Connection, call: Call) -> None:
    try:
        call.sent_row = connection.notify(call.ask, call.params or None)
    except Failed as failed:
        call.failure = failed.failure
    call.settle()


def _lines(call: Call, answer: Answer | None) -> list[str]:
    """The answer as it is compared; where none came, why."""
    if answer is None:
        if call.failure is not None:
            return call.failure.message.split("\n")
        return ["(it has no answer)" if is_notification(call.ask) else "(not held any more)"]
    body = comparing.body_of(answer)
    return laid_out(next(iter(body.values())) if isinstance(body, dict) and len(body) == 1 else body)


def _note(pair: Pair) -> str:
    left, right = (numbers.brief(value) for value in (pair.left, pair.right))
    if pair.mark == "left":
        return f"{pair.name}: {left}; absent at the right"
    if pair.mark == "right":
        return f"{pair.name}: absent at the left; {right} at the right"
    return f"{pair.name}: {left} at the left, {right} at the right"
