"""Asks a server how an argument may go on (`completion/complete`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed
from inspector.schema.field import Field, Report
from inspector.tui import guard
from inspector.tui.widgets.forms.suggestions import Proposals, Propose

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_TIMEOUT = 10.0
_CONTEXT_SINCE = "2025-06-18"


def proposer(connection: Connection, ref: dict[str, Any]) -> Propose | None:
    """For the form of a prompt or template; None where the server does not declare completions."""
    if not connection.offers("completions"):
        return None

    async def propose(field: Field, typed: str) -> Proposals:
        name, others = _argument(field)
        params: dict[str, Any] = {"ref": ref, "argument": {"name": name, "value": typed}}
        version = connection.session.version if connection.session is not None else None
        if others and (version or "") >= _CONTEXT_SINCE:
            params["context"] = {"arguments": others}
        try:
            answer = await connection.request("completion/complete", params, timeout=_TIMEOUT)
        except Failed as failed:
            return Proposals(more=f"No proposals: {guard.message(failed.failure.message)}")
        if answer.failure is not None:
            return Proposals(more=f"No proposals: {guard.message(answer.failure.message)}")
        return _read(answer.result)

    return propose


def _argument(field: Field) -> tuple[str, dict[str, str]]:
    """The name of the argument that a field is in, and the others that are filled in; a list as its parts with commas
    between."""
    part = field
    while part.parent is not None and part.parent.parent is not None:
        part = part.parent
    entered = part.parent.emit("", Report()) if part.parent is not None else {}
    others: dict[str, str] = {}
    for name, value in entered.items():
        if isinstance(value, list):
            value = ",".join(item for item in value if isinstance(item, str))
        if name != part.name and isinstance(value, str) and value:
            others[name] = value
    return part.name, others


def _read(result: Any) -> Proposals:
    completion = result.get("completion") if isinstance(result, dict) else None
    values = completion.get("values") if isinstance(completion, dict) else None
    if not isinstance(completion, dict) or not isinstance(values, list):
        return Proposals(more="No proposals: the answer has no list of values.")
    usable = [value for value in values if isinstance(value, str)]
    notes: list[str] = []
    total = completion.get("total")
    if type(total) is int and total > len(values):
        notes.append(f"… {total - len(values):,} more; type on")
    elif completion.get("hasMore") is True:
        notes.append("… more; type on")
    if (odd := len(values) - len(usable)) > 0:
        notes.append("1 value is no text" if odd == 1 else f"{odd:,} values are no text")
    return Proposals(usable, " · ".join(notes))
