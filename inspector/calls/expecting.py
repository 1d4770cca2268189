"""What an answer must be, and why it is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base import jsonptr, numbers
from inspector.base.text import clip, duration


class Missing:
    """Stands for what is not there."""


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class Condition:
    """Of the value at a pointer; what is None is not asked for. `contains` is a part of a text, or an item of a
    list."""

    equals: Any = MISSING
    matches: re.Pattern[str] | None = None
    contains: Any = MISSING
    exists: bool | None = None

    @property
    def told(self) -> str:
        """What is asked for, for people."""
        parts = []
        if self.exists is not None:
            parts.append("to be there" if self.exists else "not to be there")
        if self.equals is not MISSING:
            parts.append(f"to be {numbers.brief(self.equals)}")
        if self.matches is not None:
            parts.append(f"to match {clip(self.matches.pattern, 80)}")
        if self.contains is not MISSING:
            parts.append(f"to contain {numbers.brief(self.contains)}")
        return " and ".join(parts)

    def failure(self, value: Any) -> str:
        """Why the value does not meet it; empty where it does."""
        if self.exists is False:
            return "" if value is MISSING else f"is there: {numbers.brief(value)}"
        if value is MISSING:
            return "is not there"
        if self.equals is not MISSING and not numbers.same(numbers.plain(self.equals), numbers.plain(value)):
            return f"is {numbers.brief(value)}, expected {numbers.brief(self.equals)}"
        if self.matches is not None:
            text = value if isinstance(value, str) else _json(value)
            if self.matches.search(text) is None:
                return f"is {numbers.brief(value)}, which does not match {self.matches.pattern}"
        if self.contains is not MISSING and not _contains(value, self.contains):
            return f"is {numbers.brief(value)}, which does not contain {numbers.brief(self.contains)}"
        return ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Of one answer. `error` is True for any failure, or the code of a JSON-RPC error, or False for a good answer; `at`
    goes by JSON Pointers into the result, on into texts that hold JSON. `within` is in seconds."""

    error: bool | int = False
    at: Mapping[str, Condition] = field(default_factory=dict)
    within: float | None = None

    @property
    def told(self) -> list[str]:
        """What is expected, a line each, for people."""
        found = []
        if self.error is not False:
            found.append("a failure" if self.error is True else f"the JSON-RPC error {self.error}")
        found += [f"{pointer or 'the result'} {condition.told}" for pointer, condition in self.at.items()]
        if self.within is not None:
            found.append(f"an answer within {duration(self.within)}")
        return found

    def failures(self, message: Any, seconds: float) -> list[str]:
        """Everything that is wrong with an answer, each in a line; foreign parts unescaped."""
        found = []
        result, error = (
            message.get(name) if isinstance(message, dict) else None for name in ("result", "error")
        )
        if problem := self._outcome(result, error):
            found.append(problem)
        for pointer, condition in self.at.items():
            told = condition.failure(value_at(result if error is None else error, pointer))
            if told:
                found.append(f"{pointer or 'the result'} {told}")
        if self.within is not None and seconds > self.within:
            found.append(f"took {duration(seconds)}, allowed are {duration(self.within)}")
        return found

    def _outcome(self, result: Any, error: Any) -> str:
        code = error.get("code") if isinstance(error, dict) else None
        failed = error is not None or (isinstance(result, dict) and result.get("isError") is True)
        if self.error is False:
            return f"failed: {_reason(result, error)}" if failed else ""
        if not failed:
            return "did not fail"
        if self.error is not True and error is None:
            return f"failed as a tool (isError: {_reason(result, error)}), expected was the JSON-RPC error {self.error}"
        if self.error is not True and code != self.error:
            return f"failed with {_reason(result, error)}, expected was the code {self.error}"
        return ""


def value_at(value: Any, pointer: str) -> Any:
    """The value that a pointer names (RFC 6901), MISSING where there is none; steps go on in a text that holds JSON."""
    for token in jsonptr.tokens(pointer):
        if isinstance(value, str):
            try:
                value = numbers.spelled(value)
            except ValueError:
                return MISSING
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif (
            isinstance(value, list) and (index := jsonptr.index_of(token)) is not None and index < len(value)
        ):
            value = value[index]
        else:
            return MISSING
    return value


def _contains(value: Any, part: Any) -> bool:
    if isinstance(value, str):
        return isinstance(part, str) and part in value
    if isinstance(value, list):
        return any(numbers.same(numbers.plain(item), numbers.plain(part)) for item in value)
    return isinstance(value, dict) and isinstance(part, str) and part in value


def _reason(result: Any, error: Any) -> str:
    if isinstance(error, dict):
        return f"{error.get('code')} {clip(str(error.get('message')), 200)}"
    content: Sequence[Any] = result.get("content") or () if isinstance(result, dict) else ()
    texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return clip(" ".join(texts), 200) or "the tool reports an error"


def _json(value: Any) -> str:
    try:
        return numbers.dumps(value)
    except ValueError:
        return "…"
