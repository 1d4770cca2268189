"""Who a server says it is, as set type: its title, name and version, what it is for, and the protocol that was agreed.

Takes foreign values: serverInfo as it came (specification 2025-11-25, schema `Implementation`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspector.base.text import clip
from inspector.protocol.caching import freshness
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, fold

if TYPE_CHECKING:
    from inspector.session.eras.verdict import Verdict
    from inspector.session.handshake import Handshake

_TEXT = 400
_ROOMY = 60
"""Cells of width from which there is room for more than the essence."""
_OPENED = {"legacy": "opened by initialize", "modern": "no handshake, every request stands alone"}


def introduction(handshake: Handshake, verdict: Verdict | None, width: int) -> list[Part]:
    """Two to nine lines of `width` cells: with the evidence for the era, and how long the answer keeps."""
    info = handshake.server_info if isinstance(handshake.server_info, dict) else {}
    name, title = _text(info.get("name")), _text(info.get("title"))
    version = _text(info.get("version"))
    parts: list[Part] = [(clip(title or name or "A server without a name", width), "bold $foreground")]
    if title and name and name != title:
        parts.append((f"  {clip(name, 60)}", "$quiet"))
    parts.append((f" {clip(version, 40)}\n" if version else "\n", "$quiet"))
    if description := _text(info.get("description")):
        parts.append(
            ("\n".join(fold(description, width, most=3 if width >= _ROOMY else 1)) + "\n", "$foreground")
        )
    if website := _text(info.get("websiteUrl")):
        parts.append((clip(website, width) + "\n", "$quiet"))
    era = f"{handshake.era} era" + (f", {_OPENED[handshake.era]}" if width >= _ROOMY else "")
    parts += [
        ("protocol ", "$quiet"),
        (guard.line(handshake.version), "$foreground"),
        (f" · {era}\n", "$quiet"),
    ]
    if verdict is not None:
        parts += [
            ("era      ", "$quiet"),
            (_evidence(verdict, width - 10, 3 if width >= _ROOMY else 1), "$quiet"),
        ]
    if kept := freshness(handshake.result):
        parts += [("cache    ", "$quiet"), (f"{kept}\n", "$foreground")]
    return parts


def _evidence(verdict: Verdict, width: int, most: int) -> str:
    said = {"asked": "found out: ", "remembered": "as found before: ", "told": ""}[verdict.how]
    lines = fold(guard.line(f"{said}{verdict.evidence}"), max(20, width), most=most)
    return ("\n" + " " * 9).join(lines) + "\n"


def _text(value: Any) -> str:
    return guard.line(value[:_TEXT], cut=len(value) > _TEXT) if isinstance(value, str) else ""
