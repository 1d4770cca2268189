"""Which versions a server speaks, whether it says so, and whether it is the same in each of them."""

from __future__ import annotations

import json
from typing import Any

from inspector.base.patterns import pattern
from inspector.base.text import clip, quoted
from inspector.check.rules import ALL, LEGACY, MODERN, V07, V24, Findings, Found, also, rule
from inspector.check.talk import VERSION_KEY, Frame, Talk, items, members
from inspector.protocol.jsonrpc import METHOD_NOT_FOUND, UNSUPPORTED_VERSION
from inspector.protocol.revisions import REVISIONS

_VERSION = pattern(r"20\d\d-\d\d-\d\d")
_SHARED = ("tools", "prompts", "resources", "completions", "logging")
_COMPARED = 20
_LATEST = "2026-07-28/basic/versioning"


@rule("L03", "info", ALL, "2025-11-25/basic/lifecycle#version-negotiation", on="result", of="initialize")
def strange_version(frame: Frame, talk: Talk) -> Findings:
    """The server chose a version that is not published."""
    chosen = frame.result.get("protocolVersion")
    if isinstance(chosen, str) and chosen not in REVISIONS:
        yield Found(f"{clip(chosen, 40)} is no published version of the protocol", "/result/protocolVersion")


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
        offered in items(_discovered(talk).get("supportedVersions"))
        and frame.result.get("protocolVersion") != offered
    ):
        yield Found(
            f"{quoted(offered, 40)} was offered and is supported, and another was chosen",
            "/result/protocolVersion",
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
    before, now = _discovered(talk).get("capabilities"), frame.result.get("capabilities")
    if isinstance(before, dict) and isinstance(now, dict):
        # The others are not of both versions.
        names = [name for name in _SHARED if name != "completions" or frame.version != V24]
        differing = [name for name in names if before.get(name) != now.get(name)]
        if differing:
            told = clip(", ".join(differing), 80)
            yield Found(f"the server declares otherwise in server/discover: {told}", "/result/capabilities")


@also("L12", on="result", of="server/discover")
def note_discovery(frame: Frame, talk: Talk) -> Findings:
    _discovered(talk).update(frame.result)
    return ()


def _discovered(talk: Talk) -> dict[str, Any]:
    """The latest that the server said of itself, over whatever connection."""
    return talk.known("discovery", dict)


@rule("L11", "warning", ALL, _LATEST, on="error", of="initialize")
def mute_refusal(frame: Frame, talk: Talk) -> Findings:
    """A server that speaks only 2026-07-28 refuses `initialize`, and does not say what it speaks."""
    refused: dict[str, int] = talk.known("refused", dict)
    refused["initialize"] = frame.seq
    spoken = items(_discovered(talk).get("supportedVersions"))
    said = json.dumps(frame.error, default=str)
    if (
        spoken
        and set(spoken) <= {V07}
        and not any(version != talk.offered for version in _VERSION.findall(said))
    ):
        yield "initialize is refused, and the error names no version that is supported"


@rule("L13", "error", MODERN, "server/tools#capabilities", on="result", of="tools/list")
def other_tools(frame: Frame, talk: Talk) -> Findings:
    """The tools differ by connection, or a list depends on what was asked before."""
    names = talk.whole("tools")
    others: dict[int, tuple[Talk, int]] = talk.known("L13", dict)
    if names is None:
        return
    for other, row in others.values():
        there = other.whole("tools")
        beside = other.last is not None and talk.first is not None and other.last.time >= talk.first
        differing = set(there or ()) ^ set(names)
        if other is not talk and beside and there is not None and differing and _who(other) == _who(talk):
            told = f"over another connection at the same time there are other tools: {', '.join(sorted(differing))}"
            yield Found(clip(told, 160), "", (row, frame.seq))
    others[id(talk)] = talk, frame.seq
    if len(others) > _COMPARED:
        del others[next(iter(others))]


def _who(talk: Talk) -> str | None:
    """What tools may depend on: the authorization of the latest request."""
    trip = talk.last.trip if talk.last is not None else None
    return trip.said("authorization") if trip is not None else None


@also("L13", on="error", of="tools/list")
def refused_first(frame: Frame, talk: Talk) -> Findings:
    others: dict[int, tuple[Talk, int]] = talk.known("L13", dict)
    served = [row for other, row in others.values() if other is not talk]
    if talk.asked == 1 and served and frame.request is not None and frame.request.version == V07:
        yield Found("the first request of a connection is refused, and served where others came before it", "",
                    (served[-1], frame.seq))  # fmt: skip
