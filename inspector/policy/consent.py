"""Starting a server runs somebody's program. Files found in a folder need a yes, once per content.

A file that was named on the command line, and the user's own files, need none: naming them was the yes.
"""

from __future__ import annotations

import hashlib
import json
import time

from inspector.base import private_json
from inspector.base.errors import Failure
from inspector.base.paths import paths
from inspector.config.entry import Entry


def needs_consent(entry: Entry) -> bool:
    """True for an entry of a file that was found and not named, whose content was not approved before. One that is
    switched off needs it no less: it may be started by name, or switched on."""
    return entry.source.scope == "project" and _digest(entry) not in private_json.read(paths().consent)


def approve(entry: Entry) -> None:
    """Remembers the yes for exactly this content of this file. Raises OSError where it cannot be kept."""
    with private_json.changing(paths().consent) as known:
        known[_digest(entry)] = {"file": entry.source.path, "server": entry.name, "time": round(time.time())}


def refusal(entry: Entry) -> Failure:
    """Why a server without consent was not started."""
    return Failure(
        kind="consent",
        message=f"{entry.name} comes from {entry.source.path}, a file found in the folder, and was not approved",
        hint="approve it in the app, start with --yes, or name the file on the command line",
    )


def what_would_run(entry: Entry) -> str:
    """The whole command line or URL, unexpanded, for the question."""
    if entry.url and not entry.command:
        first = (
            f"run {json.dumps(entry.headers_helper)} in a shell for headers, and "
            if entry.headers_helper
            else ""
        )
        return f"{first}connect to {entry.url}"
    words = [entry.command, *entry.args]
    added = "".join(f" {name}=..." for name in entry.env)
    return f"run {json.dumps(words, ensure_ascii=False)}" + (f" with{added}" if added else "")


def _digest(entry: Entry) -> str:
    content = json.dumps([entry.source.path, entry.name, entry.raw], sort_keys=True, default=str)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
