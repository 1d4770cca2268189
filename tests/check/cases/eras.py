"""Cases for the rules of `inspector.check.eras` that need more than one beginning."""

from __future__ import annotations

from typing import Any

from check.conversation import (
    CACHE,
    EVERYTHING,
    Case,
    Row,
    answers,
    asks,
    beside,
    complete,
    fails,
    message,
    meta,
    new,
    sent,
    tells,
    tool,
)

from inspector.check.rules import V07

ONLY_NEW = complete({"supportedVersions": [V07], "capabilities": EVERYTHING, **CACHE})
INITIALIZE = sent(message(id=0, method="initialize", params={"protocolVersion": "2025-11-25"}))


def tools(*names: str) -> list[Row]:
    listed = [tool(name=name) for name in names]
    return [asks("tools/list", {"_meta": meta()}, 8), answers(complete({"tools": listed, **CACHE}), 8)]


def two(there: list[Row], *last: Row) -> list[Row]:
    """A second connection while the first one is used."""
    return [*new(*tools("a", "b")), *beside(*new()), tells("message", {}), *beside(*there), *last]


def refused(**error: Any) -> list[Row]:
    discovered = [asks("server/discover", {"_meta": meta()}, 9), answers(ONLY_NEW, 9)]
    return [*discovered, INITIALIZE, fails(-32601, 0, **error)]


CASES: dict[str, Case] = {
    "L11": (refused(text="2025-11-25 is not supported"), refused(data={"supported": [V07]})),
    "L13": (two(tools("a", "c")), two(tools("b", "a"))),
}
