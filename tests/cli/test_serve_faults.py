"""`serve --fault`: what is played goes wrong on purpose."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command import PYTHON, inspect
from tapped import ROOT, environment

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
    b'{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n'
)
PINGS = b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n{"jsonrpc":"2.0","id":3,"method":"ping"}\n'


@pytest.fixture
def recording(tmp_path: Path) -> str:
    file = tmp_path / "a.mcprec"
    ran = inspect(
        "tools", "--record", str(file), "--protocol", "legacy", "--", PYTHON, str(ROOT / "bench/tiny.py")
    )
    assert ran.code == 0
    return str(file)


def served(
    home: Path, recording: str, *faults: str, stdin: bytes = INITIALIZE + PINGS
) -> subprocess.CompletedProcess[bytes]:
    words = [word for fault in faults for word in ("--fault", fault)]
    return subprocess.run(
        [PYTHON, "-m", "inspector", "serve", recording, *words],
        input=stdin, capture_output=True, env=environment(home), timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip


def ids(out: bytes) -> list[object]:
    return [json.loads(line)["id"] for line in out.splitlines()]


def test_messages_on_stdio(tmp_path: Path, recording: str) -> None:
    plain = served(tmp_path, recording)
    assert ids(plain.stdout) == [1, 2, 3]
    assert ids(served(tmp_path, recording, "drop:method=ping,nth=1").stdout) == [1, 3]
    assert ids(served(tmp_path, recording, "id-type:method=initialize").stdout) == ["1", 2, 3]
    noisy = served(tmp_path, recording, "noise:text=hello,nth=1").stdout
    assert noisy == b"hello\n" + plain.stdout


def test_the_server_ends(tmp_path: Path, recording: str) -> None:
    done = served(tmp_path, recording, "exit:code=7,method=ping")
    assert done.returncode == 7 and ids(done.stdout) == [1]


def test_over_http(tmp_path: Path, recording: str) -> None:
    words = ["--fault", "status:code=418,method=tools/list", "--fault", "wrong-id:method=tools/call"]
    command = [PYTHON, "-m", "inspector", "serve", recording, "--http", "0", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment(tmp_path), cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().decode().strip()
            listed = inspect("tools", url, "--json", "--protocol", "legacy", "--transport", "http")
            assert listed.code == 3 and listed.json["error"]["httpStatus"] == 418
            called = inspect("call", url, "echo", "--json", "--protocol", "legacy", "--timeout", "1")
            assert called.code != 0
        finally:
            process.kill()


def test_a_fault_of_the_other_transport_is_refused(recording: str) -> None:
    refused = inspect("serve", recording, "--fault", "status")
    assert refused.code == 2 and "over HTTP only: serve with --http PORT" in refused.err
    never = inspect("serve", recording, "--fault", "drop:nth=0")
    assert never.code == 2 and "nth counts from 1" in never.err
    assert inspect("serve", recording, "--http", "0", "--fault", "ignore-eof").code == 2
