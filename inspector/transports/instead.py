"""What an event stream brought in place of the answer that was waited for."""

from __future__ import annotations

from inspector.base.text import clip, decode
from inspector.protocol import jsonrpc
from inspector.transports.sse import Event


class Instead:
    """Remembers the last of what came; to read it is left for when an answer failed to come."""

    __slots__ = ("_event", "_rest")

    def __init__(self) -> None:
        self._event: Event | None = None
        self._rest = b""

    def came(self, event: Event) -> None:
        if event.data:
            self._event = event

    def ended(self, rest: bytes) -> None:
        """The stream is over, with these bytes behind its last event."""
        self._rest = rest

    def __str__(self) -> str:
        """A clause for people; empty where nothing came that speaks for itself."""
        if self._rest.strip():
            said = clip(repr(decode(self._rest[:200])), 100)
            return f"it ended in the middle of an event, before the blank line that ends one: {said}"
        if self._event is None or self._event.data is None:
            return ""
        message = jsonrpc.read(self._event.data)
        said = clip(repr(decode(self._event.data[:200])), 100)
        if message.is_answer:
            id_ = clip(decode(jsonrpc.encode(message.id)), 60)
            return f"the answer in it has the id {id_}, which is not that of the request"
        if message.kind == "invalid":
            named = "" if self._event.event == "message" else f" {self._event.event}"
            return f"its last event{named} was no message: {said}"
        return ""
