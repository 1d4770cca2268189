"""Claude Code's command that prints headers: run at a connect, after the same yes as any other, bounded, masked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from command import inspect

SECRET = "tok-of-the-helper"
PRINTS = f'printf \'{{"X-Key": "{SECRET}", "X-At": "%s"}}\' "$CLAUDE_CODE_MCP_SERVER_NAME $CLAUDE_CODE_MCP_SERVER_URL"'


@contextmanager
def heard() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """An address that refuses everything, and the headers that came there."""
    came: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.append(dict(self.headers.items()))
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(418)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", came
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def file(folder: Path, url: str, helper: Any, **more: Any) -> str:
    entry = {"type": "http", "url": url, "headersHelper": helper, **more}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"api": entry}}))
    return str(folder / ".mcp.json")


def test_what_it_prints_is_sent_and_never_shown(tmp_path: Path) -> None:
    with heard() as (url, came):
        path = file(tmp_path, url, PRINTS, headers={"x-key": "of the file", "X-More": "1"})
        recording = tmp_path / "r.mcprec"
        ran = inspect("status", path, "--json", "--protocol", "legacy", "--record", str(recording))
        assert ran.json["servers"][0]["error"]["httpStatus"] == 418
    assert [came[0].get(name) for name in ("X-Key", "X-More", "X-At")] == [SECRET, "1", f"api {url}"]
    assert SECRET not in ran.out + ran.err + recording.read_text()


def test_it_is_run_after_a_yes_only_and_never_by_config(tmp_path: Path) -> None:
    path = file(tmp_path, "http://127.0.0.1:1/mcp", f"touch {tmp_path}/ran; echo '{{}}'")
    said = inspect("config", path, "--json")
    assert any(each["where"] == "headersHelper" for each in said.json["problems"])
    refused = inspect("status", str(tmp_path), "--json")
    assert refused.json["servers"][0]["error"]["kind"] == "consent"
    assert not (tmp_path / "ran").exists()
    assert (
        inspect("status", str(tmp_path), "--yes", "--json").json["servers"][0]["error"]["kind"] == "refused"
    )
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("helper", "said"),
    [
        ("echo sorry >&2; exit 3", "exited with code 3: 'sorry'"),
        ("echo '[]'", "did not print one JSON object of texts"),
        ("echo '{\"a\": 1}'", "did not print one JSON object of texts"),
        ('printf \'{"a b": "c"}\'', "printed what no header can be: 'a b'"),
        ('printf \'{"a": "c\\\\nd"}\'', "printed what no header can be: 'a'"),
        ("yes", "printed more than 262144 bytes"),
        ("no-such-program-here", "exited with code 127"),
    ],
)
def test_what_goes_wrong_with_it_is_told(tmp_path: Path, helper: str, said: str) -> None:
    error = inspect("status", file(tmp_path, "http://127.0.0.1:1/mcp", helper), "--json").json["servers"][0][
        "error"
    ]
    assert error["kind"] == "config" and said in error["message"], error
