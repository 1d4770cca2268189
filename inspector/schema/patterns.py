"""Which patterns fit a text: in bounded time, as ECMAScript reads them and not as Python does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

BACKTRACKS = 100_000
SIZE = 2_000_000
MOST = 200
"""Most patterns that one key is compared with."""


def options() -> Any:
    """The bounds of every pattern that is compiled here."""
    import jsonschema_rs

    return jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACKS, size_limit=SIZE)


def matching(patterns: Iterable[str], text: str) -> list[str]:
    """Those of the patterns that are found in the text; one that cannot be read fits nothing."""
    return [pattern for pattern, _ in zip(patterns, range(MOST), strict=False) if _fits(pattern, text)]


def _fits(pattern: str, text: str) -> bool:
    tester = _tester(pattern)
    try:
        return tester is not None and bool(tester.is_valid(text))
    except ValueError:
        return False


@lru_cache(maxsize=500)
def _tester(pattern: str) -> Any:
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(
            {"pattern": pattern}, pattern_options=options(), offline=True
        )
    except (jsonschema_rs.ValidationError, ValueError):
        return None


def readable(pattern: str) -> bool:
    """Whether the pattern can be read at all."""
    return _tester(pattern) is not None
