"""`baseline`: what servers list, against what was accepted."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.paths import paths, write_private, write_whole
from inspector.cli.compared import Report, show
from inspector.cli.running import Run
from inspector.cli.sides import of_servers
from inspector.compare import baseline
from inspector.compare.listings import Lists, compare
from inspector.config.entry import Entry
from inspector.workspace.verdicts import key_of


async def run(run: Run) -> int:
    """Without `--accept`: exit code 1 where anything differs, 2 where nothing was accepted. Raises Failed."""
    side = await of_servers(run)
    if run.arguments.accept:
        return _accept(run, side.lists, side.failures)
    report = Report(f"baseline {run.target.name}", failures=dict(side.failures))
    for name, now in side.lists.items():
        path = _file(run, name)
        accepted = baseline.read(path)
        before = _of(accepted, name) if accepted is not None else None
        if before is None:
            raise fail(
                "config", f"nothing was accepted of {name} yet", "look at its tools, then add --accept"
            )
        report.listings.append(compare(name, before, now))
    return show(run.arguments, report)


def _of(accepted: dict[str, Lists], name: str) -> Lists | None:
    """A file for one server is for it whatever it is called now."""
    return next(iter(accepted.values())) if len(accepted) == 1 else accepted.get(name)


def _accept(run: Run, lists: dict[str, Lists], failures: dict[str, Failure]) -> int:
    if failures:
        raise Failed(next(iter(failures.values())))
    written: dict[Path, dict[str, Lists]] = {}
    for name, each in lists.items():
        written.setdefault(_file(run, name), {})[name] = each
    for path, servers in written.items():
        try:
            if run.arguments.file is not None:
                write_whole(path, baseline.text(servers))
            else:
                write_private(path, baseline.text(servers))
        except OSError as error:
            raise fail(
                "io", f"{path} cannot be written: {error.strerror}", "choose another with --file"
            ) from error
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


def _file(run: Run, name: str) -> Path:
    """That of `--file`; else ours, by the config file and name, so that another version of a command is the same
    server."""
    if run.arguments.file is not None:
        return Path(run.arguments.file)
    entry: Entry = run.workspace.connections[name].entry
    key = key_of(entry.resolve(os.environ)) if entry.adhoc else f"{entry.source.path}\n{entry.name}"
    return paths().baselines / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"
