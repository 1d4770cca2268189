"""Cases for the rules of `inspector.check.lists` and `results`."""

from __future__ import annotations

from check.conversation import CACHE, Case, answers, asks, complete, listed, old, tells, tool
from check.samples import PNG, TEXT, asking, completion, modern, pages, result

CASES: dict[str, Case] = {
    "R01": (
        listed({"uri": "no uri", "name": "n"}, kind="resources"),
        listed({"uri": "file:///a%20b", "name": "n"}, kind="resources"),
    ),
    "R02": (
        result("resources/read", {"contents": [{"uri": "a:b", "text": "", "blob": ""}]}),
        result("resources/read", {"contents": [{"uri": "a:b", "blob": PNG}]}),
    ),
    "R06": (
        old(tells("resources/updated", {"uri": "a:b"})),
        old(
            asks("resources/subscribe", {"uri": "a:b"}),
            answers({}),
            tells("resources/updated", {"uri": "a:b/c"}),
        ),
    ),
    "R07": (
        result("prompts/get", {"messages": [{"role": "system", "content": TEXT}]}),
        result("prompts/get", {"messages": [{"role": "user", "content": TEXT}]}),
    ),
    "R09": (completion(101), completion(100, total=100)),
    "R10": (
        old(asks("completion/complete"), answers({"completion": {"values": []}}), server={}),
        completion(1),
    ),
    "R11": (
        old(asks("tools/list", {"cursor": "a"}), answers({"tools": [], "nextCursor": "a"})),
        old(asks("tools/list", {"cursor": "a"}), answers({"tools": [], "nextCursor": "b"})),
    ),
    "R12": (
        result("tools/list", {"tools": [], "nextCursor": None}),
        result("tools/list", {"tools": [], "nextCursor": "a"}),
    ),
    "R14": (old(tells("tools/list_changed"), server={"tools": {}}), old(tells("tools/list_changed"))),
    "R16": (
        listed({"uri": "a:b", "name": "n", "annotations": {"priority": 2}}, kind="resources"),
        listed(
            {
                "uri": "a:b",
                "name": "n",
                "annotations": {"priority": 1, "audience": ["user"], "lastModified": "2026-01-01T00:00:00Z"},
            },
            kind="resources",
        ),
    ),
    "R17": (
        listed(tool(icons=[{"src": "http://a.example/i.png"}])),
        listed(tool(icons=[{"src": "https://a.example/i.png", "sizes": ["48x48", "any"], "theme": "dark"}])),
    ),
    "R18": (
        modern(complete({"tools": [], "ttlMs": -1, "cacheScope": "private"}), "tools/list"),
        modern(complete({"tools": [], **CACHE}), "tools/list"),
    ),
    "R19": (pages(CACHE, {**CACHE, "cacheScope": "public"}), pages(CACHE, CACHE)),
    "R20": (
        modern(asking(requestState="s", **CACHE), "resources/read"),
        modern(asking(requestState="s"), "resources/read"),
    ),
}
