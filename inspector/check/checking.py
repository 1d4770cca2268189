"""Shows a conversation to the rules, row by row as it was, and gathers what they find."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from inspector.base.jsonptr import pointer
from inspector.base.text import decode
from inspector.check import catalogue
from inspector.check.clients import broken_by
from inspector.check.rules import RULES, V07, Check, Finding, Found, Look, Rule, Sight
from inspector.check.talk import LIST_OF, Frame, Talk, Trip, entries
from inspector.protocol.jsonrpc import Message, classify
from inspector.protocol.listing import LISTS
from inspector.traffic.correlate import message_of
from inspector.traffic.exchanges import Exchange
from inspector.traffic.index import STATES
from inspector.traffic.lines import C2S, ERR, HTTP, S2C, SYS, TRUNCATED
from inspector.traffic.store import Traffic

MOST_FRAMES = 1000
"""Rows that a finding names."""
_MOST_OF_A_RULE = 200
_AT_ONCE = 256
_MOST_FINDINGS, _MOST_TALKS, _OPEN = 20_000, 1000, 1 << 12
_MOST_CHOICES = 10_000
_STDERR = 1000

catalogue.load()


def wanted(muted: Collection[str] = ()) -> list[Rule]:
    """The rules that are to run."""
    return [each for each in RULES.values() if each.id not in muted]


class Checking:
    """Of all that `traffic` holds, at once or while it grows: `findings` grow with each `advance`, and none is taken
    back. The same thing found again is one finding with more frames; each is told at its rows (`Traffic.judged`),
    however many these are. Never raises on what a conversation holds.

    Live, whoever shows findings calls `advance` on its tick, after that of the traffic, and `finish` for a conversation
    that is over; more than once is the same as once."""

    def __init__(self, traffic: Traffic, rules: Iterable[Rule]) -> None:
        self.findings: list[Finding] = []
        self._traffic = traffic
        self._next = traffic.first
        self._talks: dict[int, Talk] = {}
        self._known: dict[str, dict[str, Any]] = {}
        self._same: dict[tuple[str, str, str, str], Finding] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._unmarked: list[tuple[int, Finding]] = []
        self.long: Callable[[], None] | None = None
        """A frame that is left for later, see `advance`."""
        self._looks: dict[Sight, list[tuple[Rule, Look]]] = {}
        self._chosen: dict[tuple[Sight, str | None, str | None], list[tuple[Rule, Check]]] = {}
        self.rules = 0
        """How many rules look on."""
        self.broken: dict[str, str] = {}
        """Rules that failed themselves, by their id, and why; they are shown nothing more."""
        for each in rules:
            self.rules += 1
            for look in each.looks:
                self._looks.setdefault(look.sight, []).append((each, look))

    def advance(self, seconds: float | None = None, longest: int | None = None) -> bool:
        """Works for up to `seconds` (None: until all is done) on the rows that were described since the last time. True
        while there is more. A frame of more than `longest` bytes is left in `long`; nothing behind it is looked at
        before `look_at_long` was called."""
        traffic, deadline = self._traffic, math.inf if seconds is None else time.monotonic() + seconds
        self._mark()
        self._next = max(self._next, traffic.first)
        while self.long is None and self._next < traffic.described and time.monotonic() <= deadline:
            first, last = self._next, min(self._next + _AT_ONCE, traffic.described)
            for number, raw in enumerate(traffic.raws(first, last), first):
                self._next = number + 1
                if (look := self._row(number, raw)) is not None:
                    if longest is not None and len(raw) > longest:
                        self.long = look
                        break
                    look()
                self._mark()
                if time.monotonic() > deadline:
                    break
        return self.long is not None or self._next < traffic.described

    def look_at_long(self) -> None:
        """Looks at the frame that was left. May run in a thread of its own, while nothing else is called here."""
        if self.long is not None:
            self.long()
            self.long = None

    def finish(self, session: int | None = None) -> None:
        """A conversation is over, by the number of its session (None: all are): what was to come did not come."""
        self.look_at_long()
        self.advance()
        for number, talk in self._talks.items():
            if session in (None, number):
                self._end(talk)
        self._mark()

    def _end(self, talk: Talk) -> None:
        self._show("end", talk, (talk,), talk.version)

    @property
    def waiting(self) -> int:
        """How many rows nobody looked at yet."""
        return self._traffic.end - max(self._next, self._traffic.first) + (self.long is not None)

    def talks(self) -> list[Talk]:
        """In the order in which they began."""
        return list(self._talks.values())

    def _row(self, number: int, raw: bytes) -> Callable[[], None] | None:
        """What looks at a frame, with all that the traffic knows of it; None for a row that is none."""
        columns, at = self._traffic.columns, number - self._traffic.first
        channel, session = columns.channel[at], columns.session[at]
        talk = self._talks.get(session)
        if talk is None:
            if channel > S2C and channel != HTTP:
                return None  # nothing was said yet
            known, label = self._traffic.sessions.get(session), self._traffic.label(session)
            facts = known.facts if known else {}
            self._make_room()
            talk = self._talks[session] = Talk(label, facts, self._known.setdefault(label, {}))
        talk.row = number
        if channel == ERR:
            talk.stderr.append(decode(raw[:_STDERR]))
            return None
        if channel == SYS:
            self._show("note", talk, (decode(raw), talk), talk.version, seqs=(number,))
            return None
        trip = None
        if number_of := columns.exchange[at]:
            trip = talk.trips.get(number_of)
            if trip is None:
                trip = talk.trips[number_of] = Trip(Exchange(number_of), row=number)
                talk.http = True
                if len(talk.trips) > _OPEN:
                    del talk.trips[next(iter(talk.trips))]
        if channel == HTTP:
            assert trip is not None or not number_of
            if trip is not None:
                self._part(talk, trip, columns.time[at], raw)
            return None
        if columns.flags[at] & TRUNCATED:
            return None
        state, peer = STATES[columns.state[at]], columns.peer[at]
        request = talk.request(peer - 1) if peer and peer - 1 < number else None
        sent, time_ = channel == C2S, columns.time[at]
        return partial(self._message, talk, number, time_, sent, raw, state, columns.flags[at], trip, request)

    def _message(
        self,
        talk: Talk,
        number: int,
        time_: float,
        sent: bool,
        raw: bytes,
        state: str,
        flags: int,
        trip: Trip | None,
        request: Frame | None,
    ) -> None:
        message = message_of(raw)
        frame = Frame(number, time_, sent, message, raw, state, flags, talk.version, request, trip)
        self._frame(talk, frame)
        if message.kind == "batch":
            for index, item in enumerate(message.value):
                self._frame(talk, _part_of(talk, frame, index, item))

    def _make_room(self) -> None:
        """The oldest conversations are over where there are so many."""
        while len(self._talks) >= _MOST_TALKS:
            oldest = next(iter(self._talks))
            self._end(self._talks.pop(oldest))
        while len(self._known) >= _MOST_TALKS:
            del self._known[next(iter(self._known))]

    def _part(self, talk: Talk, trip: Trip, time: float, raw: bytes) -> None:
        exchange = trip.exchange
        trip.part(time, raw)
        talk.old_sse = talk.old_sse or any(name == "event endpoint" for name, _ in trip.priming)
        if exchange.outcome is not None:
            talk.trips.pop(exchange.number, None)
            frames = trip.frames
            version = frames[0].version if frames else talk.version or talk.offered
            if version is None and talk.last is None:
                version = (
                    V07  # nothing but a login, and nobody said for which version: the newest is the strictest
                )
            if (
                not talk.url
                and exchange.method == "POST"
                and any(each.message.method for each in trip.posted)
            ):
                talk.url = exchange.url
            self._show("exchange", talk, (trip, talk), version, seqs=(trip.row,))
            # Its request is remembered for longer, and what came may be large.
            trip.frames = trip.posted

    def _frame(self, talk: Talk, frame: Frame) -> None:
        message, request = frame.message, frame.request
        if request is not None:
            frame.version = talk.version if talk.settled and not frame.sent else request.version
        talk.learn(frame)
        if frame.trip is not None:
            frame.trip.take(frame)
            if not frame.sent and _is_page(frame, frame.trip):
                return
        seqs = (request.seq, frame.seq) if request is not None and request.seq != frame.seq else (frame.seq,)

        def show(sight: Sight, *shown: Any, at: str = "") -> None:
            self._show(sight, talk, (*shown, talk), frame.version, frame.method, seqs, frame.at + at)

        if message.problem is not None or message.kind == "batch":
            show("odd sent" if frame.sent else "odd", frame)
        show("sent" if frame.sent else "frame", frame)
        if not frame.sent and message.readable:
            if message.kind == "response" and request is not None:
                show("result", frame)
                self._lists(frame, show)
            elif message.kind in ("error", "request", "notification"):
                show(message.kind, frame)

    def _lists(self, frame: Frame, show: Callable[..., None]) -> None:
        kind = LIST_OF.get(frame.method or "")
        if kind is None:
            return
        found = entries(kind, frame.result)
        place = f"/result/{LISTS[kind].member}"
        show("page", found, frame, at=place)
        for index, entry in enumerate(found):
            if isinstance(entry, dict):
                show(kind, entry, frame, at=f"{place}/{index}")

    def _show(
        self,
        sight: Sight,
        talk: Talk,
        shown: tuple[Any, ...],
        version: str | None,
        method: str | None = None,
        seqs: tuple[int, ...] = (),
        at: str = "",
    ) -> None:
        key = sight, version, method
        looks = self._chosen.get(key)
        if looks is None:
            looks = [
                (each, look.check)
                for each, look in self._looks.get(sight, ())
                if each.applies(version) and (not look.methods or method in look.methods)
            ]
            if len(self._chosen) < _MOST_CHOICES:
                self._chosen[key] = looks
        for each, check in looks:
            if each.id in self.broken:
                continue
            try:
                for found in check(*shown) or ():
                    self.take(each, talk.label, found, seqs, at)
            except Exception as error:
                # A mistake in a rule costs this rule, and no other.
                self.broken[each.id] = f"{type(error).__name__}: {error}"

    def take(
        self, rule: Rule, server: str, found: Found | str, seqs: tuple[int, ...] = (), at: str = ""
    ) -> None:
        """Adds what a rule found; `seqs` and `at` are the rows and the place of what it was shown."""
        if isinstance(found, str):
            found = Found(found)
        where, frames = at + found.pointer, found.frames or seqs
        key = rule.id, server, found.message, where
        known = self._same.get(key)
        if known is None:
            count = self._counts[key[:2]] = self._counts.get(key[:2], 0) + 1
            if count > _MOST_OF_A_RULE:
                # What is found so often says the same in other words.
                found, where = Found("and more of the same kind", level=found.level), ""
                key = rule.id, server, found.message, where
                known = self._same.get(key)
        if known is None and len(self.findings) >= _MOST_FINDINGS:
            return
        if known is None:
            known = Finding(
                rule.id, found.level or rule.level, server, found.message, where, [], broken_by(rule.id)
            )
            self._same[key] = known
            self.findings.append(known)
        if len(known.frames) < MOST_FRAMES:
            known.frames += [seq for seq in frames if seq not in known.frames[-len(frames) :]]
        # An answer is named with its request; the mark is for the one of the two that is wrong.
        self._unmarked += [(seq, known) for seq in found.frames or seqs[-1:]]

    def _mark(self) -> None:
        """Tells of findings at their rows."""
        if not self._unmarked:
            return
        traffic = self._traffic
        for row, finding in self._unmarked:
            traffic.judged.add(row, finding)
            traffic.judged.add(traffic.carried(row), finding)
        self._unmarked = []
        traffic.revision += 1


def _is_page(frame: Frame, trip: Trip) -> bool:
    """What comes with an error status may be anything, also JSON of a gateway or of a login."""
    value = frame.message.value
    return (trip.exchange.status or 0) >= 400 and not (isinstance(value, dict) and "jsonrpc" in value)


def _part_of(talk: Talk, batch: Frame, index: int, item: Any) -> Frame:
    message: Message = classify(item)
    part = Frame(
        batch.seq, batch.time, batch.sent, message, batch.raw, version=batch.version, trip=batch.trip,
        at=pointer([index]),
    )  # fmt: skip
    return part
