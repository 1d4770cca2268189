"""Faults on purpose in what answers HTTP requests, whatever that is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from inspector.faults.bodies import ServerEnds, spoiled
from inspector.faults.injector import Exchange, Injector
from inspector.transports.httpd import Handler, Request, Response, StreamingResponse


class HttpFaults:
    """Remembers which sessions are lost."""

    def __init__(self, injector: Injector) -> None:
        self.injector = injector
        self._lost: set[str] = set()

    def before(self, request: Request) -> tuple[Exchange, Response | None]:
        """What goes wrong with a request, and what answers it in the server's place."""
        self.injector.asked(request.body)
        wrong = self.injector.exchange(request.body, request.method)
        session = request.headers.get("mcp-session-id", "")
        if wrong.loses_session and session:
            self._lost.add(session)
        if session in self._lost:
            return wrong, Response.text(404, "Session not found (a fault that was asked for)")
        if wrong.status is not None:
            return wrong, Response.text(wrong.status, wrong.text)
        return wrong, None

    def around(
        self,
        handler: Handler,
        ended: Callable[[int], None],
        told: Callable[[Request, Response], None] = lambda request, answer: None,
    ) -> Handler:
        """A handler with faults; `ended` is told the exit code where a fault ends the server, `told` what was answered
        in its place."""

        async def handle(request: Request) -> Response | StreamingResponse:
            wrong, instead = self.before(request)
            if instead is not None:
                told(request, instead)
                return instead
            answer = await handler(request)
            headers = [(name, value) for name, value in answer.headers if name.lower() != "content-length"]
            content_type = next((value for name, value in headers if name.lower() == "content-type"), "")
            if wrong.content_type is not None:
                headers = [
                    (name, wrong.content_type if name.lower() == "content-type" else value)
                    for name, value in headers
                ]
            if not content_type or (isinstance(answer, Response) and not answer.body):
                return replace(answer, headers=headers)
            return StreamingResponse(self._body(answer, wrong, content_type, ended), answer.status, headers)

        return handle

    async def _body(
        self,
        answer: Response | StreamingResponse,
        wrong: Exchange,
        content_type: str,
        ended: Callable[[int], None],
    ) -> AsyncIterator[bytes]:
        body = _whole(answer.body) if isinstance(answer, Response) else answer.body
        try:
            async for part in spoiled(body, self.injector, wrong, content_type):
                if part:
                    yield part
        except ServerEnds as end:
            ended(end.code)
            raise
        finally:
            if (close := getattr(body, "aclose", None)) is not None:
                await close()


async def _whole(body: bytes) -> AsyncIterator[bytes]:
    yield body
