"""What comes over a pipe."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from httpx_sse._decoders import SSEDecoder

from bench.fuzz.given import chance_of, cut
from bench.fuzz.loop import run
from inspector.protocol import jsonrpc
from inspector.session.session import Options, Session
from inspector.traffic.store import Traffic
from inspector.transports.sse import Event, EventStream
from inspector.transports.stderr import StderrTail
from inspector.transports.stdio import StdioTransport

_HEAD = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}


def stdio(data: bytes) -> None:
    """A session that is connected, then all that its server writes. Half of the time a call waits for its answer."""
    run(_stdio(data))


class _NoProcess(StdioTransport):
    """The stdio transport, fed by hand: what it would write to the process is dropped."""

    async def open(self) -> None:
        self.facts.pid = None

    def send(self, raw: bytes, **_: Any) -> int:
        row = self._observer.sent(raw)
        message = jsonrpc.read(raw)
        if message.method in ("initialize", "server/discover"):
            answer = (
                {"result": _HEAD}
                if message.method == "initialize"
                else {"error": {"code": -32601, "message": ""}}
            )
            self.received(1, json.dumps({"jsonrpc": "2.0", "id": message.id, **answer}).encode() + b"\n")
        return row


async def _stdio(data: bytes) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("s")
    chance = chance_of(data)
    pipes: list[_NoProcess] = []

    def pipe(listener: Any) -> _NoProcess:
        pipes.append(
            _NoProcess(
                "s", [], environment={}, cwd=None, observer=log, listener=listener, stderr=StderrTail()
            )
        )
        return pipes[-1]

    session = Session(pipe, Options(protocol="legacy"))
    await session.connect()
    transport = pipes[-1]
    call = (
        asyncio.ensure_future(session.request("tools/call", {"name": "t"})) if chance.random() < 0.5 else None
    )
    await asyncio.sleep(0)
    begun = traffic.end
    for piece in cut(data, chance):
        transport.received(1, piece)
        transport.received(2, piece)
        transport.explain_silence()
        await asyncio.sleep(0)
    transport._finish_lines()
    transport.stderr.reason()
    if call is not None:
        call.cancel()
        await asyncio.wait({call})
    traffic.advance()
    rows = [traffic.row(number) for number in range(begun, traffic.end)]
    came = [traffic.raw(row.number) for row in rows if row.channel == "s2c"]
    lines = data.split(b"\n")
    expected = lines if lines[-1] else lines[:-1]
    assert came == expected, f"{len(expected)} lines were sent, {len(came)} came"
    await session.close()


def sse(data: bytes) -> None:
    chance = chance_of(data)
    stream = EventStream()
    found = [part for piece in cut(data, chance) for part in stream.feed(piece)]
    stream.rest()
    whole = EventStream()
    assert found == whole.feed(data), "other events where the bytes are cut in another way"
    decoder = SSEDecoder()
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    expected = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]:
        # The other reader also speaks for a block without data, once it has seen an id.
        if (event := decoder.decode(line)) is not None and event.data:
            expected.append((event.event or "message", event.data))
    events = [
        (part.event, part.data.decode("utf-8", "replace"))
        for part in found
        if isinstance(part, Event) and part.data
    ]
    assert events == expected


def message(data: bytes) -> None:
    read = jsonrpc.read(data)
    assert read.kind in ("request", "notification", "response", "error", "batch", "invalid")
    jsonrpc.match_key(read.id)
    if read.readable and read.kind != "invalid":
        try:
            again = jsonrpc.encode(read.value)
        except (ValueError, RecursionError):
            return
        assert b"\n" not in again
        assert jsonrpc.read(again).kind == read.kind
