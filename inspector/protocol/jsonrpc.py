"""Reads JSON-RPC 2.0 messages from bytes without ever raising, and writes ours.

A `Message` says what a frame is and keeps what was read; the bytes themselves stay with whoever holds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from inspector.base import jsontext
from inspector.base.jsontext import Verbatim
from inspector.base.patterns import pattern
from inspector.base.text import is_utf8

Id: TypeAlias = str | int
Kind = Literal["request", "notification", "response", "error", "batch", "invalid"]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
LINKS_FIRST = -32042
"""Addresses are to be visited before the request can be served (spec 2025-11-25: elicitation, URL mode)."""
HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION = -32020, -32021, -32022
"""Of 2026-07-28 (spec: basic, error codes)."""
_CODES = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid request",
    METHOD_NOT_FOUND: "Method not found",
    INVALID_PARAMS: "Invalid params",
    INTERNAL_ERROR: "Internal error",
    -32002: "Resource not found",
    LINKS_FIRST: "URL elicitation required",
    HEADER_MISMATCH: "Header mismatch",
    MISSING_CAPABILITY: "Missing required client capability",
    UNSUPPORTED_VERSION: "Unsupported protocol version",
}


def code_name(code: int) -> str:
    """What an error code means in JSON-RPC (section 5.1) or MCP, in words; the server's own where it is nobody's."""
    if code in _CODES:
        return _CODES[code]
    if -32099 <= code <= -32020:
        return "server error; since 2026-07-28 MCP alone defines this range, and this code is none of it"
    if -32019 <= code <= -32000:
        return "server error, of the range that servers define"
    return "reserved by JSON-RPC, but not defined" if -32768 <= code < -32000 else "the server's own code"


@dataclass(slots=True)
class Message:
    """One frame as it was understood.

    `id` is the id as decoded (anything JSON can hold where a peer misbehaves); `has_id` tells an absent id from
    null. `value` is the decoded JSON (an object for all kinds but batch and invalid). `problem` says what is
    wrong with it, also for messages that are still usable: an answer with both result and error has kind `error`.
    Where `readable` is False only the envelope was understood; the members of `value` hold nothing.
    """

    kind: Kind
    value: Any = None
    id: Any = None
    has_id: bool = False
    method: str | None = None
    problem: str | None = None
    readable: bool = True

    @property
    def is_answer(self) -> bool:
        return self.kind in ("response", "error")


class _NotJson(ValueError):
    pass


def _constant(name: str) -> Any:
    raise _NotJson(f"{name} is no JSON")


BOTH = "an answer with both result and error"
NEITHER = "an answer with neither result nor error"
NO_ID = "an error without the id of a request"
NO_OBJECT = "an error that is no object"
VIOLATIONS = frozenset({BOTH, NEITHER, NO_ID, NO_OBJECT})
"""Problems of an answer that make it one that no client has to accept."""

_decode = json.JSONDecoder(parse_constant=_constant).decode
_WORD = 12
"""Longer than any JSON text that begins with a letter, a line end included."""
_WORDS = b"tfnNI"
"""What those that there are begin with: true, false, null, and what some write for numbers."""


def read(raw: bytes) -> Message:
    """What one line of stdout, one HTTP body or one SSE event is. Never raises.

    A byte order mark and blanks around the text are tolerated; bytes that are not UTF-8 are replaced and the
    message is marked. Text that no reader of ours can take (NaN, too deep, too many digits) has `readable` False,
    with its kind, id and method where those could be recognised.
    """
    if is_words(raw):
        return Message("invalid", problem="not JSON" if is_utf8(raw) else "not UTF-8", readable=False)
    try:
        value = _decode(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return _second_look(raw, error)
    return classify(value)


def is_words(raw: bytes) -> bool:
    """True for a log line, as they come by the million: no reader of JSON has to be asked."""
    return raw[:1].isalpha() and (len(raw) > _WORD or raw[:1] not in _WORDS)


def classify(value: Any) -> Message:
    """The same for a value that is decoded already, as an element of a batch is."""
    if type(value) is dict:
        return _classify(value)
    if type(value) is list:
        problem = None if value and all(type(item) is dict for item in value) else "an array that is no batch"
        return Message("batch", value, problem=problem)
    return Message("invalid", value, problem="JSON, but no JSON-RPC message")


def _classify(value: dict[str, Any]) -> Message:
    has_id = "id" in value
    id_ = value.get("id")
    method = value.get("method")
    problem = None if value.get("jsonrpc") == "2.0" else 'no "jsonrpc": "2.0"'
    if type(method) is str:
        kind: Kind = "request" if has_id else "notification"
        if has_id and not is_id(id_):
            problem = "a request whose id is neither a string nor an integer"
        if "result" in value or "error" in value:
            problem = "a message with both method and result or error"
        return Message(kind, value, id_, has_id, method, problem)
    if "error" in value:
        if "result" in value:
            problem = BOTH
        elif id_ is None:
            problem = NO_ID
        elif type(value["error"]) is not dict:
            problem = NO_OBJECT
        return Message("error", value, id_, has_id, None, problem)
    if "result" in value:
        return Message("response", value, id_, has_id, None, problem)
    if has_id and method is None:
        return Message("error", value, id_, has_id, None, NEITHER)
    return Message("invalid", value, id_, has_id, None, "an object that is no JSON-RPC message")


def _second_look(raw: bytes, error: Exception) -> Message:
    flaw = None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text, flaw = raw.decode("utf-8", "replace"), "not UTF-8"
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return Message("invalid", problem=flaw or "an empty line")
    try:
        message = classify(_decode(text))
    except json.JSONDecodeError as wrong:
        if text.lstrip()[:1] not in "{[":
            return Message("invalid", problem=flaw or "not JSON", readable=False)
        return _broken(text, flaw or f"not JSON: {wrong.msg}, column {wrong.colno}")
    except _NotJson as wrong:
        return _recognise(text, flaw or f"not JSON: {wrong}")
    except RecursionError:
        return _recognise(text, flaw or "JSON nested too deeply to be read")
    except ValueError:
        return _recognise(text, flaw or "JSON with a number too long to be read")
    if flaw:
        message.problem = flaw
    return message


def _recognise(text: str, problem: str) -> Message:
    members = jsontext.envelope(text)
    message = Message("invalid") if members is None else _classify(members)
    message.problem, message.readable = problem, False
    return message


_ANSWER = pattern(
    r'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*'
    r'(0|[1-9][0-9]{0,17}|"[^"\\\x00-\x1f]{1,200}")\s*,\s*"(result|error)"'
)


def _broken(text: str, problem: str) -> Message:
    """Text that is no JSON, but begins as an answer does: whoever waits for it waits no longer."""
    begin = _ANSWER.match(text)
    if begin is None:
        return Message("invalid", problem=problem, readable=False)
    id_ = json.loads(begin.group(1))
    return Message("response", {"id": id_, "result": {}}, id_, True, problem=problem, readable=False)


def is_id(value: Any) -> bool:
    """True for what JSON-RPC as used by MCP allows as an id: a string or an integer, not a boolean."""
    return type(value) is str or type(value) is int


def match_key(id_: Any) -> Id | None:
    """The key under which an id is looked up leniently: 7, 7.0 and "7" are one; None where it is no id."""
    if type(id_) is int:
        return id_
    if type(id_) is float and id_.is_integer():
        return int(id_)
    if type(id_) is str:
        if id_.isascii() and id_.removeprefix("-").isdigit() and len(id_) < 19:
            return int(id_)
        return id_
    return None


def request(id_: Id, method: str, params: Any = None) -> bytes:
    """The bytes of a request, without a line end. Raises ValueError for NaN.

    Members of `params` may be `Verbatim`: they are written as they are.
    """
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": id_, "method": method}
    if params is None:
        return encode(message)
    for part in params.values():
        if type(part) is Verbatim:
            head = _text(message)[:-1]
            return _bytes(f'{head},"params":{_members(params)}}}')
    message["params"] = params
    return encode(message)


def notification(method: str, params: Any = None) -> bytes:
    """The bytes of a notification, without a line end."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    return encode(message)


