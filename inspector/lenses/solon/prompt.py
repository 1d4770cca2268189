"""The prompt that a client tells a skill of: what is said and by whom, attributes, and the JSON text of it all.

The text names the classes of the values in it, and the server makes objects of what is named (auto-type). So no other
class than those here is sent unless a person insists.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.jsontext import dump
from inspector.lenses.solon.clients import Profile

Role = Literal["system", "user", "tool", "assistant"]
ROLES: tuple[Role, ...] = ("system", "user", "tool", "assistant")
"""By their number on the wire."""

TYPE = "@type"
_CHAT = "org.noear.solon.ai.chat"
_ROOT = f"{_CHAT}.prompt.PromptImpl"
_MAP = "java.util.LinkedHashMap"
_BLOCK = f"{_CHAT}.content.TextBlock"
_CLASS: Mapping[Role, str] = {role: f"{_CHAT}.message.{role.capitalize()}Message" for role in ROLES}
KNOWN = frozenset({_ROOT, _MAP, _BLOCK, *_CLASS.values()})
"""The classes that a text may name."""


@dataclass(frozen=True, slots=True)
class Said:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """`raw` stands in place of all else where it is not None. `at` is when the messages were made, in milliseconds."""

    messages: Sequence[Said] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    raw: str | None = None
    name: str = ""
    at: int = field(default_factory=lambda: int(time.time() * 1000))

    def text(self, profile: Profile) -> str:
        """What `promptJson` holds, to the letter."""
        if self.raw is not None:
            return self.raw
        return _compact({
            TYPE: _ROOT,
            "attrs": {TYPE: _MAP, **self.attrs},
            "messages": [_message(said, profile, self.at) for said in self.messages],
        })  # fmt: skip


def _message(said: Said, profile: Profile, at: int) -> dict[str, Any]:
    message: dict[str, Any] = {TYPE: _CLASS[said.role], "role": ROLES.index(said.role)}
    if profile == "4.0" and said.role != "system":
        message["blocks"] = [{TYPE: _BLOCK, "text": said.content}]
    message["content"] = said.content
    return message if profile == "3.9" else {**message, "createdAt": at}


def _compact(value: Any) -> str:
    """Without blanks between the tokens, as the framework writes."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dump(str(name))}:{_compact(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return dump(value)


EDGES: Mapping[str, str] = {
    "no messages": "{}",
    "an empty list": "[]",
    "null": "null",
    "no class names but that of the message": (
        f'{{"attrs":{{"tenant_id":"1"}},"messages":[{{"{TYPE}":"{_CLASS["user"]}","content":"my order"}}]}}'
    ),
    "a message without its class": '{"messages":[{"role":1,"content":"my order"}]}',
    "no JSON": "my order",
}
"""Texts at the limits of what servers accept, by name: the first four are taken, the others are refused."""


@dataclass(frozen=True, slots=True)
class Remark:
    """`is_risk`: it is not sent before a person has agreed."""

    message: str
    is_risk: bool = False


def remarks(text: str) -> list[Remark]:
    """What a server would make of a text that was not written here. Never raises."""
    try:
        value = numbers.spelled(text)
    except ValueError as error:
        return [Remark(f"this is no JSON ({error}); a server refuses it")]
    if value is None:
        return [Remark("null is read as no prompt; what the skill does then is its own affair")]
    messages = value.get("messages") if isinstance(value, dict) else None
    found = [
        Remark(f"message {number} names no class, so a server cannot make a message of it")
        for number, message in enumerate(messages if isinstance(messages, list) else [], 1)
        if not isinstance(message, dict) or TYPE not in message
    ]
    if not messages:
        found.append(Remark("there is no message, so the skill sees no text of a user"))
    foreign = dict.fromkeys(name for name in _classes(value) if name not in KNOWN)
    return [*found, *(Remark(_risk(name), is_risk=True) for name in foreign)]


def _risk(name: Any) -> str:
    told = name if isinstance(name, str) else numbers.brief(name)
    return f"it names the class {told}: a server with auto-type on makes an object of whatever class is named"


def _classes(value: Any) -> Iterator[Any]:
    """All that is named as a class anywhere in a value, however deep."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            if TYPE in part:
                yield part[TYPE] if isinstance(part[TYPE], str) else numbers.brief(part[TYPE])
            left += part.values()
        elif isinstance(part, list):
            left += part
