"""Memory and disk of a long session: python -m bench long [FRAMES]

The app in a real terminal, with a server that sends as fast as it is read. The spool keeps the newest 2,000,000 rows or
1 GiB; memory and disk must stand still once it has reached that.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.frame_list import FLOOD, told
from bench.terminal import Terminal

_MEMORY, _DISK = 200, 1 << 10


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        terminal = Terminal("--protocol", "legacy", "--", *FLOOD, "1000000", str(count), home=folder)
        step = count // 10
        terminal.wait(b"flood 1")
        seen = 0
        while seen < count:
            terminal.press(b"")
            terminal.wait(rb"flood (\d+)", 120)
            terminal.rest(0.5)
            newest = terminal.newest(rb"flood (\d+)")
            if newest // step == seen // step and newest < count - 1:
                continue
            seen = newest + 1
            disk = sum(file.stat().st_size for file in (folder / "state").rglob("*.mcprec")) >> 20
            memory = terminal.memory()
            told(
                memory < _MEMORY and disk <= _DISK,
                f"{seen:,} frames came",
                f"{terminal.listed()[1]:,} kept, {memory:.0f} MiB of memory, {disk} MiB of disk",
            )
        terminal.kill()


if __name__ == "__main__":
    main()
