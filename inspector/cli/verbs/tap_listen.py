"""`tap --listen PORT URL`: a tap for a server over HTTP."""

from __future__ import annotations

import asyncio
import os
from urllib.parse import urlsplit

from inspector.base.errors import Failed, fail
from inspector.base.secrets import mask_url
from inspector.cli import faulty
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.output import Output
from inspector.cli.targets import is_url, overrides_of
from inspector.cli.verbs.tap_shim import PATIENCE, UNREDACTED, file_of, say, tell
from inspector.config.adhoc import from_url
from inspector.faults.injector import Injector
from inspector.tap.feed import Feed
from inspector.tap.notes import Kind
from inspector.tap.proxy import Proxy, Upstream, listen


def run(arguments: Arguments) -> int:
    """Runs until it is stopped. stdout carries the URL for the client, with `--json` as a document. Raises Usage,
    Failed: config (a port that is taken, a variable that is not set), tls, io."""
    if arguments.command is not None:
        raise Usage("--listen is for a URL: a command behind -- is tapped on its stdin and stdout")
    if not arguments.operands or not is_url(arguments.operands[0]):
        raise Usage(
            "tap --listen PORT needs the URL of a server, as in: tap --listen 8765 http://127.0.0.1:3001/mcp"
        )
    faults = faulty.injector(arguments, over_http=True)
    server = from_url(arguments.operands[0], overrides_of(arguments)).resolve(os.environ)
    if server.failure is not None:
        raise Failed(server.failure)
    url = server.url or ""
    upstream = Upstream(url, server.headers, bool(server.insecure), server.ca)
    return asyncio.run(_listen(arguments, upstream, faults))


async def _listen(arguments: Arguments, upstream: Upstream, faults: Injector | None) -> int:
    redact = not arguments.no_redact
    if not redact:
        say(UNREDACTED)
    feed = Feed(
        {
            "path": None if arguments.output is None else file_of(arguments.output, redact),
            "label": arguments.server[-1] if arguments.server else None,
            "facts": {"transport": "http", "url": upstream.url},
            "redact": redact,
        }
    )
    for word in arguments.fault or ():
        feed.put(Kind.SYSTEM, f"fault asked for: {word}".encode())

    def told(here: str) -> None:
        path = urlsplit(upstream.url).path or "/"
        if arguments.json:
            Output(None, None).document({"url": here + path})
        else:
            Output(None, None).text(here + path)
            say(f"listens for clients of {mask_url(upstream.url)}; Ctrl-C ends it")

    try:
        return await listen(Proxy(upstream, feed, faults, say), arguments.listen, told)
    except OSError as error:
        why = error.strerror or str(error)
        raise fail(
            "io", f"cannot listen on port {arguments.listen}: {why}", "choose another, or 0 for a free one"
        ) from error
    finally:
        tell(await asyncio.to_thread(feed.close, PATIENCE), feed.dropped, arguments.verbose)
