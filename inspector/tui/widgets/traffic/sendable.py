"""A frame as it can be sent again: its method, and its parameters without what the session adds to each request."""

from __future__ import annotations

from inspector.base import jsontext, numbers
from inspector.base.text import decode
from inspector.protocol.revisions import PREFIX


def sendable(raw: bytes) -> tuple[str, str]:
    """Method and params of a frame of ours, laid out; both empty for what is no request or notification."""
    try:
        message = numbers.spelled(decode(raw))
    except ValueError:
        return "", ""
    method, params = (
        (message.get("method"), message.get("params")) if isinstance(message, dict) else (None, None)
    )
    if not isinstance(method, str):
        return "", ""
    if isinstance(params, dict) and isinstance(meta := params.get("_meta"), dict):
        own = {name: value for name, value in meta.items() if name != "progressToken" and PREFIX not in name}
        rest = {name: value for name, value in params.items() if name != "_meta"}
        params = {**rest, "_meta": own} if own else rest
    return method, jsontext.dump(params, 2) if params else ""
