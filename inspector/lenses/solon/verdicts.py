"""What the texts of a skill's answers mean to a client, to the letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.text import clip
from inspector.lenses.solon.clients import Client, Told
from inspector.lenses.solon.offer import is_hidden, names_of, remark
from inspector.protocol.listing import json_type

State = Literal["all", "none", "some", "unreadable"]


def is_active(told: Told) -> bool:
    """Whether the skill takes the prompt: the text is `true`, and nothing else will do."""
    return told.text == "true" and not told.thrown


def instruction_remark(told: Told) -> str:
    """What is odd about an instruction that a client adds to what the model is told; empty where nothing is."""
    if told.is_error:
        return "an error, and its text becomes the instruction"
    if told.text == "null":
        return "the word null, which a server of 3.9.0 makes of no instruction, becomes the instruction"
    return ""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a client makes of the answer to `getToolsMcp`: `entries` is the list, as it is, where the state is `some` or
    `none`. `why` says in words how it was read, or why it cannot be."""

    state: State
    why: str
    entries: tuple[Any, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(entry for entry in self.entries if isinstance(entry, str))


def listed_by(client: Client, told: Told) -> Listed:
    """Never raises."""
    if told.thrown:
        return Listed("unreadable", told.thrown)
    if not told.text:
        if client.empty_is_null:
            return Listed("all", "no text, which stands for null: all tools")
        return Listed(
            "unreadable", f"no text, on which a client of {client.name} fails; one of 4.0 takes all tools"
        )
    try:
        value = numbers.spelled(told.text)
    except ValueError:
        return Listed("unreadable", f"no JSON, on which the client fails: {clip(told.text, 200)}")
    if value is None:
        return Listed("all", "null: all tools")
    if not isinstance(value, list):
        return Listed("unreadable", f"{json_type(value)} in place of a list, on which the client fails")
    return Listed("some", f"{len(value)} listed", tuple(value)) if value else Listed("none", "[]: no tools")


@dataclass(frozen=True, slots=True)
class Row:
    """One tool of the server as the filter treats it. `listed` is None where no list was given."""

    name: str
    hidden: bool
    listed: bool | None
    exposed: bool
    remark: str
    tool: Any


@dataclass(frozen=True, slots=True)
class Exposure:
    """What of the tools reaches the model. `unknown` and `dropped` are entries of the list that no tool answers to, or
    that are no names; `twice` those that are there more than once."""

    rows: tuple[Row, ...]
    unknown: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()

    @property
    def exposed(self) -> list[str]:
        return [row.name for row in self.rows if row.exposed]

    @property
    def visible(self) -> int:
        """How many tools are not hidden."""
        return sum(not row.hidden for row in self.rows)


def exposure(tools: Sequence[Any], listed: Listed | None) -> Exposure:
    """The tools of a server under a list of names; without one (no activation), none is exposed. Never raises."""
    state = listed.state if listed is not None else "none"
    wanted = listed.names if listed is not None else frozenset()
    has_list = listed is not None and state in ("some", "none")
    rows = []
    for tool in tools:
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            continue
        hidden, named = is_hidden(tool), name in wanted
        exposed = not hidden and (state == "all" or (state == "some" and named))
        rows.append(Row(name, hidden, named if has_list else None, exposed, remark(tool), tool))
    entries = listed.entries if listed is not None else ()
    known, texts = set(names_of(tools)), [entry for entry in entries if isinstance(entry, str)]
    return Exposure(
        tuple(rows),
        unknown=tuple(dict.fromkeys(name for name in texts if name not in known)),
        dropped=tuple(numbers.brief(entry) for entry in entries if not isinstance(entry, str)),
        twice=tuple(name for name, count in Counter(texts).items() if count > 1),
    )
