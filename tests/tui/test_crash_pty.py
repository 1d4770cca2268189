"""The app is killed: its servers end, and the next start tells where the traffic is."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import psutil
from command import inspect
from terminal import Terminal


def test_what_was_seen_before_it_was_killed_can_be_read_afterwards(tmp_path: Path) -> None:
    with Terminal("demo", columns=200, MCP_INSPECT_HOME=str(tmp_path)) as terminal:
        terminal.until("3 ready")
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
