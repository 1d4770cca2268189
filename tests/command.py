"""The command line as a user runs it: its own process, its exit code, what it printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ODD = str(Path(__file__).parent / "servers" / "odd.py")
PYTHON = sys.executable


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished command. `json` is its one document."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def inspect(
    *words: str, stdin: str = "", cwd: Path | None = None, patch: str = "", **environment: str
) -> Ran:
    """Runs `mcp-inspect WORDS`. `patch` is Python that runs in its process first, to make something in it fail."""
    program = (
        ["-c", f"{patch}\nfrom inspector.__main__ import script\nscript()"] if patch else ["-m", "inspector"]
    )
    done = subprocess.run(
        [PYTHON, *program, *words],
        input=stdin.encode(),
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), **environment},
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def odd(*mode: str) -> list[str]:
    """What stands behind `--` for tests/servers/odd.py in a mode."""
    return ["--", PYTHON, ODD, *mode]


def write_config(folder: Path, **servers: Any) -> str:
    """A config file of the common profile; gives its path."""
    path = folder / "servers.json"
    path.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return str(path)


def odd_entry(*mode: str) -> dict[str, Any]:
    return {"command": PYTHON, "args": [ODD, *mode]}
