"""What other programs recorded opens like a recording of ours, whatever is wrong with it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from command import inspect
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.base import jsonstream
from inspector.base.errors import Failed
from inspector.traffic import imports
from inspector.traffic.imports import book
from inspector.traffic.store import Traffic

STDIO = ("everything", "everything-nocaps", "filesystem", "memory", "git", "git-modern", "excel-modern",
         "context7-modern", "kubernetes-modern")  # fmt: skip
HTTP = ("everything-http", "everything-sse", "excel-modern-http", "context7-modern-http",
        "mcp-proxy-memory-modern-http", "sdk-example-oauth-http")  # fmt: skip
STAMP = "2026-08-09T12:00:0"


def opened(path: Path) -> Traffic:
    traffic = Traffic.open_recording(path)
    traffic.advance()
    return traffic


def frames(traffic: Traffic) -> list[tuple[str, bytes]]:
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    return [(row.channel, traffic.raw(row.number)) for row in rows if row.channel in ("c2s", "s2c")]


def written(folder: Path, value: Any, name: str = "file.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2), encoding="utf-8")
    return path


def summaries(traffic: Traffic) -> list[str]:
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    answers = ("response", "error")
    return [
        f"{row.channel} {row.method + ' ' if row.method and row.kind in answers else ''}{row.summary}"
        for row in rows
    ]


@pytest.mark.shared
@pytest.mark.parametrize("name", STDIO)
def test_a_log_of_frames_shows_every_byte_of_them(shared: Path, name: str) -> None:
    path = shared / "traffic" / f"{name}.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    traffic = opened(path)
    channels = {"send": "c2s", "recv": "s2c"}
    assert frames(traffic) == [(channels[entry["dir"]], entry["msg"].encode()) for entry in entries]
    assert [round(traffic.row(number).time, 4) for number in range(traffic.end)] == [
        round(entry["t"], 4) for entry in entries
    ]
    assert traffic.label(1) == name and traffic.notes == ["imported from a log of frames"]
    assert traffic.sessions[1].facts["serverInfo"]["name"] if name == "everything" else True


@pytest.mark.shared
@pytest.mark.parametrize("name", HTTP)
def test_a_log_of_exchanges_shows_each_of_them_and_its_frames(shared: Path, name: str) -> None:
    path = shared / "traffic" / f"{name}.json"
    entries = json.loads(path.read_text())["exchanges"]
    traffic = opened(path)
    firsts = {traffic.columns.exchange[at]: at for at in reversed(range(len(traffic)))}
    firsts.pop(0)
    found = [traffic.exchange(at) for _, at in sorted(firsts.items())]
    assert len(found) == len(entries)
    for exchange, entry in zip(found, entries, strict=True):
        assert exchange is not None
        request, response = entry["request"], entry["response"]
        assert (exchange.method, exchange.url.split("/", 3)[3]) == (request["method"], request["path"][1:])
        status = response.get("status_line")
        assert exchange.status == (int(status.split()[1]) if status else None)
        assert exchange.response_headers == [tuple(pair) for pair in response.get("headers", [])]
        body = "".join(chunk["data"] for chunk in response.get("chunks", []))
        for number in exchange.frames:
            raw = traffic.raw(number).decode()
            assert raw in (request["body"] or "") or raw in body
        sent = [traffic.raw(number) for number in exchange.frames if traffic.row(number).channel == "c2s"]
        if request["body"] and request["body"].startswith("{"):
            assert sent == [request["body"].encode()]
        assert sum(line.startswith("data: {") for line in body.splitlines()) == len(exchange.frames) - len(
            sent
        ) or (not body.startswith(("event:", "id:", "data:", ":")))


def envelope(seq: int, direction: str, raw: Any = None, **more: Any) -> dict[str, Any]:
    about = {"session_id": "s1", "server_label": "files", "seq": seq, "ts": f"{STAMP}{seq}.123456789Z"}
    return {
        **about,
        "direction": direction,
        "transport": "stdio",
        **({} if raw is None else {"raw": raw}),
        **more,
    }


def test_logs_of_mcpsnoop(tmp_path: Path) -> None:
    call = '{"jsonrpc":"2.0", "id":1, "method":"tools/call","params":{"name":"add","arguments":{"a":1.50}}}'
    entries: list[Any] = [
        envelope(1, "meta", {"command": ["run", "it"], "cwd": "/tmp"}),
        json.dumps(envelope(2, "c2s", "RAW")).replace('"RAW"', call),
        envelope(3, "s2c", text="no JSON at all"),
        "{broken",
        envelope(4, "stderr", text="a line of stderr"),
        envelope(
            7,
            "s2c",
            {"jsonrpc": "2.0", "id": 1, "result": {}},
            transport="http",
            status=401,
            auth_challenge="Bearer",
        ),
    ]
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in entries]
    traffic = opened(written(tmp_path, "\n".join(lines), "log.jsonl"))
    assert frames(traffic)[:2] == [("c2s", call.encode()), ("s2c", b"no JSON at all")]
    assert summaries(traffic) == [
        "c2s tools/call add", "s2c no JSON at all", "sys line 4 cannot be read: {broken",
        "err a line of stderr", "sys 2 frames before this one were not recorded",
        "sys HTTP 401, WWW-Authenticate: Bearer", "s2c tools/call ok",
    ]  # fmt: skip
    assert traffic.label(1) == "files" and traffic.sessions[1].facts["command"] == ["run", "it"]
    assert traffic.notes == [
        "imported from mcpsnoop",
        "1 line could not be read: look for `cannot be read` in the log",
    ]
    assert traffic.row(6).took == pytest.approx(5)
    posted = envelope(1, "c2s", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, mcp_method="ping", mcp_name="n",
                      mcp_protocol_version="2026-07-28", mcp_param_headers=[{"name": "Mcp-Param-A", "value": "b"}],
                      )  # fmt: skip
    traffic = opened(written(tmp_path, json.dumps(posted), "http.jsonl"))
    exchange = traffic.exchange(1)
    assert exchange is not None and exchange.frames == [1] and exchange.request_headers == [
        ("Mcp-Method", "ping"), ("Mcp-Name", "n"), ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Param-A", "b"),
    ]  # fmt: skip


def test_sessions_of_mcpdump_and_mcp_rec(tmp_path: Path) -> None:
    ping = '{"jsonrpc":"2.0", "id":1,"method":"ping"}'
    session = [
        {"format": "mcpdump-session", "version": 1, "at": f"{STAMP}0+00:00", "argv": ["python", "server.py"]},
        {"seq": 1, "atMs": 0.5, "direction": "to_server", "method": "ping", "elapsedMs": None, "line": ping},
        {"seq": 2, "atMs": 12.5, "direction": "to_client", "method": "ping", "line": '{"id":1,"result":{}}'},
        {"seq": 3, "atMs": 13, "direction": "sideways", "line": "x"},
    ]
    traffic = opened(written(tmp_path, "\n".join(map(json.dumps, session)), "a.jsonl"))
    assert (
        summaries(traffic)[:2] == ["c2s ping", "s2c ping ok"]
        and "line 4 cannot be read" in summaries(traffic)[2]
    )
    assert traffic.raw(0) == ping.encode() and traffic.row(1).took == pytest.approx(0.012)
    assert traffic.sessions[1].facts["command"] == ["python", "server.py"]
    log = [
        '{"ts": 1786000000.5, "dir": "client->server", "msg": {"jsonrpc": "2.0", "id": 1.0, "method": "ping"}}',
        '{"ts": 1786000001.5, "dir": "server->client", "msg": {"_raw": "noise", "_unparsed": true}}',
    ]
    traffic = opened(written(tmp_path, "\n".join(log), "b.jsonl"))
    assert frames(traffic) == [("c2s", b'{"jsonrpc": "2.0", "id": 1.0, "method": "ping"}'), ("s2c", b"noise")]
    assert traffic.base_time == 1786000000.5 and traffic.row(1).time == 1


def test_recordings_of_mcporter(tmp_path: Path) -> None:
    def line(message: str, direction: str, server: str, second: int) -> str:
        return f'{message[:-1]},"_meta":{{"dir":"{direction}","server":"{server}","ts":"{STAMP}{second}.000Z"}}}}'

    call = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1.0}}}'
    )
    lines = [
        line('{"jsonrpc":"2.0","method":"$transport/start"}', "lifecycle", "shop", 0),
        line(call, "send", "shop", 1),
        line('{"jsonrpc":"2.0","id":1,"method":"ping"}', "send", "bank", 2),
        line('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', "recv", "shop", 3),
        line('{"jsonrpc":"2.0","method":"$transport/close"}', "lifecycle", "shop", 4),
        line('{"jsonrpc":"2.0","method":"$transport/start"}', "lifecycle", "shop", 5),
        '{"_meta":{"dir":"recv","server":"shop","ts":"x"},"jsonrpc":"2.0","id":9,"result":1e400}',
        '{"jsonrpc":"2.0","_meta":{"dir":"sideways"}}',
        "no json",
    ]
    traffic = opened(written(tmp_path, "\n".join(lines), "a.ndjson"))
    assert frames(traffic)[:3] == [
        ("c2s", call.encode()),
        ("c2s", b'{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        ("s2c", b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'),
    ]
    assert frames(traffic)[3][1].replace(b" ", b"") == b'{"jsonrpc":"2.0","id":9,"result":1e400}'
    assert [session.label for session in traffic.sessions.values()] == ["shop", "bank", "shop", "a"]
    assert traffic.row(3).took == pytest.approx(2) and traffic.row(3).target == "t"
    told = summaries(traffic)
    assert told[0] == "sys mcporter: start" and sum("cannot be read" in each for each in told) == 2


TRANSCRIPT = """\
meta:
  recorded_at: '2026-08-09T12:00:00Z'
  schema_version: '1.0'
  server_command: [python, server.py]
  session_id: a3f2b1c9
  version: 1
