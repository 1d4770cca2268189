"""How a conversation begins, and what each side declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.base.text import clip, quoted
from inspector.check.rules import ALL, LEGACY, MODERN, Findings, Found, rule
from inspector.check.talk import VERSION_KEY, Frame, Talk, items, members
from inspector.protocol.listing import json_type
from inspector.protocol.revisions import PREFIX

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
            f"{quoted(asked, 40)} was accepted and is not among supportedVersions",
            "/result/supportedVersions",
        )


@rule("L15", "error", MODERN, "basic#result-responses", on="result")
def result_type(frame: Frame, talk: Talk) -> Findings:
    """A result has no `resultType`, or one that nobody knows."""
    kind = frame.result.get("resultType")
    if kind is None:
        yield Found("the result has no resultType", "/result/resultType")
    elif kind not in ("complete", "input_required", "task"):  # on tasks see K03 and X04
        yield Found(
            f"resultType is {quoted(kind, 40)}, which nothing negotiated defines", "/result/resultType"
        )


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
            yield Found(f"the extension {quoted(name, 60)} has no prefix", "/result/capabilities/extensions")


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
