"""A conversation as far as it has gone: what rules may ask about what came before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from inspector.base.paths import APP
from inspector.check.unreal import PROBING
from inspector.protocol.jsonrpc import Message
from inspector.protocol.listing import LISTS, ListKind
from inspector.protocol.revisions import PREFIX, revision
from inspector.traffic.exchanges import Exchange

T = TypeVar("T")
Held = TypeVar("Held", dict[Any, Any], set[Any], list[Any])
_KEPT, _LINES = 1 << 12, 3
_REQUESTS, _BYTES = 1 << 13, 1 << 24
"""The latest requests that are remembered, and how much all of them may be."""
_CARRIED, _BODY = 1000, 1 << 20
VERSION_KEY, CLIENT_KEY = f"{PREFIX}protocolVersion", f"{PREFIX}clientCapabilities"
INFO_KEY = f"{PREFIX}clientInfo"


def members(value: Any) -> Mapping[str, Any]:
    """An object as it is; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def url_parts(url: str) -> SplitResult:
    """Those of a URL as it is; empty ones where it cannot be read."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def items(value: Any) -> list[Any]:
    """A list as it is; an empty one for anything else."""
    return value if isinstance(value, list) else []


@dataclass(eq=False, slots=True)
class Frame:
    """One message. `version` is the one it was spoken in, None where nobody said; `request` is what it answers, or what
    a progress or cancel belongs to. `state` and `flags` are those of its row. `at` is where it stands in its row:
    within a batch."""

    seq: int
    time: float
    sent: bool
    message: Message
    raw: bytes
    state: str = ""
    flags: int = 0
    version: str | None = None
    request: Frame | None = None
    trip: Trip | None = None
    at: str = ""
    answered: bool = False
    """Of a request: whether nobody waits any more."""

    @property
    def method(self) -> str | None:
        """That of the request, for an answer."""
        if self.message.method is None and self.message.is_answer and self.request is not None:
            return self.request.message.method
        return self.message.method

    @property
    def params(self) -> Mapping[str, Any]:
        return members(members(self.message.value).get("params"))

    @property
    def result(self) -> Mapping[str, Any]:
        return members(members(self.message.value).get("result"))

    @property
    def error(self) -> Mapping[str, Any]:
        return members(members(self.message.value).get("error"))

    @property
    def meta(self) -> Mapping[str, Any]:
        """Of the params, or of the result."""
        return members((self.result if self.message.is_answer else self.params).get("_meta"))

    @property
    def probing(self) -> bool:
        """Whether it was sent to see how a server takes what it has to refuse."""
        named = self.message.id
        return PROBING in self.meta or (isinstance(named, str) and named.startswith(PROBING))

    @property
    def declared(self) -> Mapping[str, Any]:
        """The capabilities of the client that a request of 2026-07-28 names."""
        return members(self.meta.get(CLIENT_KEY))


@dataclass(eq=False, slots=True)
class Trip:
    """An HTTP exchange with the messages that it carried."""

    exchange: Exchange
    frames: list[Frame] = field(default_factory=list)
    row: int = 0
    """Its first row."""
    priming: list[tuple[str, str]] = field(default_factory=list)
    """What its event stream held before the first message."""

    def take(self, frame: Frame) -> None:
        """Takes a message; of a stream that goes on and on those in the middle are let go."""
        if len(self.frames) >= _CARRIED:
            del self.frames[_CARRIED // 2]
        self.frames.append(frame)

    def part(self, time: float, raw: bytes) -> None:
        """Takes a part that is no message, within the same bounds."""
        exchange, held = self.exchange, len(self.exchange.events)
        if len(exchange.body) < _BODY or not raw.startswith(b'{"body'):
            exchange.add(time, raw)
        if not self.frames or self.frames[-1].sent:
            self.priming += [(name, value) for _, name, value in exchange.events[held:]][
                : _CARRIED - len(self.priming)
            ]
        if len(exchange.events) > _CARRIED:
            del exchange.events[_CARRIED // 2]

    def header(self, name: str) -> str | None:
        """Of the answer."""
        return _header(self.exchange.response_headers, name)

    def said(self, name: str) -> str | None:
        """A header of the request."""
        return _header(self.exchange.request_headers, name)

    @property
    def posted(self) -> list[Frame]:
        return [frame for frame in self.frames if frame.sent]

    @property
    def came(self) -> list[Frame]:
        return [frame for frame in self.frames if not frame.sent]

    @property
    def media(self) -> str:
        """The media type of the answer, in lower case without parameters."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()


def _header(headers: list[tuple[str, str]], name: str) -> str | None:
    return next((value for key, value in headers if key.lower() == name), None)


@dataclass(eq=False, slots=True)
class Walk:
    """The reading of a list: what it holds so far, and what it held before, with the rows where each began."""

    names: list[str] = field(default_factory=list)
    row: int = 0
    cursor: Any = None
    """That of the page that comes next."""
    before: list[str] | None = None
    before_row: int = 0
    told: bool = False


