"""Regular expressions compiled at their first use: one command uses few of them, and compiling all costs more than
importing the modules they are in."""

from __future__ import annotations

import re
from typing import Any, cast


class _Pattern:
    def __init__(self, source: Any, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        # The methods in use replace this look-up for good.
        value = self.__dict__[name] = getattr(compiled, name)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Behaves as `re.compile(source, flags)` does, for all that is asked of its result by name."""
    return cast("re.Pattern[str]", _Pattern(source, flags))


def byte_pattern(source: bytes, flags: int = 0) -> re.Pattern[bytes]:
    """The same for bytes."""
    return cast("re.Pattern[bytes]", _Pattern(source, flags))
