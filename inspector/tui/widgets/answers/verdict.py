"""What is said of an answer: how it went, whether it keeps what was promised."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual.content import Content

from inspector.base import jsontext, numbers
from inspector.base.text import bytes_size, clip, decode, duration
from inspector.schema.field import Issue
from inspector.session.answer import Answer
from inspector.tui import guard
from inspector.tui.calls import MARKS
from inspector.tui.widgets.answers import blocks
from inspector.tui.widgets.answers.blocks import Block

if TYPE_CHECKING:
    from inspector.tui.calls import Call

_COMPARED = 1 << 20
"""Characters up to which a text is compared with the structured content beside it."""
_NOTES = 6
"""Most remarks on an answer."""


def summary(call: Call, answer: Answer | None) -> Content:
    """How the call went, how long it took, how much came, in a line."""
    mark, tone = MARKS[call.badge]
    facts = [duration(call.elapsed)]
    if call.task is not None:
        facts.append("as a task")
    if call.rounds:
        facts.append(f"{call.rounds} round{'' if call.rounds == 1 else 's'}")
    if answer is not None:
        facts.append(blocks.counted(answer.result))
    if call.row is not None:
        facts += [bytes_size(call.size), f"frame {call.row}"]
    facts.append(time.strftime("%H:%M:%S", time.localtime(call.at)))
    said = " · ".join(fact for fact in facts if fact)
    return Content.assemble((f"{mark} {call.badge}", f"bold {tone}"), (f"  {said}", "$quiet"))


def promise(call: Call, answer: Answer) -> tuple[Any, Any]:
    """The outputSchema and the structured content that has to fit it; None where there is nothing to compare."""
    result = answer.result
    if not isinstance(call.promised, dict) or call.badge != "ok" or not isinstance(result, dict):
        return None, None
    return (call.promised, result["structuredContent"]) if "structuredContent" in result else (None, None)


def answer_text(call: Call, answer: Answer | None) -> str:
    """What two answers are compared by: the result, the error, or why there is none. JSON where it can be; foreign."""
    if answer is not None:
        raw = decode(answer.raw)
        return jsontext.pick(raw, "result") or jsontext.pick(raw, "error") or raw
    return call.failure.message if call.failure is not None else "(not held any more)"


def remarks(
    call: Call, answer: Answer, shown: list[Block], structured: str | None, issues: list[Issue]
) -> list[Content]:
    """What is to be said about a result beside itself: whether it keeps its promise, and what is odd about it.
    `structured` is its structured content as JSON, where it has some; `issues` are those between that and the
    outputSchema."""
    said: list[Content] = []
    odd = [guard.message(note) for note in answer.notes]
    result = answer.result
    if isinstance(call.promised, dict) and call.badge == "ok" and isinstance(result, dict):
        if "structuredContent" not in result:
            odd.append("the tool has an outputSchema, but the answer has no structuredContent")
        elif issues:
            odd += [
                f"outputSchema: {guard.line(path) or 'the whole'}: {guard.message(text)}"
                for path, text in issues[:_NOTES]
            ]
        else:
            said.append(_fine("fits its outputSchema"))
    if structured is not None and (same := _same_as_text(structured, shown)) is not None:
        if same:
            said.append(_fine("structured = text"))
        else:
            odd.append("the text holds other JSON than structuredContent")
    both = [Content("  ").join(said)] if said else []
    odd_ones = [Content.assemble(("▲ ", "$text-warning"), (clip(note, 400), "$foreground")) for note in odd]
    return [*both, *odd_ones][:_NOTES]


def _same_as_text(structured: str, shown: list[Block]) -> bool | None:
    """Whether a text of the answer is the structured content; None where no text is JSON."""
    texts = [block.text for block in shown if block.kind == "text" and block.holds_json]
    if not texts or len(structured) > _COMPARED or sum(map(len, texts)) > _COMPARED:
        return None
    try:
        value = numbers.spelled(structured)
        return any(numbers.same(numbers.spelled(text), value) for text in texts)
    except (ValueError, RecursionError):
        return None


def _fine(text: str) -> Content:
    return Content.assemble(("✓ ", "$text-success"), (text, "$quiet"))
