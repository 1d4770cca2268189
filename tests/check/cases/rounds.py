"""Cases for the rules of `inspector.check.rounds`."""

from __future__ import annotations

from typing import Any

from check.conversation import Case, Row, answers, asks, complete, fails, meta, new
from check.samples import DONE, asking, modern

ROOTS = {"method": "roots/list"}


def call(id_: int, **more: Any) -> Row:
    return asks("tools/call", {"_meta": meta(), "name": "t", **more}, id_)


def returned(*last: Row, state: str = "s", id_: int = 8, **more: Any) -> list[Row]:
    """A call is answered by a question for roots, and comes back."""
    asked = [call(7), answers(asking(ROOTS, requestState="s"))]
    return new(
        *asked, call(id_, requestState=state, **{"inputResponses": {"0": {"roots": []}}, **more}), *last
    )


AGAIN = [row for id_ in range(11, 23) for row in (call(id_), answers(asking(requestState="s"), id_))]
SERVED, REFUSED = answers(complete(DONE), 8), fails(-32602, 8)

CASES: dict[str, Case] = {
    "M01": (modern(asking(requestState="s"), "tools/list"), modern(asking(requestState="s"))),
    "M02": (modern(asking()), modern(asking(requestState="s"))),
    "M03": (modern(asking({"method": "ping"})), modern(asking(ROOTS))),
    "M04": (returned(state="other"), returned()),
    "M05": (returned(SERVED, state="other"), returned(SERVED)),
    "M06": (returned(REFUSED, inputResponses={}), returned(REFUSED)),
    "M07": (new(*AGAIN), modern(asking(requestState="s"))),
}
