"""The kinds of faults and how one is written: `KIND[:NAME=VALUE,...]`, as in `delay:ms=500,method=tools/call,nth=2`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from inspector.base.errors import fail


class Kind(NamedTuple):
    """`where` it can happen: on a `message` of any transport, on `stdio`, on an `http` exchange. `options` are its own,
    with what they are where nothing is said; a number where that is one."""

    where: str
    about: str
    options: dict[str, str | int]


KINDS: Final[dict[str, Kind]] = {
    "delay": Kind("message", "comes later, and all behind it on its stream", {"ms": 1000}),
    "drop": Kind("message", "never comes", {}),
    "duplicate": Kind("message", "comes twice", {}),
    "reorder": Kind("message", "comes after the one that follows it, or so much later", {"ms": 1000}),
    "wrong-id": Kind("message", "has an id that nobody asked with", {}),
    "id-type": Kind("message", "has its id as text where it was a number, or the other way round", {}),
    "invalid-json": Kind("message", "is cut before its last byte", {}),
    "partial-line": Kind("message", "comes in two halves with a pause between them", {"ms": 1000}),
    "noise": Kind("message", "comes after a line that is no message", {"text": "Server is starting ..."}),
    "huge": Kind("message", "is padded, in its _meta, to so many bytes more", {"bytes": 10_000_000}),
    "exit": Kind("message", "does not come: the server ends in its place", {"code": 1}),
    "ignore-eof": Kind("stdio", "the end of stdin is not passed on", {}),
    "ignore-term": Kind("stdio", "SIGTERM, SIGINT and SIGHUP are not passed on", {}),
    "status": Kind(
        "http", "is answered with this status and text", {"code": 503, "text": "A fault that was asked for"}
    ),
    "content-type": Kind("http", "is answered with this content type", {"type": "text/plain"}),
    "broken-sse": Kind("http", "its event stream breaks in the middle of an event", {}),
    "second-endpoint": Kind(
        "http", "a second endpoint event follows the first (HTTP+SSE)", {"path": "/elsewhere"}
    ),
    "lose-session": Kind("http", "its session is unknown from here on: 404", {}),
}
_CHOICE: Final[dict[str, str | int]] = {"method": "", "nth": 0, "p": "", "seed": 0}


@dataclass(frozen=True, slots=True)
class Fault:
    """`method` is a pattern with `*`; of an answer it means that of its request. `nth` counts the messages that the
    method fits, from 1; 0 is all of them. Each chosen one is hit with probability `p`; the same `seed` hits the same
    ones. `number` and `text` are the kind's own options."""

    kind: str
    method: str = "*"
    nth: int = 0
    p: float = 1.0
    seed: int = 0
    number: int = 0
    text: str = ""

    @property
    def where(self) -> str:
        return KINDS[self.kind].where


def parse(words: Sequence[str]) -> list[Fault]:
    """Raises Failed (config)."""
    return [_fault(word) for word in words]


def _fault(word: str) -> Fault:
    name, _, rest = word.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        raise fail("config", f"--fault {word}: there is no fault {name}", f"there are: {', '.join(KINDS)}")
    known: dict[str, str | int] = {**kind.options, **_CHOICE}
    given: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        option, equals, value = part.partition("=")
        if option not in known or not equals:
            raise fail(
                "config", f"--fault {word}: {part} is no option of {name}", f"its options: {_names(known)}"
            )
        if isinstance(known[option], int) and not (value.isascii() and value.isdigit() and len(value) < 12):
            raise fail("config", f"--fault {word}: {option} takes a whole number", "as in nth=2")
        if option == "nth" and not int(value):
            raise fail("config", f"--fault {word}: nth counts from 1", "as in nth=2")
        given[option] = value
    own = {option: given.get(option, str(default)) for option, default in kind.options.items()}
    number = next((int(own[each]) for each in own if isinstance(kind.options[each], int)), 0)
    text = next((own[each] for each in own if isinstance(kind.options[each], str)), "")
    if name == "status" and not 200 <= number <= 599:
        raise fail("config", f"--fault {word}: {number} is no status", "as in code=503")
    return Fault(
        name,
        given.get("method") or "*",
        int(given.get("nth", 0)),
        _probability(word, given.get("p", "1")),
        int(given.get("seed", 0)),
        number,
        text,
    )


def _probability(word: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise fail("config", f"--fault {word}: p is a probability", "from 0 to 1, as in p=0.1")
    return value


def _names(options: dict[str, str | int]) -> str:
    return ", ".join(f"{name}=..." for name in options)
