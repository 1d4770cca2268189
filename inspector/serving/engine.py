"""The machine that plays a server: frames in, frames out, no input or output of its own.

Handlers are coroutines that yield what they wait for (`Sleep`, `Ask`); the engine resumes them when the time
has come or the client has answered. Whoever owns a session calls `feed` with each frame of the client, and
`tick` when `wake()` says so; both give back the frames to send.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from inspector.base import text
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Id,
    Message,
)
from inspector.serving.call import Ask, Call, Sleep
from inspector.serving.definition import (
    ClientError,
    Definition,
    RpcError,
    ToolError,
    is_modern,
)
from inspector.serving.lists import Lists
from inspector.serving.methods import CAPABILITY_OF, METHODS, Method

_BATCHES_IN = "2025-03-26"
_FIRST = ("initialize", "ping")
"""What a client may ask for before all else."""
BATCH = "\0batch"
"""What the answer to a batch without a request is about."""


class Frame(NamedTuple):
    """A message to the client; `about` is the id of the client's request that it belongs to."""

    raw: bytes
    about: Id | None = None


class _Later:
    """Asks the engine to go on once the client is initialized."""

    def __await__(self) -> Generator[_Later, None, None]:
        yield self


async def _later(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        await _Later()
        return await work
    finally:
        work.close()


class Run:
    """A handler under way: for a request of the client, or a routine."""

    __slots__ = ("asked", "call", "over", "work")

    def __init__(self, work: Coroutine[Any, Any, Any], call: Call) -> None:
        self.work, self.call = work, call
        self.asked: Id | None = None
        self.over = False


class Session(Lists):
    """One client's conversation with the server that a definition describes.

    `tools`, `resources`, `templates` and `prompts` are this session's own lists, changed with `add` and
    `remove`; `memory` is for its handlers. `say` gets the lines that a process would write on stderr. All frames that
    go out pass through `outgoing`.
    """

    def __init__(
        self,
        definition: Definition,
        *,
        label: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] = lambda line: None,
        outgoing: Callable[[list[Frame]], list[Frame]] = lambda frames: frames,
    ) -> None:
        super().__init__(definition, say)
        self.clock = clock
        self.version = definition.versions[0]
        self.initialized = False
        self.client_info: Mapping[str, Any] = {}
        self.client_capabilities: Mapping[str, Any] = {}
        self.level = "info"
        self.subscriptions: set[str] = set()
        self.memory: dict[str, Any] = {}
        self.capabilities: Mapping[str, Any] = {}
        self.greeted = False
        self._label = label or definition.name
        self._outgoing = outgoing
        self._numbers = itertools.count(1)
        self._out: list[Frame] = []
        self._runs: dict[Id, Run] = {}
        self._routines: list[Run] = []
        self._begun = False
        self._asking: dict[Id, Run] = {}
        self._timers: list[tuple[float, int, Run]] = []
        self._held: list[Run] = []

    @property
    def held(self) -> int:
        """How much waits until the client says that it is initialized."""
        return sum(not run.over for run in self._held)

    # What the owner of a session calls.

    def feed(self, raw: bytes) -> list[Frame]:
        """Takes one frame of the client. Never raises, whatever it holds."""
        message = jsonrpc.read(raw)
        parts = self.parts_of(message)
        if not message.readable:
            self._refuse(jsonrpc.PARSE_ERROR, f"Parse error: {message.problem}")
        elif parts is not None:
            self._batch(parts)
        else:
            self._message(message)
        return self._drain()

    def parts_of(self, message: Message) -> Sequence[Message] | None:
        """The messages of a batch that can be taken; None where it is none, or not here (spec 2025-03-26: the only
        version with batches, in which nobody introduces himself)."""
        if message.kind != "batch" or message.problem or not self.greeted or self.version != _BATCHES_IN:
            return None
        parts = [jsonrpc.classify(each) for each in message.value]
        return None if any(part.method == "initialize" for part in parts) else parts

    def _message(self, message: Message) -> None:
        if message.kind == "request":
            self._request(message.id, message.method or "", message.value.get("params"))
        elif message.kind == "notification":
            self._notification(message.method or "", message.value.get("params"))
        elif message.is_answer:
            self._answer(message.id, message.value)
        elif message.problem != "an empty line":
            problem = message.problem or "batches are not supported"
            self._refuse(INVALID_REQUEST, f"Invalid request: {problem}")

    def _batch(self, parts: Sequence[Message]) -> None:
        """What is answered at once is one batch, all else comes by itself."""
        before = len(self._out)
        for part in parts:
            self._message(part)
        ids = [part.id for part in parts if part.kind == "request" and jsonrpc.is_id(part.id)]
        said = self._out[before:]
        answers = [frame for frame in said if jsonrpc.read(frame.raw).is_answer]
        if answers and not any(map(self.is_running, ids)):
            others = [frame for frame in said if frame not in answers]
            joined = b"[" + b",".join(frame.raw for frame in answers) + b"]"
            self._out[before:] = [*others, Frame(joined, ids[0] if ids else BATCH)]

    def tick(self) -> list[Frame]:
        """Resumes what is due. Also hands out the frames of changes made from outside."""
        while self._timers and self._timers[0][0] <= self.clock():
            self._step(heapq.heappop(self._timers)[2])
        return self._drain()

    def wake(self) -> float | None:
        """When `tick` is to be called, on the session's clock; None where nothing waits for time."""
        while self._timers and self._timers[0][2].over:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def answers_by(self, when: float) -> bool:
        """True while a request is worked on that goes on by itself until then, on the session's clock: no client has to
        be there for it."""
        due = {run for at, _, run in self._timers if at <= when and not run.over}
        return any(run in due for run in self._runs.values())

    def is_running(self, id: Id) -> bool:
        """True while a request of the client is being worked on."""
        return id in self._runs

    def cancel(self, id: Any) -> None:
        """Stops work on a request of the client; nothing happens where there is none."""
        if jsonrpc.is_id(id) and id in self._runs:
            self._stop(self._runs.pop(id))

    def close(self) -> None:
        """Stops everything that runs."""
        for run in self._runs.values():
            self._stop(run)
        self._runs.clear()
        self._stop_routines()
        self._out.clear()

    def greet(self, version: str, capabilities: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """A client has introduced itself, maybe anew; a version that is not spoken here becomes the newest."""
        self._stop_routines()
        self.subscriptions.clear()
        offered = [
            each for each in self.definition.versions if not is_modern(each)
        ] or self.definition.versions
        self.version = version if version in offered else offered[0]
        self.client_capabilities, self.client_info = capabilities, info
        self.capabilities = self.definition.declared(self.version)
        self.greeted, self.initialized = True, False

    # What handlers and owners do to the server at run time.

    def notify(self, method: str, params: Mapping[str, Any] | None = None, about: Id | None = None) -> None:
        self._out.append(Frame(jsonrpc.notification(method, params), about))

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Id:
        """Sends the client a request that no handler waits for; whoever sees the frames finds the answer by its id."""
        id = f"{self._label}-{next(self._numbers)}"
        self._out.append(Frame(jsonrpc.request(id, method, params)))
        return id

    def lacks(self, capability: str) -> Exception:
        """What a handler raises that needs what its client does not declare."""
        return ToolError(f"This needs a client that declares the capability `{capability}`; yours does not.")

    def least_level(self, call: Call) -> str | None:
        """The mildest level of log messages that the client wants to hear; None where it wants none."""
        return self.level

    def updated(self, uri: str) -> None:
        """Tells the client that a resource has changed, where it has subscribed to it."""
        if uri in self.subscriptions:
            self.notify("notifications/resources/updated", {"uri": uri})

    # Frames of the client.

    def _request(self, id: Any, method: str, params: Any) -> None:
        if (refusal := self.refused_id(id)) is not None:
            return self._refuse_request(id, refusal)
        objection = self._objection(method, params)
        if objection is not None:
            return self._send_error(id, objection)
        call = Call(self, id, params or {}, method)
        work = self.method(method)(call)
        if self.definition.holds and self.greeted and not self.initialized and method not in _FIRST:
            work = _later(work)
        self._runs[id] = run = Run(work, call)
        self._step(run)

    def refused_id(self, id: Any) -> RpcError | None:
        """Why a request with this id cannot be taken."""
        if not jsonrpc.is_id(id):
            return RpcError(INVALID_REQUEST, "Invalid request: the id is neither a string nor an integer")
        if id in self._runs:
            return RpcError(INVALID_REQUEST, "Invalid request: a request with this id is under way")
        return None

    def _refuse_request(self, id: Any, refusal: RpcError) -> None:
        """Where the id is none, the error belongs to no request."""
        if jsonrpc.is_id(id):
            self._send_error(id, refusal)
        else:
            self._refuse(refusal.code, str(refusal))

    def _objection(self, method: str, params: Any) -> RpcError | None:
        if (method not in METHODS and method not in self.definition.methods) or not self._offers(method):
            return RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
        if not self.greeted and method not in _FIRST:
            return RpcError(INVALID_REQUEST, "The session is not initialized: send `initialize` first")
        if params is not None and not isinstance(params, dict):
            return RpcError(INVALID_PARAMS, "Invalid params: they must be an object")
        return None

    def method(self, name: str) -> Method:
        """What answers a method that is known here."""
        return self.definition.methods.get(name) or METHODS[name]

    def _offers(self, method: str) -> bool:
        capability = CAPABILITY_OF.get(method.partition("/")[0])
        if capability is None or not self.greeted or capability in self.capabilities:
            return True
        return capability == "completions" and self.version < "2025-03-26"

    def _notification(self, method: str, params: Any) -> None:
        params = params if isinstance(params, dict) else {}
        if method == "notifications/initialized" and self.greeted and not self.initialized:
            self.initialized = True
            held, self._held = self._held, []
            for run in held:
                self._step(run)
            self._start_routines()
        for routine in self.definition.reactions.get(method, ()):
            self._start(routine)
        if method == "notifications/initialized":
            return
        if method == "notifications/cancelled":
            self.cancel(params.get("requestId"))

    def _answer(self, id: Any, value: Mapping[str, Any]) -> None:
        run = self._asking.pop(id, None) if jsonrpc.is_id(id) else None
        if run is None:
            return
        run.asked = None
        if "error" not in value:
            return self._step(run, value.get("result"))
        error = value["error"]
        message = error.get("message") if isinstance(error, dict) else error
        code = error.get("code") if isinstance(error, dict) else None
        self._step(run, error=ClientError(f"The client refused: {message} ({code})"))

    def _refuse(self, code: int, message: str) -> None:
        """An error that belongs to no request, thus without an id."""
        body = {"jsonrpc": "2.0", "error": {"code": code, "message": message}}
        self._out.append(Frame(jsonrpc.encode(body)))

    # Handlers under way.

    def _step(self, run: Run, value: Any = None, error: Exception | None = None) -> None:
        if run.over:
            return
        try:
            wish = run.work.send(value) if error is None else run.work.throw(error)
        except StopIteration as done:
            self._finish(run, done.value)
        except RpcError as refusal:
            self._finish(run, error=refusal)
        except Exception as bug:
            self.say(f"internal error: {text.visible(repr(bug))}")
            self._finish(run, error=RpcError(INTERNAL_ERROR, f"Internal error: {bug}"))
        else:
            self._grant(run, wish)

    def _grant(self, run: Run, wish: Any) -> None:
        if isinstance(wish, _Later):
            self._held.append(run)
        elif isinstance(wish, Sleep):
            heapq.heappush(self._timers, (self.clock() + wish.seconds, next(self._numbers), run))
        elif isinstance(wish, Ask):
            run.asked = f"{self._label}-{next(self._numbers)}"
            self._asking[run.asked] = run
            self._out.append(Frame(jsonrpc.request(run.asked, wish.method, wish.params), run.call.id))
            if wish.patience is not None:
                self._start(partial(self._lose_patience, run.asked, wish.patience))
        else:
            self._step(run, error=TypeError("a handler may await only what its call offers"))

    async def _lose_patience(self, asked: Id, seconds: float, call: Call) -> None:
        """The client has so long to answer."""
        await call.sleep(seconds)
        run = self._asking.pop(asked, None)
        if run is not None:
            run.asked = None
            self._step(run, error=ClientError(f"The client did not answer within {seconds:g} s"))

    def _finish(self, run: Run, value: Any = None, error: RpcError | None = None) -> None:
        run.over = True
        id = run.call.id
        if id is None:
            self._routines.remove(run)
            return
        del self._runs[id]
        if error is not None:
            return self._send_error(id, error)
        self._send_result(id, value)

    def _send_result(self, id: Id, value: Any) -> None:
        try:
            self._out.append(Frame(jsonrpc.result(id, value), id))
        except (TypeError, ValueError, RecursionError) as bug:
            self._send_error(id, RpcError(INTERNAL_ERROR, f"Internal error: the result is no JSON ({bug})"))

    def _send_error(self, id: Id, error: RpcError) -> None:
        self._out.append(Frame(jsonrpc.error(id, error.code, error.message, error.data), id))

    def _stop(self, run: Run) -> None:
        run.over = True
        try:
            run.work.close()
        except Exception as bug:
            self.say(f"internal error while stopping: {text.visible(repr(bug))}")
        if run.asked is not None and self._asking.pop(run.asked, None) is not None:
            params = {"requestId": run.asked, "reason": "the request that needed it was cancelled"}
            self.notify("notifications/cancelled", params)

    def _start_routines(self) -> None:
        """Begins those of the definition; they begin once."""
        if self._begun:
            return
        self._begun = True
        for routine in self.definition.routines:
            self._start(routine)

    def _start(self, routine: Callable[[Call], Coroutine[Any, Any, None]]) -> None:
        call = Call(self, None, {})
        work: Coroutine[Any, Any, Any] = routine(call)
        if self.definition.holds and self.greeted and not self.initialized:
            work = _later(work)
        run = Run(work, call)
        self._routines.append(run)
        self._step(run)

    def _stop_routines(self) -> None:
        for run in self._routines:
            self._stop(run)
        self._routines.clear()
        self._begun = False

    def _drain(self) -> list[Frame]:
        frames, self._out = self._out, []
        return self._outgoing(frames)
