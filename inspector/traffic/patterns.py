"""Regular expressions of people over bytes of servers, so that no pair of the two can hang the program.

`re` cannot be interrupted. So what may take forever by construction is refused (a repetition of something that can
be matched in several ways), and the rest sees its input through windows that are the smaller the more ways to match
there are; between windows the clock is looked at.
"""

from __future__ import annotations

import math
import re
import time
from re import _parser  # type: ignore[attr-defined]
from typing import Any

LONGEST = 200
_STEPS = 3e7
_SMALLEST, _LARGEST = 128, 1 << 20
_PATIENCE = 0.25


_LOOKS_AROUND = re.compile(r"[\^$]|\(\?<?!|\\[AZB]")
"""What can match in a part of a text and not in the whole."""


class TooCostly(ValueError):
    """The expression may take forever on some text."""


class Pattern:
    """A searched expression. `gave_up` counts the rows on which it took too long to decide."""

    def __init__(self, source: str, ignore_case: bool = False) -> None:
        """Raises ValueError (TooCostly among them) with a reason for people."""
        if len(source) > LONGEST:
            raise TooCostly(f"an expression has {LONGEST} characters at most")
        try:
            # Bytes, because offsets and bad UTF-8 are those of the wire.
            raw = source.encode("utf-8", "surrogatepass")
            flags = re.IGNORECASE if ignore_case else 0
            self._expression = re.compile(raw, flags)
            self._search = self._expression.search
            self.window = _window(_parser.parse(raw, flags))
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from error
        except (OverflowError, RecursionError) as error:
            raise TooCostly("the expression is too large") from error
        self.gave_up = 0
        self._looks_around = _LOOKS_AROUND.search(source) is not None

    def found_in(self, raw: bytes) -> bool:
        """True where the expression matches. A match longer than half a window may be missed."""
        window = self.window
        if len(raw) <= window:
            return self._search(raw) is not None
        limit = time.monotonic() + _PATIENCE
        for start in range(0, len(raw), window // 2):
            if self._search(raw[start : start + window]) is not None:
                return True
            if time.monotonic() > limit:
                self.gave_up += 1
                return False
        return False

    def may_be_in_part_of(self, raw: bytes) -> bool:
        """False where it certainly matches no part of the bytes taken by itself."""
        return self._looks_around or len(raw) > self.window or self._search(raw) is not None

    def masked(self, raw: bytes, mask: bytes) -> bytes:
        """With every match replaced; the very same object where there is none. A match longer than half a window may
        be masked in part."""
        window = self.window
        if len(raw) <= window:
            masked, count = self._expression.subn(lambda _: mask, raw)
            return masked if count else raw
        parts: list[bytes] = []
        done = 0
        for start in range(0, len(raw), window // 2):
            for match in self._expression.finditer(raw[start : start + window]):
                first, last = match.start() + start, match.end() + start
                if first >= done:
                    parts += (raw[done:first], mask)
                done = max(done, last)
        return b"".join((*parts, raw[done:])) if parts else raw


def _window(parsed: Any) -> int:
    """How many bytes may be searched at once: with k repetitions in a row a search takes n^(k+1)/(k+1)! steps."""
    repeats, branches = _ways(parsed)
    order = repeats + 1
    window = int((_STEPS * math.factorial(order) / 2**branches) ** (1 / order))
    if window < _SMALLEST:
        raise TooCostly("too many repetitions in one expression: it may take forever on some text")
    return min(window, _LARGEST)


def _ways(parsed: Any) -> tuple[int, float]:
    """The repetitions of an expression and its other choices (as powers of two). Raises TooCostly."""
    repeats, choices = 0, 0.0
    for operation, argument in parsed:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = argument
            inner = _ways(body)
            if high > 1 and inner != (0, 0.0):
                raise TooCostly("a repetition inside of a repetition may take forever on some text")
            if high > 1 and low != high:
                repeats += 1
            elif low != high:
                choices += 1
            repeats, choices = repeats + inner[0], choices + inner[1]
        elif name == "BRANCH":
            options = [_ways(option) for option in argument[1]]
            repeats += max(option[0] for option in options)
            choices += math.log2(len(options)) + max(option[1] for option in options)
        elif name.startswith("GROUPREF"):
            raise TooCostly("references to groups are not supported")
        else:
            for body in _bodies(argument):
                inner = _ways(body)
                repeats, choices = repeats + inner[0], choices + inner[1]
    return repeats, choices


def _bodies(argument: Any) -> list[Any]:
    """The parts of groups, assertions and the like."""
    if isinstance(argument, _parser.SubPattern):
        return [argument]
    parts = argument if isinstance(argument, tuple) else ()
    return [part for part in parts if isinstance(part, _parser.SubPattern)]
