"""Targets for fuzzing: each is a function of bytes that raises where a promise is broken, and nothing else.

Files of recordings, configs and schemas are their own seeds: what a target needs beside the bytes (where they are cut,
which client a config belongs to) is drawn from a generator that the bytes themselves seed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple


class Target(NamedTuple):
    """`module` holds `name` as a function, `starts` gives inputs to begin with. `slow`: hundreds of runs a second, not
    thousands."""

    name: str
    module: str
    about: str
    slow: bool = False

    @property
    def run(self) -> Callable[[bytes], None]:
        found: Callable[[bytes], None] = getattr(import_module(f"bench.fuzz.{self.module}"), self.name)
        return found

    @property
    def starts(self) -> list[bytes]:
        found: dict[str, list[bytes]] = import_module("bench.fuzz.starts").STARTS
        return found.get(self.name, [b""])


_ALL = (
    Target(
        "stdio", "wire", "stdout and stderr of a server, in pieces: no line lost, all that came in is read"
    ),
    Target("sse", "wire", "event streams, in pieces: the events of another reader of the standard"),
    Target("message", "wire", "one frame: what it is, and whether an answer can be made of it"),
    Target(
        "http",
        "web",
        "answers of an HTTP server to a client of each transport: an answer or a reason",
        slow=True,
    ),
    Target("served", "web", "requests to our HTTP server and to what it serves", slow=True),
    Target("config", "files", "config files of every client, and what is kept in our own", slow=True),
    Target("pasted", "files", "what a person pastes to connect to"),
    Target(
        "recording", "files", "recordings: opened, listed, filtered, exported, checked, planned", slow=True
    ),
    Target("imported", "files", "recordings of other programs", slow=True),
    Target("definition", "files", "definitions of servers, and the server that comes of one", slow=True),
    Target("calls", "files", "files of saved calls"),
    Target("schema", "forms", "schemas to forms: filled, checked, loaded and written back", slow=True),
    Target("uri", "asked", "URI templates"),
    Target("query", "asked", "the filter language over some traffic"),
    Target("stream", "values", "long JSON read in steps: the items of the whole"),
    Target(
        "deep", "values", "JSON text: found, folded, read and written as another reader does, however deep"
    ),
    Target("difference", "values", "two JSON values: the changes make the one of the other"),
    Target("secrets", "text", "masking: no secret comes through, whole or in pieces"),
    Target("text", "text", "what is shown: no control bytes, and nothing changed that is safe"),
    Target("terminal", "keys", "keys, pastes and mouse bytes to the app", slow=True),
)
TARGETS = {target.name: target for target in _ALL}
