"""How a question of a server is said: its kind, what it is about, how it stands. Pure; all texts are safe."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from inspector.base.text import clip, duration
from inspector.tui import guard
from inspector.tui.calls import book_of
from inspector.tui.wording import clock

if TYPE_CHECKING:
    from inspector.session.inbox import Question
    from inspector.workspace.connection import Connection

Kind = Literal["form", "link", "sampling", "roots", "limit", "other"]

KINDS: dict[Kind, str] = {
    "form": "elicitation, a form",
    "link": "elicitation, a link",
    "sampling": "sampling",
    "roots": "roots",
    "limit": "asked by mcp-inspect",
    "other": "unknown",
}
_AT_ONCE = 0.05
STATES: dict[str, tuple[str, str]] = {
    "open": ("?", "$text-warning"),
    "answered": ("✓", "$text-success"),
    "declined": ("✗", "$text-error"),
    "refused": ("✗", "$quiet"),
    "cancelled": ("○", "$quiet"),
    "timed out": ("◔", "$text-error"),
    "lost": ("⊘", "$text-error"),
}


def kind_of(question: Question) -> Kind:
    if question.ours:
        return "limit"
    if question.method == "sampling/createMessage":
        return "sampling"
    if question.method == "roots/list":
        return "roots"
    if question.method == "elicitation/create":
        return "link" if question.arguments.get("mode") == "url" else "form"
    return "other"


def subject(question: Question) -> str:
    """What it is about, on one line."""
    given = question.arguments
    kind = kind_of(question)
    if kind in ("form", "link", "limit"):
        text = given.get("message")
    elif kind == "sampling":
        text = _last_words(given.get("messages"))
    else:
        text = question.method
    if not isinstance(text, str) or not text.strip():
        return KINDS[kind]
    return clip(guard.line(text[:2000].strip(), cut=len(text) > 2000), 200)


def waits(question: Question) -> str:
    """How long it has been open, or was."""
    if question.ended_at is None:
        return clock(time.time() - question.asked_at)
    passed = question.ended_at - question.asked_at
    return duration(passed) if passed >= _AT_ONCE else "at once"


def asked_at(question: Question) -> str:
    return time.strftime("%H:%M:%S", time.localtime(question.asked_at))


def owner(connection: Connection, question: Question) -> str:
    """The call that it belongs to, as far as that is known."""
    for call in book_of(connection).running("tools/call"):
        of_task = call.task is not None and any(one is question for one in call.task.asked.values())
        if of_task or (call.pending is not None and call.pending.id == question.owner):
            return guard.line(call.subject)
    return ""


def is_alone(connection: Connection, question: Question) -> bool:
    """Whether no request of ours waits for its answer: it came by itself, or what it came with is over."""
    session = connection.session
    if session is None or not question.is_open or question.input or question.as_task:
        return False
    waiting = session.dispatcher.pending
    return not waiting if question.owner is None else question.owner not in waiting


def _last_words(messages: object) -> str:
    for message in reversed(messages if isinstance(messages, list) else []):
        content = message.get("content") if isinstance(message, dict) else None
        for part in reversed(content if isinstance(content, list) else [content]):
            if isinstance(part, dict) and isinstance(text := part.get("text"), str):
                return text
    return ""
