"""`tap` on stdio: the client cannot tell it from the server itself, and all that crossed is in the recording."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from command import ODD, PYTHON, inspect
from tapped import ECHO, PATIENT, ROOT, TAP, environment, payloads, python, rows, running, tapped, written

from inspector.tap.listing import live

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def recorder_of(tap: subprocess.Popen[bytes]) -> psutil.Process:
    """The child of a tap that is not its server, when it is there."""
    while True:
        for child in psutil.Process(tap.pid).children():
            if "inspector.tap.recorder" in " ".join(child.cmdline()):
                return child


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"\n",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        b'{"a":1}\r\n\r\nno json\n\xff\xfe\x00\n{"open":',
        b"x" * 3_000_000 + b"\n" + bytes(range(256)) * 100,
    ],
    ids=["nothing", "an empty line", "a frame", "oddities", "much"],
)
def test_what_goes_in_comes_out_byte_for_byte(tmp_path: Path, stdin: bytes) -> None:
    done = tapped(tmp_path, ECHO, "-o", str(tmp_path / "a.mcprec"), stdin=stdin)
    assert (done.returncode, done.stdout, done.stderr) == (0, stdin, b"")


def test_a_session_is_recorded_with_all_three_streams_and_its_facts(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    stdin = json.dumps(INITIALIZE).encode() + b"\n"
    server = python(
        "import json, sys; request = json.loads(sys.stdin.readline()); print('careful', file=sys.stderr);"
        "print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': {'protocolVersion': '2025-06-18',"
        "'capabilities': {}, 'serverInfo': {'name': 'small', 'version': '3'}}})); sys.exit(4)"
    )
    done = tapped(tmp_path, server, "-o", str(file), "-s", "mine", stdin=stdin)
    assert (done.returncode, done.stderr) == (4, b"careful\n")
    assert payloads(file, "c2s") == [INITIALIZE]
    assert payloads(file, "s2c") == [json.loads(done.stdout)]
    assert payloads(file, "err") == ["careful"]
    facts = [json.loads(line) for line in file.read_bytes().splitlines() if line.startswith(b'{"session"')][
        -1
    ]
    assert facts["label"] == "mine" and facts["command"] == server and facts["transport"] == "stdio"
    assert facts["serverInfo"] == {"name": "small", "version": "3"}
    assert facts["clientInfo"] == {"name": "test", "version": "1"}
    assert facts["protocolVersion"] == "2025-06-18" and facts["exitCode"] == 4
    log = inspect("log", str(file))
    assert log.code == 0 and "initialize" in log.out and log.err == ""


def test_rows_stand_in_the_order_of_cause_and_effect(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    echo = python("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
    with running(tmp_path, echo, "-o", str(file)) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        for number in range(300):
            tap.stdin.write(b'{"n":%d}\n' % number)
            tap.stdin.flush()
            assert tap.stdout.readline() == b'{"n":%d}\n' % number
        tap.stdin.close()
        assert tap.wait(30) == 0
    found = [(row["d"], row["m"]["n"]) for row in rows(file) if row["d"] in ("c2s", "s2c")]
    assert found == [(channel, number) for number in range(300) for channel in ("c2s", "s2c")]


@pytest.mark.parametrize("code", [0, 1, 2, 77, 255])
def test_the_exit_code_is_that_of_the_server(tmp_path: Path, code: int) -> None:
    assert tapped(tmp_path, python(f"raise SystemExit({code})")).returncode == code


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGSEGV", "SIGABRT"])
def test_death_by_a_signal_is_passed_on(tmp_path: Path, name: str) -> None:
    file = tmp_path / "a.mcprec"
    done = tapped(
        tmp_path,
        python(f"import os, signal; os.kill(os.getpid(), signal.{name})"),
        "-o",
        str(file),
    )
    assert done.returncode == -getattr(signal, name)
    assert payloads(file, "sys")[-1] == f"killed by {name}"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"])
def test_a_signal_reaches_the_server_once_and_leaves_the_tap_alive(tmp_path: Path, name: str) -> None:
    server = python(
        f"import signal, sys\ndef told(*_): print('told', flush=True)\nsignal.signal(signal.{name}, told)\n"
        "print('ready', flush=True)\nfor line in sys.stdin: print(line, end='', flush=True)\nsys.exit(9)"
    )
    with running(tmp_path, server) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        assert tap.stdout.readline() == b"ready\n"
        tap.send_signal(getattr(signal, name))
        assert tap.stdout.readline() == b"told\n"
        tap.stdin.write(b"still here\n")
        tap.stdin.flush()
        assert tap.stdout.readline() == b"still here\n"
        tap.stdin.close()
        assert tap.stdout.read() == b""
        assert tap.wait(30) == 9


@pytest.mark.skipif(sys.platform != "linux", reason="a signal for one thread is a matter of Linux")
def test_a_signal_is_passed_on_whichever_thread_it_comes_to(tmp_path: Path) -> None:
    server = python(
        "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: print('told', flush=True))\n"
        "print('ready', flush=True)\nfor line in sys.stdin: pass"
    )
    with running(tmp_path, server) as tap:
        assert tap.stdout is not None and tap.stdout.readline() == b"ready\n"
        threads = {int(task.name) for task in Path(f"/proc/{tap.pid}/task").iterdir()} - {tap.pid}
        assert ctypes.CDLL(None).tgkill(tap.pid, min(threads), signal.SIGTERM) == 0
        assert tap.stdout.readline() == b"told\n"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_for_the_group_reaches_the_server_once(tmp_path: Path, name: str) -> None:
    server = python(
        f"import signal, sys\ndef told(*_): print('told', flush=True)\nsignal.signal(signal.{name}, told)\n"
        "print('ready', flush=True)\nfor line in sys.stdin: print(line, end='', flush=True)\nsys.exit(9)"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*TAP, "--", *server], stdin=pipe, stdout=pipe, env=environment(tmp_path), start_new_session=True
    ) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        assert tap.stdout.readline() == b"ready\n"
        # It is passed on when the tap has its handlers, which it has before it passes anything on.
        os.killpg(tap.pid, getattr(signal, name))
        assert tap.stdout.readline() == b"told\n"
        tap.stdin.write(b"still here\n")
        tap.stdin.close()
        assert tap.stdout.read() == b"still here\n"
        assert tap.wait(30) == 9


def test_a_signal_that_comes_while_the_server_is_started_is_passed_on(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    early = (
        "import os, signal, subprocess; start = subprocess.Popen.__init__\n"
        "def told(*words, **options): os.kill(os.getpid(), signal.SIGTERM); start(*words, **options)\n"
        "subprocess.Popen.__init__ = told; from inspector.__main__ import script; script()"
    )
    command = [PYTHON, "-c", early, "tap", "-o", str(file), "--", *python("import time; time.sleep(600)")]
    done = subprocess.run(command, env=environment(tmp_path), timeout=60, check=False)
    assert done.returncode == -signal.SIGTERM
    assert payloads(file, "sys")[-1] == "killed by SIGTERM"


def test_what_a_client_hands_down_beside_the_three_streams_reaches_the_server(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    server = python(f"import os; os.write({theirs}, b'through')")
    command = [*TAP, "--", *server]
    with subprocess.Popen(command, env=environment(tmp_path), pass_fds=[theirs]) as tap:
        os.close(theirs)
        assert tap.wait(30) == 0
    with os.fdopen(ours, "rb") as file:
        assert file.read() == b"through"


def test_the_end_of_stdout_is_passed_on_though_the_server_lives(tmp_path: Path) -> None:
    server = python("import os, sys; os.close(1); sys.stdin.read(); os._exit(3)")
    with running(tmp_path, server) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        assert tap.stdout.read() == b""
        assert tap.poll() is None
        tap.stdin.close()
        assert tap.wait(30) == 3


def test_a_client_that_reads_no_more_ends_the_server_as_it_would_without_a_tap(tmp_path: Path) -> None:
    server = ["sh", "-c", "while echo line; do :; done 2>/dev/null; exit 6"]
    with running(tmp_path, server) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        assert tap.stdout.readline() == b"line\n"
        tap.stdout.close()
        assert tap.wait(30) in (6, -signal.SIGPIPE)


def test_a_server_that_reads_no_more_is_told_to_the_client(tmp_path: Path) -> None:
    server = python("import os, time; os.close(0); print('closed', flush=True); time.sleep(600)")
    with running(tmp_path, server) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        assert tap.stdout.readline() == b"closed\n"
        with pytest.raises(BrokenPipeError):
            while True:
                os.write(tap.stdin.fileno(), b"x" * 4096)
        tap.terminate()
        assert tap.wait(30) == -signal.SIGTERM


def test_a_second_run_is_a_second_session_of_the_same_recording(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    for number in (1, 2):
        assert tapped(tmp_path, ECHO, "-o", str(file), stdin=b'{"n":%d}\n' % number).returncode == 0
        written(file)
    sent = [(row["s"], row["m"]) for row in rows(file) if row["d"] == "c2s"]
    assert sent == [(1, {"n": 1}), (2, {"n": 2})]
    log = inspect("log", str(file))
    assert log.code == 0 and log.err == ""


def test_two_taps_at_once_never_write_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    with running(tmp_path, ECHO, "-o", str(file)) as first:
        assert first.stdin is not None and first.stdout is not None
        first.stdin.write(b'{"n":1}\n')
        first.stdin.flush()
        wait_for(file)
        assert tapped(tmp_path, ECHO, "-o", str(file), stdin=b'{"n":2}\n').returncode == 0
        first.stdin.close()
        assert first.wait(30) == 0
    assert payloads(file, "c2s") == [{"n": 1}]
    assert payloads(tmp_path / "a-2.mcprec", "c2s") == [{"n": 2}]


def wait_for(file: Path) -> None:
    while not file.exists() or b'"c2s"' not in file.read_bytes():
        pass


def test_a_file_that_is_no_recording_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine\n")
    done = tapped(tmp_path, ECHO, "-o", str(file), stdin=b"x\n")
    assert done.returncode == 2 and b"no recording" in done.stderr and done.stdout == b""
    assert file.read_text() == "mine\n"


def test_a_command_that_cannot_start_says_why(tmp_path: Path) -> None:
    done = tapped(tmp_path, ["no-such-program-here"])
    assert done.returncode == 3 and b"program not found: no-such-program-here" in done.stderr


def test_without_a_file_it_records_to_our_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    assert tapped(tmp_path, ECHO, stdin=b'{"n":1}\n').returncode == 0
    while not (files := list((tmp_path / "state" / "recordings").glob("*"))):
        time.sleep(0.01)
    (file,) = files
    assert payloads(file, "c2s") == [{"n": 1}]
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(live()) == []


def test_secrets_are_masked_unless_told_otherwise(tmp_path: Path) -> None:
    stdin = b'{"said":"it is hunter2hunter2"}\n{"api_key":"0123456789abcdef"}\n'
    file, open_file = tmp_path / "a.mcprec", tmp_path / "b.mcprec"
    done = tapped(tmp_path, ECHO, "-o", str(file), stdin=stdin, NOTES_TOKEN="hunter2hunter2")
    assert done.stdout == stdin
    assert b"hunter2" not in written(file) and b"0123456789abcdef" not in file.read_bytes()
    done = tapped(
        tmp_path, ECHO, "-o", str(open_file), "--no-redact", stdin=stdin, NOTES_TOKEN="hunter2hunter2"
    )
    assert b"hunter2hunter2" in written(open_file) and b"secrets" in done.stderr
    refused = tapped(tmp_path, ECHO, "-o", str(file), "--no-redact", stdin=stdin)
    assert refused.returncode == 2 and b"masked" in refused.stderr


def test_a_recorder_that_stands_still_delays_nothing_and_what_it_missed_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    echo = python("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
    patch = "import inspector.tap.feed as feed; feed.LIMIT = 200_000; from inspector.__main__ import script; script()"
    command = [PYTHON, "-c", patch, "tap", "-o", str(file), "--", *echo]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(tmp_path)) as tap:
        assert tap.stdin is not None and tap.stdout is not None and tap.stderr is not None
        tap.stdin.write(b'{"n":0}\n')
        tap.stdin.flush()
        tap.stdout.readline()
        wait_for(file)
        recorder = recorder_of(tap)
        recorder.suspend()
        line = json.dumps({"text": "x" * 50_000}).encode() + b"\n"
        for _ in range(40):
            tap.stdin.write(line)
            tap.stdin.flush()
            assert tap.stdout.readline() == line
        recorder.resume()
        tap.stdin.close()
        assert tap.wait(30) == 0
        assert b"were passed on and not recorded" in tap.stderr.read()
    recorder.wait(30)
    assert any(
        "are missing here: the recorder could not keep up" in str(text) for text in payloads(file, "sys")
    )
    kept = payloads(file, "s2c")
    assert kept[0] == {"n": 0} and 1 < len(kept) < 41
    assert inspect("log", str(file)).code == 0


def test_what_the_recorder_was_late_for_is_in_the_recording_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    server = python(
        "import sys\nsys.stdout.buffer.write(b'{}\\n'); sys.stdout.flush(); sys.stdin.read(3)\n"
        'for n in range(20_000): sys.stdout.buffer.write(b\'{"n":%d,"x":"%s"}\\n\' % (n, b\'x\' * 300))'
    )
    with running(tmp_path, server, "-o", str(file)) as tap:
        assert tap.stdin is not None and tap.stdout is not None and tap.stderr is not None
        tap.stdout.readline()
        recorder = recorder_of(tap)
        recorder.suspend()
        tap.stdin.write(b"go\n")
        tap.stdin.close()
        assert tap.stdout.read().count(b"\n") == 20_000
        assert tap.wait(30) == 0
        assert b"the recorder is still busy" in tap.stderr.read()
        recorder.resume()
    recorder.wait(30)
    assert [frame.get("n") for frame in payloads(file, "s2c")] == [None, *range(20_000)]
    assert payloads(file, "sys")[-1] == "exited with code 0"


def test_a_line_that_was_not_kept_whole_is_told_with_its_true_size(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    server = python(
        "import sys\nsys.stdout.buffer.write(b'{}\\n'); sys.stdout.flush(); sys.stdin.read(3)\n"
        "sys.stdout.buffer.write(b'y' * 900_000 + b'\\n' + b'z' * 70_000)"
    )
    patch = "import inspector.tap.feed as feed; feed.LIMIT = 200_000; from inspector.__main__ import script; script()"
    command = [PYTHON, "-c", patch, "tap", "-o", str(file), "--", *server]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(tmp_path)) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        tap.stdout.readline()
        recorder = recorder_of(tap)
        recorder.suspend()
        tap.stdin.write(b"go\n")
        tap.stdin.close()
        assert len(tap.stdout.read()) == 970_001
        assert tap.wait(30) == 0
        recorder.resume()
    recorder.wait(30)
    first, *others = [row for row in rows(file) if row["d"] == "s2c"]
    assert first["m"] == {}
    assert [(row["f"], row["n"], row["x"][:1]) for row in others] == [
        (["truncated"], 900_000, "y"),
        (["truncated"], 70_000, ""),
    ]


def test_a_recorder_that_was_killed_costs_only_the_recording(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    echo = python("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
    with running(tmp_path, echo, "-o", str(file)) as tap:
        assert tap.stdin is not None and tap.stdout is not None and tap.stderr is not None
        tap.stdin.write(b'{"n":0}\n')
        tap.stdin.flush()
        tap.stdout.readline()
        wait_for(file)
        recorder_of(tap).kill()
        for number in range(1, 50):
            tap.stdin.write(b'{"n":%d}\n' % number)
            tap.stdin.flush()
            assert tap.stdout.readline() == b'{"n":%d}\n' % number
        tap.stdin.close()
        assert tap.wait(30) == 0
        assert b"the recorder has ended before its time" in tap.stderr.read()
    assert payloads(file, "c2s")[0] == {"n": 0}


def test_a_full_disk_costs_only_the_recording(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    stdin = b"".join(b'{"n":%d}\n' % number for number in range(2000))
    command = [
        PYTHON, "-c", f"{full}; {PATIENT}", "tap", "-o", str(file), "--", *ECHO
    ]  # fmt: skip
    done = subprocess.run(
        command, input=stdin, capture_output=True, env=environment(tmp_path), timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, stdin)
    assert b"recording stopped after" in done.stderr
    assert len(written(file)) <= 4096


@pytest.mark.parametrize("name", ["gone/a.mcprec", "file/a.mcprec", "folder"])
def test_a_place_that_cannot_be_written_is_refused_before_the_server_starts(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    server = python("import pathlib, sys; pathlib.Path(sys.argv[1]).touch()")
    done = tapped(tmp_path, [*server, str(tmp_path / "started")], "-o", str(tmp_path / name))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"cannot write" in done.stderr and not (tmp_path / "started").exists()


def test_a_folder_of_ours_that_cannot_be_written_costs_only_the_recording(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.touch()
    done = tapped(home, ECHO, stdin=b"x\n")
    assert (done.returncode, done.stdout) == (0, b"x\n")
    assert b"cannot write" in done.stderr


def test_a_tap_that_was_killed_has_recorded_all_but_the_frame_in_flight(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    echo = python("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
    with running(tmp_path, echo, "-o", str(file)) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        tap.stdin.write(b'{"last":1}\n')
        tap.stdin.flush()
        assert tap.stdout.readline() == b'{"last":1}\n'
        wait_for(file)
        for line in (b'{"last":2}\n', b'{"last":3}\n'):
            tap.stdin.write(line)
            tap.stdin.flush()
            assert tap.stdout.readline() == line
        recorder = recorder_of(tap)
        tap.kill()
        tap.wait(30)
    recorder.wait(30)
    # The client is served first: the last one may not have reached the recorder.
    assert payloads(file, "s2c")[:2] == [{"last": 1}, {"last": 2}]
    assert "ended by force" in payloads(file, "sys")[-1]


def test_the_folder_it_was_started_in_is_no_place_for_modules(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(99)")
    (tmp_path / "inspector").mkdir()
    (tmp_path / "inspector" / "__init__.py").write_text("raise SystemExit(99)")
    file = tmp_path / "a.mcprec"
    script = Path(sys.executable).with_name("mcp-inspect")
    done = subprocess.run(
        [script, "tap", "-o", file, "--", "cat"],
        input=b'{"n":1}\n', capture_output=True, cwd=tmp_path,
        env={**os.environ, "MCP_INSPECT_HOME": str(tmp_path / "home")}, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"n":1}\n', b"")
    assert payloads(file, "c2s") == [{"n": 1}]


def test_a_client_of_ours_through_a_tap_sees_what_it_sees_without(tmp_path: Path) -> None:
    plain = inspect("tools", "--json", "--", PYTHON, ODD)
    through = inspect(
        "tools", "--json", "--", *TAP, "--", PYTHON, ODD, PYTHONPATH=str(ROOT), MCP_INSPECT_HOME=str(tmp_path)
    )
    assert through.code == plain.code == 0
    assert through.json["tools"] == plain.json["tools"]
