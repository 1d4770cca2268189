"""Which frames something is done with: those of the traffic that are marked or found, all of it, or a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.traffic.query import compile
from inspector.traffic.store import Traffic
from inspector.traffic.views import View
from inspector.tui import guard

if TYPE_CHECKING:
    from inspector.tui.panes.traffic import TrafficPane


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """`title` is safe; `rows` are numbers of rows, ascending, None for all; `file` is the recording that they were
    opened from, None where they are those of the screen."""

    title: str
    traffic: Traffic
    rows: Sequence[int] | None = None
    file: Path | None = None
    total: int = 0
    """How many lists show of all."""

    @property
    def count(self) -> int:
        return self.total if self.rows is None else len(self.rows)

    @property
    def requests(self) -> set[int] | None:
        """Rows of requests: those that are there, and those whose answers are there. None for all."""
        if self.rows is None:
            return None
        peers, first = self.traffic.columns.peer, self.traffic.first
        held = [number for number in self.rows if 0 <= number - first < len(peers)]
        return set(held) | {peers[number - first] - 1 for number in held}

    def close(self) -> None:
        """Lets go of the file."""
        if self.file is not None:
            self.traffic.close()


def on_screen(pane: TrafficPane) -> list[Frames]:
    """What can be chosen of the traffic, what a person most likely means first."""
    frames, traffic = pane.frames, pane.traffic
    found = []
    if frames.marks:
        found.append(Frames("the marked rows", traffic, sorted(frames.marks)))
    if pane.filter_source:
        found.append(
            Frames(f"the rows of the filter {guard.line(pane.filter_source)}", traffic, frames.view.rows[:])
        )
    title = "this recording" if traffic.read_only else "this session"
    found.append(Frames(title, traffic, total=frames.total))
    return found


def opened(path: Path, source: str = "") -> Frames:
    """All of a recording, or of what other programs recorded, or what a filter finds in it. Raises Failed (io,
    unsupported, config)."""
    query = compile(source)
    traffic = Traffic.open_recording(path)
    traffic.advance()
    title = guard.line(path.name)
    if not source.strip():
        return Frames(title, traffic, file=path)
    view = View(traffic, query)
    view.extend()
    return Frames(f"{title}, {guard.line(source)}", traffic, view.rows, file=path)
