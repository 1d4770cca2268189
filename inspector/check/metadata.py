"""`_meta`, and what HTTP answers say about authorization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.base.jsonptr import escape
from inspector.base.patterns import pattern
from inspector.base.text import quoted
from inspector.check.rules import MODERN, V06, V07, V11, Findings, Found, rule
from inspector.check.talk import LIST_OF, Frame, Talk, entries, members
from inspector.protocol.listing import LISTS
from inspector.protocol.revisions import PREFIX

_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_KEY = pattern(rf"(?:{_LABEL}(?:\.{_LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?")
_TRACE = pattern(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_OURS = ("modelcontextprotocol", "mcp")


def _metas(frame: Frame) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Of the message, and of each entry that it lists."""
    yield frame.meta, "/result/_meta" if frame.message.is_answer else "/params/_meta"
    kind = LIST_OF.get(frame.method or "")
    if kind is not None and frame.message.kind == "response":
        for index, entry in enumerate(entries(kind, frame.result)):
            yield members(members(entry).get("_meta")), f"/result/{LISTS[kind].member}/{index}/_meta"


@rule("X01", "error", (V06, V11, V07), "basic#_meta", on="frame")
def bad_key(frame: Frame, talk: Talk) -> Findings:
    """A key of `_meta` is malformed, or has a prefix that is reserved."""
    if not frame.message.readable:
        return
    for meta, where in _metas(frame):
        for key in meta:
            if _KEY.fullmatch(key) is None:
                yield Found(f"{quoted(key, 80)} is no key that _meta may have", f"{where}/{escape(key)}")
            elif not key.startswith(PREFIX) and _reserved(key.rpartition("/")[0].split("."), frame.version):
                yield Found(
                    f"{quoted(key, 80)} has a prefix that is kept for the protocol", f"{where}/{escape(key)}"
                )


def _reserved(labels: list[str], version: str | None) -> bool:
    at = len(labels) - 2 if version == V06 else 1
    return len(labels) > 1 and at >= 0 and labels[at] in _OURS


@rule("X02", "error", MODERN, "basic#_meta", on="frame")
def bad_trace(frame: Frame, talk: Talk) -> Findings:
    """A trace context is not of the form that W3C gave it."""
    given = frame.meta.get("traceparent") if frame.message.readable else None
    if given is not None and not (isinstance(given, str) and _TRACE.fullmatch(given)):
        where = "/result/_meta" if frame.message.is_answer else "/params/_meta"
        yield Found(f"traceparent is {quoted(given, 80)}", f"{where}/traceparent")
