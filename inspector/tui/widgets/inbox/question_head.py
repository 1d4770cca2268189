"""What is said of a question above its answer: what it is, how it stands, what is odd about it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from inspector.base import numbers
from inspector.base.text import clip
from inspector.tui import asked, guard
from inspector.tui.registry import spoken
from inspector.tui.widgets.text.facts import Part

if TYPE_CHECKING:
    from inspector.session.inbox import Question
    from inspector.workspace.connection import Connection

_MOST = 4000


def head_parts(
    connection: Connection, question: Question, owner: str, *, sent_at: float | None, low: bool
) -> list[Part]:
    """`owner` is the call that it belongs to, `sent_at` when an answer that waits goes out, on the clock of the loop;
    `low` where there is no room for a conversation below."""
    kind = asked.kind_of(question)
    mark, tone = asked.STATES[question.state]
    facts = [f"{question.state} {asked.waits(question)}", asked.asked_at(question)]
    if not question.ours:
        facts.append(f"{'key' if question.input else 'id'} {clip(guard.line(as_json(question.key)), 40)}")
    if question.row >= 0:
        facts.append(f"frame {question.row}")
    if question.as_task:
        facts.append("as a task")
    if owner:
        facts.append(f"for {clip(owner, 40)}")
    parts: list[Part] = [
        (f"{mark} ", f"bold {tone}"), (asked.KINDS[kind], "bold $foreground"),
        (f"  {' · '.join(facts)}\n", "$quiet"),
    ]  # fmt: skip
    if sent_at is not None:
        left = max(0.0, sent_at - asyncio.get_running_loop().time())
        said = f"The answer is sent in {left:.0f} s; {spoken('inbox.answer')} sends it now.\n"
        parts.append((said, "$text-warning"))
    elif question.due is not None and question.is_open:
        left = max(0.0, question.due - time.time())
        parts.append((f"It is answered by itself in {left:.0f} s; you may answer sooner.\n", "$text-warning"))
    if question.complete:
        parts += [("✓ ", "$text-success"), ("The server says that it is complete.\n", "$foreground")]
    if asked.is_alone(connection, question):
        said = "No call waits for this; the answer is sent all the same.\n"
        parts += [("▲ ", "$text-warning"), (said, "$foreground")]
    if question.problem:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(question.problem)}\n", "$foreground")]
    if not isinstance(question.params, dict) and kind != "roots":
        parts += [("▲ ", "$text-warning"), ("its params are no object; see Request\n", "$foreground")]
    message = question.arguments.get("message")
    if kind in ("form", "link", "limit") and isinstance(message, str):
        parts.append((f"{guard.block(message[: 4 * _MOST])[:_MOST]}\n", "$foreground"))
        if len(message) > _MOST:
            parts.append((f"… of {len(message):,} characters; Request has all\n", "$text-warning"))
    elif kind == "sampling" and low:
        parts.append((f"{clip(asked.subject(question), 160)}\n", "$foreground"))
    elif kind == "other":
        parts.append((f"{guard.line(question.method)[:400]}\n", "$foreground"))
    return parts


def as_json(value: Any) -> str:
    try:
        return numbers.dumps(value)
    except (ValueError, RecursionError):
        return '"cannot be shown; the traffic has it as it came"'
