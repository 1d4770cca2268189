"""The texts that a frame holds, decoded: what a person reads first and JSON hides behind escapes."""

from __future__ import annotations

from inspector.base import jsontext
from inspector.base.text import decode
from inspector.tui.widgets.json_lines import JsonLines, Line

_LONG = 40
_MOST = 500
_DEEPEST = 60


def strings(raw: bytes) -> str:
    """Every string with a line break or of some length, under the path where it stands, in the order of the frame;
    the whole text of what is no JSON."""
    text = decode(raw)
    lines = JsonLines(text)
    if not lines.is_json:
        return text
    found: list[str] = []
    _collect(lines.lines[0], found, 0)
    if not found:
        return "No long text in this frame; JSON has it all."
    if len(found) >= _MOST:
        found.append(f"more than {_MOST} texts; JSON has them all")
    return "\n\n".join(found)


def _collect(line: Line, found: list[str], depth: int) -> None:
    if len(found) >= _MOST or depth > _DEEPEST:
        return
    if line.text[line.start] == '"':
        value = line.decoded
        if "\n" in value or len(value) >= _LONG:
            found.append(f"── {line.pointer}\n{value}")
        return
    if line.text[line.start] not in "{[":
        return
    try:
        for key, start, end in jsontext.each_child(line.text, line.start):
            _collect(Line("scalar", line.text, start, end, depth + 1, line, key), found, depth + 1)
    except jsontext.Malformed:
        return
