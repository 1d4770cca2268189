"""Cases for the rules of `inspector.check.metadata`."""

from __future__ import annotations

from typing import Any

from check.conversation import VERSION_HEADER, Case, Post, Row, answers, asks, old
from check.samples import modern, post

from inspector.check.rules import V06

GIVEN = [("authorization", "Bearer x"), *VERSION_HEADER]


def with_meta(key: str, version: str = V06) -> list[Row]:
    return old(asks("ping"), answers({"_meta": {key: 1}}), version=version)


def refused(status: int, challenge: str | None, **how: Any) -> list[Post]:
    headers = [] if challenge is None else [("www-authenticate", challenge)]
    return post(status=status, media="", headers=headers, **how)


def traced(value: str) -> list[Row]:
    return modern({"resultType": "complete", "content": [], "_meta": {"traceparent": value}})


CASES: dict[str, Case] = {
    "X01": (with_meta("tools.mcp.com/x"), with_meta("com.example/x-y.z_1")),
    "X02": (traced("00-1"), traced(f"00-{'a' * 32}-{'b' * 16}-01")),
}
