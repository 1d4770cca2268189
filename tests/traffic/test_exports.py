"""Recordings in other formats: each is what its readers expect, and foreign text and secrets do no harm in it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import jsonschema_rs
import pytest
from command import Ran, inspect
from terminal import Terminal

from inspector.traffic.store import Traffic, Writer

HOSTILE = "</pre><script>alert(1)</script>\x1b[2J\u202e<img src=x onerror=y>"
TRACE, PARENT = "a" * 32, "b" * 16
FORMATS = ("jsonl", "text", "har", "html", "otlp")

_NAMED = {"type": "array", "items": {"type": "object", "required": ["name", "value"]}}
_SIDE = {"httpVersion": {"type": "string"}, "cookies": {"type": "array"}, "headers": _NAMED,
         "headersSize": {"type": "integer"}, "bodySize": {"type": "integer"}}  # fmt: skip
_TIME = {"type": "number", "minimum": 0}
HAR = {
    "type": "object",
    "required": ["log"],
    "properties": {"log": {
        "type": "object",
        "required": ["version", "creator", "entries"],
        "properties": {
            "version": {"const": "1.2"},
            "creator": {"type": "object", "required": ["name", "version"]},
            "entries": {"type": "array", "items": {
                "type": "object",
                "required": ["startedDateTime", "time", "request", "response", "cache", "timings"],
                "properties": {
                    "startedDateTime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"},
                    "time": _TIME,
                    "request": {
                        "type": "object",
                        "required": ["method", "url", "queryString", *_SIDE],
                        "properties": {**_SIDE, "method": {"type": "string"}, "url": {"pattern": "^https?://[^/ ]+/"},
                                       "queryString": _NAMED,
                                       "postData": {"type": "object", "required": ["mimeType", "text"]}},
                    },
                    "response": {
                        "type": "object",
                        "required": ["status", "statusText", "content", "redirectURL", *_SIDE],
                        "properties": {**_SIDE, "status": {"type": "integer"},
                                       "content": {"type": "object", "required": ["size", "mimeType"]}},
                    },
                    "timings": {"type": "object", "required": ["send", "wait", "receive"],
                                "properties": {"send": _TIME, "wait": _TIME, "receive": _TIME}},
                },
            }},
        },
    }},
}  # fmt: skip


def frame(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


@pytest.fixture
def recording(tmp_path: Path) -> str:
    """A session over stdio and one over HTTP, with their failures, hostile text and secrets; not redacted."""
    path = tmp_path / "session.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path, redact=False))
    log = traffic.session(
        HOSTILE, transport="stdio", command=["run", "--token", "tok-planted"], protocolVersion="2025-11-25"
    )
    meta = {"traceparent": f"00-{TRACE}-{PARENT}-01", "progressToken": 1}
    log.sent(frame(id=1, method="tools/call", params={"name": "echo", "arguments": {}, "_meta": meta}))
    progress = {"progressToken": 1, "progress": 1, "message": HOSTILE}
    log.received([frame(method="notifications/progress", params=progress)])
    log.received([frame(id=1, result={"content": [{"type": "text", "text": HOSTILE}]})])
    log.sent(
        frame(id=2, method="tools/call", params={"name": "bad", "arguments": {"password": "pw-planted"}})
    )
    log.received([frame(id=2, result={"isError": True, "content": []})])
    log.received([b"not JSON \xff", frame(id=9, method="ping")])
    log.sent(frame(id=9, result={}))
    log.sent(frame(id=3, method="resources/read", params={"uri": "x://y"}))
    log.received([frame(id=3, error={"code": -32002, "message": "no such thing"})])
    log.sent(frame(id=4, method="prompts/get", params={"name": "p"}))
    log.stderr([b"a line of stderr"])
    web = traffic.session("web", transport="http", url="http://127.0.0.1:8765/mcp?token=planted-query")
    posted = web.http_request(
        "POST",
        "http://127.0.0.1:8765/mcp?token=planted-query&a=b",
        [("Authorization", "Bearer planted-header")],
    )
    web.sent(frame(id=1, method="tools/list"), posted)
    web.http_response(posted, 200, [("Content-Type", "text/event-stream"), ("Mcp-Session-Id", "s-1")])
    web.http_event(posted, "id", "e7")
    web.http_event(posted, "event endpoint", "/message?sessionId=planted-session-1")
    web.received([frame(id=1, result={"tools": []})], posted)
    web.http_event(posted, "comment", "still here")
    web.http_end(posted, "complete")
    refused = web.http_request("GET", "http://127.0.0.1:8765/mcp", [])
    web.http_response(refused, 405, [("Content-Type", "text/plain")])
    web.http_body(refused, b"no stream here")
    web.http_end(refused, "complete")
    traffic.close()
    return str(path)


def exported(recording: str, name: str, *words: str) -> str:
    ran = inspect("export", recording, "--to", name, *words)
    assert ran.code == 0, ran.err
    return ran.out


def entries(text: str) -> list[dict[str, Any]]:
    document = json.loads(text)
    jsonschema_rs.validator_for(HAR).validate(document)
    return document["log"]["entries"]  # type: ignore[no-any-return]


def spans(text: str) -> dict[str, dict[str, Any]]:
    """Spans by name, their attributes as a plain map."""
    found = {}
    for line in text.splitlines():
        for resource in json.loads(line)["resourceSpans"]:
            for span in resource["scopeSpans"][0]["spans"]:
                pairs = [(pair["key"], next(iter(pair["value"].values()))) for pair in span["attributes"]]
                found[span["name"]] = {**span, "attributes": dict(pairs)}
    return found


@pytest.mark.shared
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_of_a_login_is_passed_on(shared: Path, name: str) -> None:
    path = shared / "traffic" / "sdk-example-oauth-http.json"
    secrets = set(re.findall(r"Bearer ([\w-]{36})|\b(?:code|code_verifier)=([\w-]{20,})", path.read_text()))
    values = {value for pair in secrets for value in pair if value}
    assert len(values) >= 3
    text = exported(str(path), name, "kind:all")
    assert not [value for value in values if value in text]


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_holds_a_secret_or_a_control_sequence(recording: str, name: str, tmp_path: Path) -> None:
    shown = exported(recording, name)
    written = tmp_path / "out"
    assert exported(recording, name, "-o", str(written)) == ""
    for text in (shown, written.read_text()):
        assert "planted" not in text
        assert (
            "\x1b" not in text
            and "\u202e" not in text.replace("\\u202e", "")[: 0 if name == "jsonl" else None]
        )
    assert "planted" in exported(recording, "jsonl", "--no-redact")


def test_jsonl_is_a_recording_again(recording: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.mcprec"
    exported(recording, "jsonl", "--no-redact", "-o", str(copy))
    for words in ((), ("kind:all",)):
        assert inspect("log", str(copy), *words).out == inspect("log", recording, *words).out
    assert inspect("log", str(copy)).err == inspect("log", recording).err


def test_a_filter_takes_answers_and_exchanges_along(recording: str, tmp_path: Path) -> None:
    copy = tmp_path / "part.mcprec"
    exported(recording, "jsonl", "kind:request", "method:tools/list", "-o", str(copy))
    log = inspect("log", str(copy), "kind:all").out
    assert [
        part for part in ("tools/list ok", "POST http", "id: e7", "end: complete") if part not in log
    ] == []
    assert "tools/call" not in log and "405" not in log


def test_text_shows_every_frame_with_its_json(recording: str) -> None:
    text = exported(recording, "text")
    assert text.startswith("session 1: ") and "session 2: web  http" in text
    assert '          "uri": "x://y"\n' in text and "not JSON" in text and "resources/read -32002" in text


def test_har_has_exchanges_and_an_entry_for_each_frame_of_stdio(recording: str) -> None:
    found = entries(exported(recording, "har"))
    stream, *stdio = found
    assert stream["request"]["url"].startswith("http://127.0.0.1:8765/mcp?")
    assert stream["request"]["queryString"] == [
        {"name": "token", "value": "***"},
        {"name": "a", "value": "b"},
    ]
    assert json.loads(stream["request"]["postData"]["text"])["method"] == "tools/list"
    body = stream["response"]["content"]["text"]
    assert re.fullmatch(
        r"id: e7\nevent: endpoint\ndata: /message\?sessionId=\*\*\*[0-9a-f]{6}\n\n"
        r'data: \{"jsonrpc".*\}\n\n: still here\n',
        body,
    )
    assert {entry["_mcp"]["transport"] for entry in stdio} == {"stdio"}
    statuses = {entry["request"]["url"].split("/", 3)[3]: entry["response"]["status"] for entry in stdio}
    assert statuses == {
        "tools/call/echo": 200, "notifications/progress": 0, "tools/call/bad": 500, "invalid": 500, "ping": 200,
        "resources/read": 500, "prompts/get/p": 0,
    }  # fmt: skip
    hosts = {entry["request"]["url"].split("/")[2] for entry in stdio}
    assert len(hosts) == 1 and re.fullmatch(r"[a-z0-9-]+\.stdio\.invalid", hosts.pop())
    invalid = next(entry for entry in stdio if entry["request"]["url"].endswith("/invalid"))
    assert invalid["response"]["content"]["encoding"] == "base64"
    for entry in found:
        assert entry["time"] == pytest.approx(sum(entry["timings"].values()))
    bodies = [
        entry["response"]["content"].get("text") for entry in entries(exported(recording, "har", "kind:http"))
    ]
    assert "no stream here" in bodies


class Page(HTMLParser):
    """What a browser makes of a page: its elements, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_html_holds_no_foreign_markup_and_loads_nothing(recording: str, tmp_path: Path) -> None:
    page = Page(exported(recording, "html"))
    assert page.tags.count("script") == page.tags.count("style") == 1 and "img" not in page.tags
    assert not {name for name, _ in page.attributes} & {"src", "href", "style", "onerror", "action"}
    policy = next(
        value for name, value in page.attributes if name == "content" and value and "default-src" in value
    )
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert len(re.findall(r"(?:style|script)-src 'sha256-[\w+/]{43}='", policy)) == 2


