"""The bundled demo servers: a bakery, a library, a post office of the newest protocol, and a notebook that fails to
start without its key."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from inspector.serving.definition import Definition

NAMES = ("bakery", "library", "post", "notes")


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
    if name == "notes":
        from inspector.demo.notes import notes

        return notes()
    raise KeyError(name)


def hosted(
    served: Definition | None = None, port: int = 0, say: Callable[[str], None] = lambda line: None
) -> AbstractAsyncContextManager[str]:
    """Serves a definition (the library) over HTTP in the running event loop; the context gives the URL.

    Raises OSError where the port is taken.
    """
    from inspector.serving.http import hosted

    return hosted(served or definition("library"), port=port, say=say)


def demo_config(library_url: str | None = None) -> dict[str, Any]:
    """The content of a config file whose servers are ready, failed and disabled.

    The library is in it where its URL is known: serve it with `hosted` or by `python -m inspector.demo http`.
    """
    start = [sys.executable, "-m", "inspector.demo"]

    def entry(*arguments: str) -> dict[str, Any]:
        return {"command": start[0], "args": [*start[1:], *arguments]}

    servers: dict[str, Any] = {"bakery": entry("stdio", "bakery")}
    if library_url is not None:
        servers["library"] = {"type": "http", "url": library_url}
    servers["post"] = entry("stdio", "post")
    servers["notes"] = entry("stdio", "notes")
    servers["attic"] = {**entry("stdio", "library"), "disabled": True}
    return {"mcpServers": servers}
