"""Files that are there and are no programs: each is told by what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command import inspect, write_config

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are told by their name there")


@pytest.mark.parametrize(
    ("content", "kind", "cause", "step"),
    [
        (b"#!/bin/sh\r\necho\r\n", "not_found", "(#!) does not: '/bin/sh\\u000d'", "save it with LF"),
        (b"#!/no/such/interpreter\n", "not_found", "'/no/such/interpreter'", "install that interpreter"),
        (
            b"#!/usr/bin/env no-such-interpreter\n",
            "exited",
            "no-such-interpreter",
            "no no-such-interpreter on its PATH",
        ),
        (b"echo hello\n", "not_executable", "it has no #! line", "start it through its interpreter"),
        (b"\xef\xbb\xbf#!/bin/sh\n", "not_executable", "a byte order mark", "without a byte order mark"),
        (
            b"\x7fELF\x02\x01\x01\x00",
            "not_executable",
            "built for another one, or is cut off",
            "take a build",
        ),
        (b"MZ\x90\x00", "not_executable", "it is one for Windows", "take a build for this system"),
        (b"", "not_executable", "it is empty", "install or build it again"),
    ],
)
def test_what_is_wrong_with_the_file(
    content: bytes, kind: str, cause: str, step: str, tmp_path: Path
) -> None:
    program = tmp_path / "notes"
    program.write_bytes(content)
    program.chmod(0o700)
    error = inspect("status", write_config(tmp_path, notes={"command": str(program)}), "--json").json[
        "servers"
    ][0]["error"]
    assert error["kind"] == kind
    assert cause in error["message"] and step in error["hint"]


def test_a_link_that_leads_to_nothing(tmp_path: Path) -> None:
    link = tmp_path / "notes"
    link.symlink_to(tmp_path / "gone")
    error = inspect("status", write_config(tmp_path, notes={"command": str(link)}), "--json").json["servers"][
        0
    ]["error"]
    assert (
        error["kind"] == "not_found"
        and f"a link that leads to nothing ({tmp_path / 'gone'})" in error["message"]
    )
