"""The app and the terminal it runs in: into the background and back."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psutil
from terminal import Terminal


def stopped(*pids: int) -> bool:
    return all(psutil.Process(pid).status() == psutil.STATUS_STOPPED for pid in pids)


def test_the_program_that_started_it_goes_to_the_background_too(tmp_path: Path) -> None:
    with Terminal("demo", under_a_shell=True, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("bakery")
        app = psutil.Process(terminal.pid).children()[0].pid
        terminal.type("\x1a")
        end = time.monotonic() + 30
        while not stopped(terminal.pid, app):
            assert terminal.read() and time.monotonic() < end, "the job is not stopped"
        assert b"\x1b[?1049l" in terminal.seen
        before = len(terminal.seen)
        os.killpg(os.getpgid(terminal.pid), signal.SIGCONT)
        terminal.until("bakery", after=before)
        terminal.type("q")
        assert terminal.wait() == 0


def test_alt_with_a_letter_is_a_key_in_a_field_too(tmp_path: Path) -> None:
    with Terminal("demo", "-s", "post", MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("6 tools")
        terminal.press("t", *"/weigh", "\r")
        terminal.until("In grams")
        terminal.press("\x1bp")
        terminal.until("The page of the counter")
        terminal.press("q")
        assert terminal.wait() == 0
