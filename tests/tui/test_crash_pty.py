"""The app comes to a bad end, by a bug of ours or by force: the terminal is as it was, no server is left, the reason is
written down and said without secrets, and the next start tells where the traffic is."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import psutil
import pytest
from command import inspect, odd_entry, write_config
from terminal import Terminal

SECRET = "s3cr3t-v4lue-0123456789"
ON = (b"?1049h", b"?25l", b"?1000h", b"?1003h", b"?1006h", b"?2004h", b"?1004h", b">25u")
OFF = (b"?1049l", b"?25h", b"?1000l", b"?1003l", b"?1006l", b"?2004l", b"?1004l", b"<u")

BUG = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent.parent.parent)!r})

def bug(*_, **__):
    token = "Bearer " + {SECRET!r}
    raise KeyError("a bug of ours, with \\x1b[31m and " + token)

async def late_bug(*_, **__):
    bug()
"""

FAULTS = {
    "making the app": "import inspector.tui.app as a; a.InspectorApp.get_driver_class = bug",
    "composing the screen": "import inspector.tui.screens.workspace as w; w.WorkspaceScreen.compose = bug",
    "mounting the app": "import inspector.tui.app as a; a.InspectorApp.on_mount = bug",
    "mounting the screen": "import inspector.tui.screens.workspace as w; w.WorkspaceScreen.on_mount = bug",
    "before the first paint": "import inspector.tui.app as a; a.InspectorApp._take_keymap = bug",
    "a stylesheet": "import inspector.tui.app as a; a.InspectorApp.CSS = 'Screen { colour }'",
    "a key of the screen": "import inspector.tui.screens.workspace as w; w.WorkspaceScreen.on_key = bug",
    "reading keys": "import textual.drivers.linux_driver as d; d.XTermParser.feed = bug",
    "opening the workspace": "import inspector.workspace.workspace as w; w.Workspace.add = bug",
    "closing the app": "import textual.app as a; a.App._close_all = bug",
    "closing the workspace": "import inspector.workspace.workspace as w; w.Workspace.__aexit__ = bug",
}
KEYED = ("a key of the screen", "reading keys", "closing the app", "closing the workspace")
"""Those that wait for a key."""


def restored(terminal: Terminal, mode: list[object]) -> None:
    """The terminal is as it was: its settings, and each of the modes that was switched on is off again."""
    assert terminal.mode == mode
    for on, off in zip(ON, OFF, strict=True):
        assert terminal.seen.rfind(b"\x1b[" + off) >= terminal.seen.rfind(b"\x1b[" + on), on


@pytest.mark.parametrize("where", FAULTS)
def test_a_bug_ends_the_app_in_good_order(where: str, tmp_path: Path) -> None:
    config = write_config(
        tmp_path, plain={**odd_entry(), "env": {"TOKEN": "${KEY}"}}, stubborn=odd_entry("stubborn")
    )
    environment = {"MCP_INSPECT_HOME": str(tmp_path), "KEY": SECRET}
    with Terminal(config, patch=f"{BUG}\n{FAULTS[where]}", **environment) as terminal:
        mode = terminal.mode
        servers: list[psutil.Process] = []
        if where in KEYED:
            terminal.until("2 ready")
            servers = [psutil.Process(pid) for pid in terminal.children()]
            terminal.type("q")
        assert terminal.wait() == 70
        terminal.drain()
        restored(terminal, mode)
        assert psutil.wait_procs(servers, timeout=0.1)[1] == []
    said = terminal.seen.decode().rpartition("\x1b[?1049l")[2]
    assert "mcp-inspect itself failed" in said and "Traceback" not in said
    assert SECRET not in said and "\x1b[31m" not in said
    report = Path("".join(re.search(r"details are in (\S+\.txt)", said).group(1).split()))  # type: ignore[union-attr]
    assert report.stat().st_mode & 0o077 == 0
    assert "Traceback" in report.read_text() and SECRET not in report.read_text()
    if servers:
        kept = re.search(r"mcp-inspect log (\S+\.mcprec)", said)
        assert kept is not None and "initialize" in inspect("log", kept.group(1)).out


FURNISH = """
import inspector.tui.screens.workspace as w

async def furnish(self, was=w.WorkspaceScreen._furnish):
    await was(self)
    {}

w.WorkspaceScreen._furnish = furnish
"""
PARTS = {
    "composing a pane": "import inspector.tui.panes.overview as o; o.OverviewPane.compose = bug",
    "a timer": FURNISH.format("self.set_timer(0.1, bug)"),
    "a worker": FURNISH.format("self.run_worker(late_bug())"),
    "a callback of the loop": FURNISH.format("sys.modules['asyncio'].get_running_loop().call_soon(bug)"),
    "a task of the core": "import inspector.workspace.connection as c; c.Connection._connect = late_bug",
}


