"""What the rules of the protocol find in the traffic of a run, while it comes in."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from inspector.check.checking import Checking, wanted
from inspector.check.probes import PROBED, planned, probe
from inspector.check.rules import LEVELS, Finding, Level
from inspector.config.settings import load_settings
from inspector.config.settings_file import set_member

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.session.listings import Listing
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_TICK, _SLICE = 0.1, 0.004
"""Seconds between two looks, and seconds of each while frames keep coming in: the rest is theirs."""
_REST, _CATCH_UP = 0.012, 0.006
"""The same where nothing else comes in and rows are left over."""
_TELL = 0.5
"""Seconds between two times that somebody is told, while rows are left over."""
_LONG = 1 << 14
"""Bytes of a frame above which looking at it may take longer than such a slice."""


class Findings:
    """Every rule looks on; findings of rules that are `muted` are kept, and left out of what is told. `revision` rises
    whenever something is told differently."""

    def __init__(self, workspace: Workspace) -> None:
        self.revision = 0
        self._workspace = workspace
        self._traffic = workspace.traffic
        self._checking = Checking(self._traffic, wanted())
        self._over: set[int] = set()
        self._told: list[Finding] = []
        self._seen = 0
        self._traffic.judged.muted = frozenset(name.upper() for name in load_settings().mute)

    @property
    def muted(self) -> frozenset[str]:
        """Ids of rules."""
        return self._traffic.judged.muted

    @property
    def told(self) -> list[Finding]:
        """All but those of muted rules, in the order in which they were found; not to be changed."""
        fresh = self._checking.findings[self._seen :]
        self._seen += len(fresh)
        self._told += [each for each in fresh if each.rule not in self.muted]
        return self._told

    @property
    def waiting(self) -> int:
        """How many rows were not looked at yet."""
        return self._checking.waiting

    @property
    def broken(self) -> dict[str, str]:
        """Rules that failed themselves, and why."""
        return self._checking.broken

    def of(self, connection: Connection) -> list[Finding]:
        """Those of one connection; of what is served, those of its clients."""
        return [each for each in self.told if _is_of(each, connection)]

    def muted_of(self, connection: Connection | None = None) -> list[Finding]:
        """Those of muted rules, of one connection or of all."""
        muted = [each for each in self._checking.findings if each.rule in self.muted] if self.muted else []
        return muted if connection is None else [each for each in muted if _is_of(each, connection)]

    async def follow(
        self, changed: Callable[[], None] = lambda: None, busy: Callable[[], bool] = lambda: False
    ) -> None:
        """Looks at what comes in until it is cancelled; `changed` is called after a look that found something. While
        the person is `busy`, rows wait. A long frame is looked at in a thread: nothing waits for it."""
        end, found, told = -1, False, 0.0
        while True:
            calm, end = self._traffic.end == end, self._traffic.end
            if not busy():
                found |= self._look(_CATCH_UP if calm else _SLICE, _LONG)
                if self._checking.long is not None:
                    await asyncio.to_thread(self._checking.look_at_long)
                    calm = True
            if found and (not self._behind or time.monotonic() - told > _TELL):
                found, told = False, time.monotonic()
                changed()
            await asyncio.sleep(_REST if calm and self._behind else _TICK)

    async def caught_up(self) -> None:
        """Waits until whoever follows has looked at all that came until now."""
        end = self._traffic.end
        while self._traffic.end - self.waiting < end:
            await asyncio.sleep(_TICK)

    def advance(self) -> bool:
        """Looks at all that is described; whether something was found. Not for where somebody follows."""
        return self._look(None, None)

    def _look(self, seconds: float | None, longest: int | None) -> bool:
        before = self._traffic.revision
        if not self._checking.advance(seconds, longest) and not self.waiting:
            self._finish()
        found = self._traffic.revision != before
        self.revision += found
        return found

    def conclude(self) -> None:
        """Looks at all that is there, as if every conversation were over."""
        self._checking.finish()
        self.revision += 1

    @property
    def _behind(self) -> bool:
        return self._traffic.described > self._traffic.end - self.waiting

    def _finish(self) -> None:
        """Conversations that are over by now."""
        ended = set()
        if self._traffic.read_only:
            ended = set(self._traffic.sessions) if self._traffic.complete and not self.waiting else set()
        for connection in self._workspace.connections.values():
            number = getattr(connection.log, "number", None)
            if number is not None and connection.state in ("error", "disabled"):
                ended.add(number)
        for number in ended - self._over:
            self._checking.finish(number)
            self._over.add(number)

    async def planned(self, connection: Connection) -> list[str]:
        """What probing a server would send, a line each, with names of the server in it: requests that it has to
        refuse. Nothing where it is not connected by us."""
        if connection.session is None or connection.state != "ready":
            return []
        return await planned(connection.session, _listed(connection), PROBED - self.muted)

    async def probe(self, connection: Connection) -> None:
        """Sends them; what comes back is judged with the rest. Never raises Failed."""
        if connection.session is not None and connection.state == "ready":
            beside = partial(connection.beside, label=connection.name)
            await probe(connection.session, _listed(connection), PROBED - self.muted, beside)

    def mute(self, rule: str, on: bool) -> None:
        """Leaves a rule out of what is told from now on, or tells of it again, and keeps that in the settings. Raises
        Failed (io, config), and then nothing has changed."""
        muted = self.muted | {rule} if on else self.muted - {rule}
        set_member("mute", sorted(muted))
        self._traffic.judged.muted = muted
        self._traffic.revision += 1
        self._told, self._seen = [], 0
        self.revision += 1


def _is_of(finding: Finding, connection: Connection) -> bool:
    if connection.is_served:
        return finding.server.startswith(f"{connection.name} #")
    return finding.server == connection.name


def _listed(connection: Connection) -> Mapping[ListKind, Listing]:
    return connection.catalog.listings if connection.catalog is not None else {}


def by_level(findings: Iterable[Finding]) -> dict[Level, int]:
    """By level, the worst first."""
    found = Counter(each.level for each in findings)
    return {level: found[level] for level in reversed(LEVELS)}
