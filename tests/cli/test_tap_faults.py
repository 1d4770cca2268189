"""`tap --fault`: each kind, as a client of a server over stdio meets it."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from command import inspect
from tapped import TAP, environment, payloads, python, running

ECHO = python("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
LINES = b'{"id":1,"result":{}}\n{"id":2,"result":{}}\n{"id":3,"result":{}}\n'


def through(home: Path, *faults: str, stdin: bytes = LINES) -> subprocess.CompletedProcess[bytes]:
    words = [word for fault in faults for word in ("--fault", fault)]
    return subprocess.run(
        [*TAP, "-o", str(home / "a.mcprec"), *words, "--", *ECHO],
        input=stdin, capture_output=True, env=environment(home), timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "out"),
    [
        ("delay:ms=10", LINES),
        ("drop:nth=2", b'{"id":1,"result":{}}\n{"id":3,"result":{}}\n'),
        ("duplicate:nth=3", LINES + b'{"id":3,"result":{}}\n'),
        ("reorder:nth=1", b'{"id":2,"result":{}}\n{"id":1,"result":{}}\n{"id":3,"result":{}}\n'),
        ("reorder:nth=3", LINES),
        ("wrong-id:nth=1", LINES.replace(b":1,", b":1000001,")),
        ("id-type:nth=2", LINES.replace(b":2,", b':"2",')),
        ("invalid-json:nth=3", LINES[:-2] + b"\n"),
        ("partial-line:ms=10", LINES),
        ("noise:text=hello,nth=1", b"hello\n" + LINES),
    ],
)
def test_what_the_client_gets_is_what_is_recorded(tmp_path: Path, fault: str, out: bytes) -> None:
    done = through(tmp_path, fault)
    assert (done.returncode, done.stdout, done.stderr) == (0, out, b"")
    received = payloads(tmp_path / "a.mcprec", "s2c")
    assert [
        line if isinstance(line, str) else json.dumps(line, separators=(",", ":")) for line in received
    ] == [line.decode() for line in out.splitlines()]
    assert f"fault asked for: {fault}" in payloads(tmp_path / "a.mcprec", "sys")


def test_a_huge_message(tmp_path: Path) -> None:
    done = through(tmp_path, "huge:bytes=3000000,nth=2")
    assert len(done.stdout) > 3_000_000 and json.loads(done.stdout.splitlines()[1])["id"] == 2


def test_the_server_ends_in_place_of_an_answer(tmp_path: Path) -> None:
    done = through(tmp_path, "exit:code=42,nth=2")
    assert (done.returncode, done.stdout) == (42, b'{"id":1,"result":{}}\n')


def test_several_faults_at_once(tmp_path: Path) -> None:
    done = through(tmp_path, "drop:nth=1", "duplicate:nth=2")
    assert done.stdout == b'{"id":2,"result":{}}\n' * 2 + b'{"id":3,"result":{}}\n'


def test_eof_is_not_passed_on(tmp_path: Path) -> None:
    with running(tmp_path, ECHO, "--fault", "ignore-eof") as tap:
        assert tap.stdin is not None and tap.stdout is not None
        tap.stdin.write(b"{}\n")
        tap.stdin.close()
        assert tap.stdout.readline() == b"{}\n"
        with pytest.raises(subprocess.TimeoutExpired):
            tap.wait(0.5)
        tap.terminate()
        assert tap.wait(30) == -signal.SIGTERM


def test_term_is_not_passed_on(tmp_path: Path) -> None:
    with running(tmp_path, ECHO, "--fault", "ignore-term") as tap:
        assert tap.stdin is not None and tap.stdout is not None
        tap.stdin.write(b"{}\n")
        tap.stdin.flush()
        assert tap.stdout.readline() == b"{}\n"
        tap.terminate()
        tap.stdin.write(b"[]\n")
        tap.stdin.flush()
        assert tap.stdout.readline() == b"[]\n"
        tap.stdin.close()
        assert tap.wait(30) == 0


def test_a_fault_that_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    assert inspect("tap", "--fault", "nonsense", "--", "true").code == 2
    refused = inspect("tap", "--fault", "status:code=500", "--", "true")
    assert refused.code == 2 and "HTTP" in refused.err
