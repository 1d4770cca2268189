"""An HTTP server in threads that answers every request to a path with bytes said beforehand, sound or not."""

from __future__ import annotations

import gzip
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

CERTIFICATE = Path(__file__).parent.parent / "tls" / "server.pem"
JSON = "Content-Type: application/json\r\n"
PAGE = "Content-Type: text/html\r\n"
_PATIENCE = 30.0


def answer(status: str, headers: str = "", body: str = "") -> bytes:
    """A whole answer; `headers` are lines with their ends."""
    data = body.encode()
    head = f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    return head.encode() + data


def challenge(fields: str, status: str = "401 Unauthorized") -> bytes:
    return answer(status, f"WWW-Authenticate: {fields}\r\n")


def _drip(connection: socket.socket) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 200:
        connection.sendall(bytes([byte]))
        time.sleep(0.2)


def _for_ever(head: bytes, part: bytes) -> Callable[[socket.socket], None]:
    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(part)

    return send


def _bomb(connection: socket.socket) -> None:
    body = gzip.compress(b"0" * (200 << 20), 9)
    head = f"HTTP/1.1 200 OK\r\n{JSON}Content-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)


def _reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _held(connection: socket.socket, events: bytes) -> None:
    connection.sendall(OK + EVENTS + events)
    _silence(connection)


def _silence(connection: socket.socket) -> None:
    while connection.recv(65536):
        pass


