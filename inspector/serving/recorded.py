"""A recording as a server: the frames of then, with the ids and tokens of now."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Literal

from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Id
from inspector.protocol.revisions import PREFIX
from inspector.replay.ignoring import Ignoring
from inspector.serving.call import Call, Sleep
from inspector.serving.definition import RpcError
from inspector.serving.engine import Frame, Run, Session
from inspector.serving.matching import AT_ANY_TIME, Match, Matching, Miss, title_of
from inspector.serving.modern import ModernSession, meta_of
from inspector.serving.script import Beat, Scene, Script
from inspector.serving.wire import with_value

Pace = Literal["fast", "recorded"]

_LISTS = frozenset({"tools/list", "resources/list", "resources/templates/list", "prompts/list"})
"""With `AT_ANY_TIME` answered from what is known of the server where its client of then did not ask."""
_NEEDS = {"sampling/createMessage": "sampling", "elicitation/create": "elicitation", "roots/list": "roots"}
_SUBSCRIPTION = ("_meta", f"{PREFIX}subscriptionId")


_EXACT = Ignoring(exact=True)


class _Wish:
    def __await__(self) -> Generator[_Wish, None, None]:
        yield self


class _Pose(_Wish):
    """Asks the engine to send the client a question of the recording."""

    def __init__(self, beat: Beat, raw: bytes) -> None:
        self.beat, self.raw = beat, raw


class _Hear(_Wish):
    """Asks the engine to go on once the client has answered the question of a row; None: never."""

    def __init__(self, row: int | None) -> None:
        self.row = row


class RecordedSession(ModernSession):
    """One client's conversation with a server that says what it said then."""

    def __init__(
        self,
        script: Script,
        *,
        match: Match = "params",
        pace: Pace = "fast",
        rules: Ignoring = _EXACT,
        **more: Any,
    ) -> None:
        super().__init__(script.definition, **more)
        self._script, self._match, self._pace = script, match, pace
        self._matching = Matching(script, match, rules)
        self._posed: dict[tuple[Run, int], Id] = {}
        self._new_ids: dict[Any, Id] = {}

    def refusal(self, method: str, params: Mapping[str, Any]) -> RpcError | None:
        """What was recorded is no matter of what is allowed."""
        return None if method in self._script.by_method else super().refusal(method, params)

    # Frames of the client.

    def _request(self, id: Any, method: str, params: Any) -> None:
        if (refusal := self.refused_id(id)) is not None:
            return self._refuse_request(id, refusal)
        given = params if isinstance(params, dict) else {}
        found = self._matching.request(method, params)
        if isinstance(found, Miss):
            return self._missed(id, method, given, found)
        if method == "initialize":
            self._meet(found, given)
        declared = meta_of(given).get(f"{PREFIX}clientCapabilities")
        if isinstance(declared, dict):
            self.client_capabilities = declared
        if not found.answered:
            self.say(f"record {found.row}, {found.title}, was never answered, and is not now")
        call = Call(self, id, given, method)
        self._runs[id] = run = Run(self._play(found, found.beats, call), call)
        return self._step(run)

    def _missed(self, id: Id, method: str, params: Mapping[str, Any], miss: Miss) -> None:
        ours = method in AT_ANY_TIME or (method in _LISTS and self._match != "strict")
        if ours and method not in self._script.by_method:
            return super()._request(id, method, params)
        told = miss.told(title_of(method, params))
        self.say(told)
        data: dict[str, Any] = {}
        if miss.nearest is not None:
            data = {"nearest": miss.nearest.row, "differs": [change.pointer for change in miss.changes]}
        code = INVALID_PARAMS if method in self._script.by_method else METHOD_NOT_FOUND
        return self._send_error(id, RpcError(code, f"{told[0].upper()}{told[1:]}", data or None))

    def _meet(self, scene: Scene, params: Mapping[str, Any]) -> None:
        result = self._script.result(scene)
        capabilities, info = params.get("capabilities"), params.get("clientInfo")
        if not result:
            return
        self.greet(
            str(result.get("protocolVersion")),
            capabilities if isinstance(capabilities, dict) else {},
            info if isinstance(info, dict) else {},
        )
        self.version = str(result.get("protocolVersion"))

    def _notification(self, method: str, params: Any) -> None:
        super()._notification(method, params)
        scene = self._matching.notification(method)
        if scene is not None:
            self._go_on_playing(scene, scene.beats, {})

    # What was recorded.

    async def _play(self, scene: Scene, beats: Sequence[Beat], call: Call) -> Any:
        """Gives the answer, and what followed on it."""
        left_out = set()
        for place, beat in enumerate(beats):
            if self._pace == "recorded" and beat.after > 0:
                await Sleep(beat.after)
            if beat.act == "hear":
                if beat.row not in left_out:
                    await _Hear(beat.row)
                continue
            raw = self._script.raw(beat)
            if beat.act == "answer":
                return scene, raw, beats[place + 1 :]
            if beat.act == "say":
                if (said := self._said_now(scene, raw, call)) is not None:
                    self._out.append(Frame(said, call.id))
            elif self._can_ask(raw):
                await _Pose(beat, raw)
            else:
                left_out.add(beat.row)
        if call.id is not None:
            await _Hear(None)

    def _go_on_playing(self, scene: Scene, beats: Sequence[Beat], params: Mapping[str, Any]) -> None:
        if beats:
            call = Call(self, None, params)
            run = Run(self._play(scene, beats, call), call)
            self._routines.append(run)
            self._step(run)

    def _can_ask(self, raw: bytes) -> bool:
        method = jsonrpc.read(raw).method or ""
        needs = _NEEDS.get(method)
        if needs is None or needs in self.client_capabilities:
            return True
        self.say(f"{method} is left out: this client does not declare {needs}")
        return False

    def _said_now(self, scene: Scene, raw: bytes, call: Call) -> bytes | None:
        """A notification with what it names as it is called now; None where nobody can be meant by it."""
        message = jsonrpc.read(raw)
        if message.method == "notifications/progress":
            return None if call.token is None else with_value(raw, ("params", "progressToken"), call.token)
        if message.method == "notifications/cancelled":
            params = message.value.get("params")
            named = params.get("requestId") if isinstance(params, dict) else None
            now = call.id if named == scene.id else self._new_ids.get(jsonrpc.match_key(named))
            return None if now is None else with_value(raw, ("params", "requestId"), now)
        return raw if call.id is None else with_value(raw, ("params", *_SUBSCRIPTION), call.id)

    def _grant(self, run: Run, wish: Any) -> None:
        if isinstance(wish, _Pose):
            id = f"{self._label}-{next(self._numbers)}"
            self._asking[id], self._posed[run, wish.beat.row] = run, id
            self._new_ids[jsonrpc.match_key(jsonrpc.read(wish.raw).id)] = id
            self._out.append(Frame(with_value(wish.raw, ("id",), id), run.call.id))
            self._step(run)
        elif isinstance(wish, _Hear):
            id_ = self._posed.pop((run, wish.row), None) if wish.row is not None else ""
            if id_ == "":
                return
            if id_ in self._asking:
                run.asked = id_
            else:
                self._step(run)
        else:
            super()._grant(run, wish)

    def _answer(self, id: Any, value: Mapping[str, Any]) -> None:
        """Where it comes before it is waited for, the wait will be none."""
        run = self._asking.pop(id, None) if jsonrpc.is_id(id) else None
        if run is not None and run.asked == id:
            run.asked = None
            self._step(run)

    def _finish(self, run: Run, value: Any = None, error: RpcError | None = None) -> None:
        if not isinstance(value, tuple):
            return super()._finish(run, value, error)
        scene, raw, rest = value
        assert run.call.id is not None
        raw = with_value(raw, ("id",), run.call.id)
        raw = with_value(raw, ("result", *_SUBSCRIPTION), run.call.id)
        Session._finish(self, run, raw)
        return self._go_on_playing(scene, rest, run.call.params)

    def _send_result(self, id: Id, value: Any) -> None:
        if isinstance(value, bytes):
            self._out.append(Frame(value, id))
        else:
            super()._send_result(id, value)
