"""The way to a server, as its entry describes it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from inspector.config.server import Server
from inspector.session.pipe import Pipe
from inspector.transports.base import Credentials, Listener, Observer
from inspector.transports.stderr import StderrTail


def pipe_to(
    server: Server,
    environment: Mapping[str, str],
    observer: Observer,
    listener: Listener,
    stderr: StderrTail,
    active: Callable[[], None] = lambda: None,
    leaves: Callable[[str], bool] = lambda origin: False,
    credentials: Credentials | None = None,
) -> Pipe:
    """A transport that is not opened yet. `stderr` and `active` are for a process: what it writes there, and that it
    shows signs of life; `leaves` is for HTTP: whether it may be sent to another origin, and `credentials` what it sends
    for the person. Only what is needed of HTTP or of processes is loaded."""
    if server.transport == "stdio":
        from inspector.transports.stdio import StdioTransport, merged_environment

        return StdioTransport(
            server.command or "",
            list(server.args),
            environment=merged_environment(environment, server.env, server.env_unset),
            env_added=server.env,
            cwd=server.cwd or os.getcwd(),
            observer=observer,
            listener=listener,
            stderr=stderr,
            active=active,
        )
    from inspector.transports.http_any import http_pipe

    return http_pipe(
        server.transport,
        server.url or "",
        server.headers,
        observer=observer,
        listener=listener,
        insecure=server.insecure,
        ca=server.ca,
        message_url=server.message_url,
        leaves=leaves,
        credentials=credentials,
    )


def facts_of(server: Server) -> dict[str, Any]:
    """What the traffic keeps of where a session leads."""
    if server.transport == "stdio":
        return {
            "transport": server.transport,
            "command": [server.command or "", *server.args],
            "cwd": server.cwd,
        }
    return {"transport": server.transport, "url": server.url}
