"""The columns of the table of servers: what each one says, how wide it is, which of them fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from inspector.base.text import duration
from inspector.tui import guard, wording
from inspector.tui.widgets.servers.sparkline import sparkline
from inspector.tui.widgets.text.facts import fit

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.workspace.connection import Connection
    from inspector.workspace.health import Health

HEADED = 58
"""Cells of width from which the table has columns with a heading."""

NAME_LEAST, NAME_MOST = 14, 40
_BARS_LEAST, _BARS_MOST = 8, 24
_LATEST = 7
"""Cells of the newest round trip behind its bars."""

Piece = tuple[str, str]
"""Text, and the part of the look that it has."""


class Row(NamedTuple):
    """One server as the columns see it; `health` is None where it was not looked at."""

    connection: Connection
    health: Health | None


class Column(NamedTuple):
    """`rank` decides which columns stay where there is no room for all: the lowest ones."""

    title: str
    width: int
    rank: int
    text: Callable[[Row], str]
    right: bool = True


def _transport(row: Row) -> str:
    return guard.line(row.connection.transport)


def _protocol(row: Row) -> str:
    handshake = row.connection.handshake
    return guard.line(handshake.version) if handshake is not None else ""


def _count(kind: ListKind) -> Callable[[Row], str]:
    def text(row: Row) -> str:
        count = row.connection.count(kind)
        return "–" if count is None else str(count)

    return text


def _up(row: Row) -> str:
    return wording.clock(row.connection.uptime or 0)


def _pid(row: Row) -> str:
    facts = row.connection.facts
    return str(facts.pid) if facts is not None and facts.pid is not None else ""


def _cpu(row: Row) -> str:
    percent = row.health.cpu_percent if row.health is not None else None
    return "" if percent is None else f"{percent:.0f}%"


def _memory(row: Row) -> str:
    if row.health is None:
        return ""
    mebibytes = row.health.memory_bytes / 2**20
    return f"{mebibytes:.0f} MiB" if mebibytes < 1000 else f"{mebibytes / 1024:.1f} GiB"


def _restarts(row: Row) -> str:
    return str(row.connection.restarts)


COLUMNS = (
    Column("TRANSPORT", 9, 4, _transport, right=False),
    Column("PROTOCOL", 10, 7, _protocol, right=False),
    Column("TOOLS", 5, 1, _count("tools")),
    Column("RES", 5, 8, _count("resources")),
    Column("PROMPTS", 7, 9, _count("prompts")),
    Column("UP", 4, 2, _up),
    Column("PID", 7, 6, _pid),
    Column("CPU", 5, 5, _cpu),
    Column("MEM", 7, 5, _memory),
    Column("RESTARTS", 8, 10, _restarts),
)
ROUND_TRIPS = "ROUND TRIPS"
_ROUND_TRIPS_RANK = 3


class Layout(NamedTuple):
    """What fits into a width. `bars` are the cells of the sparkline, 0 where there is none."""

    name: int
    columns: tuple[Column, ...]
    bars: int

    @property
    def measures(self) -> bool:
        """Whether CPU and memory are on show."""
        return any(column.text in (_cpu, _memory) for column in self.columns)


def natural_width(names: Sequence[str]) -> int:
    """What all columns need, with the longest name and the longest sparkline."""
    return 4 + _name_width(names) + sum(column.width + 1 for column in COLUMNS) + _trips(_BARS_MOST)


def layout(width: int, names: Sequence[str]) -> Layout:
    """The columns for a table of `width` cells; `names` are the safe names of its servers."""
    name = _name_width(names)
    left = width - 4 - min(name, max(NAME_LEAST, width // 3))
    chosen: set[str] = set()
    wanted = [*((column.rank, column.title, column.width + 1) for column in COLUMNS),
              (_ROUND_TRIPS_RANK, ROUND_TRIPS, _trips(_BARS_LEAST))]  # fmt: skip
    for _, title, size in sorted(wanted):
        if size > left:
            break
        chosen.add(title)
        left -= size
    bars = 0
    if ROUND_TRIPS in chosen:
        bars = min(_BARS_MOST, _BARS_LEAST + max(0, left))
        left -= bars - _BARS_LEAST
    columns = tuple(column for column in COLUMNS if column.title in chosen)
    taken = sum(column.width + 1 for column in columns) + (_trips(bars) if bars else 0)
    return Layout(max(4, min(name, width - 4 - taken)), columns, bars)


def heading(shape: Layout) -> list[Piece]:
    titles = "".join(fit(column.title, column.width, right=column.right) + " " for column in shape.columns)
    trips = f" {ROUND_TRIPS}" if shape.bars else ""
    return [(f"   {fit('SERVER', shape.name)} {titles}{trips}", "heading")]


def cells(row: Row, shape: Layout) -> list[Piece]:
    """The columns of a server that is ready."""
    pieces = [
        (fit(column.text(row), column.width, right=column.right) + " ", "quiet") for column in shape.columns
    ]
    trips = row.connection.round_trips
    if shape.bars and trips:
        pieces.append((f" {sparkline(trips, shape.bars)}", "trips"))
        pieces.append((duration(trips[-1]).rjust(_LATEST), "quiet"))
    return pieces


def _trips(bars: int) -> int:
    return 1 + bars + _LATEST


def _name_width(names: Sequence[str]) -> int:
    return min(NAME_MOST, max(NAME_LEAST, max(map(cell_len, names), default=0) + 2))
