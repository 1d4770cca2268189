"""`tap --listen`: requests and answers go through as they are, piece by piece, and are recorded as exchanges."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import signal
import socketserver
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from command import PYTHON, inspect
from tapped import ROOT, TAP, environment, payloads, written

TLS = ROOT / "tests" / "tls"
ASK = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'
Reply = Callable[["Asked"], None]


class Asked(socketserver.StreamRequestHandler):
    """One request as it came: its first line, its headers, its body."""

    line: str
    fields: list[tuple[str, str]]
    body: bytes

    def handle(self) -> None:
        self.line = self.rfile.readline().decode("latin-1").strip()
        self.fields = []
        while line := self.rfile.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            self.fields.append((name, value.strip()))
        length = next((int(value) for name, value in self.fields if name.lower() == "content-length"), 0)
        self.body = self.rfile.read(length)
        self.server.asked.append(self)  # type: ignore[attr-defined]
        self.server.reply(self)  # type: ignore[attr-defined]

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.wfile.write(part)
            self.wfile.flush()

    def answer(self, body: bytes, *fields: str, status: str = "200 OK") -> None:
        head = "\r\n".join(
            [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *fields]
        )
        self.send(head.encode("latin-1") + b"\r\n\r\n" + body)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    asked: list[Asked]
    reply: Reply

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def upstream(reply: Reply) -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Asked) as server:
        server.asked, server.reply = [], reply
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def tap(home: Path, url: str, *words: str) -> Iterator[str]:
    """The URL of a tap without its path; ends with the recording complete."""
    file = str(home / "a.mcprec")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*TAP, "-o", file, "--listen", "0", *words, url], stdout=pipe, stderr=pipe, env=environment(home)
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            line = process.stdout.readline().decode().strip()
            assert line, process.stderr.read().decode()
            yield line.removesuffix(urlsplit(line).path)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()


def ask(url: str, body: bytes = ASK, verb: str = "POST", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    parts = urlsplit(url)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(
        verb,
        (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
        body or None,
        {**sent, **named},
    )
    return connection.getresponse()


def json_answer(asked: Asked) -> None:
    asked.answer(ANSWER, "Content-Type: application/json")


def stream(*events: bytes) -> Reply:
    def reply(asked: Asked) -> None:
        asked.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n", *events
        )

    return reply


def test_a_request_and_its_answer_go_through(tmp_path: Path) -> None:
    def reply(asked: Asked) -> None:
        fields = ["Content-Type: application/json", "X-Odd: caf\xe9", "Set-Cookie: a=1", "Set-Cookie: b=2"]
        asked.answer(ANSWER, *fields, status="299 Odd")

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        body = b'{ "jsonrpc" : "2.0","id":1 ,"method":"tools/call" }\n'
        answer = ask(
            f"{here}/mcp?x=%20y",
            body,
            X_MiXed="Some thing",
            Origin=here,
            TE="gzip",
            Connection="X-Gone",
            X_Gone="1",
        )
        assert (answer.status, answer.read()) == (299, ANSWER)
        assert answer.getheader("X-Odd") == "caf\xe9"
        assert answer.headers.get_all("Set-Cookie") == ["a=1", "b=2"]
        ask(f"{here}/mcp").read()
        first, second = server.asked
    assert first.line == "POST /mcp?x=%20y HTTP/1.1" and first.body == body
    fields = dict(first.fields)
    assert fields["Host"] == urlsplit(server.url).netloc and fields["Origin"] == server.url
    assert fields["X-MiXed"] == "Some thing"
    assert not {"te", "x-gone"} & {name.lower() for name in fields}
    assert "user-agent" not in {name.lower() for name in fields}
    assert "cookie" not in {name.lower() for name, _ in second.fields}


def test_a_packed_body_stays_packed_and_is_read_in_the_recording(tmp_path: Path) -> None:
    packed = gzip.compress(ANSWER)

    def reply(asked: Asked) -> None:
        asked.answer(packed, "Content-Type: application/json", "Content-Encoding: gzip")

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        assert ask(f"{here}/mcp", Accept_Encoding="gzip").read() == packed
        assert dict(server.asked[0].fields)["Accept-Encoding"] == "gzip"
    assert payloads(tmp_path / "a.mcprec", "s2c") == [json.loads(ANSWER)]


def test_events_come_when_they_come(tmp_path: Path) -> None:
    read = threading.Event()

    def reply(asked: Asked) -> None:
        stream(b"id: 1\nretry: 50\ndata: " + ANSWER + b"\n\n")(asked)
        assert read.wait(30)
        asked.send(b": still here\n\nevent: message\ndata: []\n\n")

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        answer = ask(f"{here}/mcp")
        first = [answer.readline() for _ in range(4)]
        assert first == [b"id: 1\n", b"retry: 50\n", b"data: " + ANSWER + b"\n", b"\n"]
        read.set()
        assert answer.read() == b": still here\n\nevent: message\ndata: []\n\n"
    file = tmp_path / "a.mcprec"
    assert payloads(file, "s2c") == [json.loads(ANSWER), []]
    events = [row["event"] for row in payloads(file, "http") if "event" in row]
    assert events == [
        {"field": "id", "value": "1"},
        {"field": "retry", "value": "50"},
        {"field": "comment", "value": "still here"},
    ]


def test_an_exchange_is_recorded_as_our_own_are(tmp_path: Path) -> None:
    with upstream(json_answer) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        ask(f"{here}/mcp", Authorization="Bearer sesame-sesame", Mcp_Session_Id="s1").read()
        ask(f"{here}/mcp", b'{"said":"sesame-sesame"}').read()
    file = tmp_path / "a.mcprec"
    assert b"sesame-sesame" not in written(file)
    assert payloads(file, "c2s")[0] == json.loads(ASK)
    request, response, end = payloads(file, "http")[:3]
    assert request["request"]["url"] == f"{server.url}/mcp" and request["request"]["method"] == "POST"
    assert response["response"]["status"] == 200 and end == {"end": "complete"}
    log = inspect("log", str(file), "kind:http")
    assert log.code == 0 and "200" in log.out


@pytest.mark.parametrize("header", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
def test_a_foreign_page_reaches_nothing(tmp_path: Path, header: dict[str, str]) -> None:
    with upstream(json_answer) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        assert ask(f"{here}/mcp", **header).status == 403
        assert server.asked == []


@pytest.mark.parametrize("place", ["", "SERVER"])
def test_the_endpoint_of_http_sse_keeps_the_client_on_the_tap(tmp_path: Path, place: str) -> None:
    def reply(asked: Asked) -> None:
        whole = place.replace("SERVER", server.url)
        stream(b"event: endpoint\ndata: " + whole.encode() + b"/messages?sessionId=7\n\n")(asked)

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/sse") as here:
        said = ask(f"{here}/sse", b"", "GET").read().decode()
        expected = place.replace("SERVER", here) + "/messages?sessionId=7"
        assert said == f"event: endpoint\ndata: {expected}\n\n"


def test_a_redirect_of_the_server_stays_on_the_tap(tmp_path: Path) -> None:
    def reply(asked: Asked) -> None:
        asked.answer(b"", f"Location: {server.url}/other", status="307 Temporary Redirect")

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        assert ask(f"{here}/mcp").getheader("Location") == f"{here}/other"


def test_a_challenge_goes_through_as_it_is_and_why_a_login_fails_is_told_once(tmp_path: Path) -> None:
    challenge = 'Bearer resource_metadata="https://x.test/.well-known/oauth-protected-resource/mcp"'

    def reply(asked: Asked) -> None:
        asked.answer(b"{}", f"WWW-Authenticate: {challenge}", status="401 Unauthorized")

    pipe = subprocess.PIPE
    with upstream(reply) as server:
        command = [*TAP, "-o", str(tmp_path / "a.mcprec"), "--listen", "0", f"{server.url}/mcp"]
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment(tmp_path)) as process:
            assert process.stdout is not None and process.stderr is not None
            here = process.stdout.readline().decode().strip()
            for _ in range(2):
                answer = ask(here)
                assert (answer.status, answer.getheader("WWW-Authenticate")) == (401, challenge)
            process.terminate()
            assert process.stderr.read().count(b"the server wants a login") == 1


def test_an_answer_that_breaks_off_breaks_off_for_the_client(tmp_path: Path) -> None:
    def reply(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")

    with (
        upstream(reply) as server,
        tap(tmp_path, f"{server.url}/mcp") as here,
        pytest.raises(http.client.IncompleteRead),
    ):
        ask(f"{here}/mcp").read()
    assert payloads(tmp_path / "a.mcprec", "http")[-1]["end"] != "complete"


def test_a_server_that_is_not_there_is_told_with_502(tmp_path: Path) -> None:
    with upstream(json_answer) as server:
        url = server.url
    with tap(tmp_path, f"{url}/mcp") as here:
        answer = ask(f"{here}/mcp")
        assert answer.status == 502 and b"nobody listens" in answer.read()


def test_a_client_that_leaves_leaves_the_server_too(tmp_path: Path) -> None:
    gone = threading.Event()

    def reply(asked: Asked) -> None:
        stream(b": hello\n\n")(asked)
        try:
            while True:
                asked.send(b": more\n\n")
        except OSError:
            gone.set()

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        connection = http.client.HTTPConnection(urlsplit(here).netloc, timeout=30)
        connection.request("GET", "/mcp")
        answer = connection.getresponse()
        assert answer.readline() == b": hello\n"
        answer.close()
        connection.close()
        assert gone.wait(30)


def test_the_query_and_headers_of_its_url_are_added_for_the_client(tmp_path: Path) -> None:
    with (
        upstream(json_answer) as server,
        tap(tmp_path, f"{server.url}/mcp?api_key=0123456789", "--header", "X-Own: 1") as here,
    ):
        ask(f"{here}/mcp").read()
        assert server.asked[0].line == "POST /mcp?api_key=0123456789 HTTP/1.1"
        assert dict(server.asked[0].fields)["X-Own"] == "1"
    assert b"0123456789" not in written(tmp_path / "a.mcprec")


def test_tls_of_the_server_is_checked(tmp_path: Path) -> None:
    with upstream(json_answer) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(TLS / "server.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        url = f"https://localhost:{server.server_address[1]}/mcp"
        with tap(tmp_path, url, "--ca", str(TLS / "cert.pem")) as here:
            assert ask(f"{here}/mcp").read() == ANSWER
        with tap(tmp_path, url) as here:
            assert ask(f"{here}/mcp").status == 502


def test_a_head_has_no_body(tmp_path: Path) -> None:
    def reply(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n")

    with upstream(reply) as server, tap(tmp_path, f"{server.url}/mcp") as here:
        answer = ask(f"{here}/mcp", b"", "HEAD")
        assert (answer.status, answer.getheader("Content-Length"), answer.read()) == (200, "5", b"")


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with upstream(json_answer) as server:
        port = str(server.server_address[1])
        done = inspect("tap", "--listen", port, "http://127.0.0.1:1/mcp", MCP_INSPECT_HOME=str(tmp_path))
        assert done.code == 2 and "cannot listen on port" in done.err


def both(*faults: str) -> list[str]:
    return [word for fault in faults for word in ("--fault", fault)]


def test_status_and_content_type_go_wrong(tmp_path: Path) -> None:
    faults = both("status:code=429,nth=1", "content-type:type=text/html,nth=2")
    with upstream(json_answer) as server, tap(tmp_path, f"{server.url}/mcp", *faults) as here:
        assert ask(f"{here}/mcp").status == 429 and server.asked == []
        answer = ask(f"{here}/mcp")
        assert answer.getheader("Content-Type") == "text/html" and answer.read() == ANSWER
        assert ask(f"{here}/mcp").read() == ANSWER


def test_a_stream_breaks_in_the_middle_of_an_event(tmp_path: Path) -> None:
    event = b"data: " + ANSWER + b"\n\n"
    with (
        upstream(stream(event)) as server,
        tap(tmp_path, f"{server.url}/mcp", *both("broken-sse")) as here,
        pytest.raises(http.client.IncompleteRead) as broken,
    ):
        ask(f"{here}/mcp").read()
    assert broken.value.partial == event[: len(event) // 2]


def test_a_second_endpoint(tmp_path: Path) -> None:
    first = b"event: endpoint\ndata: /messages\n\n"
    with (
        upstream(stream(first)) as server,
        tap(tmp_path, f"{server.url}/sse", *both("second-endpoint:path=/x")) as here,
    ):
        assert ask(f"{here}/sse", b"", "GET").read() == first + b"event: endpoint\ndata: /x\n\n"


def test_a_session_is_lost_until_there_is_another(tmp_path: Path) -> None:
    faults = both("lose-session:method=tools/call,nth=2")
    with upstream(json_answer) as server, tap(tmp_path, f"{server.url}/mcp", *faults) as here:
        found = [ask(f"{here}/mcp", Mcp_Session_Id=session).status for session in ("a", "a", "a", "b")]
    assert found == [200, 404, 404, 200]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("drop", b""),
        ("duplicate", (b"id: 4\ndata: " + ANSWER + b"\n\n") * 2),
        ("invalid-json", b"id: 4\ndata: " + ANSWER[:-1] + b"\n\n"),
        ("noise:text=hello", b"id: 4\ndata: hello\n\nid: 4\ndata: " + ANSWER + b"\n\n"),
        ("partial-line:ms=1", b"id: 4\ndata: " + ANSWER + b"\n\n"),
        ("id-type", b"id: 4\ndata: " + ANSWER.replace(b":1,", b':"1",') + b"\n\n"),
    ],
)
def test_messages_on_a_stream_go_wrong(tmp_path: Path, fault: str, expected: bytes) -> None:
    event = b"id: 4\ndata: " + ANSWER + b"\n\n"
    with upstream(stream(event)) as server, tap(tmp_path, f"{server.url}/mcp", *both(fault)) as here:
        assert ask(f"{here}/mcp").read() == expected


@pytest.mark.parametrize(
    ("fault", "expected"),
    [("drop", b""), ("invalid-json", ANSWER[:-1]), ("wrong-id", ANSWER.replace(b":1,", b":1000001,"))],
)
def test_messages_that_are_bodies_go_wrong(tmp_path: Path, fault: str, expected: bytes) -> None:
    with upstream(json_answer) as server, tap(tmp_path, f"{server.url}/mcp", *both(fault)) as here:
        assert ask(f"{here}/mcp").read() == expected


def test_the_server_ends_in_place_of_an_answer(tmp_path: Path) -> None:
    with upstream(json_answer) as server:
        pipe = subprocess.PIPE
        command = [
            PYTHON,
            "-m",
            "inspector",
            "tap",
            "--listen",
            "0",
            *both("exit:code=9"),
            f"{server.url}/mcp",
        ]
        with subprocess.Popen(
            command, stdout=pipe, stderr=pipe, env=environment(tmp_path), cwd=ROOT
        ) as process:
            assert process.stdout is not None
            here = process.stdout.readline().decode().strip()
            with pytest.raises((http.client.HTTPException, OSError)):
                ask(here).read()
            assert process.wait(30) == 9


def test_a_client_of_ours_through_a_tap(tmp_path: Path) -> None:
    server: Any = subprocess.Popen(
        [PYTHON, "-m", "bench.tiny_http"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        url = server.stdout.readline().strip()
        with tap(tmp_path, url) as here:
            done = inspect("call", f"{here}/mcp", "echo", "message=hi", "--json")
            assert done.code == 0 and done.json["result"]["content"][0]["text"] == "hi"
    finally:
        os.kill(server.pid, signal.SIGTERM)
        server.wait()
    assert {"tools/call", "initialize"} <= {
        frame["method"] for frame in payloads(tmp_path / "a.mcprec", "c2s")
    }
