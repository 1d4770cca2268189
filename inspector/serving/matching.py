"""Which scene of a recording answers a request."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.jsondiff import Change
from inspector.base.text import clip
from inspector.protocol.revisions import PREFIX
from inspector.replay.ignoring import Ignoring
from inspector.serving.script import Scene, Script, same_number

Match = Literal["params", "strict", "sequence"]
MATCHES: tuple[Match, ...] = ("params", "strict", "sequence")

_VOLATILE = frozenset({"_meta", "inputResponses"})
_OF_HELLO = frozenset({"clientInfo", "capabilities"})
_PREFERRED = ("cursor", "protocolVersion", "requestState")
"""Members by which one of several that fit is chosen, but for which none is refused."""
AT_ANY_TIME = frozenset({"initialize", "server/discover", "ping", "logging/setLevel"})
"""What clients send when they like, so that no order is to be had of it."""
_MOST_COMPARED = 1000
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Miss:
    """No scene answers. `nearest` is the one that comes closest, `changes` what differs there; both are empty where the
    method was never asked for, or all of its scenes are over."""

    nearest: Scene | None = None
    changes: Sequence[Change] = ()
    over: bool = False

    def told(self, title: str) -> str:
        """In a sentence; `title` names the request. Foreign."""
        if self.nearest is None:
            return f"the recording has no answer to {title}: " + (
                "all of it was played" if self.over else "nobody asked for that method"
            )
        near = f"the nearest is record {self.nearest.row}, {clip(self.nearest.title, 80)}"
        differences = [_brief(change) for change in self.changes[:_SHOWN]]
        more = f" and {len(self.changes) - _SHOWN} more" if len(self.changes) > _SHOWN else ""
        differs = (
            f", which differs at {'; '.join(differences)}{more}" if differences else ", whose turn it is"
        )
        return f"the recording has no answer to {title}: {near}{differs}"


def _brief(change: Change) -> str:
    old = "nothing" if change.op == "add" else numbers.brief(change.old, 40)
    new = "nothing" if change.op == "remove" else numbers.brief(change.new, 40)
    return f"{change.pointer or 'the params'}: recorded {old}, now {new}"


class Matching:
    """For one conversation: scenes that are alike are played in their order, and the last one stays.

    `params`: method and params decide. `strict`: each scene once, in the order of the recording. `sequence`: the next
    one of the method, whatever the params.
    """

    def __init__(self, script: Script, match: Match, rules: Ignoring) -> None:
        self._script, self._match, self._rules = script, match, rules
        self._played: set[int] = set()
        self._in_order = deque(
            scene for scene in script.scenes if scene.id is not None and scene.method not in AT_ANY_TIME
        )

    def request(self, method: str, params: Any) -> Scene | Miss:
        """The scene to play, which counts as played from now on."""
        scenes = self._script.by_method.get(method, ())
        params = _numbers_alike(params)
        if self._match == "strict" and method not in AT_ANY_TIME:
            found = self._next_in_order(method, params)
        elif self._match == "sequence" and method not in AT_ANY_TIME:
            found = self._in_turn(scenes) if scenes else Miss()
        else:
            found = self._fitting(scenes, method, params)
        if isinstance(found, Scene):
            self._played.add(id(found))
        return found

    def notification(self, method: str) -> Scene | None:
        """The scene that follows a notification, each once."""
        left = (scene for scene in self._script.told.get(method, ()) if id(scene) not in self._played)
        found = next(left, None)
        if found is not None:
            self._played.add(id(found))
        return found

    def _next_in_order(self, method: str, params: Any) -> Scene | Miss:
        while self._in_order and id(self._in_order[0]) in self._played:
            self._in_order.popleft()
        if not self._in_order:
            return Miss(over=True)
        turn = self._in_order[0]
        if turn.method != method:
            return Miss(turn)
        changes = self._changes(turn, params)
        return Miss(turn, changes) if changes else turn

    def _fitting(self, scenes: Sequence[Scene], method: str, params: Any) -> Scene | Miss:
        if not scenes:
            return Miss()
        alike = self._script.alike.setdefault(method, {})
        if not alike:
            for scene in scenes:
                alike.setdefault(_key(method, scene.params), []).append(scene)
        fitting = alike.get(_key(method, params), [])
        if not fitting:
            compared = [(self._changes(scene, params), scene) for scene in scenes[:_MOST_COMPARED]]
            fitting = [scene for changes, scene in compared if not changes]
            if not fitting:
                changes, nearest = min(compared, key=lambda pair: len(pair[0]))
                return Miss(nearest, changes)
        fitting = [scene for scene in fitting if scene.answered] or fitting
        fitting = [scene for scene in fitting if not self._script.is_of_headers(scene)] or fitting
        for name in _PREFERRED:
            wanted = _member(params, name)
            fitting = [scene for scene in fitting if _member(scene.params, name) == wanted] or fitting
        version = _version(params)
        fitting = [scene for scene in fitting if _version(scene.params) == version] or fitting
        return self._in_turn(fitting)

    def _in_turn(self, scenes: Sequence[Scene]) -> Scene:
        return next((scene for scene in scenes if id(scene) not in self._played), scenes[-1])

    def _changes(self, scene: Scene, params: Any) -> list[Change]:
        return self._rules.differences(_lasting(scene.method, scene.params), _lasting(scene.method, params))


def _member(params: Any, name: str) -> Any:
    return params.get(name) if isinstance(params, dict) else None


def _version(params: Any) -> Any:
    """Of the protocol, where each request tells it."""
    return _member(_member(params, "_meta"), f"{PREFIX}protocolVersion")


def _lasting(method: str, params: Any) -> Any:
    """The members that count; no params are as good as empty ones."""
    if params is None:
        return {}
    if not isinstance(params, dict):
        return params
    left_out = _VOLATILE.union(_PREFERRED, _OF_HELLO if method == "initialize" else ())
    return {name: value for name, value in params.items() if name not in left_out}


def _key(method: str, params: Any) -> str:
    try:
        return json.dumps(_lasting(method, params), sort_keys=True)
    except RecursionError:
        return ""


def _numbers_alike(params: Any) -> Any:
    try:
        return json.loads(json.dumps(params), parse_float=same_number)
    except RecursionError:
        return params


def title_of(method: str, params: Mapping[str, Any]) -> str:
    return clip(Scene(0, method, params).title, 200)
