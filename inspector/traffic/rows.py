"""A row as it is shown: the facts of its columns, and what its bytes say in one line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from inspector.base.text import bytes_size, decode
from inspector.protocol.jsonrpc import Message
from inspector.traffic.correlate import id_number, message_of
from inspector.traffic.index import (
    EXCHANGE,
    INVALID,
    KIND_OF,
    KINDS,
    PART,
    PENDING,
    STATES,
    STDERR,
    SYSTEM,
    Columns,
    Kind,
    State,
)  # fmt: skip
from inspector.traffic.lines import BROKEN, CHANNELS, FLAGS, HTTP, S2C, Channel
from inspector.traffic.spool import Spool

LONG = 1 << 16
"""Rows over this many bytes are not decoded for show; their columns and a look at both ends must do."""
_SUMMARY = 300
_KIND_OF_CHANNEL = (INVALID, INVALID, STDERR, SYSTEM, PART)


@dataclass(frozen=True, slots=True)
class Row:
    """One row. Texts are foreign and unescaped; `time` is in seconds since `Traffic.base_time`.

    `method` and `target` (tool or prompt) of an answer are those of its request. `peer` is the row of the
    answer, of the request, of the request a progress or cancel belongs to, or of the end of an HTTP exchange.
    `took` is the time between the two, in seconds. `status` is that of an HTTP exchange. `note` is of a person.
    """

    number: int
    time: float
    session: int
    server: str
    channel: Channel
    kind: Kind
    method: str | None
    target: str | None
    id: Any
    has_id: bool
    size: int
    peer: int | None
    took: float | None
    state: State
    status: int | None
    exchange: int | None
    flags: tuple[str, ...]
    summary: str
    note: str = ""


_ID = re.compile(rb'"id"\s{0,9}:\s{0,9}("(?:[^"\\]|\\.){0,400}"|-?\d{1,30})')


def row_at(columns: Columns, spool: Spool, position: int, first: int, server: str) -> Row:
    """The row at a position; `first` is the number of the row at position 0."""
    channel = columns.channel[position]
    known = position < columns.described
    kind = columns.kind[position] if known else _KIND_OF_CHANNEL[channel]
    peer = columns.peer[position] if known else 0
    method = columns.names.name(columns.method[position]) if known else None
    target = columns.names.name(columns.target[position]) if known else None
    state = STATES[columns.state[position]] if known else ""
    status = (columns.id[position] or None) if known and kind == EXCHANGE else None
    id_: Any = None
    has_id = False
    if channel <= S2C and (columns.size[position] <= LONG or not known):
        raw = spool.raw(position)
        message = message_of(raw)
        kind, id_, has_id = KIND_OF[message.kind], message.id, message.has_id
        method = method or message.method
        told = summary(message, raw)
    elif channel <= S2C:
        id_, has_id = _long_id(columns.id[position], spool, position)
        told = _long_summary(KINDS[kind], state, method, target) or text_of(spool.head(position, 2000))
    elif channel == HTTP:
        told = part_summary(spool.raw(position), status)
    else:
        told = text_of(spool.head(position, 2000))
    flags = columns.flags[position]
    if flags & BROKEN:
        told = text_of(f"line {spool.line_number(position)} cannot be read: {told}".encode())
    return Row(
        number=first + position,
        time=columns.time[position],
        session=columns.session[position],
        server=server,
        channel=CHANNELS[channel],
        kind=KINDS[kind],
        method=method,
        target=target,
        id=id_,
        has_id=has_id,
        size=columns.size[position],
        peer=peer - 1 if peer > first else None,
        took=_took(columns, position, kind, peer - 1 - first),
        state=state,
        status=status,
        exchange=columns.exchange[position] or None,
        flags=tuple(name for name, bit in FLAGS.items() if flags & bit),
        summary=told,
    )


def _took(columns: Columns, position: int, kind: int, peer: int) -> float | None:
    if peer < 0 or kind == PART or columns.state[position] == PENDING:
        return None
    return abs(columns.time[position] - columns.time[peer])


def _long_id(number: int, spool: Spool, position: int) -> tuple[Any, bool]:
    """The id of a long message, looked for at both ends by the number it is known by."""
    if not number:
        return None, False
    for match in (*_ID.finditer(spool.head(position, 1000)), *_ID.finditer(spool.tail(position, 1000))):
        try:
            id_ = json.loads(match.group(1))
        except ValueError:
            continue
        if id_number(id_) == number:
            return id_, True
    message = message_of(spool.raw(position))
    return message.id, message.has_id


def _long_summary(kind: Kind, state: State, method: str | None, target: str | None) -> str:
    if kind in ("request", "notification"):
        return " ".join(filter(None, (method, target)))
    if kind == "response":
        return "tool error" if state == "tool error" else "ok"
    return kind if kind in ("error", "batch") else ""


def summary(message: Message, raw: bytes) -> str:
    """A frame in a line: method and subject, or outcome."""
    return _short(_summary(message, raw))


def _summary(message: Message, raw: bytes) -> str:
    if message.kind in ("request", "notification"):
        told = _subject(message.method or "", message.value.get("params"))
        return f"{message.method} {told}" if told else str(message.method)
    if message.kind == "response":
        return _result(message.value.get("result"))
    if message.kind == "error":
        return _error(message)
    if message.kind == "batch":
        return f"batch of {len(message.value)}"
    return text_of(raw)


def _subject(method: str, params: Any) -> str:
    if type(params) is not dict:
        return ""
    if method == "notifications/progress":
        total = params.get("total")
        done = f"{_scalar(params.get('progress'))}{f'/{_scalar(total)}' if total is not None else ''}"
        return f"{done} {_scalar(params.get('message'))}".strip()
    if method == "notifications/message":
        return f"{_scalar(params.get('level'))}: {_plain(params.get('data'))}"
    if method == "notifications/cancelled":
        return f"{_scalar(params.get('requestId'))} {_scalar(params.get('reason'))}".strip()
    if method == "initialize":
        return _scalar(params.get("protocolVersion"))
    if method in ("subscriptions/listen", "notifications/subscriptions/acknowledged"):
        wanted = params.get("notifications")
        return ", ".join(wanted) if type(wanted) is dict else ""
    if method in ("notifications/tasks/status", "notifications/tasks"):
        return _task(params)
    if (given := _given(params)) and "name" in params:
        return f"{_scalar(params['name'])} {given}"
    for key in ("name", "uri", "taskId", "message", "level"):
        if key in params:
            return _scalar(params[key])
    return ""


def _given(params: dict[str, Any]) -> str:
    """That this request comes back with the input it was asked for (spec 2026-07-28: multi round-trip requests)."""
    given = params.get("inputResponses")
    if type(given) is dict:
        return f"with input: {', '.join(given)}"
    return "once more" if "requestState" in params else ""


def _task(task: dict[str, Any]) -> str:
    """How a task stands."""
    return f"{_scalar(task.get('status'))} {_scalar(task.get('statusMessage'))}".strip()


def _result(result: Any) -> str:
    if type(result) is not dict:
        return f"ok {_plain(result)}"
    if result.get("resultType") == "input_required":
        asked = result.get("inputRequests")
        return f"asks for {', '.join(asked) if type(asked) is dict and asked else 'the same again'}"
    if type(versions := result.get("supportedVersions")) is list:
        return f"ok {', '.join(_scalar(version) for version in versions)}"
    if result.get("isError") is True:
        return f"tool error: {_first_text(result.get('content'))}"
    if type(task := result.get("task", result)) is dict and "taskId" in task:
        made = task is not result or result.get("resultType") == "task"
        return f"ok {'task ' if made else ''}{_task(task)}"
    if type(action := result.get("action")) is str:
        return f"ok {_scalar(action)}"
    for key in (
        "tools",
        "resources",
        "resourceTemplates",
        "prompts",
        "contents",
        "messages",
        "roots",
        "tasks",
    ):
        if type(items := result.get(key)) is list:
            name = "templates" if key == "resourceTemplates" else key
            return f"ok {len(items)} {name[:-1] if len(items) == 1 else name}"
    if type(info := result.get("serverInfo")) is dict:
        told = (
            _scalar(info.get("name")),
            _scalar(info.get("version")),
            _scalar(result.get("protocolVersion")),
        )
        return " ".join(("ok", *filter(None, told)))
    text = _first_text(result.get("content"))
    return f"ok {text}" if text else "ok"


def _error(message: Message) -> str:
    error = message.value.get("error")
    if type(error) is not dict:
        return message.problem or "error"
    return f"{_scalar(error.get('code'))} {_scalar(error.get('message'))}".strip()


def _first_text(content: Any) -> str:
    content = [content] if type(content) is dict else content
    if type(content) is not list:
        return ""
    for block in content:
        if type(block) is dict and type(text := block.get("text")) is str:
            return text.strip()
    return ", ".join(_scalar(block.get("type")) for block in content if type(block) is dict)


def _scalar(value: Any) -> str:
    if value is None or type(value) in (dict, list):
        return ""
    if type(value) is str:
        return value[:_SUMMARY]
    return _plain(value)


def _plain(value: Any) -> str:
    if type(value) is str:
        return value[:_SUMMARY]
    try:
        return json.dumps(value, ensure_ascii=False)[:_SUMMARY]
    except (ValueError, RecursionError):
        return "…"


def part_summary(raw: bytes, status: int | None) -> str:
    """A part of an HTTP exchange in a line; the first one shows the status of the whole."""
    try:
        part = json.loads(raw)
    except (ValueError, RecursionError):
        return text_of(raw)
    if type(part) is not dict:
        return text_of(raw)
    if type(request := part.get("request")) is dict:
        told = f"{_scalar(request.get('method'))} {_scalar(request.get('url'))}"
        return _short(f"{told} {status}" if status else told)
    if type(response := part.get("response")) is dict:
        return f"response {_scalar(response.get('status'))}"
    if type(event := part.get("event")) is dict:
        return _short(f"event {_scalar(event.get('field'))}: {_scalar(event.get('value'))}")
    if "end" in part:
        return _short(f"end: {_scalar(part['end'])}")
    body = part.get("body")
    return _short(f"body {_scalar(body)}") if type(body) is str else f"body {bytes_size(len(raw))} in base64"


def text_of(raw: bytes) -> str:
    """The beginning of a row that is no message."""
    return _short(decode(raw[: 4 * _SUMMARY]).rstrip("\r\n"))


def _short(text: str) -> str:
    return text if len(text) <= _SUMMARY else text[: _SUMMARY - 1] + "…"
