"""The rules as data, and the door by which each of them is registered.

A rule is a small function that says what is wrong with the one thing it is shown: a message, a result, an entry of a
list, an HTTP exchange. What it yields are `Found`, or sentences. It never asks the network, and what it is shown may
be of any shape.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from inspector.protocol.revisions import REVISIONS

Level = Literal["error", "warning", "info"]
LEVELS: tuple[Level, ...] = ("info", "warning", "error")
"""A MUST is broken, a SHOULD is, or it is odd but legal; the mildest first."""
Sight = Literal[
    "odd", "odd sent", "frame", "result", "error", "request", "notification", "sent", "tools", "resources", "templates",
    "prompts", "page", "exchange", "note", "end",
]  # fmt: skip
"""What a rule is shown: a message of the server, or of the client, that is no JSON-RPC as it should be, or a batch
(`odd`, `odd sent`), any message of the server (`frame`), a successful answer that was asked for, an error answer, a
request or notification of the server, a message of the client (`sent`), an entry of a list, a page of a list, an HTTP
exchange that is over, a note of ours on the connection, the conversation at its end."""

V24, V03, V06, V11, V07 = REVISIONS
ALL = tuple(REVISIONS)
LEGACY = ALL[:4]
MODERN = (V07,)
SITE = "https://modelcontextprotocol.io/specification"


@dataclass(frozen=True, slots=True)
class Found:
    """Something wrong: a sentence, and where, as a JSON Pointer into what the rule was shown. `frames` are rows; where
    there are none, those of what was shown are meant. `level` is given where it differs from that of the rule."""

    message: str
    pointer: str = ""
    frames: tuple[int, ...] = ()
    level: Level | None = None


Findings: TypeAlias = Iterable[Found | str]


Check: TypeAlias = Callable[..., "Findings | None"]


@dataclass(frozen=True, slots=True)
class Look:
    """What a rule is shown, and its judgement. `methods` are those whose messages it is shown; none means all."""

    sight: Sight
    methods: tuple[str, ...]
    check: Check


@dataclass(frozen=True, slots=True)
class Rule:
    """`about` says what is flagged. `reference` is the page of the specification, with its section; empty where it says
    nothing of the matter."""

    id: str
    level: Level
    versions: tuple[str, ...]
    about: str
    reference: str
    looks: list[Look]

    @property
    def url(self) -> str:
        """The section, in the version that the reference names, else in the newest one that has the rule."""
        if not self.reference or self.reference.startswith("https:"):
            return self.reference
        if self.reference[0].isdigit():
            return f"{SITE}/{self.reference}"
        return f"{SITE}/{self.versions[-1]}/{self.reference}"

    def applies(self, version: str | None) -> bool:
        """A version that nobody knows has the rules that all have."""
        return version in self.versions or (self.versions == ALL and version not in REVISIONS)


RULES: dict[str, Rule] = {}
LOOKS: defaultdict[str, list[Look]] = defaultdict(list)
"""Those of each rule by its id, in the order in which they are registered."""


def rule(
    id_: str,
    level: Level,
    versions: tuple[str, ...],
    reference: str = "",
    *,
    on: Sight,
    of: tuple[str, ...] | str = (),
) -> Callable[[Check], Check]:
    """Registers a function as a rule; its docstring says what is flagged. Raises ValueError for an id that is taken."""

    def register(check: Check) -> Check:
        if id_ in RULES:
            raise ValueError(f"there are two rules {id_}")
        RULES[id_] = Rule(
            id_, level, versions, " ".join((check.__doc__ or "").split()), reference, LOOKS[id_]
        )
        return also(id_, on=on, of=of)(check)

    return register


def also(id_: str, *, on: Sight, of: tuple[str, ...] | str = ()) -> Callable[[Check], Check]:
    """Registers a function as another look of a rule."""

    def register(check: Check) -> Check:
        LOOKS[id_].append(Look(on, (of,) if isinstance(of, str) else of, check))
        return check

    return register


@dataclass(slots=True)
class Finding:
    """A `Found` with all that is known about it. Messages may quote the server: they are foreign."""

    rule: str
    level: Level
    server: str
    message: str
    pointer: str
    frames: list[int]
    clients: tuple[str, ...] = ()
    """Those that are known to break on it."""

    def as_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule, "level": self.level, "server": self.server, "message": self.message,
            "pointer": self.pointer, "frames": self.frames, "clients": list(self.clients),
        }  # fmt: skip
