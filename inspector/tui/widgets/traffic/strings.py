"""The texts that a frame holds, decoded: what a person reads first and JSON hides behind escapes."""

from __future__ import annotations

import time

from inspector.base import jsontext
from inspector.base.text import decode
from inspector.tui.widgets.text.json_lines import JsonLines, Line

_LONG = 40
_DEEPEST = 60
_MOST = 1 << 20
"""Characters that are shown at most."""
_PATIENCE = 0.15
"""Seconds that looking for texts may take."""


def strings(raw: bytes) -> str:
    """Every string with a line break or of some length, under the path where it stands, in the order of the frame;
    the whole text of what is no JSON. Says so where it is not all."""
    text = decode(raw)
    lines = JsonLines(text)
    if not lines.is_json:
        return text
    found = _Found()
    found.collect(lines.lines[0], 0)
    if not found.texts and not found.more:
        return "No long text in this frame; JSON has it all."
    if found.more:
        found.texts.append("── and more: JSON has it all")
    return "\n\n".join(found.texts)


class _Found:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.more = False
        self._room = _MOST
        self._until = time.monotonic() + _PATIENCE

    def collect(self, line: Line, depth: int) -> None:
        if self._room <= 0 or time.monotonic() > self._until or depth > _DEEPEST:
            self.more = True
        elif line.text[line.start] == '"':
            self._take(line)
        elif line.text[line.start] in "{[":
            self._inside(line, depth)

    def _take(self, line: Line) -> None:
        value = line.decoded
        if "\n" not in value and len(value) < _LONG:
            return
        self.more |= len(value) > self._room
        self.texts.append(f"── {line.pointer}\n{value[: self._room]}")
        self._room -= len(value)

    def _inside(self, line: Line, depth: int) -> None:
        try:
            for key, start, end in jsontext.each_child(line.text, line.start):
                self.collect(Line("scalar", line.text, start, end, depth + 1, line, key), depth + 1)
                if self.more:
                    return
        except jsontext.Malformed:
            return
