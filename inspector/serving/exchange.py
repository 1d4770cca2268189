"""One HTTP request to what is served, and who sees it and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from inspector.protocol import jsonrpc
from inspector.transports.httpd import Request, Response, StreamingResponse

if TYPE_CHECKING:
    from inspector.serving.streams import Live

JSON, EVENTS = "application/json", "text/event-stream"


class Watch(Protocol):
    """Sees the frames of one client's conversation as they are on the wire. `exchange` is the number of the HTTP
    exchange that one belongs to, where there is one."""

    def heard(self, raw: bytes, exchange: int | None = None) -> object: ...

    def said(self, raw: bytes, exchange: int | None = None) -> object: ...


class LiveWatch(Watch, Protocol):
    """Sees the HTTP exchanges of the conversation, too, and is told when it begins and ends; the end maybe more than
    once."""

    def begun(self, live: Live) -> None: ...

    def ended(self) -> None: ...

    def asked(self, request: Request) -> int | None:
        """Comes before what is heard in it. Gives the number of the exchange."""
        ...

    def answered(self, exchange: int | None, status: int, headers: Sequence[tuple[str, str]]) -> None: ...

    def body(self, exchange: int | None, data: bytes) -> None:
        """What is no message."""
        ...

    def event(self, exchange: int | None, field: str, value: str) -> None:
        """A part of an event stream that is no message."""
        ...

    def over(self, exchange: int | None, outcome: str) -> None: ...


class Unwatched:
    """Sees nothing."""

    def begun(self, live: Live) -> None: ...

    def ended(self) -> None: ...

    def asked(self, request: Request) -> int | None: ...

    def heard(self, raw: bytes, exchange: int | None = None) -> None: ...

    def said(self, raw: bytes, exchange: int | None = None) -> None: ...

    def answered(self, exchange: int | None, status: int, headers: Sequence[tuple[str, str]]) -> None: ...

    def body(self, exchange: int | None, data: bytes) -> None: ...

    def event(self, exchange: int | None, field: str, value: str) -> None: ...

    def over(self, exchange: int | None, outcome: str) -> None: ...


class Exchange:
    """`number` is what its watch calls it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.number: int | None = None
        self._watch: LiveWatch | None = None
        self._begun = False

    def belongs_to(self, watch: LiveWatch) -> None:
        """Tells who sees it; whoever is told first does."""
        if self._watch is None:
            self._watch, self.number = watch, watch.asked(self.request)
            if self.request.body:
                watch.heard(self.request.body, self.number)

    def begins(self, answer: Response | StreamingResponse) -> None:
        """The head of the answer goes out."""
        assert self._watch is not None
        self._begun = True
        self._watch.answered(self.number, answer.status, answer.headers)

    def said(self, raw: bytes) -> None:
        """A message is the whole answer."""
        assert self._watch is not None
        self._watch.said(raw, self.number)
        self.ends("complete")

    def event(self, field: str, value: str) -> None:
        assert self._watch is not None
        self._watch.event(self.number, field, value)

    def ends(self, outcome: str) -> None:
        assert self._watch is not None
        self._watch.over(self.number, outcome)

    def finish(self, answer: Response | StreamingResponse) -> None:
        """Tells of an answer that nobody has told of, such as that to a request which was refused."""
        assert self._watch is not None
        if self._begun:
            return
        self.begins(answer)
        if isinstance(answer, Response) and answer.body:
            if ("Content-Type", JSON) in answer.headers:
                return self.said(answer.body)
            self._watch.body(self.number, answer.body)
        self.ends("complete")


def told(watch: LiveWatch, request: Request, answer: Response) -> None:
    """Lets it see what was asked and answered elsewhere."""
    exchange = Exchange(request)
    exchange.belongs_to(watch)
    exchange.finish(answer)


def refused(status: int, code: int, message: str, id: Any = None) -> Response:
    """An error with the id of the request; it belongs to none where that is no id."""
    whose = {"id": id} if jsonrpc.is_id(id) else {}
    body = jsonrpc.encode({"jsonrpc": "2.0", **whose, "error": {"code": code, "message": message}})
    return Response(status, body, [("Content-Type", JSON)])
