"""What a target draws beside its bytes: always the same for the same bytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from random import Random
from typing import Any


def chance_of(data: bytes) -> Random:
    return Random(zlib.crc32(data))


def cut(data: bytes, chance: Random, most: int = 6) -> list[bytes]:
    """The data in up to `most` pieces and one more."""
    places = sorted(chance.randint(0, len(data)) for _ in range(chance.randint(0, most)))
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def or_none(work: Callable[[], Any], *allowed: type[BaseException]) -> Any:
    """What `work` returns; None where it raises what it may."""
    try:
        return work()
    except allowed:
        return None
