"""Cases for the rules of `inspector.check.lifecycle`."""

from __future__ import annotations

from check.conversation import (
    CACHE,
    EVERYTHING,
    VERSION_HEADER,
    Case,
    Post,
    answers,
    asks,
    complete,
    message,
    meta,
    new,
    old,
    tells,
    wants,
    web,
)
from check.samples import DONE, modern

from inspector.check.rules import V11

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
}
