"""Cache hints in words (spec 2026-07-28: caching). Nothing is ever taken from a cache here: they are shown, no more."""

from __future__ import annotations

from typing import Any

from inspector.base.text import duration

_FOR = {"public": "by anybody", "private": "for this user only"}


def freshness(result: Any) -> str:
    """How long a result may be kept, and by whom; empty where it says nothing of it."""
    if not isinstance(result, dict) or "ttlMs" not in result:
        return ""
    ttl, scope = result["ttlMs"], result.get("cacheScope")
    if type(ttl) is not int or ttl <= 0:
        return "must not be kept"
    whom = _FOR.get(scope, "") if isinstance(scope, str) else ""
    return f"may be kept for {duration(ttl / 1000)}" + (f", {whom}" if whom else "")
