"""Faults on purpose in what a server writes on its stdout."""

from __future__ import annotations

import time
from collections.abc import Callable

from inspector.faults.bodies import ServerEnds
from inspector.faults.injector import Injector

Send = Callable[[bytes], None]


def around(injector: Injector, send: Send) -> Send:
    """A way to the client with faults; takes one frame with its line end at a time. Raises ServerEnds where the server
    is to end."""

    def spoiled(line: bytes) -> None:
        for step in injector.sent(line.removesuffix(b"\n")):
            if step.wait:
                time.sleep(step.wait)
            if step.exit is not None:
                raise ServerEnds(step.exit)
            send(step.data + b"\n" if step.ends else step.data)

    return spoiled
