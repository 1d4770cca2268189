"""Looks for inputs that break a promise: python -m bench fuzz [--target T ...] [--minutes N] [--plain]

Each target runs in a process of its own, guided by coverage where atheris is installed (`pip install -e '.[fuzz]'`),
else by chance. It exits with 1 where a fault was found. What it learns is kept in .fuzz and used the next time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from bench.fuzz import TARGETS

ROOT = Path(__file__).parent.parent.parent
_ENDED_WELL = 0
_GRACE = 180


def fuzzed(name: str, folder: Path, seconds: float, plain: bool) -> tuple[int, int]:
    """Executions, and faults that were not known before. A process that dies of an input is started anew for the rest
    of the time."""
    own = folder / name
    own.mkdir(parents=True, exist_ok=True)
    faults = own / "faults"
    known = set(faults.glob("*")) if faults.exists() else set()
    (own / "runs").unlink(missing_ok=True)
    until = time.monotonic() + seconds
    command = [sys.executable, "-m", "bench.fuzz.one", name, str(folder)]
    while (left := int(until - time.monotonic())) > 0:
        with (own / "log").open("ab") as log:
            child = subprocess.Popen(
                [*command, str(left), *(["--plain"] if plain else [])],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
            )
            assert child.stdout is not None
            for line in child.stdout:
                sys.stdout.buffer.write(line)
                sys.stdout.flush()
            code = child.wait()
        if code == _ENDED_WELL:
            break
        print(f"{name}: the process ended with {code}; its log is {own / 'log'}", flush=True)
        if until - time.monotonic() > seconds - 5:
            break
    runs = int((own / "runs").read_text()) if (own / "runs").exists() else 0
    # What libFuzzer calls slow is none where much else runs on the machine.
    found = {
        path for path in faults.glob("*") if path.suffix != ".txt" and "slow-unit" not in path.name
    } - known
    return runs, len(found)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--target", action="append", choices=sorted(TARGETS), help="one of them; may be repeated (all)"
    )
    parser.add_argument("--minutes", type=float, default=3, help="for each target (3)")
    parser.add_argument("--plain", action="store_true", help="by chance, also where atheris is installed")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".fuzz", help="where inputs and faults are kept (.fuzz)"
    )
    given = parser.parse_args(words)
    plain = given.plain or find_spec("atheris") is None
    print(f"{'by chance' if plain else 'guided by coverage'}, {given.minutes:g} minutes each", flush=True)
    broken = 0
    for name in given.target or TARGETS:
        runs, faults = fuzzed(name, given.folder.resolve(), given.minutes * 60, plain)
        broken += faults
        print(f"{'NOT' if faults else 'ok ':<4}{name:<11}{runs:>10,} runs {faults:>3} new faults", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