class Talk:
    """With one server, over one connection. `version` is the one in use, `server` what it declared, `client` what the
    client did. `tools` are the definitions that were listed, by name."""

    def __init__(self, label: str, facts: Mapping[str, Any], known: dict[str, Any]) -> None:
        """`known` is what rules remember of the server in all its conversations."""
        self.label = label
        self.row = 0
        """The latest row of it."""
        self.first: float | None = None
        """When it began."""
        self.stderr: deque[str] = deque(maxlen=_LINES)
        self._known = known
        url = facts.get("url")
        self.url = url if isinstance(url, str) else ""
        """Of the server; empty where it has none."""
        self.version: str | None = None
        self.offered: str | None = None
        self.begun = False
        """Whether the client said that it is ready."""
        self.capabilities: Mapping[str, Any] | None = None
        self.client: Mapping[str, Any] = {}
        self.tools: dict[str, Mapping[str, Any]] = {}
        self.all_tools = False
        """Whether they were listed to the end."""
        self.prompts: dict[str, Mapping[str, Any]] = {}
        self.resources: dict[str, Mapping[str, Any]] = {}
        self.changed: dict[str, tuple[int, int]] = {}
        """Kinds of lists that changed between two readings, with the rows of both, while nobody told so."""
        self.shuffled: dict[str, tuple[int, int]] = {}
        """The same of those that changed in nothing but their order."""
        self._walks: dict[ListKind, Walk] = {}
        self._requests: dict[int, Frame] = {}
        self._waiting: dict[int, Frame] = {}
        self._size = 0
        self.trips: dict[int, Trip] = {}
        self.last: Frame | None = None
        self.discovered: Mapping[str, Any] = {}
        """The latest result of `server/discover`."""
        self.handshakes = 0
        self.asked = 0
        """How many requests the client sent."""
        self.settled = False
        """Whether a handshake is for good, as on stdio; what a server makes of another era after it is its
        own affair."""
        self.ours = False
        """Whether the client is this program. What it breaks was sent by hand, or to see how the server takes it."""
        self.malformed = False
        """Whether the client sent something that no server can read."""
        self.cancelled: dict[int, float] = {}
        """When requests were cancelled, by their row."""
        self.http = facts.get("transport") in ("http", "sse")
        self.old_sse = facts.get("transport") == "sse"
        """Whether it is HTTP+SSE, as 2024-11-05 has it."""
        self.log_level: Any = None
        self.subscribed: set[str] = set()
        """Addresses of resources; those of 2026-07-28 stand in `listens`."""
        self.listens: list[Frame] = []
        self.tasks_of: set[int] = set()
        """Requests that became tasks, by their row."""
        self._kept: dict[str, Any] = {}

    @property
    def modern(self) -> bool:
        return self.version is not None and revision(self.version).era == "modern"

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """What a rule remembers."""
        return _bounded(self._kept, name, make)

    def known(self, name: str, make: Callable[[], T]) -> T:
        """The same, of the server in all its conversations: another connection may go on with it."""
        return _bounded(self._known, name, make)

    def whole(self, kind: ListKind) -> list[str] | None:
        """The names in a list as it was last read to the end, while nobody told that it changed."""
        walk = self._walks.get(kind)
        return None if walk is None or walk.told else walk.before

    def reaches(self, trip: Trip) -> bool:
        """Whether an exchange is with the server itself: not with one that logs in, nor with a place of metadata."""
        there, here = url_parts(trip.exchange.url), url_parts(self.url)
        return not here.netloc or (there.netloc, there.path.rstrip("/")) == (
            here.netloc,
            here.path.rstrip("/"),
        )

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability, in full or as true. True where nobody knows what it declared."""
        if self.capabilities is None:
            return True
        value: Any = self.capabilities
        for name in path:
            value = members(value).get(name)
        return value is not None and value is not False

    def request(self, row: int) -> Frame | None:
        """The request in a row, among the latest."""
        return self._requests.get(row)

    def waiting(self) -> Iterator[Frame]:
        """The requests that nobody answered."""
        return iter(self._waiting.values())

    def _keep(self, frame: Frame) -> None:
        self._requests[frame.seq] = self._waiting[frame.seq] = frame
        self._size += len(frame.raw)
        while len(self._requests) > _REQUESTS or (self._size > _BYTES and len(self._requests) > 1):
            oldest = self._requests.pop(next(iter(self._requests)))
            self._size -= len(oldest.raw)
            if len(self._waiting) > _REQUESTS or len(oldest.raw) > _BYTES // _REQUESTS:
                self._waiting.pop(oldest.seq, None)

    def _settle(self, request: Frame) -> None:
        """Nobody waits for its answer any more."""
        request.answered = True
        self._waiting.pop(request.seq, None)

    def learn(self, frame: Frame) -> None:
        """Takes what a message tells about the conversation, before rules are shown it."""
        self.last = frame
        self.first = frame.time if self.first is None else self.first
        if frame.message.kind == "request":
            self._keep(frame)
        if frame.message.is_answer and frame.request is not None:
            self._settle(frame.request)
        if frame.sent:
            self._sent(frame)
        elif frame.request is not None and frame.message.kind == "response":
            self._answered(frame, frame.request)
        elif frame.message.method is not None:
            self._told(frame.message.method)

    def _sent(self, frame: Frame) -> None:
        method, params = frame.message.method, frame.params
        self.asked += frame.message.kind == "request"
        self.malformed = self.malformed or frame.message.problem is not None
        named = frame.meta.get(VERSION_KEY)
        about = params.get("clientInfo") if method == "initialize" else frame.meta.get(INFO_KEY)
        self.ours = self.ours or members(about).get("name") == APP
        if method == "initialize":
            offered = params.get("protocolVersion")
            self.offered = frame.version = offered if isinstance(offered, str) else None
            self.client = members(params.get("capabilities"))
            self.handshakes += 1
        elif isinstance(named, str) and not self.settled:
            frame.version = named
            if method != "server/discover":
                self.version = named
        elif frame.message.kind == "request" and self.modern:
            frame.version = None  # it does not say, as it must: how the server takes it is its own affair
        else:
            frame.version = self.version
        if method == "initialize":
            self.begun = False
            self._walks.clear()
        elif method == "notifications/initialized":
            self.begun = True
        elif method == "subscriptions/listen" and len(self.listens) < _KEPT:
            self.listens.append(frame)
        elif method == "resources/subscribe" and isinstance(params.get("uri"), str):
            self.subscribed.add(params["uri"])
        if method == "notifications/cancelled" and frame.request is not None:
            self._settle(frame.request)
            self._note(self.cancelled)[frame.request.seq] = frame.time

    def _answered(self, frame: Frame, request: Frame) -> None:
        result, method = frame.result, frame.method
        if method == "initialize":
            chosen = result.get("protocolVersion")
            self.version = frame.version = chosen if isinstance(chosen, str) else self.offered
            self.capabilities = members(result.get("capabilities"))
            self.settled = not self.http
        elif method == "server/discover":
            self.discovered = result
            spoken = result.get("supportedVersions")
            if isinstance(spoken, list) and request.version not in spoken:
                request.version = None  # how it takes a version that it does not speak is its own affair
            self.capabilities = members(result.get("capabilities"))
            self.version = self.version or request.version
        elif method == "logging/setLevel":
            self.log_level = request.params.get("level")
        elif "task" in result or result.get("resultType") == "task":
            self._note(self.tasks_of).add(request.seq)
        elif method is not None and method in LIST_OF:
            self._listed(LIST_OF[method], frame, request)

    def _note(self, held: Held) -> Held:
        """Something that is about to grow; what has grown beyond all measure begins anew."""
        if len(held) > _KEPT:
            held.clear()
        return held

    def _listed(self, kind: ListKind, frame: Frame, request: Frame) -> None:
        held: dict[str, dict[str, Mapping[str, Any]]] = {
            "tools": self.tools, "prompts": self.prompts, "resources": self.resources,
        }  # fmt: skip
        walk = self._walks.setdefault(kind, Walk())
        asked = request.params.get("cursor")
        if asked is None:
            walk.names, walk.row = [], frame.seq
        elif asked != walk.cursor:
            return  # not the next page
        walk.cursor = frame.result.get("nextCursor")
        for entry in entries(kind, frame.result):
            if isinstance(name := members(entry).get(LISTS[kind].key), str):
                self._note(walk.names).append(name)
                self._note(held.get(kind, {}))[name] = entry
        if walk.cursor is not None:
            return
        self.all_tools = self.all_tools or kind == "tools"
        other = walk.before is not None and sorted(walk.before) != sorted(walk.names)
        declared = self.capabilities is not None and self.declares(LISTS[kind].capability, "listChanged")
        if other and declared and not walk.told:
            self.changed[kind] = walk.before_row, frame.seq
        elif not other and walk.before not in (None, walk.names):
            self.shuffled[kind] = walk.before_row, frame.seq
        walk.before, walk.before_row = walk.names, walk.row

    def _told(self, method: str) -> None:
        """A notification says that lists changed; it may cross with a reading."""
        for kind, catalogued in LISTS.items():
            if method == f"notifications/{catalogued.capability}/list_changed":
                self._walks.setdefault(kind, Walk()).told = True
                self.changed.pop(kind, None)


def _bounded(held: dict[str, Any], name: str, make: Callable[[], T]) -> T:
    if name not in held:
        held[name] = make()
    found: T = held[name]
    if isinstance(found, dict | set) and len(found) > _KEPT:
        found.clear()
    return found


LIST_OF: Mapping[str, ListKind] = {catalogued.method: kind for kind, catalogued in LISTS.items()}


def entries(kind: ListKind, result: Mapping[str, Any]) -> list[Any]:
    return items(result.get(LISTS[kind].member))
