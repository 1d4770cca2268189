"""A tap between clients of others and server-everything: on both sides of it the bytes are the same."""

from __future__ import annotations

import json
import os
import shlex
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import h11
import pytest
from command import PYTHON, inspect
from tapped import ROOT, TAP, payloads, written

Program = Callable[[str], str]
Client = Callable[[str, list[str]], list[Any]]
CLIENTS = ROOT / "tests" / "clients"
WITNESS = [PYTHON, str(ROOT / "tests" / "servers" / "witness.py")]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("echo", {"message": "grüße"}),
    ("get-sum", {"a": 1, "b": 2.5}),
    ("trigger-long-running-operation", {"duration": 0.2, "steps": 2}),
    ("get-tiny-image", {}),
]


def ran(command: list[str]) -> Any:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(params=["ours", "python", "typescript", "inspector"])
def client(request: pytest.FixtureRequest, npm_server: Program, tmp_path: Path) -> Client:
    """Makes CALLS of a server, on a transport, and gives the content of the answers."""
    if request.param == "ours":
        return _ours
    if request.param == "python":
        pypi_server = request.getfixturevalue("pypi_server")
        python = str(Path(pypi_server("mcp-server-git")).parent / "python")
        script = str(CLIENTS / "python_sdk.py")
        return lambda transport, where: ran([python, script, transport, json.dumps(CALLS), *where])[0]
    if request.param == "typescript":
        sdk = Path(npm_server("mcp-server-everything")).parent.parent / "@modelcontextprotocol/sdk/dist/esm"
        script = str(CLIENTS / "typescript_sdk.mjs")
        return lambda transport, where: ran(["node", script, str(sdk), transport, json.dumps(CALLS), *where])
    program = npm_server("mcp-inspector-cli")
    script = tmp_path / "server"

    def inspector(transport: str, where: list[str]) -> list[Any]:
        if transport == "stdio":
            # It takes options of a command for its own.
            script.write_text(f"#!/bin/sh\nexec {shlex.join(where)}\n")
            script.chmod(0o755)
            where = [str(script)]
        return _inspector(program, transport, where)

    return inspector


def _ours(transport: str, where: list[str]) -> list[Any]:
    said = []
    for name, arguments in CALLS:
        words = [name, "--args", json.dumps(arguments), "--json", "--protocol", "legacy"]
        target = [*words, "--", *where] if transport == "stdio" else [where[0], *words]
        done = inspect("call", *target)
        assert done.code == 0, done.err
        said.append(done.json["result"]["content"])
    return said


def _inspector(program: str, transport: str, where: list[str]) -> list[Any]:
    said = []
    for name, arguments in CALLS:
        given = [
            word
            for key, value in arguments.items()
            for word in ("--tool-arg", f"{key}={value if isinstance(value, str) else json.dumps(value)}")
        ]
        way = [] if transport == "stdio" else ["--transport", transport]
        words = [program, "--cli", *where, *way, "--method", "tools/call", "--tool-name", name, *given]
        said.append(ran(words)["content"])
    return said


@pytest.mark.node
@pytest.mark.pypi
def test_on_stdio(client: Client, npm_server: Program, tmp_path: Path) -> None:
    server = npm_server("mcp-server-everything")
    near, far = tmp_path / "near", tmp_path / "far"
    file = tmp_path / "a.mcprec"
    tapped = [*WITNESS, str(near), *TAP, "-o", str(file), "--", *WITNESS, str(far), server]
    said = client("stdio", tapped)
    assert said == client("stdio", [server])
    for way in ("in", "out"):
        passed = near.with_suffix(f".{way}").read_bytes()
        assert passed and passed == far.with_suffix(f".{way}").read_bytes()
    _opens(file)


@pytest.mark.node
@pytest.mark.pypi
def test_on_streamable_http(client: Client, npm_server: Program, tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    with (
        everything(npm_server("mcp-server-everything")) as url,
        relay(url) as far,
        tap(file, far.url) as tap_url,
    ):
        with relay(tap_url) as near:
            said = client("http", [near.url])
        assert said == client("http", [url])
        assert near.exchanges() and near.exchanges() == far.exchanges()
    _opens(file)


def _opens(file: Path) -> None:
    written(file)
    log = inspect("log", str(file), "method:tools/call")
    assert log.code == 0 and "get-sum" in log.out
    assert "tools/call" in {frame.get("method") for frame in payloads(file, "c2s") if isinstance(frame, dict)}


@contextmanager
def everything(program: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "PORT": str(port)}
    null = subprocess.DEVNULL
    with subprocess.Popen([program, "streamableHttp"], env=environment, stdout=null, stderr=null) as process:
        try:
            end = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    assert time.monotonic() < end and process.poll() is None
                    time.sleep(0.02)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


@contextmanager
def tap(file: Path, url: str) -> Iterator[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*TAP, "-o", str(file), "--listen", "0", url]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().decode().strip()
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()


class Relay(socketserver.ThreadingTCPServer):
    """Passes on connections and keeps the bytes of both directions."""

    daemon_threads = True

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self._parts = urlsplit(url)
        self.place = (self._parts.hostname, self._parts.port)
        self.kept: list[tuple[bytearray, bytearray]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{self._parts.path}"

    def exchanges(self) -> list[tuple[str, str, bytes, int, str, bytes]]:
        """Verb, path and body of each request, status, content type and body of its answer, in no order of time."""
        return sorted(
            exchange for asked, said in self.kept for exchange in _exchanges(bytes(asked), bytes(said))
        )


class _Connection(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        relay: Any = self.server
        asked, said = bytearray(), bytearray()
        relay.kept.append((asked, said))
        with socket.create_connection(relay.place) as far:
            thread = threading.Thread(target=_move, args=(self.request, far, asked), daemon=True)
            thread.start()
            _move(far, self.request, said)
            thread.join(5)


def _move(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
    try:
        while data := source.recv(65536):
            kept += data
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for each in (source, target):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


@contextmanager
def relay(url: str) -> Iterator[Relay]:
    with Relay(url) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _exchanges(asked: bytes, said: bytes) -> Iterator[tuple[str, str, bytes, int, str, bytes]]:
    server, client = h11.Connection(h11.SERVER), h11.Connection(h11.CLIENT)
    server.receive_data(asked)
    client.receive_data(said)
    client.receive_data(b"")
    while True:
        request, body = _message(server)
        if not isinstance(request, h11.Request):
            return
        client.send(request)
        if body:
            client.send(h11.Data(data=body))
        client.send(h11.EndOfMessage())
        answer, answered = _message(client)
        status = answer.status_code if isinstance(answer, h11.Response) else 0
        kind = (
            dict(answer.headers).get(b"content-type", b"").decode()
            if isinstance(answer, h11.Response)
            else ""
        )
        yield request.method.decode(), request.target.decode(), body, status, kind, answered
        if client.our_state is not h11.DONE or client.their_state is not h11.DONE:
            return
        server.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
        server.send(h11.EndOfMessage())
        server.start_next_cycle()
        client.start_next_cycle()


def _message(connection: h11.Connection) -> tuple[Any, bytes]:
    """A head and its body, as far as they came."""
    head, parts = None, []
    while True:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError:
            return head, b"".join(parts)
        if isinstance(event, h11.Data):
            parts.append(bytes(event.data))
        elif isinstance(event, h11.Request | h11.Response):
            head = event
        elif not isinstance(event, h11.InformationalResponse):
            return head, b"".join(parts)
