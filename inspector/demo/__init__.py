"""The bundled demo servers: a bakery, a library, a post office of the newest protocol, an order desk that is a remote
skill, and a notebook that fails to start without its key."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.serving.definition import Definition

NAMES = ("bakery", "library", "post", "orders", "notes")
ORDERS = Path(__file__).with_name("orders.yaml")
"""The definition file of the skill."""


def definition(name: str) -> Definition:
    """The definition of a demo server by its name. Raises KeyError."""
    if name == "bakery":
        from inspector.demo.bakery import bakery

        return bakery()
    if name == "library":
        from inspector.demo.library import library

        return library()
    if name == "post":
        from inspector.demo.post import post

        return post()
    if name == "orders":
        from inspector.serving.written import read

        return read(ORDERS)
    if name == "notes":
        from inspector.demo.notes import notes

        return notes()
    raise KeyError(name)


def hosted(
    name: str = "library", port: int = 0, say: Callable[[str], None] = lambda line: None
) -> AbstractAsyncContextManager[str]:
    """Serves a demo server over HTTP in the running event loop; the context gives the URL.

    Raises OSError where the port is taken.
    """
    from inspector.serving.http import hosted

    return hosted(partial(definition, name), port=port, say=say)


@asynccontextmanager
async def open_house() -> AsyncIterator[dict[str, str]]:
    """Serves all demo servers that are reached over HTTP; gives their URLs by name."""
    async with hosted("library") as library, hosted("post") as post:
        yield {"library": library, "post": post}


def demo_config(urls: Mapping[str, str]) -> dict[str, Any]:
    """The content of a config file whose servers are ready, failed and disabled.

    `urls` are those that `open_house` gives; what is not among them is started as a process.
    """
    # -P: a folder in which it is started may have an `inspector` of its own.
    start = [sys.executable, "-P", "-m", "inspector.demo"]

    def entry(name: str, served: str | None = None) -> dict[str, Any]:
        if name in urls:
            return {"type": "http", "url": urls[name]}
        return {"command": start[0], "args": [*start[1:], "stdio", served or name]}

    servers = {name: entry(name) for name in NAMES}
    servers["attic"] = {**entry("attic", "library"), "disabled": True}
    return {"mcpServers": servers}
