"""What the rules find in recorded sessions with real servers: each finding was read against the specification.

What is not listed here is a false alarm, or a rule that sees more than before: read the section, then add it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.check.checking import Checking, wanted
from inspector.traffic.store import Traffic

CONFIRMED: dict[str, set[str]] = {
    # H34: the recorder left out a header on purpose (basic/transports, sending messages; protocol version header).
    # J13: what is refused with a status has an error without id (basic, error responses), which is told as info.
    # R03: -32602 for a resource that there is not, where -32002 should be (server/resources, error handling).
    # H19: a session that was ended must be refused with 404, and gets 400 (basic/transports, session management).
    # J01, J05: the recorder broke off a message, and sent a batch, on purpose (basic, messages).
    "everything-http.json": {"H19", "H34", "J01", "J05", "J13", "R03"},
    "context7-modern-http.json": {"H34"},
    # L12: `initialize` declares less than `server/discover` does.
    # T18: an unknown tool is a protocol error (server/tools, error handling).
    "excel-modern-http.json": {"H34", "J13", "L12", "T18"},
    "excel-modern.jsonl": {"T18"},
    # L14: a request without its version in _meta must be refused (basic, _meta).
    "kubernetes-modern.jsonl": {"L14"},
    "everything.jsonl": {"J01", "J05", "R03", "T18"},
    "everything-sse.json": {"J01"},
    "everything-nocaps.jsonl": {"T18"},
    # T14: there should be a text with the JSON of structuredContent (server/tools, structured content).
    "filesystem.jsonl": {"T14"},
    "memory.jsonl": {"T14"},
    "mcp-proxy-memory-modern-http.json": {"T14"},
}
CLEAN = (
    "sdk-example-oauth-http.json", "context7-modern.jsonl", "git.jsonl", "git-modern.jsonl",
)  # fmt: skip
ERRORS = {
    "everything-http.json": {"H19", "H34", "J01", "J05"}, "everything.jsonl": {"J01", "J05"},
    "everything-sse.json": {"J01"}, "context7-modern-http.json": {"H34"}, "excel-modern-http.json": {"H34"},
    "kubernetes-modern.jsonl": {"L14"},
}  # fmt: skip


@pytest.mark.shared
@pytest.mark.parametrize("name", [*CONFIRMED, *CLEAN])
def test_only_what_was_confirmed_is_found(name: str, shared: Path) -> None:
    traffic = Traffic.open_recording(shared / "traffic" / name)
    try:
        traffic.advance()
        checking = Checking(traffic, wanted())
        checking.finish()
    finally:
        traffic.close()
    assert {each.rule for each in checking.findings} == CONFIRMED.get(name, set())
    assert {each.rule for each in checking.findings if each.level == "error"} == ERRORS.get(name, set())
