"""`--watch` as a user has it: a real process that goes on, real files that are written."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psutil
import pytest
from command import PYTHON, inspect, write_config
from live import is_alive

ROOT = Path(__file__).parent.parent
CALL = ("call", "price", "item=rye")


class Watch:
    """A command that goes on. Lines of both of its streams are waited for, a minute at the most."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: dict[str, queue.Queue[str]] = {"out": queue.Queue(), "err": queue.Queue()}
        for name, stream in (("out", process.stdout), ("err", process.stderr)):
            assert stream is not None
            threading.Thread(target=self._read, args=(name, stream), daemon=True).start()

    def _read(self, name: str, stream: IO[bytes]) -> None:
        for line in stream:
            self._lines[name].put(line.decode().rstrip("\n"))

    def until(self, part: str, stream: str = "out") -> list[str]:
        """Lines of a stream up to the one that holds `part`."""
        seen: list[str] = []
        while not (seen and part in seen[-1]):
            seen.append(self._lines[stream].get(timeout=60))
        return seen

    def document(self) -> Any:
        return json.loads(self.until("{")[-1])

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


@contextmanager
def watch(folder: Path, *words: str, target: tuple[str, ...] | None = None) -> Iterator[Watch]:
    behind = ("--", PYTHON, str(folder / "server.py")) if target is None else target
    process = subprocess.Popen(
        [PYTHON, "-m", "inspector", *words, "--watch", str(folder / "**" / "*.py"), *behind],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT.parent)},
    )
    try:
        yield Watch(process)
    finally:
        process.kill()
        process.wait(60)


@pytest.fixture
def server(tmp_path: Path) -> Path:
    return Path(shutil.copy(ROOT / "servers" / "drifting.py", tmp_path / "server.py"))


def change(server: Path, old: str, new: str) -> None:
    text = server.read_text()
    assert old in text
    server.write_text(text.replace(old, new))


def test_a_call_is_made_again_and_what_changed_is_shown(server: Path) -> None:
    with watch(server.parent, *CALL) as running:
        running.until('"price": "1.50"')
        running.until("watching 1 file", "err")
        change(server, '"1.50"', '"1.60"')
        running.until("server.py changed: run 2", "err")
        assert running.until("what is listed")[-4:] == [
            '{"item": "rye", "price": "1.60"}',
            "the answer is different:",
            '    /content/0/text → /price  "1.50" → "1.60"',
            "what is listed is the same",
        ]
        change(server, '("price", "clock",', '("price", "weight", "clock",')
        assert running.until("breaking")[-4:] == [
            "the answer is the same",
            "what is listed is different:",
            "    + tool weight",
            "    1 added, 0 removed, 0 changed, 0 breaking",
        ]
        pids = psutil.Process(running.process.pid).children(recursive=True)
        assert len(pids) == 1
        assert running.end() == 130
        assert not any(is_alive(pid.pid) for pid in pids)


def test_times_and_ids_are_no_change(server: Path) -> None:
    with watch(server.parent, "call", "clock") as running:
        running.until("watching 1 file", "err")
        change(server, "here still", "here")
        assert running.until("what is listed")[-2] == "the answer is the same"


def test_a_server_that_does_not_start_is_tried_again_at_the_next_change(server: Path) -> None:
    good = server.read_text()
    with watch(server.parent, *CALL) as running:
        running.until("watching", "err")
        server.write_text("this is no program")
        running.until("SyntaxError", "err")
        running.until("the answer is different")
        server.write_text(good.replace('"1.50"', '"1.60"'))
        assert '{"item": "rye", "price": "1.60"}' in running.until("what is listed is the same")


def test_as_json_each_run_is_a_line(server: Path) -> None:
    with watch(server.parent, *CALL, "--json") as running:
        first = running.document()
        assert (first["run"], first["files"], first["changes"]) == (1, [], None)
        assert first["answer"]["tool"] == "price" and first["answer"]["error"] is None
        change(server, '"1.50"', '"1.60"')
        second = running.document()
        assert (second["run"], second["files"]) == (2, [str(server)])
        assert second["changes"] == [{"pointer": "/content/0/text → /price", "old": "1.50", "new": "1.60"}]
        assert second["lists"] == {"added": [], "removed": [], "changed": []}
        assert running.end() == 130


def test_a_list_and_saved_calls_are_watched_too(server: Path, tmp_path: Path) -> None:
    config = write_config(tmp_path, shop={"command": PYTHON, "args": [str(server)]})
    with watch(server.parent, "tools", "--json", target=(config,)) as running:
        assert len(running.document()["answer"][0]["tools"]) == 5
        change(server, '"gone")', '"gone", "weight")')
        again = running.document()
        assert again["lists"]["added"] == [{"server": "shop", "kind": "tools", "name": "weight"}]
    calls = tmp_path / "calls.yaml"
    calls.write_text("calls: [{name: rye, tool: price, expect: {at: {/content/0/text/price: '1.50'}}}]")
    with watch(server.parent, "run", str(calls), "--json", target=(config,)) as running:
        assert running.document()["answer"]["passed"] == 1
        change(server, '"1.50"', '"1.60"')
        again = running.document()
        assert again["answer"]["failed"] == 1
        assert [each["pointer"] for each in again["changes"]] == ["/rye"]
    with watch(server.parent, "run", str(calls), target=(config,)) as running:
        running.until("0 passed, 1 failed")
        running.until("watching", "err")
        for old, new, told in (
            ('"1.60"', '"1.70"', "    rye: fails in another way"),
            ('"1.70"', '"1.50"', "    rye: failed → as expected"),
        ):
            change(server, old, new)
            lines = running.until("what is listed is the same")
            assert lines[-3:-1] == ["what came of the calls is different:", told]


def test_what_cannot_be_watched_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "answer")
    assert "leave out -o" in inspect(*CALL, "--watch", "*", "-o", file, "--", PYTHON).err
    assert "JUnit" in inspect("run", "x.yaml", "--format", "junit", "--watch", "*", "--", PYTHON).err
    refused = inspect("status", "demo", "--watch", "*")
    assert refused.code == 2 and "--watch" in refused.err
