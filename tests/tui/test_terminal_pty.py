"""The app and the terminal it runs in: into the background and back."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import psutil
import pytest
from terminal import Terminal


def stopped(*pids: int) -> bool:
    return all(psutil.Process(pid).status() == psutil.STATUS_STOPPED for pid in pids)


def test_the_program_that_started_it_goes_to_the_background_too(tmp_path: Path) -> None:
    # A shell with jobs, and in its job one that waits for the program, as make does.
    shell = 'set -m; sh -c "APP; exit \\$?"; read line; fg'
    with Terminal("demo", under=shell, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("bakery")
        (job,) = psutil.Process(terminal.pid).children()
        (app,) = job.children()
        terminal.type("\x1a")
        end = time.monotonic() + 30
        while not stopped(job.pid, app.pid):
            assert terminal.read() and time.monotonic() < end, "the job is not stopped"
        assert b"\x1b[?1049l" in terminal.seen
        before = len(terminal.seen)
        terminal.type("\n")
        terminal.until("bakery", after=before)
        terminal.type("q")
        assert terminal.wait() == 0


def test_without_a_shell_to_come_back_from_it_does_not_go_to_the_background(tmp_path: Path) -> None:
    with Terminal("demo", MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("bakery")
        terminal.type("\x1a")
        terminal.until("no shell here")
        terminal.signal(signal.SIGTSTP)
        terminal.type("q")
        assert terminal.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGSTOP, 0], ids=["stopped", "not stopped"])
def test_one_that_is_continued_paints_again_and_gives_the_terminal_back_as_it_was(
    number: int, tmp_path: Path
) -> None:
    with Terminal("demo", MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        mode = terminal.mode
        terminal.until("4 ready")
        terminal.signal(number)
        before = len(terminal.seen)
        terminal.signal(signal.SIGCONT)
        terminal.until("\x1b[?1049h", after=before)
        terminal.until("bakery", after=before)
        terminal.press("q")
        assert terminal.wait() == 0
        assert terminal.mode == mode


WAITING = "trap : HUP; APP; exit $?"
"""A leader of the session that waits for what it started, as make does, and is the only one told of the end of it."""


def below(terminal: Terminal) -> list[psutil.Process]:
    return psutil.Process(terminal.pid).children(recursive=True)


def test_a_window_that_is_closed_ends_it_though_nobody_tells_it(tmp_path: Path) -> None:
    with Terminal("demo", under=WAITING, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("4 ready")
        ours = below(terminal)
        terminal.hang_up()
        assert terminal.wait() == 128 + signal.SIGHUP
        assert psutil.wait_procs(ours, timeout=10)[1] == []
    assert not (tmp_path / "state" / "crashes").exists()


def test_a_window_that_is_closed_over_an_editor_ends_both(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    # Ignores what a terminal tells, and reads none: an editor with a window of its own.
    script.write_text(
        "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        'print("the editor is here", flush=True)\nsignal.pause()\n'
    )
    demo = ("--", sys.executable, "-m", "inspector.demo", "stdio", "bakery")
    environment = {"MCP_INSPECT_HOME": str(tmp_path), "VISUAL": f"{sys.executable} {script}"}
    with Terminal(*demo, under=WAITING, **environment) as terminal:
        terminal.until("30 tools")
        terminal.press("t")
        terminal.until("say_hello")
        terminal.press("\r")
        terminal.until("if left empty")
        terminal.press("\x07")
        terminal.until("the editor is here")
        ours = below(terminal)
        terminal.hang_up()
        assert terminal.wait() == 128 + signal.SIGHUP
        assert psutil.wait_procs(ours, timeout=10)[1] == []


def test_a_window_that_is_closed_over_a_stopped_job_ends_it(tmp_path: Path) -> None:
    with Terminal("demo", under="set -m; APP; read line; fg", MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("4 ready")
        ours = below(terminal)
        terminal.type("\x1a")
        end = time.monotonic() + 30
        while not stopped(ours[0].pid):
            assert terminal.read() and time.monotonic() < end, "the job is not stopped"
        terminal.hang_up()
        terminal.wait()
        assert psutil.wait_procs(ours, timeout=30)[1] == []


def test_alt_with_a_letter_is_a_key_in_a_field_too(tmp_path: Path) -> None:
    with Terminal("demo", "-s", "post", MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("6 tools")
        terminal.press("t", *"/weigh", "\r")
        terminal.until("In grams")
        terminal.press("\x1bp")
        terminal.until("The page of the counter")
        # Not by its key: that would ask first while the page is still being read.
        terminal.signal(signal.SIGTERM)
        assert terminal.wait() == 128 + signal.SIGTERM
