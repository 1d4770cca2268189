"""Cases for the rules of `inspector.check.refusals`."""

from __future__ import annotations

from typing import Any

from check.conversation import (
    CACHE,
    Case,
    Row,
    answers,
    asks,
    complete,
    fails,
    listed,
    meta,
    new,
    old,
    tells,
    tool,
)

from inspector.check.unreal import METHOD

ERROR = {"content": [{"type": "text", "text": "unknown"}], "isError": True}
STRICT = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
PROMPT = {"name": "p", "arguments": [{"name": "a", "required": True}]}
FILE = {"uri": "a:b", "name": "n", "mimeType": "text/plain", "size": 1}


def calls(name: str, answer: Row, arguments: Any = None) -> list[Row]:
    return [
        *listed(tool(STRICT)),
        asks("tools/call", {"name": name, "arguments": arguments or {}}, 8),
        answer,
    ]


def reads(text: str) -> list[Row]:
    answer = answers({"contents": [{"uri": "a:b", "mimeType": "text/plain", "text": text}]}, 8)
    return [*listed(FILE, kind="resources"), asks("resources/read", {"uri": "a:b"}, 8), answer]


def gets(**arguments: str) -> list[Row]:
    return [*listed(PROMPT, kind="prompts"), asks("prompts/get", {"name": "p", "arguments": arguments}, 8),
            answers({"messages": []}, 8)]  # fmt: skip


def again(*between: Row) -> list[Row]:
    return [*listed(tool()), *between, asks("tools/list", id_=8), answers({"tools": []}, 8)]


def orders(*second: str) -> list[Row]:
    def names(*found: str) -> dict[str, Any]:
        return complete({"tools": [{**tool(), "name": name} for name in found], **CACHE})

    asked = {"_meta": meta()}
    return new(
        asks("tools/list", asked),
        answers(names("b", "a")),
        asks("tools/list", asked, 8),
        answers(names(*second), 8),
    )


CASES: dict[str, Case] = {
    "T18": (calls("x", answers(ERROR, 8)), calls("t", answers(ERROR, 8))),
    "T19": (calls("t", fails(-32602, 8)), calls("t", fails(-32602, 8), {"a": 1})),
    "R03": (
        old(asks("resources/read", {"uri": "a:b"}), fails(-32603, text="Resource not found")),
        old(asks("resources/read", {"uri": "a:b"}), fails(-32002, text="Resource not found")),
    ),
    "R04": (reads("long"), reads("x")),
    "R05": (
        old(asks("resources/subscribe", {"uri": "a:b"}), answers({}), server={"resources": {}}),
        old(asks("resources/subscribe", {"uri": "a:b"}), answers({})),
    ),
    "R08": (gets(), gets(a="x")),
    "R13": (
        old(asks("tools/list", {"cursor": "x"}), fails(-32603)),
        old(asks("tools/list", {"cursor": "x"}), fails(-32602)),
    ),
    "R15": (again(), again(tells("tools/list_changed"))),
    "J30": (old(asks(METHOD), fails(-32602)), old(asks(METHOD), fails(-32601))),
    "T21": (orders("a", "b"), orders("b", "a")),
}
