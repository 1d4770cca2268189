"""How a process ended, as a note in the traffic tells it, and read back from there."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.base.patterns import pattern
from inspector.base.text import duration
from inspector.transports.base import ProcessFacts

UNENDED = "the last line of stdout has no line end"
"""Told of a process whose stdout ended in the middle of a line."""
ITSELF, CLOSED_STDIN = "itself", "closing stdin"
_NOTE = pattern(
    r"(?:ended by (?P<by>[A-Za-z ]{1,20})(?:, (?P<grace>\d{1,4}) s after closing stdin)?: )?"
    r"(?P<how>(?:killed by \w{1,20}|exited with code -?\d{1,10}|ended)(?: after .{1,40})?)"
)


def ending(facts: ProcessFacts) -> str:
    """How it ended, and after how long."""
    after = ""
    if facts.started is not None and facts.ended is not None:
        after = f" after {duration(max(0.0, facts.ended - facts.started))}"
    if facts.signal:
        return f"killed by {facts.signal}{after}"
    if facts.exit_code is None:
        return f"ended{after}"
    return f"exited with code {facts.exit_code}{after}"


def closed_note(by: str, grace: float, facts: ProcessFacts) -> str:
    """Of a process that we ended: by what, and how long it was waited for before."""
    waited = "" if by in (ITSELF, CLOSED_STDIN) else f", {grace:.0f} s after closing stdin"
    return f"ended by {by}{waited}: {ending(facts)}"


@dataclass(frozen=True, slots=True)
class Ending:
    """`by` is what ended it: empty where nobody here did. `grace` are the seconds that it had after its stdin was
    closed; `how` is what `ending` says."""

    by: str
    grace: int
    how: str


def read_ending(note: str) -> Ending | None:
    """None for a note that is about something else."""
    found = _NOTE.fullmatch(note)
    return Ending(found["by"] or "", int(found["grace"] or 0), found["how"]) if found else None
