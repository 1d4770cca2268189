"""Who answers what a server asks, remembered for each server: the person, a file, nobody."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from inspector.base import private_json
from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.config.entry import Entry
from inspector.session.inbox import Inbox, Responder, Root
from inspector.session.responders import DENY, AskPerson, read_profile

ASK, REFUSE = "ask", "deny"
"""Words that are no file."""


@dataclass(frozen=True, slots=True)
class Answering:
    """`answers` is `ask`, `deny` or the path of a profile. `roots` are those that the person wrote down for this
    server, None where nobody did."""

    answers: str = ASK
    roots: tuple[Root, ...] | None = None


def recall(entry: Entry) -> Answering:
    """What was kept for a server; what cannot be read is as if it had not been."""
    kept = private_json.read(paths().answers).get(_digest(entry))
    if not isinstance(kept, dict):
        return Answering()
    answers, roots = kept.get("answers"), kept.get("roots")
    return Answering(
        answers if isinstance(answers, str) and answers else ASK,
        tuple(root for value in roots if (root := _root(value)) is not None)
        if isinstance(roots, list)
        else None,
    )


def keep(entry: Entry, answering: Answering) -> None:
    """Remembers it. Raises OSError where it cannot be written."""
    value: dict[str, Any] = {"server": entry.name, "answers": answering.answers}
    if answering.roots is not None:
        value["roots"] = [root.as_json() for root in answering.roots]
    with private_json.changing(paths().answers) as known:
        known[_digest(entry)] = value


def responder(answers: str) -> Responder:
    """Raises Failed (io, config) where it is a file that cannot be used."""
    return AskPerson() if answers == ASK else DENY if answers == REFUSE else read_profile(answers)


def settle(inbox: Inbox, answering: Answering) -> str | None:
    """Lets an inbox be answered so. Where the file cannot be used the person is asked; the answer says why."""
    if answering.roots is not None:
        inbox.roots = answering.roots
    try:
        inbox.responder = responder(answering.answers)
    except Failed as failed:
        inbox.responder = AskPerson()
        return failed.failure.message
    return None


def _root(value: Any) -> Root | None:
    uri, name = (value.get("uri"), value.get("name")) if isinstance(value, dict) else (None, None)
    return Root(uri, name if isinstance(name, str) else None) if isinstance(uri, str) else None


def _digest(entry: Entry) -> str:
    import hashlib  # late: it loads OpenSSL

    # Only the digest is kept: command lines and URLs may hold secrets.
    content = json.dumps([entry.name, entry.command, list(entry.args), entry.url], default=str)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
