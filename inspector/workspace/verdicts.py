"""Which era each server was found to speak, over all runs: an old server is probed once, and not at every start."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

from inspector.base import private_json
from inspector.base.paths import paths
from inspector.config.server import Server
from inspector.protocol.revisions import REVISIONS
from inspector.session.eras.verdict import Verdict

_MOST = 500


def key_of(server: Server) -> str:
    """By its command line and folder, or its URL; hashed, since there may be secrets in them."""
    made = (
        json.dumps([server.command, *server.args, server.cwd]) if server.transport == "stdio" else server.url
    )
    return hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()


def recall(server: Server) -> Verdict | None:
    """What was found at an earlier start; None where nothing was, or where it cannot be read."""
    found = private_json.read(paths().eras).get(key_of(server))
    if not isinstance(found, dict):
        return None
    era, version, evidence = found.get("era"), found.get("version"), found.get("evidence")
    if era not in ("legacy", "modern") or version not in REVISIONS or not isinstance(evidence, str):
        return None
    return Verdict(era, version, evidence, "remembered")


def remember(server: Server, verdict: Verdict, info: Any) -> None:
    """Keeps what was found of a server that calls itself `info`. A folder that cannot be written costs a probe at the
    next start, and nothing else."""
    found = {
        "era": verdict.era, "version": verdict.version, "evidence": verdict.evidence,
        "server": _identity(info), "time": round(time.time()),
    }  # fmt: skip
    _change(server, found)


def check(server: Server, info: Any) -> None:
    """Forgets what was found of another release of the server: that one may have learnt a newer version since."""
    found = private_json.read(paths().eras).get(key_of(server))
    if isinstance(found, dict) and found.get("server") != _identity(info):
        forget(server)


def _identity(info: Any) -> str:
    """Hashed as well: a server may repeat secrets in its name."""
    given = info if isinstance(info, dict) else {}
    said = repr([given.get(member) for member in ("name", "version")])
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def forget(server: Server) -> None:
    """It is asked again at the next start."""
    if key_of(server) in private_json.read(paths().eras):
        _change(server, None)


def _change(server: Server, found: dict[str, Any] | None) -> None:
    """Keeps what was found as the newest, or nothing of it."""
    key = key_of(server)
    try:
        with private_json.changing(paths().eras) as known:
            known.pop(key, None)
            if found is not None:
                known[key] = found
            for old in list(known)[:-_MOST]:
                del known[old]
    except OSError:
        pass
