"""What is remembered of rows in a bounded way."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")


class Recent(Generic[K]):
    """Keys with their rows, at least the latest `limit` of them: the older half is forgotten at once, so that
    neither keeping nor forgetting costs more than a dict does."""

    __slots__ = ("_limit", "_old", "_young")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._young: dict[K, int] = {}
        self._old: dict[K, int] = {}

    def add(self, key: K, row: int) -> None:
        self._young[key] = row
        if len(self._young) > self._limit:
            self._young, self._old = {}, self._young

    def get(self, key: K | None) -> int | None:
        if key in self._young:
            return self._young[key]
        return self._old.get(key) if self._old else None  # type: ignore[arg-type]

    def pop(self, key: K | None) -> int | None:
        row = self._young.pop(key, None)  # type: ignore[arg-type]
        old = self._old.pop(key, None) if self._old else None  # type: ignore[arg-type]
        return old if row is None else row

    def keys_of(self, row: int) -> list[K]:
        """All keys of a row, the oldest first; this looks through everything."""
        return [key for part in (self._old, self._young) for key, value in part.items() if value == row]
