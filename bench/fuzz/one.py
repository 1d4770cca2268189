"""Fuzzes one target in a process of its own: python -m bench.fuzz.one TARGET FOLDER SECONDS [--plain]

Faults are kept in FOLDER/TARGET/faults, one of each kind, and it goes on. What was run is counted in
FOLDER/TARGET/runs.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
import traceback
from pathlib import Path

from bench.fuzz import TARGETS, Target
from bench.fuzz.mutate import mutated

LONGEST = 20_000
"""Bytes of an input."""
HANGS = 60
"""Seconds of one input after which it counts as a hang."""


class Runner:
    def __init__(self, target: Target, folder: Path) -> None:
        self._target = target
        self._run = target.run
        self._folder = folder
        self._runs = int((folder / "runs").read_text()) if (folder / "runs").exists() else 0
        self._told = time.monotonic()
        (folder / "faults").mkdir(parents=True, exist_ok=True)

    def __call__(self, data: bytes) -> None:
        try:
            self._run(data)
        except Exception as error:
            self._keep(data, error)
        self._runs += 1
        if time.monotonic() - self._told > 1:
            self.tell()

    def tell(self) -> None:
        self._told = time.monotonic()
        (self._folder / "runs").write_text(str(self._runs))

    def _keep(self, data: bytes, error: Exception) -> None:
        path = self._folder / "faults" / kind_of(error)
        if path.exists():
            return
        path.write_bytes(getattr(error, "history", data))
        told = "".join(traceback.format_exception(error))
        path.with_name(path.name + ".txt").write_text(told, encoding="utf-8", errors="backslashreplace")
        print(f"{self._target.name}: {path}\n{told[-1500:]}", flush=True)


def kind_of(error: BaseException) -> str:
    """The same for what goes wrong at the same place."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame for frame in frames if "/inspector/" in frame.filename and not isinstance(error, AssertionError)
    ]
    last = (ours or frames)[-1]
    return f"{type(error).__name__}-{Path(last.filename).stem}-{last.lineno}"


def by_coverage(target: Target, folder: Path, seconds: int) -> None:
    """Never returns: libFuzzer ends the process."""
    import atheris

    # Much is imported when it is needed, so all that is imported from now on is watched.
    atheris.instrument_imports(include=["inspector"]).__enter__()
    runner = Runner(target, folder)
    starts = target.starts
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for start in starts:
        (corpus / hashlib.sha1(start).hexdigest()).write_bytes(start)

    def change(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.random() < 0.4:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, chance, starts)[:most]

    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={HANGS}", "-rss_limit_mb=3000",
               f"-artifact_prefix={folder}/faults/", "-print_final_stats=1", "-verbosity=0", str(corpus)]  # fmt: skip
    atheris.Setup([sys.argv[0], *options], runner, custom_mutator=change)
    atheris.Fuzz()


def by_chance(target: Target, folder: Path, seconds: int) -> None:
    """Without coverage: starts and what came of them, changed at random."""
    runner = Runner(target, folder)
    chance = random.Random(time.time_ns())
    inputs = target.starts
    until = time.monotonic() + seconds
    for start in inputs:
        runner(start)
    while time.monotonic() < until:
        data = mutated(chance.choice(inputs), chance, inputs)[:LONGEST]
        runner(data)
        if chance.random() < 0.02:
            inputs = [*inputs[-500:], data]
    runner.tell()


def main() -> None:
    target, folder, seconds = TARGETS[sys.argv[1]], Path(sys.argv[2]) / sys.argv[1], int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    (by_chance if "--plain" in sys.argv else by_coverage)(target, folder, seconds)


if __name__ == "__main__":
    main()
