"""How far a long answer is, in one line on stderr that is written over, where a person sits before it."""

from __future__ import annotations

import sys
import time

from inspector.cli.tables import Told
from inspector.traffic.query import Query
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

_PATIENCE = 1.0
_PACE = 0.25
SLICE = 0.2
"""Seconds of reading between two looks at what was found."""
_WIDTH = 60


class Progress:
    """Says nothing in the first second, nor where the answer itself goes to the terminal (`aside` False)."""

    def __init__(self, *, aside: bool) -> None:
        self._next = (
            time.monotonic() + _PATIENCE
            if aside and sys.stderr.isatty() and not Told.plainly
            else float("inf")
        )
        self._told = False

    def say(self, text: str) -> None:
        """Text of ours, at most some times a second."""
        now = time.monotonic()
        if now >= self._next:
            self._next, self._told = now + _PACE, True
            self._write(f"\r{text:<{_WIDTH}.{_WIDTH}}")

    def end(self) -> None:
        """Takes the line away."""
        if self._told:
            self._told = False
            self._write(f"\r{' ' * _WIDTH}\r")

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # nobody looks any more, which must not change the outcome


def read_all(traffic: Traffic, wanted: Query, progress: Progress) -> View:
    """Reads a recording to its end; gives what the query finds in it."""
    view = View(traffic, wanted)
    more = True
    while more:
        more = traffic.advance(SLICE)
        progress.say(f"reading: {traffic.described - traffic.first:,} frames …")
    view.extend()
    return view
