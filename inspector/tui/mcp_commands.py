"""The `/mcp` commands of PaiCLI, understood by the command palette: what was typed, and what it may become. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from inspector.tui import guard, wording

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

Verb = Literal["show", "restart", "logs", "disable", "enable"]

_SHOW = "Goes to it; /mcp restart, logs, disable and enable do more"
_HELP: dict[Verb, str] = {
    "restart": "Ends it and starts it again",
    "logs": "What it wrote on stderr, and its process",
    "disable": "Ends it and leaves it off",
    "enable": "Switches it on and starts it",
}


class Command(NamedTuple):
    """Something to be done to a server. `text` is the command as it may be typed, with the safe name; `state` and
    `help` tell more."""

    verb: Verb
    server: str
    text: str
    state: str
    help: str


def commands(query: str, connections: Sequence[Connection]) -> Iterator[Command]:
    """All that `query` may become, the likeliest first; nothing where it is no `/mcp` command. The slash may be left
    out. `/mcp` alone lists the servers; names are completed from any part of them."""
    text = query.strip().lower()
    bare = text.removeprefix("/")
    head, _, rest = bare.partition(" ")
    if head != "mcp" and not (text.startswith("/") and "mcp".startswith(head) and not rest):
        return
    verb, _, name = rest.strip().partition(" ")
    verbs = [known for known in _HELP if known.startswith(verb)] if verb else []
    if verb in _HELP:
        verbs = [known for known in verbs if known == verb]
    if not verb or not verbs:
        for connection in _named(rest.strip(), connections):
            yield _command("show", connection)
    for known in verbs:
        for connection in _named(name.strip(), connections):
            if name or _makes_sense(known, connection):
                yield _command(known, connection)


def _named(part: str, connections: Sequence[Connection]) -> list[Connection]:
    """Those whose name has the part: the same name first, then those that begin with it."""
    found = [one for one in connections if part in one.name.lower()]
    return sorted(found, key=lambda one: (one.name.lower() != part, not one.name.lower().startswith(part)))


def _makes_sense(verb: Verb, connection: Connection) -> bool:
    return (connection.state == "disabled") == (verb == "enable") or verb in ("restart", "logs")


def _command(verb: Verb, connection: Connection) -> Command:
    name = guard.line(connection.name)
    word = wording.state(connection)
    state = f"{wording.MARKS[wording.looks(connection)]} {'ready' if connection.state == 'ready' else word}"
    if connection.state == "ready" and word:
        state += f", {word}"
    text = f"/mcp {name}" if verb == "show" else f"/mcp {verb} {name}"
    return Command(verb, connection.name, text, state, _HELP.get(verb, _SHOW))
