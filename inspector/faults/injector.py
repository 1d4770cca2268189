"""Decides message by message what goes wrong, and what is written in its place."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from inspector.base import jsontext, numbers
from inspector.faults.kinds import Fault

_FORGOTTEN = 10_000
"""Requests whose method is remembered until they are answered, at most."""


class Step(NamedTuple):
    """Bytes of a frame to be written after so many seconds. `ends`: the frame ends here, its line end is due. `exit`:
    the server ends, with this code, in place of all that follows. `held`: it comes behind the next frame of its way,
    after `wait` at the latest."""

    data: bytes = b""
    wait: float = 0.0
    ends: bool = True
    exit: int | None = None
    held: bool = False


class Exchange(NamedTuple):
    """What goes wrong with one HTTP exchange; nothing where all is None or False. `status` answers in the server's
    place, with `text`."""

    status: int | None = None
    text: str = ""
    content_type: str | None = None
    breaks: bool = False
    second_endpoint: str | None = None
    loses_session: bool = False


class Injector:
    """One for a conversation, and for the threads of both its ways. Frames are the bytes of one message, without a line
    end; they are never changed unless a fault hits them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = [_Aimed(fault) for fault in faults]
        self._methods: dict[Any, str] = {}
        self._lock = threading.Lock()

    def has(self, kind: str) -> bool:
        """Whether a fault of this kind was asked for at all."""
        return any(aimed.fault.kind == kind for aimed in self._faults)

    def asked(self, frame: bytes) -> None:
        """The client sent this: what answers it belongs to its method."""
        for message in _messages(frame):
            if isinstance(method := message.get("method"), str) and "id" in message:
                with self._lock:
                    if len(self._methods) > _FORGOTTEN:
                        self._methods.pop(next(iter(self._methods)))
                    self._methods[_key(message["id"])] = method

    def sent(self, frame: bytes) -> list[Step]:
        """The server sends this: what is written in its place."""
        fault = self._hits("message", self._method(frame))
        return [Step(frame)] if fault is None else _wrong(fault, frame)

    def exchange(self, frame: bytes, verb: str = "POST") -> Exchange:
        """What goes wrong with the exchange of a request of the client. Of a request without a frame, such as GET, the
        verb is its method."""
        method = next((str(message["method"]) for message in _messages(frame) if "method" in message), verb)
        found = Exchange()
        for aimed in self._faults:
            fault = aimed.fault
            if fault.where != "http" or not aimed.hits(method):
                continue
            if fault.kind == "status":
                found = found._replace(status=fault.number, text=fault.text)
            elif fault.kind == "content-type":
                found = found._replace(content_type=fault.text)
            elif fault.kind == "broken-sse":
                found = found._replace(breaks=True)
            elif fault.kind == "second-endpoint":
                found = found._replace(second_endpoint=fault.text)
            else:
                found = found._replace(loses_session=True)
        return found

    def _hits(self, where: str, method: str) -> Fault | None:
        """The first fault that hits; all of them count the message."""
        hit = [aimed.fault for aimed in self._faults if aimed.fault.where == where and aimed.hits(method)]
        return hit[0] if hit else None

    def _method(self, frame: bytes) -> str:
        for message in _messages(frame):
            if isinstance(method := message.get("method"), str):
                return method
            with self._lock:
                return self._methods.pop(_key(message.get("id")), "")
        return ""


class _Aimed:
    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self._seen = 0
        self._chance = random.Random(fault.seed)

    def hits(self, method: str) -> bool:
        if not fnmatchcase(method, self.fault.method):
            return False
        self._seen += 1
        if self.fault.nth and self._seen != self.fault.nth:
            return False
        return self.fault.p >= 1 or self._chance.random() < self.fault.p


def _wrong(fault: Fault, frame: bytes) -> list[Step]:
    kind = fault.kind
    if kind == "delay":
        return [Step(frame, fault.number / 1000)]
    if kind == "reorder":
        return [Step(frame, fault.number / 1000, held=True)]
    if kind == "drop":
        return []
    if kind == "duplicate":
        return [Step(frame), Step(frame)]
    if kind == "invalid-json":
        return [Step(frame.rstrip()[:-1])]
    if kind == "partial-line":
        half = len(frame) // 2
        return [Step(frame[:half], ends=False), Step(frame[half:], fault.number / 1000)]
    if kind == "noise":
        return [Step(fault.text.encode()), Step(frame)]
    if kind == "exit":
        return [Step(exit=fault.number)]
    return [Step(_rewritten(fault, frame))]


def _rewritten(fault: Fault, frame: bytes) -> bytes:
    """A message with another id or more in it; what is no object stays as it is."""
    found = _messages(frame)
    if len(found) != 1:
        return frame
    message = found[0]
    if fault.kind == "huge":
        place = next(
            (message[key] for key in ("result", "params") if isinstance(message.get(key), dict)), message
        )
        meta = place.get("_meta")
        place["_meta"] = {**(meta if isinstance(meta, dict) else {}), "padding": "x" * fault.number}
    elif "id" in message:
        id_ = message["id"]
        if fault.kind == "wrong-id":
            message["id"] = id_ + 1_000_000 if isinstance(id_, int) else f"{id_}-of-another"
        elif isinstance(id_, str):
            message["id"] = int(id_) if id_.isascii() and id_.isdigit() else 0
        else:
            message["id"] = str(id_)
    return jsontext.dump(message, None, blanks=False).encode("utf-8", "surrogatepass")


def _messages(frame: bytes) -> list[dict[str, Any]]:
    """The message of a frame, those of a batch; none where it cannot be read."""
    try:
        value = numbers.spelled(frame.decode("utf-8"))
    except ValueError:
        return []
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _key(id_: Any) -> Any:
    """Ids as they are told apart: 7 and "7" are two."""
    return (type(id_).__name__, str(id_))
