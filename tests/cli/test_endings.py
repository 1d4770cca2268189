"""However it ends, no process of ours is left and the recording can be read."""

from __future__ import annotations

import json
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from command import inspect, odd_entry, write_config
from live import ODD, is_alive
from terminal import Terminal

SERVERS = {
    name: odd_entry(*([name] if name != "plain" else [])) for name in ("plain", "wrapper", "stubborn", "mute")
}


def all_started(terminal: Terminal) -> list[int]:
    """Waits until every server and the children of the wrapper run: four servers, the wrapper's two children."""
    end = time.monotonic() + 30
    while len(pids := terminal.children()) < 6:
        assert terminal.read() and time.monotonic() < end, terminal.seen[-2000:]
    return pids


ENDINGS: dict[str, tuple[Callable[[Terminal], None], int]] = {
    "q": (lambda terminal: terminal.type("q"), 0),
    "SIGTERM": (lambda terminal: terminal.signal(signal.SIGTERM), 128 + signal.SIGTERM),
    "SIGINT": (lambda terminal: terminal.signal(signal.SIGINT), 128 + signal.SIGINT),
    "closing the terminal": (lambda terminal: terminal.hang_up(), 128 + signal.SIGHUP),
}


@pytest.mark.parametrize("how", ENDINGS)
def test_the_app_leaves_nothing_behind(how: str, tmp_path: Path) -> None:
    config, recording = write_config(tmp_path, **SERVERS), tmp_path / "r.mcprec"
    with Terminal(config, "--record", str(recording)) as terminal:
        terminal.until("plain")
        pids = all_started(terminal)
        end, code = ENDINGS[how]
        end(terminal)
        assert terminal.wait() == code
    assert not [pid for pid in pids if is_alive(pid)]
    lines = [json.loads(line) for line in recording.read_text().splitlines()]
    assert "end" in lines[-1] and any(line.get("m", {}).get("method") == "initialize" for line in lines)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGHUP, 128 + signal.SIGHUP)],
)
def test_a_verb_that_is_interrupted_cancels_and_says_so(number: int, code: int, tmp_path: Path) -> None:
    recording = tmp_path / "r.mcprec"
    words = ["call", "silent", "--json", "--record", str(recording), "--", sys.executable, ODD]
    with Terminal(*words) as terminal:
        end = time.monotonic() + 30
        while not (recording.exists() and b'"tools/call"' in recording.read_bytes()):
            assert terminal.read() and time.monotonic() < end
        pids = terminal.children()
        terminal.signal(number)
        assert terminal.wait() == code
        assert b'"kind": "cancelled"' in terminal.seen
    assert pids and not [pid for pid in pids if is_alive(pid)]
    methods = [json.loads(line).get("m", {}).get("method") for line in recording.read_text().splitlines()]
    assert "notifications/cancelled" in methods


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_it_closes_kills_quietly(number: int) -> None:
    with Terminal("call", "echo", "--", sys.executable, ODD, "stubborn") as terminal:
        terminal.until("{}")
        pids = terminal.children()
        terminal.signal(number)
        assert terminal.wait() == 128 + number
        assert b"never retrieved" not in terminal.seen and b"Traceback" not in terminal.seen
    assert not [pid for pid in pids if is_alive(pid)]


def test_a_load_that_is_interrupted_still_gives_its_figures(tmp_path: Path) -> None:
    recording = tmp_path / "r.mcprec"
    words = ["call", "echo", "--repeat", "10000000", "--json", "--record", str(recording)]
    with Terminal(*words, "--", sys.executable, ODD) as terminal:
        end = time.monotonic() + 30
        while not (recording.exists() and recording.stat().st_size > 50_000):
            assert terminal.read() and time.monotonic() < end
        terminal.signal(signal.SIGINT)
        assert terminal.wait() == 130
    figures = json.loads(terminal.seen)
    assert figures["calls"] > 10 and figures["p50_ms"] > 0 and figures["error"]["kind"] == "cancelled"


def test_a_second_interrupt_ends_at_once(tmp_path: Path) -> None:
    with Terminal("call", "echo", "--", sys.executable, ODD, "stubborn") as terminal:
        # The answer is out, the stubborn server is being waited for.
        terminal.until("{}")
        pids = terminal.children()
        terminal.signal(signal.SIGINT)
        terminal.signal(signal.SIGINT)
        assert terminal.wait() == 130
    assert not [pid for pid in pids if is_alive(pid)]


def test_a_terminal_that_nobody_reads_cannot_keep_it_alive(tmp_path: Path) -> None:
    """Like a frozen window: the app is stuck in a write when the signal comes."""
    with Terminal(write_config(tmp_path, **SERVERS)) as terminal:
        terminal.until("plain")
        pids = all_started(terminal)
        terminal.signal(signal.SIGTERM)
        assert terminal.wait(reading=False) == 128 + signal.SIGTERM
    assert not [pid for pid in pids if is_alive(pid)]


def test_a_terminal_that_cannot_show_the_app_is_told_so(tmp_path: Path) -> None:
    with Terminal(write_config(tmp_path, **SERVERS), TERM="dumb") as terminal:
        assert terminal.wait() == 2
        assert b"TERM is dumb" in terminal.seen and b"mcp-inspect status" in terminal.seen


@pytest.mark.parametrize("size", random.Random(7).sample(range(2_000, 400_000), 3))
def test_a_recording_that_is_killed_opens_and_misses_no_frame_before_its_end(
    size: int, tmp_path: Path
) -> None:
    recording = tmp_path / "r.mcprec"
    words = ["call", "echo", "--repeat", "10000000", "--concurrency", "4", "--record", str(recording)]
    with Terminal(*words, "--", sys.executable, ODD) as terminal:
        end = time.monotonic() + 30
        while not (recording.exists() and recording.stat().st_size > size):
            assert terminal.read(0.001) and time.monotonic() < end
        servers = [psutil.Process(pid) for pid in terminal.children()]
        terminal.signal(signal.SIGKILL)
        terminal.wait()
    assert psutil.wait_procs(servers, timeout=30)[1] == []
    whole, _, cut = recording.read_text().rpartition("\n")
    rows = [row for row in map(json.loads, whole.split("\n")) if "q" in row]
    assert [row["q"] for row in rows] == list(range(len(rows)))
    ran = inspect("log", str(recording), "--json")
    assert ran.code == 0 and "stopped in mid-flight" in ran.err
    assert len(ran.out.splitlines()) == len(rows) + (1 if cut else 0)
    sent = {row["m"]["id"] for row in rows if row["d"] == "c2s" and "id" in row["m"]}
    answered = {row["m"]["id"] for row in rows if row["d"] == "s2c" and "id" in row["m"]}
    # What was under way: the four calls, and the one whose turn it was.
    assert answered <= sent and len(sent - answered) <= 5
