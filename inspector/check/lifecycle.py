"""How a conversation begins, and what each side declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.base.text import clip
from inspector.check.rules import ALL, LEGACY, MODERN, Findings, Found, also, rule
from inspector.check.talk import VERSION_KEY, Frame, Talk, items, members
from inspector.protocol.extensions import TASKS
from inspector.protocol.jsonrpc import METHOD_NOT_FOUND, UNSUPPORTED_VERSION
from inspector.protocol.listing import json_type
from inspector.protocol.revisions import PREFIX, REVISIONS

_BEGINNING = "basic/lifecycle#initialization"


@rule("L01", "error", LEGACY, _BEGINNING, on="result", of="initialize")
def poor_handshake(frame: Frame, talk: Talk) -> Findings:
    """The answer to `initialize` lacks a member that it must have."""
    result = frame.result
    if not isinstance(result.get("protocolVersion"), str):
        yield Found("the answer to initialize has no protocolVersion", "/result/protocolVersion")
    if not isinstance(result.get("capabilities"), dict):
        yield Found("the answer to initialize has no capabilities", "/result/capabilities")
    info = result.get("serverInfo")
    for name in ("name", "version"):
        if not isinstance(members(info).get(name), str):
            yield Found(f"the answer to initialize has no serverInfo.{name}", f"/result/serverInfo/{name}")


@rule("L03", "info", ALL, "2025-11-25/basic/lifecycle#version-negotiation", on="result", of="initialize")
def strange_version(frame: Frame, talk: Talk) -> Findings:
    """The server chose a version that is not published."""
    chosen = frame.result.get("protocolVersion")
    if isinstance(chosen, str) and chosen not in REVISIONS:
        yield Found(f"{clip(chosen, 40)} is no published version of the protocol", "/result/protocolVersion")


@rule("L04", "warning", LEGACY, _BEGINNING, on="frame")
def too_early(frame: Frame, talk: Talk) -> Findings:
    """The server speaks before the client said that it is ready."""
    method = frame.message.method
    if talk.begun or not talk.handshakes or method is None:
        return
    if frame.message.kind == "request" and method != "ping":
        yield f"{clip(method, 80)} was asked before notifications/initialized"
    elif frame.message.kind == "notification" and method != "notifications/message":
        yield Found(f"{clip(method, 80)} came before notifications/initialized", level="info")


@rule("L05", "error", LEGACY, _BEGINNING, on="exchange")
def not_accepted(trip: Any, talk: Talk) -> Findings:
    """The server does not accept `notifications/initialized`."""
    posted = [frame.message.method for frame in trip.posted]
    status = trip.exchange.status
    if posted == ["notifications/initialized"] and status not in (None, 202):
        yield f"notifications/initialized got status {status}, and 202 was due"


@rule("L08", "error", MODERN, "server/discover", on="result", of="server/discover")
def poor_discovery(frame: Frame, talk: Talk) -> Findings:
    """The answer to `server/discover` lacks a member that it must have."""
    if not isinstance(frame.result.get("supportedVersions"), list):
        yield Found("the answer has no list supportedVersions", "/result/supportedVersions")
    if not isinstance(frame.result.get("capabilities"), dict):
        yield Found("the answer has no capabilities", "/result/capabilities")


@rule("L09", "info", MODERN, "server/discover", on="result", of="server/discover")
def forgotten_version(frame: Frame, talk: Talk) -> Findings:
    """`supportedVersions` does not name the version that was just accepted."""
    versions, asked = (
        frame.result.get("supportedVersions"),
        frame.request and frame.request.meta.get(VERSION_KEY),
    )
    if isinstance(versions, list) and asked not in versions:
        yield Found(
            f"{asked!r:.40} was accepted and is not among supportedVersions", "/result/supportedVersions"
        )


@rule("L15", "error", MODERN, "basic#result-responses", on="result")
def result_type(frame: Frame, talk: Talk) -> Findings:
    """A result has no `resultType`, or one that nobody knows."""
    kind = frame.result.get("resultType")
    tasks = frame.request is not None and TASKS in members(frame.request.declared.get("extensions"))
    if kind is None:
        yield Found("the result has no resultType", "/result/resultType")
    elif kind not in ("complete", "input_required") and not (kind == "task" and tasks):
        yield Found(f"resultType is {kind!r:.40}, which nothing negotiated defines", "/result/resultType")


@rule("L16", "warning", MODERN, "basic#_meta", on="result")
def no_server_info(frame: Frame, talk: Talk) -> Findings:
    """A result does not say which server it is from."""
    info = frame.meta.get(f"{PREFIX}serverInfo")
    if not isinstance(info, dict):
        yield Found(f"the result has no {PREFIX}serverInfo in its _meta", "/result/_meta")


@rule(
    "X03",
    "error",
    MODERN,
    "basic/versioning#extension-negotiation",
    on="result",
    of=("server/discover", "initialize"),
)
def bare_extension(frame: Frame, talk: Talk) -> Findings:
    """An extension is named without a prefix."""
    capabilities = members(frame.result.get("capabilities"))
    for name in members(capabilities.get("extensions")):
        if "/" not in name.strip("/"):
            yield Found(f"the extension {clip(name, 60)!r} has no prefix", "/result/capabilities/extensions")


_SHAPES: Mapping[str, Mapping[str, type]] = {
    "tools": {"listChanged": bool},
    "prompts": {"listChanged": bool},
    "resources": {"listChanged": bool, "subscribe": bool},
    "logging": {},
    "completions": {},
}


@rule("J22", "error", ALL, "schema", on="result", of=("initialize", "server/discover"))
def odd_capabilities(frame: Frame, talk: Talk) -> Findings:
    """A message lacks what its kind must have, or has it of the wrong type."""
    for name, shape in _SHAPES.items():
        value = members(frame.result.get("capabilities")).get(name, {})
        if not isinstance(value, dict):
            yield Found(
                f"the capability {name} is {json_type(value)} and no object", f"/result/capabilities/{name}"
            )
        for key, kind in shape.items():
            if not isinstance(members(value).get(key, False), kind):
                yield Found(f"{name}.{key} is no boolean", f"/result/capabilities/{name}/{key}")
    if frame.result.get("instructions") is not None and not isinstance(frame.result["instructions"], str):
        yield Found(f"instructions are {json_type(frame.result['instructions'])}", "/result/instructions")
    for version in items(frame.result.get("supportedVersions")):
        if not isinstance(version, str):
            yield Found(f"a supported version is {json_type(version)}", "/result/supportedVersions")


@rule("L10", "error", ALL, "2026-07-28/basic/versioning", on="frame")
def unknown_version(frame: Frame, talk: Talk) -> Findings:
    """A version that there is not is not refused with -32022 and what is supported."""
    named = frame.request.meta.get(VERSION_KEY) if frame.request is not None else None
    if not isinstance(named, str) or named in REVISIONS or not frame.message.is_answer or talk.settled:
        return
    data = members(frame.error.get("data"))
    if frame.message.kind == "response":
        yield f"a request in version {clip(named, 40)} was served; error -32022 was due"
    elif frame.error.get("code") == UNSUPPORTED_VERSION and not ("supported" in data and "requested" in data):
        yield Found("error -32022 does not name what is supported and what was requested", "/error/data")


@rule("L14", "error", ALL, "2026-07-28/basic#_meta", on="result")
def unmarked(frame: Frame, talk: Talk) -> Findings:
    """A request is served that does not say its version."""
    if talk.modern and not talk.handshakes and frame.request is not None and frame.request.version is None:
        yield f"{clip(frame.method or '', 60)} was served without a version in its _meta; error -32602 was due"


class _Said:
    """Where a server refused `server/discover`, and what it served before any handshake."""

    def __init__(self) -> None:
        self.refused: int | None = None
        self.early: tuple[int, ...] = ()


def _said(talk: Talk) -> _Said:
    return talk.kept("discovery", _Said)


@rule("L02", "error", LEGACY, "basic/lifecycle#version-negotiation", on="result", of="initialize")
def other_choice(frame: Frame, talk: Talk) -> Findings:
    """Another version is chosen than the one that was offered, though that is supported."""
    offered = frame.request.params.get("protocolVersion") if frame.request is not None else None
    if (
        offered in items(talk.discovered.get("supportedVersions"))
        and frame.result.get("protocolVersion") != offered
    ):
        yield Found(
            f"{offered!r:.40} was offered and is supported, and another was chosen", "/result/protocolVersion"
        )


@rule("L06", "info", ALL, on="end")
def served_early(talk: Talk) -> Findings:
    """The server serves requests before `initialize`."""
    if _said(talk).early and talk.handshakes:
        yield Found("a request was served before initialize", "", _said(talk).early)


@also("L06", on="result")
def note_early(frame: Frame, talk: Talk) -> Findings:
    early = talk.version is None and not talk.handshakes and frame.request is not None
    if early and frame.method not in ("initialize", "ping", "server/discover") and not _said(talk).early:
        assert frame.request is not None
        _said(talk).early = frame.request.seq, frame.seq
    return ()


@rule("L07", "error", MODERN, "server/discover", on="result")
def no_discovery(frame: Frame, talk: Talk) -> Findings:
    """The server speaks 2026-07-28, and does not know `server/discover`."""
    refused = _said(talk).refused
    if refused is not None:
        yield Found(
            "server/discover got error -32601, and requests of this version are served", "", (refused,)
        )


@also("L07", on="error", of="server/discover")
def note_refusal(frame: Frame, talk: Talk) -> Findings:
    _said(talk).refused = frame.seq if frame.error.get("code") == METHOD_NOT_FOUND else None
    return ()


@rule("L12", "info", ALL, on="result", of="initialize")
def two_faces(frame: Frame, talk: Talk) -> Findings:
    """Capabilities differ between `server/discover` and `initialize`."""
    before, now = talk.discovered.get("capabilities"), frame.result.get("capabilities")
    if isinstance(before, dict) and isinstance(now, dict):
        differing = [name for name in dict.fromkeys([*before, *now]) if before.get(name) != now.get(name)]
        if differing:
            told = clip(", ".join(differing), 80)
            yield Found(f"the server declares otherwise in server/discover: {told}", "/result/capabilities")