def test_html_shows_an_answer_inside_of_its_request(recording: str) -> None:
    text = exported(recording, "html")
    exchange = next(part for part in re.split(r"\n(?=<details)", text) if "tools/call bad" in part)
    assert (
        exchange.count("<details") == 3
        and 'class="c2s bad"' in exchange
        and "&quot;isError&quot;" in exchange
    )
    assert "Secrets were not masked" not in text
    assert "Secrets were not masked" in exported(recording, "html", "--no-redact")


def test_spans_follow_the_conventions_for_mcp(recording: str) -> None:
    text = exported(recording, "otlp")
    found = spans(text)
    echo, bad, read = found["tools/call echo"], found["tools/call bad"], found["resources/read"]
    assert (echo["traceId"], echo["parentSpanId"], echo["kind"]) == (TRACE, PARENT, 3)
    assert echo["attributes"] == {
        "mcp.method.name": "tools/call", "mcp.protocol.version": "2025-11-25", "network.transport": "pipe",
        "jsonrpc.request.id": "1", "gen_ai.tool.name": "echo", "gen_ai.operation.name": "execute_tool",
    }  # fmt: skip
    assert echo["status"] == {} and int(echo["endTimeUnixNano"]) >= int(echo["startTimeUnixNano"]) > 1e18
    assert bad["attributes"]["error.type"] == "tool_error" and bad["status"]["code"] == 2
    assert read["attributes"]["error.type"] == read["attributes"]["rpc.response.status_code"] == "-32002"
    assert read["attributes"]["mcp.resource.uri"] == "x://y" and read["status"]["message"] == "no such thing"
    assert found["ping"]["kind"] == 2 and found["prompts/get p"]["attributes"]["gen_ai.prompt.name"] == "p"
    assert found["notifications/progress"]["parentSpanId"] == echo["spanId"]
    assert found["tools/list"]["attributes"] == {
        "mcp.method.name": "tools/list", "mcp.session.id": "s-1", "network.transport": "tcp",
        "network.protocol.name": "http", "server.address": "127.0.0.1", "server.port": "8765",
        "jsonrpc.request.id": "1",
    }  # fmt: skip
    assert len({span["spanId"] for span in found.values()}) == len(found)
    assert exported(recording, "otlp") == text


