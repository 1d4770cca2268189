"""`--fault`: what a person wants to go wrong."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from inspector.cli.arguments import Arguments, Usage
from inspector.faults.injector import Injector
from inspector.faults.kinds import parse

if TYPE_CHECKING:
    from inspector.transports.httpd import Handler, Request, Response

_INSTEAD = {
    ("serve", False): ": serve with --http PORT",
    ("serve", True): ": leave --http out",
    ("tap", False): ": tap a server with --listen PORT URL",
    ("tap", True): ": tap a command behind --",
}
Send = Callable[[bytes], None]


def injector(arguments: Arguments, *, over_http: bool) -> Injector | None:
    """None where nothing is to go wrong. Raises Usage, Failed (config)."""
    faults = parse(arguments.fault or ())
    for fault in faults:
        if fault.where == ("stdio" if over_http else "http"):
            where = "on stdio" if over_http else "over HTTP"
            raise Usage(
                f"--fault {fault.kind} happens {where} only{_INSTEAD.get((arguments.verb, over_http), '')}"
            )
    return Injector(faults) if faults else None


class Watch(Protocol):
    """See `serving.exchange.Watch`."""

    def heard(self, raw: bytes, exchange: int | None = None) -> object: ...

    def said(self, raw: bytes, exchange: int | None = None) -> object: ...


class Hearing:
    """A watch that tells an injector what the client asked."""

    def __init__(self, watch: Watch, faults: Injector) -> None:
        self.said = watch.said
        self._watch = watch
        self._faults = faults

    def heard(self, raw: bytes, exchange: int | None = None) -> None:
        self._faults.asked(raw)
        self._watch.heard(raw, exchange)


def on_stdio(faults: Injector, play: Callable[[Callable[[Send], Send]], int]) -> int:
    """Plays a server with faults; `play` takes what its way to the client passes through. Gives the exit code."""
    from inspector.faults.bodies import ServerEnds
    from inspector.faults.lines import Lines

    if faults.has("ignore-term"):
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
    ways: list[Lines] = []

    def through(send: Send) -> Send:
        ways.append(Lines(faults, send))
        return ways[-1]

    try:
        code = play(through)
        for way in ways:
            way.finish()
    except ServerEnds as end:
        return end.code
    except BrokenPipeError:
        return 0
    if faults.has("ignore-eof"):
        threading.Event().wait()
    return code


class OverHttp:
    """A server over HTTP with faults. `exit_code` is that of a fault that ended it, `told` hears what was answered in
    its place."""

    def __init__(self, faults: Injector, told: Callable[[Request, Response], None]) -> None:
        from inspector.faults.http import HttpFaults

        self.exit_code: int | None = None
        self._faults, self._told = HttpFaults(faults), told

    def around(self, handler: Handler) -> Handler:
        return self._faults.around(handler, self._ended, self._told)

    def _ended(self, code: int) -> None:
        self.exit_code = code
        os.kill(os.getpid(), signal.SIGTERM)
