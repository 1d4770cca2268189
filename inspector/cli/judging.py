"""What a filter needs to know of a recording before it can ask for findings."""

from __future__ import annotations

from inspector.traffic.query import Query
from inspector.traffic.store import Traffic


def judge(traffic: Traffic, query: Query) -> None:
    """Has the rules look at all of it where the filter asks for what they find; those that the settings mute are left
    out."""
    if not query.judges:
        return
    from inspector.check.checking import Checking, wanted
    from inspector.config.settings import load_settings

    traffic.advance()
    Checking(traffic, wanted({name.upper() for name in load_settings().mute})).finish()
