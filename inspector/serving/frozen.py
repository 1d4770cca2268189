"""A recording as a definition file: what its server listed, and what it answered to what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from inspector.base.jsontext import Verbatim, elements, pick
from inspector.base.text import decode
from inspector.protocol import jsonrpc
from inspector.protocol.revisions import PREFIX
from inspector.serving.answers import filled
from inspector.serving.definition import MODERN, VERSIONS
from inspector.serving.script import Beat, Scene, Script
from inspector.serving.uris import match

_LISTS = {
    "tools/list": ("tools", "tools", "name"),
    "resources/list": ("resources", "resources", "uri"),
    "resources/templates/list": ("templates", "resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "prompts", "name"),
}
_SUBJECTS = {
    "tools/call": ("tool", "name"),
    "prompts/get": ("prompt", "name"),
    "resources/read": ("resource", "uri"),
}
_ASKED = frozenset({"elicitation/create", "sampling/createMessage", "roots/list", "ping"})
_BY_ITSELF = frozenset({
    "initialize", "server/discover", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
    "subscriptions/listen", *_LISTS,
})  # fmt: skip


_Listed: TypeAlias = Mapping[str, dict[str, Verbatim]]


def members(script: Script) -> tuple[dict[str, Any], list[str]]:
    """Those of the file, in their order, and notes of what it says otherwise than the recording: answers to what is not
    listed are left out, and so are questions in rounds; of a list that was never read, what had results is listed by
    its names alone. Entries and results are spelled as they were recorded; of an
    entry that was listed anew the latest counts."""
    told = _told(script)
    listed = {member: dict(_entries(script, method)) for method, (member, _, _) in _LISTS.items()}
    notes: list[str] = []
    for method in _SUBJECTS:
        _name(script, method, listed, notes)
    told |= {member: list(entries.values()) for member, entries in listed.items() if entries}
    if answers := _answers(script, listed, notes):
        told["answers"] = answers
    return told, notes


def _told(script: Script) -> dict[str, Any]:
    greeted, found = script.first("initialize"), script.first("server/discover")
    spoken = str(greeted.get("protocolVersion", VERSIONS[0]))
    versions = [version for version in VERSIONS if greeted and version <= spoken]
    offered = found.get("supportedVersions")
    if isinstance(offered, list):
        versions = [version for version in (MODERN, *VERSIONS) if version in offered or version in versions]
    meta = found.get("_meta")
    about = greeted.get("serverInfo") or (meta.get(f"{PREFIX}serverInfo") if isinstance(meta, dict) else None)
    known = {
        "definition": 1,
        "server": about,
        "instructions": greeted.get("instructions", found.get("instructions")),
        "versions": versions,
        "capabilities": greeted.get("capabilities", found.get("capabilities")),
    }
    return {name: value for name, value in known.items() if value}


def _entries(script: Script, method: str) -> Iterator[tuple[str, Verbatim]]:
    """By their keys; what has none has its text."""
    _, member, key = _LISTS[method]
    for scene in script.by_method.get(method, ()):
        for text in elements(_part(script, scene, "result", member) or ""):
            named = pick(text, key)
            name = json.loads(named) if named is not None else None
            yield name if isinstance(name, str) else text, _line(text)


def _name(script: Script, method: str, listed: _Listed, notes: list[str]) -> None:
    """Lists what requests of this method got results from, where nobody read the list."""
    kind, key = _SUBJECTS[method]
    lists = f"{kind}s/list"
    if lists in script.by_method:
        return
    scenes = (each for each in script.by_method.get(method, ()) if script.result(each))
    names = (each.params.get(key) for each in scenes if isinstance(each.params, dict))
    more = {"tool": {"inputSchema": {"type": "object"}}}.get(kind, {})
    for name in names:
        if isinstance(name, str):
            entry = {key: name, "name": name, **more}
            listed[f"{kind}s"].setdefault(name, Verbatim(json.dumps(entry, ensure_ascii=False)))
    if listed[f"{kind}s"]:
        notes.append(f"{kind}s are listed by their names alone: {lists} is not in the recording")


def _answers(script: Script, listed: _Listed, notes: list[str]) -> list[dict[str, Any]]:
    """In the order of then, but that those for more arguments come first: an answer fits whatever has its own."""
    found: list[dict[str, Any]] = []
    alike: dict[str, list[dict[str, Any]]] = {}
    for scene in script.scenes:
        text, of = _part(script, scene, "result"), "result"
        if text is None:
            text, of = _part(script, scene, "error"), "error"
        whole = scene.id is not None and script.result(scene).get("resultType") != "input_required"
        if text is None or not whole or scene.method in _BY_ITSELF or script.is_of_headers(scene):
            continue
        subject = _subject(scene, listed)
        if subject is None:
            notes.append(f"{scene.title} (record {scene.row}) is left out: it is not listed")
            continue
        if filled(value := json.loads(text), subject.get("when", {})) != value:
            notes.append(
                f"the answer to {scene.title} (record {scene.row}) has names in braces, which are filled"
            )
        steps = [step for beat in scene.beats if (step := _step(script, beat)) is not None]
        answer = {**subject, **({"before": steps} if steps else {}), of: _line(text)}
        found.append(answer)
        alike.setdefault(repr(subject), []).append(answer)
    for same in alike.values():
        for answer in same[:-1]:
            answer["times"] = 1
    return sorted(found, key=lambda answer: -len(answer.get("when", ())))


def _subject(scene: Scene, listed: _Listed) -> dict[str, Any] | None:
    """Whom an answer is for; None where that is not listed."""
    params = scene.params if isinstance(scene.params, dict) else {}
    given: Any = {name: value for name, value in params.items() if name != "_meta"}
    subject: dict[str, Any] = {"method": scene.method}
    if scene.method in _SUBJECTS:
        kind, key = _SUBJECTS[scene.method]
        name, given = str(params.get(key)), params.get("arguments")
        if name not in listed[f"{kind}s"]:
            fitting = ((each, match(each, name)) for each in listed["templates"] if kind == "resource")
            name, given = next((found for found in fitting if found[1] is not None), ("", None))
        if not name:
            return None
        subject = {kind: name}
    return {**subject, "when": given} if isinstance(given, dict) and given else subject


def _step(script: Script, beat: Beat) -> dict[str, Any] | None:
    if beat.act not in ("say", "ask"):
        return None
    message = jsonrpc.read(script.raw(beat))
    params = message.value.get("params") if isinstance(message.value, dict) else None
    params = params if isinstance(params, dict) else {}
    if beat.act == "ask":
        return {"ask": message.method, "params": params} if message.method in _ASKED else None
    if message.method == "notifications/progress":
        return {name: params[name] for name in ("progress", "total", "message") if name in params} or None
    if message.method == "notifications/message":
        known = {"log": params.get("data"), "level": params.get("level"), "logger": params.get("logger")}
        return {name: value for name, value in known.items() if value is not None or name == "log"}
    return None


def _part(script: Script, scene: Scene, *path: str) -> str | None:
    """The text of a member of its answer."""
    answer = next((beat for beat in scene.beats if beat.act == "answer"), None)
    return None if answer is None else pick(decode(script.raw(answer)), *path)


def _line(text: str) -> Verbatim:
    return Verbatim(text.replace("\r", " ").replace("\n", " "))