def test_many_spans_come_in_several_requests(tmp_path: Path) -> None:
    path = tmp_path / "long.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    log = traffic.session("one", transport="stdio")
    for number in range(1100):
        log.sent(frame(id=number, method=f"m/{number}"))
    traffic.close()
    lines = exported(str(path), "otlp").splitlines()
    assert len(lines) == 3 and len(spans("\n".join(lines))) == 1100


class Collecting(BaseHTTPRequestHandler):
    """A collector that keeps what it was sent, and answers as the path says."""

    got: ClassVar[list[tuple[str, str | None, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.path, self.headers["X-Key"], body))
        status = int(self.path.split("/")[1]) if self.path[1:4].isdigit() else 200
        answer = (
            b'{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}'
            if "part" in self.path
            else b"{}"
        )
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[str]:
    Collecting.got.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Collecting) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_spans_are_posted_to_a_collector(recording: str, collector: str) -> None:
    words = ("--otlp-endpoint", collector, "--header", "X-Key: ${COLLECTOR_KEY}")
    ran = inspect("export", recording, *words, COLLECTOR_KEY="planted-key")
    assert (ran.code, ran.out) == (0, "") and f"7 spans were sent to {collector}/v1/traces" in ran.err
    [(path, key, body)] = Collecting.got
    assert (path, key) == ("/v1/traces", "planted-key")
    assert body.decode() == exported(recording, "otlp")
    inspect("export", recording, "--otlp-endpoint", f"{collector}/v1/traces", "method:ping", "dir:in")
    assert Collecting.got[1][0] == "/v1/traces" and list(spans(Collecting.got[1][2].decode())) == ["ping"]


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/part", 0, "the collector refused 3 spans: too old"),
        ("/404", 3, "Its path ends with /v1/traces"),
        ("/503", 3, "HTTP 503"),
        ("/401", 3, "HTTP 401"),
    ],
)
def test_what_a_collector_refuses_is_told(
    recording: str, collector: str, path: str, code: int, said: str
) -> None:
    ran = inspect("export", recording, "--otlp-endpoint", collector + path)
    assert ran.code == code and said in ran.err and ran.out == ""


