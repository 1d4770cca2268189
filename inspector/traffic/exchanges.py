"""An HTTP exchange put together from its rows."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Exchange:
    """One HTTP request and what came back. Times are in seconds since `Traffic.base_time`; `frames` are row
    numbers.

    `body` holds what was no frame; `events` the parts of an event stream that were none, as (time, field,
    value). `outcome` is None while the exchange lasts.
    """

    number: int
    method: str = ""
    url: str = ""
    request_headers: list[tuple[str, str]] = field(default_factory=list)
    status: int | None = None
    response_headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    events: list[tuple[float, str, str]] = field(default_factory=list)
    outcome: str | None = None
    frames: list[int] = field(default_factory=list)
    started: float | None = None
    answered: float | None = None
    ended: float | None = None

    def add(self, t: float, raw: bytes) -> None:
        """Takes one part, in the order of the rows; parts that are none of ours are passed over."""
        try:
            part = json.loads(raw)
        except (ValueError, RecursionError):
            return
        if type(part) is not dict:
            return
        if type(request := part.get("request")) is dict:
            self.method, self.url = str(request.get("method", "")), str(request.get("url", ""))
            self.request_headers, self.started = _headers(request.get("headers")), t
        elif type(response := part.get("response")) is dict:
            status = response.get("status")
            self.status = status if type(status) is int else None
            self.response_headers, self.answered = _headers(response.get("headers")), t
        elif type(event := part.get("event")) is dict:
            self.events.append((t, str(event.get("field", "")), str(event.get("value", ""))))
        elif "end" in part:
            self.outcome, self.ended = str(part["end"]), t
        else:
            self.body += _body(part)


def _headers(value: Any) -> list[tuple[str, str]]:
    pairs = value if type(value) is list else []
    return [(str(pair[0]), str(pair[1])) for pair in pairs if type(pair) is list and len(pair) == 2]


def _body(part: dict[str, Any]) -> bytes:
    if type(text := part.get("body")) is str:
        return text.encode("utf-8", "surrogatepass")
    if type(text := part.get("body64")) is str:
        try:
            return b64decode(text)
        except ValueError:
            return b""
    return b""


def request_part(method: str, url: str, headers: Sequence[tuple[str, str]]) -> bytes:
    return _part(request={"method": method, "url": url, "headers": headers})


def response_part(status: int, headers: Sequence[tuple[str, str]]) -> bytes:
    return _part(response={"status": status, "headers": headers})


def body_part(body: bytes) -> bytes:
    try:
        return _part(body=body.decode("utf-8"))
    except UnicodeDecodeError:
        return _part(body64=b64encode(body).decode())


def event_part(name: str, value: str) -> bytes:
    return _part(event={"field": name, "value": value})


def end_part(outcome: str) -> bytes:
    return _part(end=outcome)


def _part(**members: Any) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode()