OK = b"HTTP/1.1 200 OK\r\n"
EVENTS = b"Content-Type: text/event-stream\r\nConnection: close\r\n\r\n"
ANSWERS: dict[str, bytes | Callable[[socket.socket], None]] = {
    "/token-expired": challenge(
        'Bearer error="invalid_token", error_description="The token expired", '
        'resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource"'
    ),
    "/basic": challenge('Basic realm="intranet"'),
    "/key": answer("401 Unauthorized", JSON, '{"message": "Missing X-API-Key header"}'),
    "/many-ways": challenge(
        'Negotiate, Basic realm="a, b", Bearer error="invalid_token", error_description="Over, \\"sorry\\""'
    ),
    "/negotiate": challenge("Negotiate"),
    "/own-scheme": challenge('ApiKey realm="notes"'),
    "/odd-key": answer("401 Unauthorized", JSON, '{"error": {"message": "Provide the notes-key header"}}'),
    "/query-key": answer("401 Unauthorized", "", "missing query parameter api_key"),
    "/paid": answer("402 Payment Required", JSON, '{"error": "credits exhausted"}'),
    "/wants-tls": answer(
        "400 Bad Request", PAGE, "<title>400 The plain HTTP request was sent to HTTPS port</title>"
    ),
    "/down": answer("521 Web server is down", PAGE, "<title>Web server is down</title>"),
    "/files": answer(
        "501 Unsupported method ('POST')", PAGE, "<title>Error response</title><p>Message: no POST"
    ),
    "/not-here": answer("404 Not Found", PAGE, "<title>Error</title><pre>Cannot POST /not-here</pre>"),
    "/moved": answer("301 Moved Permanently", "Location: /moved/\r\n"),
    "/to-tls": answer("307 Temporary Redirect", "Location: https://127.0.0.1/mcp\r\n"),
    "/nowhere": answer("307 Temporary Redirect"),
    "/bad-place": answer("308 Permanent Redirect", "Location: http://[::1/x\r\n"),
    "/ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "/alert": b"\x15\x03\x01\x00\x02\x02\x46",
    "/http2": b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + bytes(18),
    "/utf16": answer("200 OK", JSON, '{"jsonrpc": "2.0", "id": 0, "result": {}}').replace(b'{"', b'{\0"\0'),
    "/lines": answer(
        "200 OK", JSON, '{"jsonrpc": "2.0", "method": "x"}\n{"jsonrpc": "2.0", "id": 0, "result": {}}\n'
    ),
    "/bad-event": OK + EVENTS + b"data: {oops\n\n",
    "/error-event": OK + EVENTS + b"event: error\ndata: the session is dead\n\n",
    "/other-id": OK + EVENTS + b'data: {"jsonrpc": "2.0", "id": 777, "result": {}}\n\n',
    "/open-event": OK + EVENTS + b'data: {"jsonrpc": "2.0", "id": 0, "result": {}}\n',
    "/no-endpoint": OK + EVENTS + b"event: endpoint\ndata: /p\x1b[2J\n\n",
    "/misnamed": lambda connection: _held(connection, b"event: endpoints\ndata: /post\n\n"),
    "/scope": challenge('Bearer error="insufficient_scope", scope="files:write"', "403 Forbidden"),
    "/origin": answer("403 Forbidden", "", "Invalid Origin header"),
    "/browser": answer("403 Forbidden", PAGE, "<title>Just a moment...</title>"),
    "/missing": answer("404 Not Found", PAGE, "<title>404 Not Found</title>"),
    "/get-only": answer("405 Method Not Allowed", "Allow: GET\r\n"),
    "/not-acceptable": answer("406 Not Acceptable"),
    "/media-type": answer("415 Unsupported Media Type"),
    "/host": answer("421 Misdirected Request", "", "Invalid Host header"),
    "/websocket": answer("426 Upgrade Required", "Upgrade: websocket\r\n"),
    "/limited": answer("429 Too Many Requests", "Retry-After: 30\r\n"),
    "/inside": answer("500 Internal Server Error", PAGE, "<title>Oops</title>"),
    "/gateway": answer("502 Bad Gateway", PAGE, "<title>502 Bad Gateway</title>"),
    "/sign-in": answer("302 Found", "Location: https://login.example.com/authorize\r\n"),
    "/elsewhere": answer("308 Permanent Redirect", "Location: http://127.0.0.2:9/mcp\r\n"),
    "/in-circles": answer("307 Temporary Redirect", "Location: /in-circles\r\n"),
    "/page": answer("200 OK", PAGE, "<!doctype html><title>Welcome to the shop</title>"),
    "/empty": answer("200 OK", JSON),
    "/accepted": answer("202 Accepted"),
    "/other-json": answer("200 OK", JSON, '{"status": "ok"}'),
    "/cut-json": answer("200 OK", JSON, '{"jsonrpc": "2.0", "id": 0, "resu'),
    "/short": OK + b'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"jsonrpc":',
    "/stream-ends": OK + EVENTS + b": hello\n\n",
    "/hangs-up": b"",
    "/silent": _silence,
    "/reset": _reset,
    "/drip": _drip,
    "/bomb": _bomb,
    "/headers": _for_ever(OK, b"X-More: " + b"a" * 1000 + b"\r\n"),
    "/body": _for_ever(OK + JSON.encode() + b"\r\n[", b"1," * 65536),
    "/event": _for_ever(OK + b"Content-Type: text/event-stream\r\n\r\ndata: ", b"a" * 65536),
}


def _request_line(connection: socket.socket) -> str:
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := connection.recv(65536)):
            return ""
        data += more
    head, rest = data.split(b"\r\n\r\n", 1)
    size = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            size = int(line.split(b":")[1])
    while len(rest) < size:
        rest += connection.recv(65536)
    return head.split(b"\r\n", 1)[0].decode("latin-1")


def _serve(connection: socket.socket) -> None:
    connection.settimeout(_PATIENCE)
    with connection:
        try:
            if not (line := _request_line(connection)):
                return
            told = ANSWERS.get(line.split(" ")[1], answer("404 Not Found"))
            if callable(told):
                told(connection)
            else:
                connection.sendall(told)
        except OSError:
            return


@contextmanager
def scripted(*, tls: bool = False) -> Iterator[str]:
    """The URL of a server on loopback, without a path."""
    context: ssl.SSLContext | None = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
    listener = socket.create_server(("127.0.0.1", 0))

    def one(connection: socket.socket) -> None:
        try:
            _serve(context.wrap_socket(connection, server_side=True) if context else connection)
        except OSError:
            connection.close()

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
