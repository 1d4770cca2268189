"""Reads a file of saved calls: YAML or JSON, made to be kept in a repository."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.base.errors import Failed, fail
from inspector.base.fifo import read_whole
from inspector.calls.expecting import MISSING, Condition, Expectation
from inspector.config.plain_yaml import load

_MOST_BYTES = 5_000_000
_CONDITION = frozenset({"equals", "matches", "contains", "exists"})
_KINDS = ("tool", "read", "prompt", "method")
_MEMBERS: Mapping[str, frozenset[str]] = {
    "tool": frozenset({"arguments"}), "read": frozenset(), "prompt": frozenset({"arguments"}),
    "method": frozenset({"params"}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SavedCall:
    """One call by name. `server` is empty where the target has only one."""

    name: str
    method: str
    params: dict[str, Any] | None
    expect: Expectation
    server: str = ""

    @property
    def tool(self) -> str:
        """The tool that it calls; empty for other requests."""
        return str((self.params or {}).get("name", "")) if self.method == "tools/call" else ""


@dataclass(frozen=True, slots=True)
class SavedCalls:
    """`target` is the config that the file names for itself; a path counts from the file's folder. Empty: none."""

    calls: list[SavedCall]
    target: str = ""


def read(path: Path) -> SavedCalls:
    """Raises Failed: io where it cannot be read, config naming the place of what is wrong."""
    data = read_whole(path, _MOST_BYTES, "name a file of saved calls")
    return parse(path, data)


def parse(path: Path, data: bytes) -> SavedCalls:
    """The calls of a file that holds `data`. Raises Failed (config)."""
    value = load(path, data)
    given = _object(path, "", value, {"target", "server", "calls"})
    listed = given.get("calls")
    if not isinstance(listed, list) or not listed:
        raise _wrong(
            path, "/calls", "is no list of calls", "as in: calls: [{tool: echo, arguments: {message: hi}}]"
        )
    target, server = (
        _text(path, "/target", given.get("target", "")),
        _text(path, "/server", given.get("server", "")),
    )
    calls = [_call(path, f"/calls/{place}", each, server) for place, each in enumerate(listed)]
    names = [call.name for call in calls]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise _wrong(path, "/calls", f"has two calls named {twice!r}", "give each a name of its own")
    if target and "://" not in target and target not in ("demo", "default"):
        target = str(path.parent / Path(target).expanduser())
    return SavedCalls(calls, target)


def _call(path: Path, place: str, value: Any, server: str) -> SavedCall:
    given = _object(path, place, value, {"name", "server", "expect", *_KINDS, "arguments", "params"})
    kinds = [kind for kind in _KINDS if kind in given]
    if len(kinds) != 1:
        raise _wrong(path, place, "says not what is called, or several things", f"one of {', '.join(_KINDS)}")
    kind = kinds[0]
    if unfit := {"arguments", "params"} & given.keys() - _MEMBERS[kind]:
        raise _wrong(path, f"{place}/{min(unfit)}", f"does not go with {kind}", "leave it out")
    subject = _text(path, f"{place}/{kind}", given[kind])
    params = given.get("params", given.get("arguments"))
    if params is not None and not isinstance(params, dict):
        raise _wrong(
            path, f"{place}/{'params' if kind == 'method' else 'arguments'}", "is no object", "name: value"
        )
    _check_json(path, place, params)
    sent: dict[str, tuple[str, dict[str, Any] | None]] = {
        "tool": ("tools/call", {"name": subject, "arguments": params or {}}),
        "prompt": ("prompts/get", {"name": subject, **({"arguments": params} if params else {})}),
        "read": ("resources/read", {"uri": subject}),
        "method": (subject, params),
    }
    method, sent_params = sent[kind]
    name = _text(
        path, f"{place}/name", given.get("name", f"{method} {subject}" if kind != "method" else subject)
    )
    expect = _expectation(path, f"{place}/expect", given.get("expect", {}))
    return SavedCall(
        name, method, sent_params, expect, _text(path, f"{place}/server", given.get("server", server))
    )


def _expectation(path: Path, place: str, value: Any) -> Expectation:
    given = _object(path, place, value, {"ok", "error", "at", "within_ms"})
    error, ok = given.get("error", False), given.get("ok")
    if ok is not None and (not isinstance(ok, bool) or "error" in given):
        raise _wrong(
            path, f"{place}/ok", "is not true or false, or stands beside error", "ok: true or error: CODE"
        )
    if not isinstance(error, bool | int):
        raise _wrong(path, f"{place}/error", "is no code", "true for any failure, or a number such as -32602")
    within = given.get("within_ms")
    if within is not None and (
        isinstance(within, bool) or not isinstance(within, int | float) or within <= 0
    ):
        raise _wrong(path, f"{place}/within_ms", "is no number of milliseconds", "as in within_ms: 500")
    at = _object(path, f"{place}/at", given.get("at", {}), None)
    conditions = {pointer: _condition(path, f"{place}/at: {pointer}", each) for pointer, each in at.items()}
    for pointer in conditions:
        if pointer and not pointer.startswith("/"):
            raise _wrong(path, f"{place}/at: {pointer}", "is no JSON Pointer", "as in /content/0/text")
    return Expectation(
        error if ok is None else not ok, conditions, None if within is None else float(within) / 1000
    )


def _condition(path: Path, place: str, value: Any) -> Condition:
    """A value alone is what is expected; an object of our words is a condition."""
    _check_json(path, place, value)
    if not (isinstance(value, dict) and value and value.keys() <= _CONDITION):
        return Condition(equals=value)
    exists, matches = value.get("exists"), value.get("matches")
    if exists is not None and not isinstance(exists, bool):
        raise _wrong(path, place, "exists is not true or false", "exists: true")
    compiled = None
    if matches is not None:
        try:
            compiled = re.compile(str(matches))
        except re.error as error:
            raise _wrong(path, place, f"matches is no pattern: {error}", "see Python's re") from error
    return Condition(value.get("equals", MISSING), compiled, value.get("contains", MISSING), exists)


def _object(path: Path, place: str, value: Any, known: set[str] | None) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise _wrong(path, place, "is no object with names", "see docs/how-to/calls.md")
    if known is not None and (unknown := value.keys() - known):
        raise _wrong(
            path, place, f"has {min(unknown)!r}, which is not known", f"known are {', '.join(sorted(known))}"
        )
    return value


def _text(path: Path, place: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(path, place, "is no text", "put it in quotes")
    return value


def _check_json(path: Path, place: str, value: Any) -> None:
    for part in _parts(value):
        if isinstance(part, dict) and not all(isinstance(name, str) for name in part):
            raise _wrong(path, place, "has a name that is no text", "put it in quotes")
        if not isinstance(part, dict | list | str | int | float | None):
            raise _wrong(
                path, place, f"holds a {type(part).__name__}, which JSON has not", "put it in quotes"
            )


def _parts(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()


def _wrong(path: Path, place: str, message: str, hint: str) -> Failed:
    return fail("config", f"{path}: {place or 'the file'} {message}", hint)
