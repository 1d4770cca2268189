"""Long recordings on the command line: python -m bench files [FRAMES]

`log`, `check`, `export` to every format, and what was exported read again: seconds, processor time and memory of each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.frame_list import told
from bench.terminal import ROOT

_FORMATS = ("jsonl", "text", "har", "html", "otlp")
_MOST = 150


def run(what: str, words: list[str], count: int, out: Path | None = None) -> None:
    """Runs `mcp-inspect WORDS`, its answer into a pipe that is read, or into the file that it names itself."""
    began = time.perf_counter()
    program = [sys.executable, "-m", "inspector", *words]
    process = subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    first, size = 0.0, 0
    while block := process.stdout.read1(1 << 20):
        first = first or time.perf_counter() - began
        size += len(block)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall, cpu, peak = time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    size = out.stat().st_size if out is not None else size
    told(
        process.returncode == 0 and peak < _MOST,
        what,
        f"{wall:6.1f} s, {cpu:6.1f} s CPU ({cpu / count * 1e6:5.1f} us a frame), {size >> 20:>4} MiB, "
        f"memory at most {peak:.0f} MiB, bar {_MOST}{f'; first line after {first:.2f} s' if first else ''}",
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["MCP_INSPECT_HOME"] = str(folder)
        path = folder / "frames.mcprec"
        # By another process: what a child is measured with begins with the memory of its parent.
        subprocess.run(
            [sys.executable, "-m", "bench.traffic", "--write", path, str(count)], cwd=ROOT, check=True
        )
        print(f"{count:,} frames, {path.stat().st_size >> 20} MiB; load {os.getloadavg()[0]:.1f}")
        run("log", ["log", str(path)], count)
        run("log --json", ["log", str(path), "--json"], count)
        run("check", ["check", str(path)], count)
        run("log tool:tool-7", ["log", str(path), "tool:tool-7"], count)
        for format_ in _FORMATS:
            out = folder / f"out.{format_}"
            run(f"export --to {format_}", ["export", str(path), "--to", format_, "-o", str(out)], count, out)
            if format_ == "har":
                run("log of that HAR", ["log", str(out)], count)
            out.unlink()
        foreign = folder / "foreign.jsonl"
        write_foreign(foreign, count)
        run("log of a log of frames", ["log", str(foreign)], count)


def write_foreign(path: Path, count: int) -> None:
    """The same frames as other programs log them."""
    import json

    from bench.traffic import frames

    with path.open("w") as file:
        for number, raw in enumerate(frames(count)):
            line = {"t": number / 1000, "dir": "recv" if number % 2 else "send", "msg": raw.decode()}
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
