"""What a recording holds after `kill -9`: python -m bench kill [TIMES]

The app runs in a real terminal with `--record` and a server that sends 20,000 numbered frames a second, and is killed
at a random moment. Then the recording must open, hold every frame up to some number, and nothing may be missing that
was on the screen. What the spool holds and the recording does not came with the one read that was in flight.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path

from bench.frame_list import FLOOD, RATE, told
from bench.terminal import Terminal
from inspector.traffic.spool import sweep
from inspector.traffic.store import Traffic

_NUMBER = re.compile(rb'"flood (\d+) ')
_LATEST = 2.5


def numbers(traffic: Traffic) -> list[int]:
    """The numbers of the frames of the server, in the order in which they stand there."""
    traffic.advance()
    found = map(_NUMBER.search, traffic.raws(traffic.first, traffic.end))
    return [int(match[1]) for match in found if match is not None]


def killed(folder: Path, moment: float) -> tuple[bool, str]:
    """Whether all is there after a kill at a moment, in seconds after the first of the frames, and the figures."""
    path = folder / "killed.mcprec"
    terminal = Terminal(
        "--record", str(path), "--protocol", "legacy", "--", *FLOOD, str(RATE), str(1 << 40), home=folder
    )
    while not (path.exists() and b'"flood 0 ' in path.read_bytes()):
        terminal.rest(0.01)
    terminal.rest(moment)
    shown = terminal.listed()[1]
    terminal.kill()
    recording = Traffic.open_recording(path)
    recorded = numbers(recording)
    cut = any("was cut off" in note for note in recording.notes)
    recording.close()
    spooled = [0]
    for crashed in sweep(folder / "state" / "spool"):
        spool = Traffic.open_recording(crashed.segments[0])
        spooled = numbers(spool)
        spool.close()
    missing = max(spooled[-1:] or [0]) - max(recorded[-1:] or [0])
    whole = recorded == list(range(len(recorded)))
    size = path.stat().st_size
    path.unlink()
    figures = (
        f"{len(recorded):>7,} frames recorded, {size >> 10:>6,} KiB, {'no gap' if whole else 'GAPS'}; "
        f"{shown:>7,} on the screen; in the spool and not in the recording: {missing}"
        f"{'; its last line was cut' if cut else ''}"
    )
    return whole and len(recorded) + 10 >= shown, figures


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(os.environ.get("BENCH_SEED", time.time()))
    chance = random.Random(seed)
    print(f"seed {seed}; BENCH_SEED={seed} kills at the same moments again")
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            moment = chance.uniform(0, _LATEST)
            ok, figures = killed(Path(folder), moment)
            told(ok, f"killed {moment:.3f} s after the first", figures)


if __name__ == "__main__":
    main()
