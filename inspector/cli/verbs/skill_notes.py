"""What the command line says of skills (SEP-2640): which there are, and whether a file of one is what the list says."""

from __future__ import annotations

from inspector.base.errors import Failed
from inspector.protocol.extensions import SKILLS
from inspector.session.answer import Answer
from inspector.workspace.connection import Connection

_NAMED = 20
_SCHEME = "skill:"


async def offered(connection: Connection) -> list[str]:
    """The skills of a server that has some: they need not be among its resources."""
    if not _has_skills(connection):
        return []
    shelf = connection.skills
    await shelf.list()
    if shelf.listed is None:
        return [f"skills/list failed: {shelf.failure.message if shelf.failure is not None else ''}"]
    named = [f"{skill.name} ({skill.uri})" for skill in shelf.listed.skills[:_NAMED]]
    more = len(shelf.listed.skills) - len(named)
    count = len(shelf.listed.skills)
    told = f"{count} skill{'' if count == 1 else 's'}: {', '.join(named)}" + (
        f"; and {more} more" if more else ""
    )
    return [told] if count else []


async def compared(connection: Connection, uri: str, answer: Answer) -> list[str]:
    """How a file of a skill differs from what the list says of it."""
    if not uri.startswith(_SCHEME) or answer.failure is not None or not _has_skills(connection):
        return []
    from inspector.session.skills import compare, data_of

    shelf = connection.skills
    await shelf.list()
    skill = shelf.listed.find(uri) if shelf.listed is not None else None
    if skill is None:
        return [f"{uri} is no file of a skill that skills/list names"]
    try:
        misfits = compare(skill, uri, data_of(answer, uri))
    except Failed as failed:
        return [failed.failure.message]
    return [f"a client must not use this skill: {misfit}" for misfit in misfits]


def _has_skills(connection: Connection) -> bool:
    session = connection.session
    handshake = session.handshake if session is not None else None
    return handshake is not None and any(each.theirs and each.name == SKILLS for each in handshake.extensions)
