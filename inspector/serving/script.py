"""What a recording has to play: what its client sent, and what the server sent then, each frame at its place."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from inspector.base.errors import fail
from inspector.base.jsontext import elements
from inspector.base.text import decode
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import HEADER_MISMATCH
from inspector.protocol.revisions import PREFIX
from inspector.serving.definition import MODERN, VERSIONS, Definition, Tool, is_modern
from inspector.traffic.index import ERROR, KINDS, PART
from inspector.traffic.lines import C2S, S2C
from inspector.traffic.store import Traffic

_WITHOUT_END = "subscriptions/listen"
_NO_ACT = ("notifications/cancelled", "notifications/progress")
"""What a client says beside what it does."""


class Beat(NamedTuple):
    """One thing that the server did, `after` seconds behind the one before it: it sent the frame of a row (an answer,
    a notification, a question), or it heard the answer to the question of that row. `item` is the place in a batch."""

    act: Literal["answer", "say", "ask", "hear"]
    row: int
    after: float
    item: int | None = None


@dataclass(slots=True, eq=False)
class Scene:
    """A request or notification of the client, and what the server did until the next one."""

    row: int
    method: str
    params: Any
    id: Any = None
    beats: list[Beat] = field(default_factory=list)
    at: float = 0.0
    """When the last beat was, in seconds."""

    @property
    def answered(self) -> bool:
        return any(beat.act == "answer" for beat in self.beats)

    @property
    def title(self) -> str:
        """Method and subject; foreign."""
        params = self.params if isinstance(self.params, dict) else {}
        subject = next((params[key] for key in ("name", "uri") if isinstance(params.get(key), str)), "")
        return f"{self.method} {subject}".rstrip()


class Script:
    """All scenes of one server of a recording, over all its sessions. `definition` is what can be told of the server
    beside: for what a client asks for that the client of then did not."""

    def __init__(self, traffic: Traffic, label: str, scenes: list[Scene]) -> None:
        self.label, self.scenes = label, scenes
        self._traffic = traffic
        self.by_method: dict[str, list[Scene]] = {}
        """Requests only; what follows on notifications is in `told`."""
        self.told: dict[str, list[Scene]] = {}
        for scene in scenes:
            (self.told if scene.id is None else self.by_method).setdefault(scene.method, []).append(scene)
        self.alike: dict[str, dict[str, list[Scene]]] = {}
        """Scenes by method and params, as far as somebody has asked for them."""
        self.definition = self._definition()

    def raw(self, beat: Beat) -> bytes:
        """The frame of a beat as it was recorded."""
        raw = self._traffic.raw(beat.row)
        return raw if beat.item is None else elements(decode(raw))[beat.item].encode()

    def result(self, scene: Scene) -> dict[str, Any]:
        """The result that a request had; empty where it had none that is an object."""
        answer = next((beat for beat in scene.beats if beat.act == "answer"), None)
        message = jsonrpc.read(self.raw(answer)) if answer is not None else None
        result = message.value.get("result") if message is not None and message.is_answer else None
        return result if isinstance(result, dict) else {}

    def is_of_headers(self, scene: Scene) -> bool:
        """Whether its request was refused for its headers, which say nothing of any other."""
        answer = next((beat for beat in scene.beats if beat.act == "answer"), None)
        if answer is None or self._traffic.columns.kind[answer.row - self._traffic.first] != ERROR:
            return False
        error = jsonrpc.read(self.raw(answer)).value.get("error")
        return isinstance(error, dict) and error.get("code") == HEADER_MISMATCH

    def _definition(self) -> Definition:
        greeted = self.first("initialize")
        found = self.first("server/discover")
        meta = _object(found, "_meta")
        about = _object(greeted, "serverInfo") or _object(meta, f"{PREFIX}serverInfo")
        capabilities = _object(greeted, "capabilities") or _object(found, "capabilities")
        families = {scene.method.partition("/")[0] for scene in self.scenes}
        guessed: Mapping[str, Any] = {
            name: {} for name in ("tools", "resources", "prompts") if name in families
        }
        instructions = greeted.get("instructions", found.get("instructions"))
        return Definition(
            name=str(about.get("name", self.label)),
            version=str(about.get("version", "")),
            instructions=instructions if isinstance(instructions, str) else None,
            capabilities=capabilities or guessed,
            versions=(MODERN, *VERSIONS) if self._is_modern else VERSIONS,
            tools=[Tool(name=name, run="", input={"type": "object"}) for name in self._called()],
        )

    def first(self, method: str) -> dict[str, Any]:
        """The first result of a method that is there."""
        return next(filter(None, map(self.result, self.by_method.get(method, ()))), {})

    @property
    def _is_modern(self) -> bool:
        """A request that is more than the probe of a client that tries out what there is."""
        spoken = (_object(scene.params, "_meta").get(f"{PREFIX}protocolVersion") for scene in self.scenes
                  if scene.method != "server/discover" or self.result(scene))  # fmt: skip
        return any(isinstance(version, str) and is_modern(version) for version in spoken)

    def _called(self) -> list[str]:
        names = (_object(scene.params).get("name") for scene in self.by_method.get("tools/call", ()))
        return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def _object(value: Any, member: str | None = None) -> Mapping[str, Any]:
    if member is not None:
        value = value.get(member) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def read(traffic: Traffic, label: str | None = None) -> Script:
    """The script of one server of a recording that is described wholly; `traffic` stays open while it is played.

    Raises Failed (config) where it holds no request of a client, several servers and none is named, or not that one.
    """
    scenes = _Reader(traffic).read()
    if not scenes:
        raise fail(
            "config", "the recording holds no request of a client", "see what is in it: mcp-inspect log FILE"
        )
    if label is None and len(scenes) > 1:
        raise fail(
            "config", f"the recording is of several servers: {', '.join(scenes)}", "choose one with -s"
        )
    chosen = next(iter(scenes)) if label is None else label
    if chosen not in scenes:
        raise fail(
            "config", f"no server of the recording is called {chosen}", f"it holds {', '.join(scenes)}"
        )
    return Script(traffic, chosen, scenes[chosen])


class _Reader:
    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._scenes: dict[str, list[Scene]] = {}
        self._of_row: dict[int, list[Scene]] = {}
        self._open: dict[int, dict[int, Scene]] = defaultdict(dict)
        self._last: dict[int, Scene] = {}
        self._asked: dict[int, Scene] = {}

    def read(self) -> dict[str, list[Scene]]:
        """Scenes by the label of their server, in the order of the client's frames."""
        columns = self._traffic.columns
        for at, channel in enumerate(columns.channel):
            number, session = at + self._traffic.first, columns.session[at]
            kind, peer = KINDS[columns.kind[at]], columns.peer[at] - 1
            if columns.kind[at] == PART or not session:
                continue
            if channel == C2S:
                self._client(number, session, kind, peer)
            elif channel == S2C:
                self._server(number, session, kind, peer)
        return self._scenes

    def _client(self, number: int, session: int, kind: str, peer: int) -> None:
        if kind in ("response", "error"):
            if (scene := self._asked.pop(peer, None)) is not None:
                self._add(scene, "hear", peer, self._time(number))
            return
        for message in self._messages(number):
            method = message.get("method")
            if not isinstance(method, str) or method in _NO_ACT:
                continue
            scene = Scene(number, method, message.get("params"), message.get("id"), at=self._time(number))
            self._scenes.setdefault(self._traffic.label(session), []).append(scene)
            self._of_row.setdefault(number, []).append(scene)
            if "id" in message:
                self._open[session][number] = scene
            self._last[session] = scene

    def _server(self, number: int, session: int, kind: str, peer: int) -> None:
        if kind in ("response", "error", "batch"):
            self._answered(number, session, kind, peer)
        elif kind in ("request", "notification"):
            scene = self._scene_of(number, session, kind, peer)
            if scene is not None:
                self._add(scene, "ask" if kind == "request" else "say", number, self._time(number))
                if kind == "request":
                    self._asked[number] = scene

    def _answered(self, number: int, session: int, kind: str, peer: int) -> None:
        scenes = self._of_row.get(peer, ())
        self._open[session].pop(peer, None)
        if kind != "batch":
            for scene in scenes[:1]:
                self._add(scene, "answer", number, self._time(number))
            return
        for item, message in enumerate(self._messages(number)):
            for scene in scenes:
                if scene.id == message.get("id") and not scene.answered:
                    self._add(scene, "answer", number, self._time(number), item)
                    break

    def _scene_of(self, number: int, session: int, kind: str, peer: int) -> Scene | None:
        """What a frame of the server belongs to: what it names, else the last request that waits for its answer, else
        whatever the client did last."""
        if kind == "notification" and peer in self._of_row:
            return self._of_row[peer][0]
        open_ = self._open[session]
        listening = [scene for scene in open_.values() if scene.method == _WITHOUT_END]
        if listening:
            meta = _object(_object(next(self._messages(number), {}), "params"), "_meta")
            named = meta.get(f"{PREFIX}subscriptionId")
            for scene in listening:
                if named is not None and scene.id == named:
                    return scene
        waiting = [scene for scene in open_.values() if scene.method != _WITHOUT_END]
        return waiting[-1] if waiting else self._last.get(session)

    def _add(self, scene: Scene, act: Any, row: int, time: float, item: int | None = None) -> None:
        scene.beats.append(Beat(act, row, max(0.0, time - scene.at), item))
        scene.at = time

    def _time(self, number: int) -> float:
        return self._traffic.columns.time[number - self._traffic.first]

    def _messages(self, number: int) -> Iterator[dict[str, Any]]:
        try:
            value = json.loads(
                decode(self._traffic.raw(number)).removeprefix("\ufeff"), parse_float=same_number
            )
        except (ValueError, RecursionError):
            return
        yield from (
            each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)
        )


def same_number(spelled: str) -> int | float:
    """1.0 as 1, since not all languages know the difference."""
    value = float(spelled)
    return int(value) if value.is_integer() else value
