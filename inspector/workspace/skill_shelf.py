"""The skills of one server as far as they were looked at: what is listed, what was read, whether the two agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inspector.base.errors import Failed, Failure
from inspector.session.skills import Request, Skill, Skills, compare, data_of, list_skills


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was read: `misfits` say how it differs from what the list said of it, `failure` why there are no
    bytes. Foreign."""

    data: bytes = b""
    misfits: tuple[str, ...] = ()
    failure: Failure | None = None

    @property
    def fits(self) -> bool:
        return self.failure is None and not self.misfits


@dataclass(slots=True)
class SkillShelf:
    """Nothing is read before it is wanted. `listed` is None as long as the list was not asked for, or is not to be had:
    then `failure` says why. `warn` is told what is odd about it."""

    request: Request
    changed: Callable[[], None]
    warn: Callable[[str], None]
    listed: Skills | None = None
    failure: Failure | None = None
    checked: dict[tuple[str, str], Checked] = field(default_factory=dict)
    """By the URIs of the skill and of the file."""

    async def list(self) -> None:
        """Reads the list anew; what was read of files is forgotten, since it may be compared with something else now.
        Never raises Failed."""
        try:
            self.listed, self.failure = await list_skills(self.request), None
            for warning in self.listed.warnings:
                self.warn(warning)
        except Failed as failed:
            self.listed, self.failure = None, failed.failure
        self.checked.clear()
        self.changed()

    async def check(self, skill: Skill, uri: str) -> Checked:
        """Reads a file and compares it. Never raises Failed."""
        checked = await _read(self.request, skill, uri)
        self.checked[skill.uri, uri] = checked
        self.changed()
        return checked

    async def check_all(self) -> None:
        """Every file of every skill, one after the other."""
        for skill in self.listed.skills if self.listed is not None else ():
            for uri in files_of(skill):
                await self.check(skill, uri)


def files_of(skill: Skill) -> list[str]:
    """Its SKILL.md first, listed among its files or not."""
    return [skill.uri, *(uri for uri in skill.files if uri != skill.uri)]


async def _read(request: Request, skill: Skill, uri: str) -> Checked:
    params: dict[str, Any] = {"uri": uri}
    try:
        data = data_of(await request("resources/read", params), uri)
    except Failed as failed:
        return Checked(failure=failed.failure)
    return Checked(data, tuple(compare(skill, uri, data)))