def result(id_: Any, value: Any) -> bytes:
    """The bytes of a successful answer. Members of a result that is an object may be `Verbatim`."""
    if type(value) is dict and any(type(part) is Verbatim for part in value.values()):
        head = _text({"jsonrpc": "2.0", "id": id_})[:-1]
        return _bytes(f'{head},"result":{_members(value)}}}')
    return encode({"jsonrpc": "2.0", "id": id_, "result": value})


def error(id_: Any, code: int, message: str, data: Any = None) -> bytes:
    """The bytes of an error answer."""
    body: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        body["data"] = data
    return encode({"jsonrpc": "2.0", "id": id_, "error": body})


_SURROGATE = pattern("[\ud800-\udfff]")
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _text(value: Any) -> str:
    if type(value) is Verbatim:
        return value
    try:
        return _encoder.encode(value)
    except ValueError:
        # A number that a peer may send, and that the quick way has no words for.
        return jsontext.dump(value, None)


def _members(value: Mapping[str, Any]) -> str:
    return f"{{{','.join(f'{_text(name)}:{_text(member)}' for name, member in value.items())}}}"


def encode_members(value: Mapping[str, Any]) -> bytes:
    """The same as `encode` for an object, of which members may be `Verbatim`."""
    return _bytes(_members(value))


def encode(value: Any) -> bytes:
    """Compact UTF-8 JSON on one line, of whatever `read` gives. Lone surrogates are written as escapes, numbers beyond
    a double as such a number (`1e999`); raises ValueError for NaN."""
    return _bytes(_text(value))


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # Only within strings can there be one, so the escape of JSON stands for the same character.
        return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text).encode("utf-8")
