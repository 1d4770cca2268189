"""Extensions of the protocol that the two sides declare, and which of them are in force (spec: extensions,
negotiation)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.protocol.revisions import PREFIX

APPS, SKILLS, TASKS = f"{PREFIX}ui", f"{PREFIX}skills", f"{PREFIX}tasks"
APP_TYPE = "text/html;profile=mcp-app"
"""The media type of a page that belongs to a tool (extension MCP Apps)."""

_KNOWN = {
    APPS: "pages that belong to tools (MCP Apps)",
    SKILLS: "instructions with files, loaded when they are needed",
    TASKS: "calls that go on as tasks",
    f"{PREFIX}oauth-client-credentials": "login of a program, without a person",
    f"{PREFIX}enterprise-managed-authorization": "login by what an organization allows",
    f"{PREFIX}auth/dpop": "tokens that are bound to a key",
    f"{PREFIX}auth/wif": "login by the identity of a workload",
}
_BY_SERVER_ALONE = frozenset({SKILLS})
"""Those of which a client says nothing: it asks, or does not."""


@dataclass(frozen=True, slots=True)
class Extension:
    """One identifier, foreign unless `ours`; `experimental` stands in the older member of that name."""

    name: str
    ours: bool
    theirs: bool
    experimental: bool = False

    @property
    def in_force(self) -> bool:
        return self.theirs and (self.ours or self.name in _BY_SERVER_ALONE)

    @property
    def about(self) -> str:
        """What it is for, in a few words; empty where it is not known here."""
        return _KNOWN.get(self.name, "")

    @property
    def standing(self) -> str:
        """Who declares it, and what follows from that."""
        if self.ours and self.theirs:
            return "in force, both sides declare it"
        if self.in_force:
            return "in force, the server offers it"
        return f"not in force, only {'the server declares' if self.theirs else 'we declare'} it"


def extensions(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[Extension]:
    """Of the capabilities of both sides, of whatever shape they are: what is in force first, then in the order in
    which they were declared."""
    found = [
        Extension(name, name in mine, name in its, member == "experimental")
        for member in ("extensions", "experimental")
        for mine, its in [(_declared(ours, member), _declared(theirs, member))]
        for name in {**its, **mine}
    ]
    return sorted(found, key=lambda extension: (not extension.in_force, not extension.theirs))


def _declared(capabilities: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    value = capabilities.get(member)
    return value if isinstance(value, dict) else {}
