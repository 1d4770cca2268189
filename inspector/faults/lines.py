"""Faults on purpose in what a server writes on its stdout."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from inspector.faults.bodies import ServerEnds
from inspector.faults.injector import Injector, Step

Send = Callable[[bytes], None]


class Lines:
    """A way to the client with faults: called with one frame at a time, with or without its line end. Raises
    ServerEnds where the server is to end, and what `send` raises."""

    def __init__(self, injector: Injector, send: Send) -> None:
        self._injector, self._send = injector, send
        self._held: list[Step] = []
        self._lock = threading.Lock()
        """What is held is let go by a thread of its own."""

    def __call__(self, line: bytes) -> None:
        with self._lock:
            steps = self._injector.sent(line.removesuffix(b"\n"))
            before, self._held = self._held, [step for step in steps if step.held]
            for step in steps:
                if step.held:
                    self._let_go_after(step)
                else:
                    self._take(step)
            for step in before:
                self._send(step.data + b"\n")

    def finish(self) -> None:
        """Nothing follows any more: what is held comes now."""
        with self._lock:
            held, self._held = self._held, []
            for step in held:
                self._send(step.data + b"\n")

    def _take(self, step: Step) -> None:
        if step.wait:
            time.sleep(step.wait)
        if step.exit is not None:
            raise ServerEnds(step.exit)
        self._send(step.data + b"\n" if step.ends else step.data)

    def _let_go_after(self, step: Step) -> None:
        timer = threading.Timer(step.wait, self._let_go, (step,))
        timer.daemon = True
        timer.start()

    def _let_go(self, step: Step) -> None:
        with self._lock:
            if any(each is step for each in self._held):
                self._held = [each for each in self._held if each is not step]
                try:
                    self._send(step.data + b"\n")
                except OSError:
                    pass  # the client is gone
