"""Which of the last lines says why a server ended."""

from __future__ import annotations

import pytest

from inspector.transports.stderr import StderrTail

FLAGS = "".join(
    f"      --option-{number} string   What must be said of it, or it is not found\n" for number in range(60)
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"Error: no context is set\nUsage:\n  server [flags]\n\nFlags:\n{FLAGS}", "Error: no context is set"),
        ("usage: server [-h] --key KEY\nserver: error: the following arguments are required: --key",
         "server: error: the following arguments are required: --key"),
        ("npm error code E404\nnpm error 404 Not Found - GET https://r.test/x\nnpm error 404 tarball, folder, or url.",
         "npm error 404 Not Found - GET https://r.test/x"),
        ("Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: bad", "ValueError: bad"),
        ("notes: NOTES_KEY is not set\n  → set it with export NOTES_KEY=...", "notes: NOTES_KEY is not set"),
        ("Cannot open the door\n-> is the key missing?", "Cannot open the door"), ("→ only this", "→ only this"),
        ("starting\nready\n", "ready"), ("", None), ("--x\n", "--x"),
        ("Error: the key is missing\n    give it, or it cannot\n\tbe: required", "Error: the key is missing"),
        ("  ERROR  cannot start\n  bye", "ERROR  cannot start"),
        ("fatal: token expired\n  hint: log in, it is required\nhelp: login is required", "fatal: token expired"),
        ("1 validation error for Settings\napi_key\n  Field required", "Field required"),
    ],
)  # fmt: skip
def test_the_line_that_tells(text: str, reason: str | None) -> None:
    tail = StderrTail()
    tail.feed(text.encode())
    tail.finish()
    assert tail.reason() == reason
