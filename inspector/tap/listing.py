"""Which taps run now: each is listed in a private folder of ours for as long as its recorder lives."""

from __future__ import annotations

import json
import os
import shlex
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from inspector.base.errors import Failed
from inspector.base.paths import paths, write_private
from inspector.base.secrets import mask_args, mask_url
from inspector.base.text import clip
from inspector.traffic.claims import Claim

_FILE = "tap.json"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap as it is listed: the recording that it writes, where in it its session begins (bytes), the name of the
    server, when it began (seconds since the epoch). `command` is masked as in the recording, `url` too; one of them is
    empty. Where a recording has several sessions side by side, `session` is the number of this one. `client` is the
    process that started the tap, in words, where it could be found."""

    path: str
    start: int
    label: str
    began: float
    pid: int
    command: list[str]
    url: str
    session: int | None = None
    client: str = ""


class Listed:
    """The entry of this process in the list. Where it cannot be made, nothing is listed; that costs no recording."""

    def __init__(self, claim: Claim | None) -> None:
        self._claim = claim

    @classmethod
    def begin(
        cls,
        path: Path,
        start: int,
        label: str,
        facts: Mapping[str, Any],
        *,
        pid: int | None = None,
        session: int | None = None,
        began: float | None = None,
        client: int | None = None,
    ) -> Listed:
        """`pid` is that of the tap, the parent of this process where it is left out; it began now where `began` is left
        out. `client` is the process that started it."""
        try:
            claim = Claim.create(paths().taps)
        except Failed:
            return cls(None)
        command, url = mask_args(facts.get("command") or ()), mask_url(facts.get("url") or "")
        tap = Tap(
            str(path.absolute()),
            start,
            label,
            began or time.time(),
            pid or os.getppid(),
            command,
            url,
            session,
            _in_words(client) if client is not None else "",
        )
        try:
            write_private(claim.folder / _FILE, json.dumps(asdict(tap)))
        except OSError:
            pass
        return cls(claim)

    def end(self) -> None:
        if self._claim is not None:
            self._claim.discard()


def _in_words(pid: int) -> str:
    """A process by its command line, without secrets, and its number; the number alone where it tells no more."""
    import psutil

    try:
        words = psutil.Process(pid).cmdline()
    except (psutil.Error, OSError):
        words = []
    return clip(f"{shlex.join(mask_args(words))} (PID {pid})".lstrip(), _LONGEST)


def live() -> Iterator[tuple[str, Tap]]:
    """The taps that run now, each with a name of its own, oldest first; what dead ones left behind is swept."""
    try:
        folders = sorted(path for path in paths().taps.iterdir() if path.is_dir() and not path.is_symlink())
    except OSError:
        return
    for folder in folders:
        try:
            claim = Claim.take(folder)
            if claim is not None:
                claim.discard()
                continue
            yield folder.name, Tap(**json.loads((folder / _FILE).read_bytes()))
        except (OSError, ValueError, TypeError):
            continue


def is_live(name: str) -> bool:
    """Whether the tap that is listed by this name still runs."""
    folder = paths().taps / name
    try:
        claim = Claim.take(folder)
    except OSError:
        return False
    if claim is None:
        return True
    claim.discard()
    return False
