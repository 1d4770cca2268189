"""The scenarios for servers, against `serve` of a definition that has their fixtures."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.results import Verdict, judge
from conformance.scenarios import SERVERS, SERVERS_LATER

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "conformance" / "server.yaml"
_SECONDS = 60


def check(suite: Sequence[str]) -> list[str]:
    """Runs every scenario alone at each of its versions and prints how it went; gives what is bad. `suite` is the
    command that starts the suite."""
    bad = []
    with _served() as url:
        for version in SERVERS:
            for name in (*SERVERS[version], *SERVERS_LATER.get(version, ())):
                verdict = _run(suite, url, name, version)
                later = SERVERS_LATER.get(version, {}).get(name)
                if later is None:
                    bad += [f"{name} at {version}: {problem}" for problem in verdict.problems]
                elif verdict.ok:
                    bad.append(f"{name} passes at {version}: move it from SERVERS_LATER to SERVERS")
                mark = "ok" if verdict.ok else "--" if later else "NO"
                told = f"put off: {later}" if later else f"{verdict.passed} checks passed"
                print(f"{mark}  {name:<47} {version}  {told}", flush=True)
    return bad


def _run(suite: Sequence[str], url: str, name: str, version: str) -> Verdict:
    with tempfile.TemporaryDirectory() as results:
        asked = ["server", "--url", url, "--scenario", name, "--spec-version", version, "-o", results]
        ran = subprocess.run([*suite, *asked], cwd=ROOT, capture_output=True, timeout=_SECONDS, check=False)
        return judge(Path(results), ran.returncode)


@contextmanager
def _served() -> Iterator[str]:
    command = [sys.executable, "-m", "inspector", "serve", str(FIXTURES), "--http", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            # The suite wants a name that is the same in Host and Origin.
            yield server.stdout.readline().strip().replace("127.0.0.1", "localhost")
        finally:
            server.terminate()