def test_a_collector_that_is_not_there_is_told(recording: str) -> None:
    ran = inspect("export", recording, "--otlp-endpoint", "http://127.0.0.1:1")
    assert ran.code == 3 and "4318" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{}", "--to", "har", "-o", "{}"], "is what this command reads"),
        (["{}"], "--to"),
        (["{}", "--otlp-endpoint", "http://127.0.0.1:9", "-o", "x"], "leave out --to and -o"),
        (["{}", "--otlp-endpoint", "ftp://x"], "no http or https URL"),
        (["{}", "--otlp-endpoint", "http://127.0.0.1:9", "--header", "K: ${{UNSET_X}}"], "UNSET_X"),
        (["{}", "--to", "xml"], "jsonl"),
        (["{}", "--to", "text", "size>x"], "number"),
        (["/dev/null", "--to", "text"], "is no"),
        (["{}", "--to", "text", "--record", "x"], "no traffic to record"),
    ],
)
def test_what_cannot_be_meant_is_refused(recording: str, words: list[str], said: str) -> None:
    before = Path(recording).read_bytes()
    ran: Ran = inspect("export", *(word.format(recording) for word in words))
    assert ran.code == 2 and said in ran.err and ran.out == ""
    assert Path(recording).read_bytes() == before


def test_the_format_is_that_of_the_file_where_none_is_given(recording: str, tmp_path: Path) -> None:
    page, unknown = tmp_path / "a.html", tmp_path / "a.xyz"
    assert inspect("export", recording, "-o", str(page)).code == 0 and page.read_text().startswith(
        "<!doctype html>"
    )
    assert inspect("export", recording, "-o", str(unknown)).code == 2 and not unknown.exists()


CUT = """
from inspector.traffic.exports import html
def pieces(source):
    yield b"half of it"
    raise {error}
html.pieces = pieces
"""


@pytest.mark.parametrize(
    ("error", "code"), [("KeyboardInterrupt", 130), ("OSError(28, 'No space left on device')", 2)]
)
@pytest.mark.parametrize("before", ["what it held before", None])
def test_an_export_that_does_not_come_to_its_end_leaves_nothing_behind(
    recording: str, tmp_path: Path, error: str, code: int, before: str | None
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    file = folder / "page.html"
    if before is not None:
        file.write_text(before)
    ran = inspect(
        "export", recording, "--to", "html", "-o", str(file), patch=CUT.format(error=error),
    )  # fmt: skip
    assert ran.code == code, ran.err
    assert [path.name for path in folder.iterdir()] == ([] if before is None else ["page.html"])
    assert before is None or file.read_text() == before


def test_a_file_that_is_written_anew_keeps_its_mode_and_its_link(recording: str, tmp_path: Path) -> None:
    file, link = tmp_path / "page.html", tmp_path / "link.html"
    file.write_text("before")
    file.chmod(0o600)
    link.symlink_to(file)
    assert inspect("export", recording, "--to", "html", "-o", str(link)).code == 0
    assert link.is_symlink() and file.stat().st_mode & 0o777 == 0o600
    assert file.read_text().startswith("<!doctype html>")


SOON = "import inspector.cli.progress as p; p._PATIENCE = p._PACE = 0"


@pytest.mark.parametrize("words", [("export", "--to", "text"), ("log",)])
def test_a_long_answer_says_on_a_terminal_how_far_it_is(
    recording: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    verb, *more = words
    file = tmp_path / "out"
    terminal = Terminal(verb, recording, *more, "-o", str(file), patch=SOON)
    terminal.until("written …")
    while terminal.read():
        pass
    assert b"reading: " in terminal.seen and file.stat().st_size
    assert " …" not in inspect(verb, recording, *more, "-o", str(file), patch=SOON).err
