"""Where the baselines of servers are kept, and how they are written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from inspector.base.errors import fail
from inspector.base.paths import paths, write_private, write_whole
from inspector.compare import baseline
from inspector.compare.listings import Lists
from inspector.config.entry import Entry
from inspector.workspace.verdicts import key_of


def file_of(entry: Entry, environment: Mapping[str, str]) -> Path:
    """Ours for a server, by the config file and name, so that another version of a command is the same server."""
    key = key_of(entry.resolve(environment)) if entry.adhoc else f"{entry.source.path}\n{entry.name}"
    return paths().baselines / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"


def write(path: Path, servers: Mapping[str, Lists], *, ours: bool) -> None:
    """Makes these lists the baseline; where the file is `ours` nobody else may read it. Raises Failed (io)."""
    try:
        (write_private if ours else write_whole)(path, baseline.text(servers))
    except OSError as error:
        hint = "choose another with --file"
        raise fail("io", f"{path} cannot be written: {error.strerror}", hint) from error
