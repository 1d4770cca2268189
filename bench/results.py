"""Writes bench/RESULTS.md: what every section printed in one run of this machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import date

from bench.measuring import ROOT

_FILE = ROOT / "bench" / "RESULTS.md"
_HEAD = """\
# Results

Made by `make results` on {day}: {processors} processors, {system}, CPython {python}, load {load} when it began. Times
are this machine's; what counts are the ratios, since both sides of each were measured in turn in the same run. `ok` and
`NOT` say whether a bar is met. [README.md](README.md) says what each section measures.
"""


def write(sections: list[str]) -> None:
    """Runs the sections one after the other, each in a process of its own, the other tools first, and writes the file
    when all have ended."""
    parts = [
        _HEAD.format(
            day=date.today(),
            processors=os.cpu_count(),
            system=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            load=f"{os.getloadavg()[0]:.1f}",
        )
    ]
    for section in sorted(sections, key=lambda name: name != "rivals"):
        done = subprocess.run(
            [sys.executable, "-m", "bench", section], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        print(done.stdout, flush=True)
        told = done.stdout.strip().replace(str(ROOT), ".")
        if done.returncode:
            told += f"\n(it ended with {done.returncode})"
        # The rivals print tables of their own.
        parts.append(f"## {section}\n\n" + (told if section == "rivals" else f"```\n{told}\n```") + "\n")
    _FILE.write_text("\n".join(parts), encoding="utf-8")
