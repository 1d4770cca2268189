"""Two servers side by side: what each declares and lists, aligned by name, and what both answer to one request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.jsondiff import Change
from inspector.base.jsonptr import escape
from inspector.base.text import decode
from inspector.compare.listings import Changed, changes, named
from inspector.compare.recorded import Compared, Figures
from inspector.protocol.listing import ListKind
from inspector.replay.client import message_of
from inspector.replay.ignoring import Ignoring
from inspector.session.answer import Answer
from inspector.session.handshake import SERVER_INFO, Handshake

Mark = Literal["same", "differs", "left", "right", "unknown"]
"""`left` and `right`: only that side has it; `unknown`: what one side has is not known."""

_DEEPEST = 5
"""Levels of a handshake that are told one by one; what lies deeper is one value."""
_TOLD_BEFORE = ("serverInfo", "capabilities", "protocolVersion")
_ENVELOPE = ("jsonrpc", "id")


@dataclass(frozen=True, slots=True)
class Pair:
    """What stands on both sides under one name, None where there is nothing; foreign. `changes` are those of entries
    of a list."""

    name: str
    mark: Mark
    left: Any = None
    right: Any = None
    changes: Sequence[Changed] = ()

    @property
    def breaking(self) -> bool:
        """Whether who uses the left one is broken by the right one."""
        return self.mark == "left" or any(change.breaking for change in self.changes)


def entries(kind: ListKind, left: Sequence[Any], right: Sequence[Any]) -> list[Pair]:
    """Two lists, in the order of the left one; what only the right one has stands behind what it follows there."""
    old, new = (
        {name: "null" if entry is None else entry for name, entry in named(kind, side).items()}
        for side in (left, right)
    )
    paired = {}
    for name, entry in old.items():
        if name not in new:
            paired[name] = Pair(name, "left", entry)
            continue
        found = changes("", kind, name, entry, new[name])
        paired[name] = Pair(name, "differs" if found else "same", entry, new[name], found)
    return _woven(paired, {name: Pair(name, "right", None, entry) for name, entry in new.items()})


def opening(left: Handshake | None, right: Handshake | None) -> list[Pair]:
    """What came of both handshakes, value by value; one that has not been made says nothing."""
    return values(_facts(left), _facts(right))


def unknown(pairs: Sequence[Pair]) -> list[Pair]:
    """The same where one side was not heard yet: nothing can be said of what it has."""
    return [replace(pair, mark="unknown") for pair in pairs]


def values(left: Mapping[str, Any], right: Mapping[str, Any]) -> list[Pair]:
    """Two sets of named values."""
    paired: dict[str, Pair] = {}
    for name, value in left.items():
        if name not in right:
            paired[name] = Pair(name, "left", value)
        else:
            mark: Mark = "same" if numbers.same(value, right[name]) else "differs"
            paired[name] = Pair(name, mark, value, right[name])
    return _woven(paired, {name: Pair(name, "right", None, value) for name, value in right.items()})


def _woven(left: Mapping[str, Pair], right: Mapping[str, Pair]) -> list[Pair]:
    followers: dict[str | None, list[Pair]] = {}
    before: str | None = None
    for name, pair in right.items():
        if name in left:
            before = name
        else:
            followers.setdefault(before, []).append(pair)
    found = followers.get(None, [])
    for name, pair in left.items():
        found += [pair, *followers.get(name, ())]
    return found


def _facts(handshake: Handshake | None) -> dict[str, Any]:
    if handshake is None:
        return {}
    told = {"protocolVersion": handshake.version, "era": handshake.era}
    for name, value in (
        ("serverInfo", handshake.server_info),
        ("capabilities", handshake.capabilities),
        *((name, value) for name, value in handshake.result.items() if name not in _TOLD_BEFORE),
    ):
        if name == "_meta" and isinstance(value, dict):
            # It is there that a server of the modern era says who it is.
            value = {key: member for key, member in value.items() if key != SERVER_INFO}
        told.update((at, leaf) for at, leaf in _leaves(name, value, _DEEPEST) if at not in told)
    return told


def _leaves(at: str, value: Any, levels: int) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value and levels:
        for name, member in value.items():
            yield from _leaves(f"{at}/{escape(str(name))}", member, levels - 1)
    elif value is not None:
        yield at, value


def differences(left: Answer, right: Answer, params: Any, rules: Ignoring) -> list[Change]:
    """What both answered otherwise and counts, with pointers into the message."""
    return rules.between_answers(body_of(left), body_of(right), params)


def masked(answer: Answer, mask: Callable[[str], str]) -> Answer:
    """The same with secrets hidden, for what is kept; `mask` takes and gives JSON."""
    return replace(answer, raw=mask(decode(answer.raw)).encode("utf-8", "replace"))


def body_of(answer: Answer) -> Any:
    """The answer without what no two answers share; numbers as spelled."""
    message = message_of(answer)
    if not isinstance(message, dict):
        return message
    return {name: value for name, value in message.items() if name not in _ENVELOPE}


def compared(
    server: str, name: str, left: Answer | None, right: Answer | None, params: Any, rules: Ignoring
) -> Compared:
    """One request to both, as a report has it. None where no answer came: such a call failed."""
    found = differences(left, right, params, rules) if left is not None and right is not None else []
    differ = bool(found) or (left is None) is not (right is None)
    return Compared(server, name, _figures(left), _figures(right), int(differ), found)


def failed(answer: Answer | None) -> bool:
    """Whether nothing good came of a request: no answer, an error, a tool that says so."""
    if answer is None or answer.failure is not None:
        return True
    return isinstance(answer.result, dict) and answer.result.get("isError") is True


def _figures(answer: Answer | None) -> Figures:
    return Figures(1, int(failed(answer)), answer.seconds if answer is not None else None)
