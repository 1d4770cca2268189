"""Cases for the rules of `inspector.check.lifecycle`."""

from __future__ import annotations

from typing import Any

from check.conversation import (
    CACHE,
    EVERYTHING,
    VERSION_HEADER,
    Case,
    Post,
    Row,
    answers,
    asks,
    came,
    complete,
    fails,
    message,
    meta,
    new,
    old,
    tells,
    wants,
    web,
)
from check.samples import DONE, modern

from inspector.check.rules import V06, V11


def both(offered: str, discovered: dict[str, Any], chosen: str = "") -> list[Row]:
    """A server that is discovered, and takes `initialize` too."""
    begin = old(version=offered)
    if chosen:
        begin[1] = came({**begin[1].said, "result": {**begin[1].said["result"], "protocolVersion": chosen}})
    return [asks("server/discover", {"_meta": meta()}, 9), answers(complete(discovered), 9), *begin]


CASES: dict[str, Case] = {
    "L01": (
        [
            asks("initialize", {"protocolVersion": V11}),
            answers({"protocolVersion": V11, "capabilities": {}, "serverInfo": {"name": "n"}}),
        ],
        old(),
    ),
    "L03": (
        [
            asks("initialize", {"protocolVersion": V11}),
            answers(
                {
                    "protocolVersion": "1999-01-01",
                    "capabilities": {},
                    "serverInfo": {"name": "n", "version": "1"},
                }
            ),
        ],
        old(),
    ),
    "L04": (
        old(wants("roots/list"), ready=False),
        old(wants("ping"), tells("message", {"level": "info", "data": 1}), ready=False),
    ),
    "L05": (
        [
            *web()[:1],
            Post(message(method="notifications/initialized"), status=400, media="", sends=VERSION_HEADER),
        ],
        web(),
    ),
    "L08": (
        new(asks("server/discover", {"_meta": meta()}), answers(complete({**CACHE, "capabilities": {}}))),
        new(),
    ),
    "L09": (
        new(
            asks("server/discover", {"_meta": meta()}),
            answers(complete({**CACHE, "capabilities": {}, "supportedVersions": []})),
        ),
        new(),
    ),
    "L15": (modern({**DONE, "_meta": {}}), modern(complete(DONE))),
    "L16": (modern({**DONE, "resultType": "complete"}), modern(complete(DONE))),
    "X03": (
        new(server={**EVERYTHING, "extensions": {"tasks": {}}}),
        new(server={**EVERYTHING, "extensions": {"com.example/x": {}}}),
    ),
    "L10": (
        [asks("tools/list", {"_meta": meta("2099-01-01")}), answers(complete({"tools": []}))],
        [
            asks("tools/list", {"_meta": meta("2099-01-01")}),
            fails(-32022, data={"supported": [], "requested": "x"}),
        ],
    ),
    "L14": (
        new(asks("tools/list", {}), answers(complete({"tools": []}))),
        new(asks("tools/list", {}), fails(-32602)),
    ),
    "L02": (
        both(V11, {**CACHE, "supportedVersions": [V11, V06]}, chosen=V06),
        both(V11, {"supportedVersions": [V06]}, chosen=V06),
    ),
    "L06": (
        [asks("tools/list", id_=8), answers({"tools": []}, 8), *old()],
        [asks("ping", id_=8), answers({}, 8), *old()],
    ),
    "L07": (
        [
            asks("server/discover", {"_meta": meta()}),
            fails(-32601),
            asks("tools/list", {"_meta": meta()}, 8),
            answers(complete({"tools": [], **CACHE}), 8),
        ],
        new(asks("tools/list", {"_meta": meta()}, 8), answers(complete({"tools": [], **CACHE}), 8)),
    ),
    "L12": (both(V11, {"capabilities": {"tools": {}}}), both(V11, {"capabilities": EVERYTHING})),
}
