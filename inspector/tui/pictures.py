"""Pictures in the terminal: two pixels a cell, by colours alone, so that the guard lets them pass and they survive
tmux, SSH and a browser. Needs the extra `images`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from inspector.base import thumbnail
from inspector.base.charset import has_signs
from inspector.base.media import media
from inspector.tui import guard

_MOST_PIXELS = 40_000_000
_PATIENCE = 20.0
"""Seconds that a picture may take to be unpacked."""
MOST_COLUMNS, MOST_ROWS = 96, 24


@dataclass(frozen=True, slots=True)
class Picture:
    """`rgb` holds three bytes for each pixel, line after line."""

    width: int
    height: int
    rgb: bytes

    @property
    def rows(self) -> int:
        """Lines of the terminal."""
        return -(-self.height // 2)

    def paint(self, row: int) -> Iterator[Segment]:
        """A line of the terminal, the upper pixel of each cell as ink and the lower one as ground."""
        size = 3 * self.width
        upper, lower = (self.rgb[size * line : size * (line + 1)] for line in (2 * row, 2 * row + 1))
        for at in range(0, size, 3):
            ink = Color.from_rgb(*upper[at : at + 3])
            ground = Color.from_rgb(*lower[at : at + 3]) if lower else None
            yield Segment("▀", Style(color=ink, bgcolor=ground))


@cache
def _has_pillow() -> bool:
    return find_spec("PIL") is not None


def hindrance(app: App[object]) -> str:
    """Why no picture can be shown here, in a sentence; empty where they can be."""
    signs = app.is_headless or has_signs(sys.__stderr__ or sys.stderr)
    if not signs or not (app.is_headless or app.console.color_system in ("truecolor", "256")):
        return "This terminal has too few signs or colours to show it."
    if not _has_pillow():
        return "The extra mcp-inspect[images] shows it here."
    return ""


async def picture(app: App[object], data: bytes, columns: int) -> Picture | str:
    """The picture in so many columns at most and never larger than it is; or why it cannot be shown."""
    if why := hindrance(app):
        return why
    found = media(data)
    if found is None or found.kind != "image":
        return "These bytes are no picture that can be shown here."
    ground = app.current_theme.background or "#000000"
    red, green, blue = _rgb(ground)
    words = (min(columns, MOST_COLUMNS), 2 * MOST_ROWS, _MOST_PIXELS, f"{red},{green},{blue}")
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-P", thumbnail.__file__, *map(str, words), stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            out, wrong = await child.communicate(data)
    except TimeoutError:
        return "It takes too long to be unpacked."
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        said = guard.line(wrong.decode("utf-8", "replace"))[:200]
        return f"It cannot be shown: {said or 'its unpacking came to a sudden end'}."
    size, _, rgb = out.partition(b"\n")
    width, height = map(int, size.split())
    return Picture(width, height, rgb)


def _rgb(colour: str) -> tuple[int, int, int]:
    from textual.color import Color as Tone

    tone = Tone.parse(colour)
    return (0, 0, 0) if tone.ansi is not None else tone.rgb
