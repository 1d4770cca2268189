"""Files of variables, a `NAME=value` a line, as `envFile` names them."""

from __future__ import annotations

from inspector.base.patterns import pattern

_LINE = pattern(r"""\s*(?:export\s+)?([\w.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^#\r\n]*)""")
_ESCAPES = {"\\n": "\n", "\\r": "\r", '\\"': '"', "\\\\": "\\"}
_ESCAPE = pattern(r"\\.")


def parse(text: str) -> dict[str, str]:
    """What is no such line is passed over; the last one of a name counts."""
    found = {}
    for line in text.splitlines():
        if match := _LINE.match(line):
            found[match[1]] = _value(match[2].strip())
    return found


def _value(written: str) -> str:
    if len(written) < 2 or written[0] != written[-1] or written[0] not in "'\"":
        return written
    inner = written[1:-1]
    return inner if written[0] == "'" else _ESCAPE.sub(lambda found: _ESCAPES.get(found[0], found[0]), inner)
