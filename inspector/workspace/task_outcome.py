"""What a task of 2026-07-28 came to, taken out of the answer that told of it (ext-tasks: tasks, task status)."""

from __future__ import annotations

from dataclasses import replace

from inspector.base.errors import Failure
from inspector.base.jsontext import Verbatim, pick
from inspector.base.text import clip, decode
from inspector.protocol import jsonrpc
from inspector.session.answer import Answer

_HOLDS = {"completed": "result", "failed": "error"}


def outcome(answer: Answer) -> Answer:
    """The result or the error as if the call itself had been answered with it, as it stands in `tasks/get`; the rows
    stay those of that request. What holds neither is told in `flaw`."""
    value = answer.result if isinstance(answer.result, dict) else {}
    status = value.get("status")
    member = _HOLDS.get(status, "") if isinstance(status, str) else ""
    text = pick(decode(answer.raw).removeprefix("\ufeff"), "result", member)
    if text is not None and isinstance(value.get(member), dict):
        body = {"jsonrpc": "2.0", "id": answer.message.id, member: Verbatim(text)}
        raw = jsonrpc.encode_members(body)
        return replace(answer, raw=raw, message=jsonrpc.read(raw))
    said = value.get("statusMessage")
    why = f": {clip(said, 400)}" if isinstance(said, str) and said else ""
    if status == "cancelled":
        flaw = Failure(kind="cancelled", message=f"the task was cancelled{why}", hint="call again")
    else:
        flaw = Failure(
            kind="protocol",
            message=f"the task is {clip(str(status), 40)}, but holds no {member or 'result'}{why}",
            hint="see the raw frame in the traffic",
        )
    return replace(answer, flaw=flaw)
