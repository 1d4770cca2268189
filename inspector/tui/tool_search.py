"""Finds tools by name among those of all servers. Pure; quick for thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from inspector.base.text import clip, first_line
from inspector.lenses.paicli_answer import global_name
from inspector.tui import guard

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_ABOUT = 200


class Tool(NamedTuple):
    """`server` and `name` as they are, the shown ones safe."""

    server: str
    name: str
    shown_server: str
    shown_name: str
    about: str

    @property
    def text(self) -> str:
        named = global_name(self.shown_server, self.shown_name)
        return f"{self.shown_name}\n{self.shown_server}\n{self.about}\n{named}".lower()


def tools_of(connections: Iterable[Connection]) -> list[Tool]:
    """The tools of all servers that are ready, in their order. A tool without a usable name is left out."""
    found = []
    for connection in connections:
        if connection.state != "ready" or connection.catalog is None:
            continue
        listing = connection.catalog.listings.get("tools")
        server = guard.line(connection.name)
        for entry in listing.entries if listing is not None else ():
            name = entry.get("name") if isinstance(entry, dict) else None
            if isinstance(name, str):
                said = entry.get("description")
                about = guard.line(clip(first_line(said), _ABOUT)) if isinstance(said, str) else ""
                found.append(Tool(connection.name, name, server, guard.line(name), about))
    return found


class Index:
    """A list of tools made ready to be searched again with every key."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tools
        self._texts = [tool.text for tool in tools]

    def search(self, query: str) -> list[Tool]:
        """The best first. Every word must be found: as part of a name, of the server, of the description, or letter by
        letter in the name. Without words: all."""
        words = query.lower().split()
        if not words:
            return list(self.tools)
        letters = [re.compile(".*?".join(map(re.escape, word))) for word in words]
        ranked = []
        for number, text in enumerate(self._texts):
            score = 0
            for word, scattered in zip(words, letters, strict=True):
                one = _score(text, word, scattered)
                if one is None:
                    break
                score += one
            else:
                ranked.append((score, number))
        return [self.tools[number] for _, number in sorted(ranked)]


def _score(text: str, word: str, scattered: re.Pattern[str]) -> int | None:
    """How far from what was meant: 0 is the beginning of the name. None where it is not there."""
    end = text.index("\n")
    at = text.find(word)
    if 0 <= at < end:
        if at == 0:
            return 0 if end == len(word) else 1
        return 2 if not text[at - 1].isalnum() else 4
    if scattered.search(text, 0, end) is not None:
        return 20
    return 40 if at >= 0 else None