@pytest.mark.parametrize("where", PARTS)
def test_a_bug_that_costs_only_a_part_is_told_at_once_and_at_the_end(where: str, tmp_path: Path) -> None:
    with Terminal(
        "demo", columns=200, patch=f"{BUG}\n{PARTS[where]}", MCP_INSPECT_HOME=str(tmp_path)
    ) as terminal:
        mode = terminal.mode
        terminal.until("itself failed")
        terminal.until("The session goes on")
        terminal.press("q")
        assert terminal.wait() == 70
        terminal.drain()
        restored(terminal, mode)
    said = terminal.seen.decode().rpartition("\x1b[?1049l")[2]
    assert (
        "mcp-inspect itself failed" in said
        and "Traceback" not in said
        and SECRET not in terminal.seen.decode()
    )
    reports = list((tmp_path / "state" / "crashes").iterdir())
    assert reports and not any(SECRET in report.read_text() for report in reports)


def test_what_was_seen_before_it_was_killed_can_be_read_afterwards(tmp_path: Path) -> None:
    with Terminal("demo", columns=200, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("4 ready")
        servers = [psutil.Process(pid) for pid in terminal.children()]
        assert servers
        terminal.signal(signal.SIGKILL)
        assert terminal.wait() == -signal.SIGKILL
        assert psutil.wait_procs(servers, timeout=30)[1] == []
    with Terminal("demo", columns=200, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("ended by force")
        before = len(terminal.seen)
        terminal.type("q")
        assert terminal.wait() == 0
        told = terminal.seen[before:].decode()
    found = re.search(r"mcp-inspect log (\S+\.mcprec)", told)
    assert found is not None, told[-2000:]
    kept = Path(found.group(1))
    assert kept.stat().st_mode & 0o077 == 0 and kept.parent.stat().st_mode & 0o077 == 0
    ran = inspect("log", str(kept), MCP_INSPECT_HOME=str(tmp_path))
    assert ran.code == 0 and "initialize" in ran.out


def test_a_server_that_a_killed_run_has_left_behind_is_told(tmp_path: Path) -> None:
    config = write_config(tmp_path, polite=odd_entry(), stubborn=odd_entry("stubborn"))
    with Terminal(config, columns=200, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("2 ready")
        servers = {pid: psutil.Process(pid) for pid in terminal.children()}
        left = next(pid for pid, server in servers.items() if "stubborn" in server.cmdline())
        terminal.signal(signal.SIGKILL)
        terminal.wait()
    psutil.wait_procs([server for pid, server in servers.items() if pid != left], timeout=30)
    try:
        with Terminal("demo", columns=200, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
            terminal.until("still there: stubborn")
            terminal.until(f"kill -9 {left}")
    finally:
        servers[left].kill()


@pytest.mark.parametrize("numbers", [[signal.SIGQUIT], [signal.SIGTERM, signal.SIGTERM]], ids=str)
def test_an_end_by_force_gives_the_terminal_back_too(numbers: list[int], tmp_path: Path) -> None:
    config = write_config(tmp_path, plain=odd_entry(), stubborn=odd_entry("stubborn"))
    with Terminal(config, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        mode = terminal.mode
        terminal.until("2 ready")
        servers = [psutil.Process(pid) for pid in terminal.children()]
        for number in numbers:
            terminal.signal(number)
        assert terminal.wait() == 128 + numbers[0]
        terminal.drain()
        restored(terminal, mode)
        assert psutil.wait_procs(servers, timeout=5)[1] == []


@pytest.mark.parametrize("by_key", [False, True], ids=["--record", "R"])
def test_a_recording_that_finds_no_room_is_told_at_once_and_the_app_goes_on(
    by_key: bool, tmp_path: Path
) -> None:
    words = ["demo"] if by_key else ["demo", "--record", str(tmp_path / "r.mcprec")]
    little = f"{BUG}\nimport resource as m; m.setrlimit(m.RLIMIT_FSIZE, (4096, 4096))"
    with Terminal(*words, columns=160, patch=little, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("4 ready")
        if by_key:
            terminal.press("R")
        terminal.until("Not recording" if by_key else "Recording ended")
        terminal.until("recording stopped after")
        terminal.press("q")
        assert terminal.wait() == 2
        terminal.drain()
    assert not by_key or b"with all that was held so far" not in terminal.seen
    assert "the session goes on unrecorded" in terminal.seen.decode().rpartition("\x1b[?1049l")[2]
