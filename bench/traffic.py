"""What traffic costs: python -m bench.traffic [FRAMES], or --write FILE FRAMES for a recording only

Appending, describing, filtering and opening a recording, on frames of a usual size. A child process opens the
recording, so that its memory is that of the reader alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from inspector.base.secrets import Secrets
from inspector.traffic import query
from inspector.traffic.store import Traffic, Writer
from inspector.traffic.views import View

CALL = (
    b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool-%d",'
    b'"arguments":{"message":"hello %d"},"_meta":{"progressToken":%d}}}'
)
ANSWER = (
    b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"Echo: hello %d, and some more text '
    b'to fill the line"}],"isError":false}}'
)
FILTERS = (
    "", "kind:res", "dir:out method:tools/call", "tool:tool-7", "id:777", "status:pending", "size>150", "ms>1",
    '"nowhere at all"', '"hello 77777"', '"hello"', "nowhere", "/hello 7+,/",
)  # fmt: skip


def frames(count: int) -> Iterator[bytes]:
    """Calls and their answers by turns."""
    for number in range(count // 2):
        yield CALL % (number, number % 20, number, number)
        yield ANSWER % (number, number)


def feed(traffic: Traffic, raws: list[bytes], batch: int) -> float:
    """Seconds a frame for appending, `batch` frames at a time; 1 = as a session does one call after the other."""
    log = traffic.session("bench", transport="stdio")
    started = time.perf_counter()
    if batch == 1:
        for call, answer in zip(raws[::2], raws[1::2], strict=True):
            log.sent(call)
            log.received((answer,))
    else:
        for first in range(0, len(raws), batch):
            log.received(raws[first : first + batch])
    return (time.perf_counter() - started) / len(raws)


def report(what: str, seconds: float) -> None:
    print(f"{what:<44}{seconds * 1e6:>8.2f} us/frame")


def appending(raws: list[bytes], folder: Path) -> None:
    secrets = Secrets(["a-secret-value-0123456789", "another-secret-value"])
    makes: dict[str, Callable[[], Traffic]] = {
        "in memory": Traffic.in_memory,
        "on disk": lambda: Traffic.on_disk(folder / "spool"),
    }
    for name, make in makes.items():
        for batch in (1, 32):
            traffic = make()
            report(f"append {name}, {batch} at a time", feed(traffic, raws, batch))
            started = time.perf_counter()
            traffic.advance()
            if batch == 1:
                report(f"describe and pair, {name}", (time.perf_counter() - started) / len(raws))
            traffic.close()
    traffic = Traffic.in_memory()
    traffic.attach(Writer(folder / "redacted.mcprec", secrets=secrets))
    report("append in memory and to a redacted recording", feed(traffic, raws, 1))
    traffic.close()


def write_recording(path: Path, count: int) -> None:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path, redact=False))
    log = traffic.session("bench", transport="stdio")
    batch: list[bytes] = []
    for raw in frames(count):
        batch.append(raw)
        if len(batch) == 2:
            log.sent(batch[0])
            log.received(batch[1:])
            batch.clear()
    traffic.close()


def resident() -> str:
    """Resident memory of this process, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return "?"
    return f"{pages * os.sysconf('SC_PAGE_SIZE') / (1 << 20):.0f} MiB"


def reading(path: Path) -> None:
    print(f"\na recording of {path.stat().st_size >> 20} MiB; resident before it is opened: {resident()}")
    started = time.perf_counter()
    traffic = Traffic.open_recording(path)
    for number in range(traffic.first, min(traffic.end, traffic.first + 50)):
        traffic.row(number)
    print(f"{'first 50 rows':<44}{time.perf_counter() - started:>8.3f} s")
    longest = 0.0
    more = True
    while more:
        begun = time.perf_counter()
        more = traffic.advance(0.02)
        longest = max(longest, time.perf_counter() - begun)
    print(f"{'read, described and paired in slices of 20 ms':<44}{time.perf_counter() - started:>8.3f} s")
    print(f"{'longest slice':<44}{longest * 1000:>8.1f} ms")
    print(f"{len(traffic)} rows; resident: {resident()}")
    step = max(1, len(traffic) // 50)
    times = []
    for first in range(traffic.first, traffic.end - 40, step):
        begun = time.perf_counter()
        for number in range(first, first + 40):
            traffic.row(number)
        times.append(time.perf_counter() - begun)
    print(f"{'a page of 40 rows anywhere, p95':<44}{sorted(times)[int(len(times) * 0.95)] * 1000:>8.2f} ms")
    for source in FILTERS:
        view = View(traffic, query.compile(source))
        begun = time.perf_counter()
        view.extend()
        what = f"filter {source or '(none)'}"
        print(f"{what:<44}{time.perf_counter() - begun:>8.3f} s {len(view):>9} rows")
    for needle in ("nowhere at all", "hello 77777", "hello"):
        begun = time.perf_counter()
        subprocess.run(["grep", "-cF", needle, str(path)], stdout=subprocess.PIPE, check=False)
        what = f"grep -cF '{needle}'"
        print(f"{what:<44}{time.perf_counter() - begun:>8.3f} s")
    print(f"resident: {resident()}")


def main() -> None:
    if len(sys.argv) > 2 and sys.argv[1] == "--read":
        reading(Path(sys.argv[2]))
        return
    if len(sys.argv) > 3 and sys.argv[1] == "--write":
        write_recording(Path(sys.argv[2]), int(sys.argv[3]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name), Path(__file__).parent.parent
        appending(list(frames(min(count, 200_000))), folder)
        path = folder / "large.mcprec"
        write_recording(path, count)
        command = [sys.executable, "-m", "bench.traffic", "--read", str(path)]
        subprocess.run(command, check=True, cwd=root)


if __name__ == "__main__":
    main()
