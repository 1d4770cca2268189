"""`baseline`: what servers list, against what was accepted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.cli.compared import show
from inspector.cli.running import Run
from inspector.cli.sides import of_servers
from inspector.compare import baseline
from inspector.compare.listings import Lists, compare
from inspector.compare.report import Report
from inspector.workspace import accepted


async def run(run: Run) -> int:
    """Without `--accept`: exit code 1 where anything differs, 2 where nothing was accepted. Raises Failed."""
    if run.arguments.accept and run.arguments.file is not None:
        _spare_others(Path(run.arguments.file))
    side = await of_servers(run)
    if run.arguments.accept:
        return _accept(run, side.lists, side.failures)
    report = Report(f"baseline {run.target.name}", failures=dict(side.failures))
    for name, now in side.lists.items():
        path = _file(run, name)
        before = baseline.of(path, name)
        if before is None:
            raise fail(
                "config", f"nothing was accepted of {name} yet", "look at its tools, then add --accept"
            )
        report.listings.append(compare(name, before, now))
    return show(run.arguments, report)


def _accept(run: Run, lists: dict[str, Lists], failures: dict[str, Failure]) -> int:
    if failures:
        raise Failed(next(iter(failures.values())))
    written: dict[Path, dict[str, Lists]] = {}
    for name, each in lists.items():
        written.setdefault(_file(run, name), {})[name] = each
    for path, servers in written.items():
        accepted.write(path, servers, ours=run.arguments.file is None)
    counts = {name: {kind: len(entries) for kind, entries in each.items()} for name, each in lists.items()}
    if run.arguments.json:
        document: dict[str, Any] = {
            "added": [],
            "removed": [],
            "changed": [],
            "calls": [],
            "accepted": counts,
        }
        run.output.document(document)
    else:
        told = [
            f"{name}: {', '.join(f'{count} {kind}' for kind, count in each.items() if count) or 'nothing'}"
            for name, each in counts.items()
        ]
        run.output.text("\n".join(["accepted:", *(f"  {line}" for line in told)]))
    return Exit.OK


def _spare_others(file: Path) -> None:
    """Raises Failed (config, unsupported) for a file that holds something else than a baseline."""
    if file.is_file() and file.stat().st_size:
        baseline.read(file)


def _file(run: Run, name: str) -> Path:
    """That of `--file`; else ours, by the config file and name, so that another version of a command is the same
    server."""
    if run.arguments.file is not None:
        return Path(run.arguments.file)
    return accepted.file_of(run.workspace.connections[name].entry, os.environ)
