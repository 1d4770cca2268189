"""What a rule is about, in words for a person and as data."""

from __future__ import annotations

from typing import Any

from inspector.check import login_probe, probes
from inspector.check.clients import CLIENTS
from inspector.check.rules import RULES, Rule

PROBED = probes.PROBED | login_probe.PROBED
ALL = "all"


def rule_named(name: str) -> Rule:
    """Whatever the case of its letters. Raises KeyError, with a sentence that names rules near it."""
    found = RULES.get(name.upper())
    if found is None:
        near = sorted(each for each in RULES if each[:1] == name[:1].upper())
        told = f"those of {name[:1].upper()} are {', '.join(near)}" if near else "see --explain all"
        raise KeyError(f"there is no rule {name}; {told}")
    return found


def lines(rule: Rule) -> list[str]:
    """For a person: what it flags, since when, and where one reads more."""
    told = [f"{rule.id}  {rule.level}", f"  {rule.about}", f"  versions: {', '.join(rule.versions)}"]
    if rule.id in PROBED:
        told.append("  --active brings it about; without it, only what a client happened to send is judged")
    told += [f"  {client} {does}" for client, does in sorted(CLIENTS.get(rule.id, {}).items())]
    return [*told, f"  {rule.url or 'no sentence of the specification: odd, but legal'}"]


def as_json(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.id, "level": rule.level, "versions": list(rule.versions), "about": rule.about,
        "reference": rule.url, "active": rule.id in PROBED,
        "clients": dict(CLIENTS.get(rule.id, {})),
    }  # fmt: skip
