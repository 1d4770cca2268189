"""What came back for a request, and what it means: a result, an error of the server, a violation of JSON-RPC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from inspector.base.errors import Failure
from inspector.protocol import capabilities, jsonrpc
from inspector.protocol.jsonrpc import Message
from inspector.protocol.listing import json_type
from inspector.transports.statuses import HINTS


@dataclass(slots=True)
class Answer:
    """What came back for a request, as it came: `raw` is the frame, `message` how it was read.

    `row` and `sent_row` are rows of the traffic. `notes` are deviations that did not keep it from being used.
    `http_status` is that of the exchange it came in; None on stdio. `flaw` is what the rules of the era hold against a
    result that JSON-RPC has nothing against. `rounds` counts how often the server asked for input before.
    """

    raw: bytes
    message: Message
    row: int
    sent_row: int
    seconds: float
    notes: list[str] = field(default_factory=list)
    http_status: int | None = None
    flaw: Failure | None = None
    rounds: int = 0

    @property
    def result(self) -> Any:
        """The decoded result; None where there is none or it could not be read."""
        value = self.message.value
        return value.get("result") if self.message.readable and isinstance(value, dict) else None

    @property
    def failure(self) -> Failure | None:
        """Why this is no success: an error of the server, or a violation of JSON-RPC. None if it is one."""
        message = self.message
        if not message.readable:
            hint = "write messages with a JSON library"
            if "Extra data" in str(message.problem):
                hint = "something stands behind the message: a line, or a body, holds one message and nothing else"
            return Failure(
                kind="protocol",
                message=f"the answer cannot be read: {message.problem}",
                hint=f"{hint}; the raw frame is kept in the traffic",
            )
        if message.kind == "response":
            return self.flaw
        error = body = message.value.get("error") if isinstance(message.value, dict) else None
        broken = message.problem if message.problem in jsonrpc.VIOLATIONS else None
        if not isinstance(body, dict):
            broken, body = broken or jsonrpc.NO_OBJECT, {}
        code, text = body.get("code"), body.get("message")
        said = next((told for told in (text, error) if isinstance(told, str)), "")
        facts: dict[str, Any] = {
            "code": code if type(code) is int else None,
            "data": body.get("data"),
            "http_status": self.http_status,
        }
        if broken:
            message_text = f"the server broke JSON-RPC: {broken}" + (f": {said}" if said else "")
            hint = "the raw frame is kept in the traffic"
            if broken == jsonrpc.NO_ID and self.http_status is not None:
                hint += "; where requests worked before, the session may be over: connect again"
                if self.http_status in HINTS:
                    message_text += f" (HTTP {self.http_status})"
                    hint = f"{HINTS[self.http_status]}; {hint}"
            return Failure(kind="protocol", message=message_text, hint=hint, **facts)
        return Failure(
            kind="rpc", message=said or f"error {code}", hint=_hint(code, body.get("data")), **facts
        )


def oddities(method: str, result: Any) -> list[str]:
    """Deviations of a result that do not keep it from being used."""
    if type(result) is not dict:
        return [f"the result is no object but {json_type(result)}"]
    flag = result.get("isError", False) if method == "tools/call" else False
    return [] if type(flag) is bool else [f"isError is not a boolean but {json_type(flag)}"]


def _hint(code: Any, data: Any) -> str:
    if code == jsonrpc.MISSING_CAPABILITY:
        return capabilities.lacking(data)
    known = {
        jsonrpc.METHOD_NOT_FOUND: "the server does not know this method; see what it declared",
        jsonrpc.INVALID_PARAMS: "check the parameters against what the server lists",
        jsonrpc.INTERNAL_ERROR: "the server failed inside; its stderr may say more",
        jsonrpc.HEADER_MISMATCH: "compare the headers of the request with its body in the traffic",
        jsonrpc.UNSUPPORTED_VERSION: "--protocol says which version to speak; see data for those that it supports",
        jsonrpc.LINKS_FIRST: "open the addresses that came with it, then call again",
    }
    # The code is the server's: it may be anything that JSON can hold.
    own = "this is the server's own error; its stderr or log may say more"
    return known.get(code, own) if type(code) is int else own
