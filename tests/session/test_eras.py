"""Which era a server is found to speak, over stdio and over HTTP, and at what price: the whole decision table."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from live import http, stdio

from inspector.base.errors import Failed
from inspector.session.eras.verdict import Verdict
from inspector.session.session import Options
from inspector.transports.httpd import Request, Response, serve

SERVER = str(Path(__file__).parent.parent / "servers" / "eras.py")
MODERN, LEGACY = "2026-07-28", "2025-11-25"
FOUND = Verdict("legacy", LEGACY, "it said so", "remembered")


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[str, str]]]:
    """What the processes were sent, as (PID, method)."""
    log = tmp_path / "sent"
    monkeypatch.setenv("EVERY", str(log))

    def read() -> list[tuple[str, str]]:
        lines = [line.split(" ", 1) for line in log.read_text().splitlines()]
        return [(pid, json.loads(raw).get("method", "")) for pid, raw in lines]

    return read


@asynccontextmanager
async def server(mode: str, protocol: str = "auto", **more: Any) -> AsyncIterator[Any]:
    options = Options(
        protocol=protocol, connect_timeout=more.pop("connect_timeout", 20), **more.pop("options", {})
    )
    async with stdio(sys.executable, SERVER, mode, options=options, **more) as session:
        yield session


@pytest.mark.parametrize(
    ("mode", "era", "methods", "processes"),
    [
        ("modern", "modern", ["server/discover"], 1),
        ("dual", "modern", ["server/discover"], 1),
        ("lists legacy", "legacy", ["server/discover", "initialize"], 1),
        ("lists legacy and locks", "legacy", ["server/discover", "initialize", "initialize"], 2),
        ("no list", "legacy", ["server/discover", "initialize"], 1),
        ("refuses once", "modern", ["server/discover", "server/discover"], 1),
        ("refuses, legacy", "legacy", ["server/discover", "initialize"], 1),
        ("refuses, no list", "legacy", ["server/discover", "initialize"], 1),
        ("error -32020", "modern", ["server/discover"], 1),
        ("error -32021", "modern", ["server/discover"], 1),
        ("error -32601", "legacy", ["server/discover", "initialize"], 1),
        ("error -32602", "legacy", ["server/discover", "initialize"], 1),
        ("error -32600", "legacy", ["server/discover", "initialize"], 1),
        ("error -32000", "legacy", ["server/discover", "initialize"], 1),
        ("error 0", "legacy", ["server/discover", "initialize"], 1),
        ("exits", "legacy", ["server/discover", "initialize"], 2),
        ("answers and exits", "legacy", ["server/discover", "initialize"], 2),
        ("hangs", "legacy", ["server/discover", "initialize"], 1),
        ("slow", "modern", ["server/discover", "initialize"], 1),
    ],
)
async def test_the_decision_table_over_stdio(
    mode: str, era: str, methods: list[str], processes: int, sent: Any
) -> None:
    # A quarter of the connect time-out is what the probe may take.
    limit = 2.0 if mode in ("hangs", "slow") else 20
    async with server(mode, connect_timeout=limit) as session:
        await session.connect()
        assert (session.handshake.era, session.verdict.era, session.verdict.how) == (era, era, "asked")
        assert session.version == (MODERN if era == "modern" else LEGACY)
        assert session.failure is None
        listing = await session.list("tools")
        assert listing.failure is None
        assert session.verdict.evidence and any(
            session.verdict.evidence in s.outcome for s in session.steps.steps
        )
    seen = sent()
    opening = [method for _, method in seen if method in ("server/discover", "initialize")]
    # A process that hangs or is gone may never have read what it was sent.
    assert opening in (methods, [*methods[:-1]])
    assert len({pid for pid, _ in seen}) == processes


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("lists unknown", "no version in common: the server speaks 2031-01-01"),
        ("refuses, unknown", "no version in common: the server speaks 2031-01-01"),
        ("refuses always", "refuses 2026-07-28, which it says it supports"),
        ("hangs and refuses", "does not speak 2025-11-25"),
    ],
)
async def test_without_a_version_in_common_it_stops(mode: str, words: str, sent: Any) -> None:
    async with server(mode, connect_timeout=2.0 if mode.startswith("hangs") else 20) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "version" and words in failed.value.failure.message
    if not mode.startswith("hangs"):
        assert "initialize" not in [method for _, method in sent()]


@pytest.mark.parametrize("protocol", ["modern", MODERN])
async def test_an_era_that_is_insisted_on_is_not_left(protocol: str, sent: Any) -> None:
    async with server("dual", protocol) as session:
        await session.connect()
        assert session.verdict.how == "told" and session.version == MODERN
    async with server("error -32601", protocol) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    failure = failed.value.failure
    assert (
        failure.kind == "version"
        and "does not speak 2026-07-28" in failure.message
        and "-32601" in failure.message
    )
    assert "initialize" not in [method for _, method in sent()]


@pytest.mark.parametrize(("mode", "hint"), [("no initialize", "leave --protocol out"), ("locked", MODERN)])
async def test_who_insists_on_the_older_era_hears_what_is_spoken_instead(
    mode: str, hint: str, sent: Any
) -> None:
    async with server(mode, "legacy") as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    failure = failed.value.failure
    assert failure.kind == "version" and hint in str(failure.hint)
    assert [method for _, method in sent()] == ["initialize"]
    async with server(mode) as session:
        await session.connect()
        assert session.version == MODERN


async def test_legacy_that_is_insisted_on_is_not_probed_for(sent: Any) -> None:
    for protocol in ("legacy", "2025-06-18"):
        async with server("dual", protocol) as session:
            await session.connect()
            assert session.handshake.era == "legacy" and session.verdict.how == "told"
    assert "server/discover" not in [method for _, method in sent()]


async def test_what_is_remembered_is_not_asked_again(sent: Any) -> None:
    async with server("error -32601", remembered=FOUND) as session:
        await session.connect()
        assert session.verdict == FOUND
        assert "as found before: it said so" in next(
            step.outcome for step in session.steps.steps if step.step == "era"
        )
    assert next(method for _, method in sent()) == "initialize"


async def test_what_is_remembered_is_asked_again_when_it_fails(sent: Any) -> None:
    async with server("modern", remembered=FOUND) as session:
        await session.connect()
        assert session.verdict.era == "modern" and session.verdict.how == "asked"
    assert [method for _, method in sent()] == ["initialize", "server/discover"]


async def test_the_steps_of_a_second_process_are_its_own() -> None:
    async with server("lists legacy and locks") as session:
        await session.connect()
        steps = session.steps.steps
        assert [step.step for step in steps].count("first JSON") == 2
        assert all(step.ms is not None and step.ms >= 0 for step in steps)


async def test_a_server_known_to_be_modern_gets_more_time(sent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known = Verdict("modern", MODERN, "it said so", "remembered")
    async with server("slow", connect_timeout=3.0, remembered=known) as session:
        await session.connect()
        assert session.version == MODERN
    assert "initialize" not in [method for _, method in sent()]


async def test_a_process_that_never_gets_anywhere_is_told_by_its_second_start() -> None:
    async with stdio(sys.executable, "-c", "import sys; sys.exit('no key')") as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
        assert "respawn" in [step.step for step in session.steps.steps]
    assert failed.value.failure.kind == "exited" and "no key" in failed.value.failure.message


class Web:
    """An MCP endpoint that takes `server/discover` as it is told, and `initialize` as servers before 2026-07-28 do."""

    def __init__(self, probed: Callable[[Any], Response]) -> None:
        self.probed = probed
        self.requests: list[tuple[Request, dict[str, Any]]] = []

    async def __call__(self, request: Request) -> Response:
        if request.method != "POST":
            return Response(405)
        message = json.loads(request.body)
        self.requests.append((request, message))
        method, id_ = message["method"], message.get("id")
        if method == "server/discover":
            return self.probed(id_)
        if id_ is None:
            return Response(202)
        if method == "initialize":
            answer = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {},
                "serverInfo": {},
            }
            return reply(id_, result=answer)
        return reply(id_, result={"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"})

    @property
    def methods(self) -> list[str]:
        return [message["method"] for _, message in self.requests]


def reply(id_: Any, status: int = 200, **members: Any) -> Response:
    body = json.dumps({"jsonrpc": "2.0", "id": id_, **members}).encode()
    return Response(status, body, (("Content-Type", "application/json"),))


def error(code: int, status: int, data: Any = None) -> Callable[[Any], Response]:
    return lambda id_: reply(id_, status, error={"code": code, "message": "not so", "data": data})


def discovered(*versions: str) -> Callable[[Any], Response]:
    return lambda id_: reply(
        id_, result={"resultType": "complete", "supportedVersions": versions, "capabilities": {}}
    )


def once(first: Callable[[Any], Response], then: Callable[[Any], Response]) -> Callable[[Any], Response]:
    waiting = [first]
    return lambda id_: (waiting.pop() if waiting else then)(id_)


@pytest.mark.parametrize(
    ("probed", "era", "methods"),
    [
        (discovered(MODERN), "modern", ["server/discover"]),
        (discovered(LEGACY), "legacy", ["server/discover", "initialize"]),
        (lambda id_: reply(id_, result={}), "legacy", ["server/discover", "initialize"]),
        (once(error(-32022, 400, {"supported": [MODERN]}), discovered(MODERN)), "modern", ["server/discover"] * 2),
        (error(-32022, 400, {"supported": [LEGACY]}), "legacy", ["server/discover", "initialize"]),
        (error(-32020, 400), "modern", ["server/discover"]),
        (error(-32021, 400), "modern", ["server/discover"]),
        (error(-32000, 400), "legacy", ["server/discover", "initialize"]),
        (error(-32601, 404), "legacy", ["server/discover", "initialize"]),
        (error(-32601, 200), "legacy", ["server/discover", "initialize"]),
        (error(0, 400), "legacy", ["server/discover", "initialize"]),
        (lambda id_: Response(400), "legacy", ["server/discover", "initialize"]),
        (lambda id_: Response(404, b"<html>no</html>"), "legacy", ["server/discover", "initialize"]),
        (lambda id_: Response(405), "legacy", ["server/discover", "initialize"]),
        (lambda id_: Response(422, b"?"), "legacy", ["server/discover", "initialize"]),
        (lambda id_: Response(200, b"hello"), "legacy", ["server/discover", "initialize"]),
    ],
)  # fmt: skip
async def test_the_decision_table_over_http(probed: Any, era: str, methods: list[str]) -> None:
    web = Web(probed)
    async with serve(web) as host, http(f"{host.url}/mcp", options=Options(connect_timeout=20)) as session:
        await session.connect()
        assert session.verdict.era == session.handshake.era == era
        assert web.methods[: len(methods)] == methods
        assert "initialize" not in web.methods or era == "legacy"
        if era == "legacy":
            # A version of the probe must not stay behind (spec-wire 5.1).
            head, _ = next(sent for sent in web.requests if sent[1]["method"] == "initialize")
            assert "mcp-protocol-version" not in head.headers and "mcp-method" not in head.headers


@pytest.mark.parametrize(
    ("probed", "kind"),
    [
        (lambda id_: Response(401), "auth"), (lambda id_: Response(403), "auth"), (lambda id_: Response(500), "http"),
        (lambda id_: Response(503, b"<html>"), "http"), (error(-32603, 500), "rpc"),
        (error(-32022, 400, {"supported": ["2031-01-01"]}), "version"), (discovered("2031-01-01"), "version"),
    ],
)  # fmt: skip
async def test_what_is_evidence_for_neither_era_is_told_as_it_is(probed: Any, kind: str) -> None:
    web = Web(probed)
    async with serve(web) as host, http(f"{host.url}/mcp", options=Options(connect_timeout=20)) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == kind and web.methods == ["server/discover"]
    async with http("http://127.0.0.1:1/mcp", options=Options()) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "refused"


@pytest.mark.parametrize(
    ("probed", "kind"),
    [
        (lambda id_: Response(404, b"<html>no</html>"), "http"), (lambda id_: Response(405), "http"),
        (lambda id_: Response(400, b"no session"), "version"), (error(-32601, 404), "version"),
        (error(-32000, 400), "version"), (discovered(LEGACY), "version"), (lambda id_: Response(200, b"hi"), "not_mcp"),
    ],
)  # fmt: skip
async def test_who_insists_on_the_modern_era_hears_what_is_in_its_way(probed: Any, kind: str) -> None:
    web = Web(probed)
    options = Options(protocol="modern", connect_timeout=20)
    for transport in ("http", "auto"):
        async with (
            serve(web) as host,
            http(f"{host.url}/mcp", options=options, transport=transport) as session,
        ):
            with pytest.raises(Failed) as failed:
                await session.connect()
        assert failed.value.failure.kind == kind
    assert web.methods == ["server/discover"] * 2


async def test_http_sse_is_not_probed() -> None:
    async with http("http://127.0.0.1:1/sse", options=Options(protocol="modern"), transport="sse") as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind in ("version", "refused")