messages:
- dir: c2s
  payload:
    id: 1
    jsonrpc: '2.0'
    method: tools/call
    params: {name: no, arguments: {when: '2026-08-09', many: 1.0, on: "yes"}}
  t: 5
- dir: s2c
  payload: {id: 1, jsonrpc: '2.0', result: {content: []}}
  t: 30
- dir: sideways
  payload: {}
  t: 31
"""


def test_transcripts_of_mcp_vcr(tmp_path: Path) -> None:
    traffic = opened(written(tmp_path, TRANSCRIPT, "a.yaml"))
    sent = json.loads(traffic.raw(0))
    assert sent["params"]["arguments"] == {"when": "2026-08-09", "many": 1.0, "on": "yes"}
    assert traffic.row(1).took == pytest.approx(0.025) and traffic.row(1).target == "no"
    assert traffic.sessions[1].facts["command"] == ["python", "server.py"]
    assert (
        traffic.base_time == pytest.approx(1786276800.005)
        and "message 3 cannot be read" in summaries(traffic)[2]
    )
    crashed = opened(written(tmp_path, TRANSCRIPT + "- dir: c2s\n  payload: {id: 2, 'method", "b.yaml"))
    assert len(frames(crashed)) == 2 and "cut off" in " ".join(summaries(crashed))
    with pytest.raises(Failed, match="as YAML"):
        opened(written(tmp_path, "meta: {\nmessages:\npayload:", "c.yaml"))
    ping = '{"jsonrpc": "2.0", "id": 1.0, "method": "ping"}'
    lines = [
        '{"_type": "meta", "version": 1, "recorded_at": "2026-08-09T12:00:00Z", "server_command": ["x"]}',
        f'{{"t": 7, "dir": "c2s", "payload": {ping}}}',
        '{"t": 8, "dir": "s2c", "payload": "x"}',
    ]
    traffic = opened(written(tmp_path, "\n".join(lines), "d.ndjson"))
    assert traffic.raw(0) == ping.encode() and "line 3 cannot be read" in summaries(traffic)[1]


def test_cassettes_of_mcp_recorder(tmp_path: Path) -> None:
    request = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}
    cassette = {
        "version": "1.0",
        "metadata": {"recorded_at": f"{STAMP}0+00:00", "server_url": "http://127.0.0.1:8000",
                     "protocol_version": "2025-11-25",
                     "server_info": {"name": "Calculator", "version": "1"}},
        "interactions": [
            {"type": "jsonrpc_request", "request": request, "response": {"jsonrpc": "2.0", "id": 0, "result": {}},
             "response_status": 200, "latency_ms": 1500},
            {"type": "notification", "request": {"jsonrpc": "2.0", "method": "notifications/initialized"},
             "response_status": 202},
            {"type": "lifecycle", "http_method": "DELETE", "http_path": "/mcp", "response_status": 204},
            {"type": "jsonrpc_request"},
        ],
    }  # fmt: skip
    traffic = opened(written(tmp_path, cassette))
    assert summaries(traffic) == [
        "c2s initialize", "s2c initialize ok", "c2s notifications/initialized",
        "http DELETE http://127.0.0.1:8000/mcp 204", "http response 204", "http end: complete",
        'sys interaction 4 cannot be read: {"type": "jsonrpc_request"}',
    ]  # fmt: skip
    assert traffic.row(1).took == pytest.approx(1.5) and traffic.label(1) == "Calculator"


def test_exports_of_mcp_inspector(tmp_path: Path) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    protocol = [
        {"id": "a", "timestamp": f"{STAMP}0.000Z", "direction": "request", "message": ping, "origin": "client",
         "response": {"jsonrpc": "2.0", "id": 1, "result": {}}, "duration": 2500, "clientError": "no ttlMs"},
        {"id": "b", "timestamp": f"{STAMP}1.000Z", "direction": "request", "origin": "server",
         "message": {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}},
        {"id": "c", "timestamp": f"{STAMP}1.000Z", "direction": "notification",
         "message": {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}},
        7,
    ]  # fmt: skip
    traffic = opened(written(tmp_path, protocol))
    assert summaries(traffic) == [
        "c2s ping", "s2c roots/list", "s2c notifications/progress 1",
        "sys entry 4 cannot be read: 7", "s2c ping ok", "sys MCP Inspector refused this answer: no ttlMs",
    ]  # fmt: skip
    network = [
        {"id": "a", "timestamp": f"{STAMP}0.000Z", "method": "POST", "url": "http://127.0.0.1:1/mcp",
         "requestHeaders": {"content-type": "application/json"}, "requestBody": json.dumps(ping),
         "responseStatus": 200, "responseHeaders": {"content-type": "text/event-stream"},
         "responseBody": 'id: 5\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n', "duration": 10,
         "category": "transport"},
        {"id": "b", "timestamp": f"{STAMP}1.000Z", "method": "GET", "url": "http://127.0.0.1:1/mcp",
         "requestHeaders": {}, "error": "connection refused", "category": "transport"},
    ]  # fmt: skip
    assert summaries(opened(written(tmp_path, network))) == [
        "http POST http://127.0.0.1:1/mcp 200", "c2s ping", "http response 200", "http event id: 5", "s2c ping ok",
        "http end: complete", "http GET http://127.0.0.1:1/mcp", "http end: connection refused",
    ]  # fmt: skip
    console = [{"timestamp": f"{STAMP}0.000Z", "message": "a line"}]
    assert summaries(opened(written(tmp_path, console))) == ["err a line"]
    logs = [{"receivedAt": f"{STAMP}0.000Z", "params": {"level": "info", "data": "hi"}}]
    [line] = summaries(opened(written(tmp_path, logs)))
    assert line.endswith("notifications/message info: hi")


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["everything.jsonl", "everything-http.json", "everything-sse.json", "git-modern.jsonl"]
)
def test_what_goes_out_as_har_comes_in_again(shared: Path, tmp_path: Path, name: str) -> None:
    path = shared / "traffic" / name
    har = tmp_path / "x.har"
    words = ["--to", "har", "kind:all", "--no-redact", "-o", str(har)]
    assert inspect("export", str(path), *words).code == 0
    before, after = opened(path), opened(har)
    assert sorted(frames(after)) == sorted(frames(before))
    if name.endswith(".jsonl"):
        times = [
            sorted(zip(frames(traffic), (round(time, 4) for time in traffic.columns.time), strict=True))
            for traffic in (before, after)
        ]
        assert times[0] == times[1]
    assert after.label(1) == before.label(1)
    exchanges = [set(traffic.columns.exchange) - {0} for traffic in (before, after)]
    assert len(exchanges[0]) == len(exchanges[1])


def test_a_har_of_a_browser(tmp_path: Path) -> None:
    entry = {
        "startedDateTime": f"{STAMP}0.000Z", "time": 20, "cache": {},
        "timings": {"send": 0, "wait": 5, "receive": 15},
        "request": {"method": "POST", "url": "https://example.org/mcp",
                    "headers": [{"name": "Content-Type", "value": "application/json"}],
                    "postData": {"mimeType": "application/json", "text": '{"jsonrpc":"2.0","id":1,"method":"ping"}'}},
        "response": {"status": 200, "headers": [{"name": "content-type", "value": "application/json"}],
                     "content": {"text": "eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsInJlc3VsdCI6e319", "encoding": "base64"}},
    }  # fmt: skip
    page = {
        **entry,
        "request": {"method": "GET", "url": "https://example.org/", "headers": []},
        "response": {"status": 0},
    }
    har = {"log": {"version": "1.2", "creator": {"name": "b", "version": "1"}, "entries": [entry, page, {}]}}
    lines = summaries(opened(written(tmp_path, har, "a.har")))
    assert lines[:2] == ["http POST https://example.org/mcp 200", "c2s ping"]
    assert "s2c ping ok" in lines and "sys entry 3 cannot be read: {}" in lines
    assert "http GET https://example.org/" in lines


def test_every_door_takes_them(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"t":0.5,"dir":"send","msg":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}"}\n',
        "a.jsonl",
    )
    log = inspect("log", str(path))
    assert "ping" in log.out and "note: imported from a log of frames" in log.err
    copy = tmp_path / "a.mcprec"
    assert inspect("export", str(path), "--to", "jsonl", "-o", str(copy)).code == 0
    assert inspect("log", str(copy)).err == ""
    refused = inspect("tools", str(path))
    assert refused.code == 2 and "is a recording, not a config" in refused.err
    assert f"-- mcp-inspect serve {path}" in refused.err


NOT_ONES: Iterable[Any] = (
    [],
    {},
    [1],
    {"mcpServers": {"a": {"command": "x"}}},
    [{"name": "t", "inputSchema": {}}],
    {"log": {"level": "x"}},
    {"exchanges": "none"},
    {"tools": [{"name": "interactions", "inputSchema": {}}]},
)


@pytest.mark.parametrize("value", NOT_ONES, ids=repr)
def test_other_files_are_still_what_they_were(tmp_path: Path, value: Any) -> None:
    with pytest.raises(Failed) as failed:
        Traffic.open_recording(written(tmp_path, value))
    assert "is no recording" in failed.value.failure.message


SHAPES = (
    '{"log":{"creator":{},"entries":%s}}',
    '{"exchanges":[{"request":%s}]}',
    '{"exchanges":[%s,{"request":{}}]}',
    '{"interactions":[{"type":%s}]}',
    '{"interactions":[{"type":"x","request":{"a":%s}}]}',
    '[{"timestamp":1,"direction":2,"message":%s}]',
    '[{"timestamp":"x","method":2,"url":"[","requestHeaders":%s}]',
    '{"t":%s,"dir":"send","msg":"x"}',
    '{"ts":1,"dir":%s,"msg":%s}',
    '{"format":"mcpdump-session","at":%s,"argv":%s}',
    '{"seq":1,"atMs":%s,"direction":%s,"line":%s}',
    '{"session_id":%s,"seq":%s,"direction":"c2s","raw":%s}',
    '{"jsonrpc":%s,"id":%s,"_meta":{"dir":"recv","server":%s,"ts":%s}}',
    '{"t":%s,"dir":"c2s","payload":%s}',
    'meta: {"recorded_at": %s, "server_command": %s}\nmessages:\n- {"t": %s, "dir": "s2c", "payload": %s}\n',
)
ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda part: st.one_of(
        st.lists(part, max_size=3), st.dictionaries(st.text(max_size=9), part, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SHAPES), ANY, st.integers(0, 60))
def test_no_value_in_any_place_does_harm(tmp_path: Path, shape: str, value: Any, cut: int) -> None:
    text = shape.replace("%s", json.dumps(value))
    for whole in (text, text[: max(1, len(text) - cut)]):
        try:
            summaries(opened(written(tmp_path, whole)))
        except Failed as failed:
            assert failed.failure.kind == "io"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "value", ["[" * 100_000 + "]" * 100_000, "9" * 100_000, '"\\ud800"', '"' + "\\u0000" * 9 + '"']
)
def test_depth_and_size_do_no_harm(tmp_path: Path, shape: str, value: str) -> None:
    path = written(tmp_path, shape.replace("%s", value))
    try:
        summaries(opened(path))
    except Failed as failed:
        assert failed.failure.kind == "io"


def har_of(moments: Iterable[int]) -> dict[str, Any]:
    """An entry for each moment, its text saying which."""
    entries = [
        {
            "startedDateTime": f"2026-08-09T12:00:{moment:02}.000Z",
            "request": {"method": "GET", "url": f"https://example.org/{moment}", "headers": []},
            "response": {"status": 0},
        }
        for moment in moments
    ]
    return {"log": {"version": "1.2", "creator": {"name": "b", "version": "1"}, "entries": entries}}


def urls(traffic: Traffic) -> list[str]:
    return [line.split("/")[-1] for line in summaries(traffic) if "GET" in line]


def test_the_first_frames_of_a_long_log_do_not_wait_for_the_last_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "_SLICE", 0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    count = 20_000
    line = '{"t":%d,"dir":"send","msg":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":%d,\\"method\\":\\"ping\\"}"}'
    path = written(tmp_path, "\n".join(line % (number, number) for number in range(count)), "long.jsonl")
    traffic = Traffic.open_recording(path)
    assert 0 < len(traffic) < count and not traffic.complete
    assert traffic.row(0).method == "ping"
    while traffic.advance(0.05):
        pass
    assert len(traffic) == count and traffic.row(count - 1).id == count - 1
    traffic.close()
    assert [file.name for file in tmp_path.iterdir()] == ["long.jsonl"]


def test_documents_are_sorted_however_long_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "_RUN", 3)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = written(tmp_path, har_of([5, 3, 9, 1, 7, 3, 0, 8]))
    traffic = opened(path)
    assert urls(traffic) == ["0", "1", "3", "3", "5", "7", "8", "9"]
    traffic.close()
    assert [file.name for file in tmp_path.iterdir()] == ["file.json"]


def test_a_document_that_was_cut_off_shows_what_is_before_the_cut(tmp_path: Path) -> None:
    text = json.dumps(har_of([1, 2, 3]))
    traffic = opened(written(tmp_path, text[: text.index("org/3")]))
    assert urls(traffic) == ["1", "2"]
    assert "is no JSON at character" in traffic.notes[1] and "was it cut off?" in traffic.notes[1]
    with pytest.raises(Failed, match="is no JSON"):
        opened(written(tmp_path, text[: text.index("org/1")]))


def test_an_entry_that_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_LARGEST", 2000)
    monkeypatch.setattr(jsonstream, "_STEP", 100)
    document = har_of([1, 2, 3])
    document["log"]["entries"][1]["response"]["content"] = {"text": "x" * 5000}
    traffic = opened(written(tmp_path, document))
    assert urls(traffic) == ["1"]
    assert "a value of more than 2000 characters" in traffic.notes[1]
    del document["log"]["entries"][0]
    with pytest.raises(Failed) as failed:
        opened(written(tmp_path, document))
    assert "leave out large bodies" in (failed.value.failure.hint or "")
