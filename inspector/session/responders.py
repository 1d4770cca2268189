"""Who answers what a server asks: a person, a file, nobody (spec: client/sampling, client/elicitation)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.base.errors import fail
from inspector.protocol import jsonrpc
from inspector.protocol.capabilities import with_tasks
from inspector.session.inbox import USER_REJECTED, Question, Refusal, Reply, refuse_unknown

_BY_PROFILE = "answered by the profile"
_MOST_DELAY = 3600
_ACTIONS = ("accept", "decline", "cancel")


@dataclass(frozen=True, slots=True)
class Profile:
    """Fixed answers. An action or a `sampling` of None is not declared at all.

    `form` and `url` are what happens to an elicitation of that mode: accept, decline or cancel. What is accepted has
    the defaults of the schema that was asked for, and over them `content`. `sampling` is the result, `refuse`, or
    `echo` for the text that was asked with. Answers go out after `delay` seconds.
    """

    form: str | None = None
    url: str | None = None
    content: Mapping[str, Any] = field(default_factory=dict)
    sampling: Mapping[str, Any] | str | None = None
    delay: float = 0.0
    title: str = "a profile"

    @property
    def capabilities(self) -> Mapping[str, Any]:
        modes: dict[str, Any] = {
            name: {} for name, action in (("form", self.form), ("url", self.url)) if action is not None
        }
        declared: dict[str, Any] = {"elicitation": modes} if modes else {}
        if self.sampling is not None:
            declared["sampling"] = {"tools": {}} if _uses_tools(self.sampling) else {}
        return with_tasks(declared)

    def take(self, question: Question) -> None:
        reply = self.answer(question.method, question.arguments)
        if reply is None:
            refuse_unknown(question)
        elif self.delay:
            question.due = time.time() + self.delay
            asyncio.get_running_loop().call_later(self.delay, question.settle, reply, _BY_PROFILE)
        else:
            question.settle(reply, _BY_PROFILE)

    def answer(self, method: str, params: Mapping[str, Any]) -> Reply | None:
        """The answer to a request of the server; None for a method that is not answered here."""
        if method == "elicitation/create":
            return self._elicited(params)
        if method == "sampling/createMessage" and self.sampling is not None:
            return self._sampled(params)
        return None

    def _elicited(self, params: Mapping[str, Any]) -> Reply | None:
        mode = params.get("mode", "form")
        action = self.url if mode == "url" else self.form if mode == "form" else None
        if action is None:
            if self.form is None and self.url is None:
                return None
            return Refusal(jsonrpc.INVALID_PARAMS, f"elicitation of mode {mode} was not declared")
        if action != "accept" or mode == "url":
            return {"action": action}
        return {"action": "accept", "content": {**defaults(params.get("requestedSchema")), **self.content}}

    def _sampled(self, params: Mapping[str, Any]) -> Reply:
        if self.sampling == "refuse":
            return Refusal(USER_REJECTED, "User rejected sampling request")
        if isinstance(self.sampling, Mapping):
            return dict(self.sampling)
        return {
            "role": "assistant",
            "content": {"type": "text", "text": _last_text(params.get("messages"))},
            "model": "echo",
            "stopReason": "endTurn",
        }


def _uses_tools(sampling: Mapping[str, Any] | str) -> bool:
    """Whether it is the answer of a model that wants to use a tool; who refuses anyway refuses that as well."""
    if sampling == "refuse":
        return True
    content = sampling.get("content") if isinstance(sampling, Mapping) else None
    parts = content if isinstance(content, list) else [content]
    return any(isinstance(part, dict) and part.get("type") == "tool_use" for part in parts)


DENY = Profile(form="decline", url="decline", sampling="refuse", title="nobody")
"""Declares everything and wants nothing."""


class AskPerson:
    """Declares all that a person can answer, and leaves it to them; methods that nobody knows are refused."""

    title = "you"
    capabilities = with_tasks({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}})

    def take(self, question: Question) -> None:
        if question.method not in ("elicitation/create", "sampling/createMessage") and not question.ours:
            refuse_unknown(question)


def defaults(schema: Any) -> dict[str, Any]:
    """What an elicitation form holds before anybody touches it."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return {}
    return {
        name: field["default"]
        for name, field in properties.items()
        if isinstance(field, dict) and "default" in field
    }


def _last_text(messages: Any) -> str:
    for message in reversed(messages if isinstance(messages, list) else []):
        content = message.get("content") if isinstance(message, dict) else None
        for part in reversed(content if isinstance(content, list) else [content]):
            if isinstance(part, dict) and isinstance(text := part.get("text"), str):
                return text
    return ""


def read_profile(word: str) -> Profile:
    """The profile for `deny` or for a file: a JSON object with any of `elicitation` (an action, or an object with
    `action`, `content` and `url`, the action for links, which is decline), `sampling` (`refuse`, `echo`, a text, or a
    whole result) and `delay` (seconds before an answer goes out). Raises Failed: io, config."""
    if word == "deny":
        return DENY
    # Comments are allowed in files of ours, as in configs.
    from inspector.base.fifo import read_named
    from inspector.config.jsonc import MAX_BYTES, Broken, parse

    try:
        # A device may have no end; what is longer than this is refused by its length.
        value = parse(read_named(Path(word), MAX_BYTES + 1)).value
    except OSError as error:
        reason = error.strerror or str(error)
        raise fail(
            "io", f"{word} cannot be read: {reason}", "name a JSON file, or write: --answer deny"
        ) from error
    except Broken as error:
        raise fail(
            "config", f"{word}:{error.line}:{error.column}: {error.message}", "correct the file"
        ) from error
    if not isinstance(value, dict):
        raise fail(
            "config", f"{word} holds no object", 'as in {"elicitation": "accept", "sampling": "refuse"}'
        )
    return replace(profile_of(value, word), title=Path(word).name)


def profile_of(value: Mapping[str, Any], where: str) -> Profile:
    """See `read_profile`. Raises Failed (config) naming the member that is wrong."""
    if unknown := sorted(value.keys() - {"elicitation", "sampling", "delay"}):
        known = "known are elicitation, sampling and delay"
        raise fail("config", f"{where}: {unknown[0]} is not known", known)
    form, url, content = None, None, {}
    if (asked := value.get("elicitation")) is not None:
        given = asked if isinstance(asked, dict) else {"action": asked}
        form, url, content = (
            given.get("action", "accept"),
            given.get("url", "decline"),
            given.get("content", {}),
        )
        if form not in _ACTIONS or url not in _ACTIONS or not isinstance(content, dict):
            actions = ", ".join(_ACTIONS)
            raise fail(
                "config", f"{where}: elicitation is no answer", f"actions are {actions}; content is an object"
            )
    sampling = value.get("sampling")
    if isinstance(sampling, str) and sampling not in ("refuse", "echo"):
        sampling = {
            "role": "assistant",
            "content": {"type": "text", "text": sampling},
            "model": "answer file",
        }
    if sampling is not None and not isinstance(sampling, dict | str):
        raise fail("config", f"{where}: sampling is no answer", "refuse, echo, a text, or a whole result")
    delay = value.get("delay", 0)
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not 0 <= delay <= _MOST_DELAY:
        raise fail("config", f"{where}: delay is no number of seconds", f"from 0 to {_MOST_DELAY}")
    return Profile(form, url, content, sampling, float(delay))
