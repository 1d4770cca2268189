"""The line by which Windows starts npx.cmd and the like, read back as its shell and then the program would read it."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.programs import batch_line, is_batch

NPX = r"C:\Program Files\nodejs\npx.cmd"
SHIM = r"C:\work\node_modules\.bin\mcp-remote.cmd"


def by_cmd(line: str) -> str:
    """What cmd.exe makes of a line, as long as everything it knows is behind a caret."""
    plain = re.sub(r"\^(.)", "", line)
    assert not re.search(r'[&|<>()%!"^;,`*?\[\]]', plain), f"cmd.exe would read {plain!r}"
    return re.sub(r"\^(.)", r"\1", line)


def by_program(line: str) -> list[str]:
    """The arguments that a program finds in its command line, by the rules of the C runtime of Microsoft."""
    words, word, quoted, begun, at = [], "", False, False, 0
    while at < len(line):
        slashes = len(line[at:]) - len(line[at:].lstrip("\\"))
        if slashes:
            at += slashes
            is_quote = line[at : at + 1] == '"'
            word += "\\" * (slashes // 2 if is_quote else slashes)
            begun = True
            if is_quote and slashes % 2:
                word += '"'
                at += 1
        elif line[at] == '"':
            quoted, begun, at = not quoted, True, at + 1
        elif line[at] in " \t" and not quoted:
            if begun:
                words.append(word)
            word, begun, at = "", False, at + 1
        else:
            word, begun, at = word + line[at], True, at + 1
    return [*words, word] if begun else words


@pytest.mark.parametrize(("program", "readings"), [(NPX, 1), (SHIM, 2)])
@given(arguments=st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126))))
def test_every_argument_arrives_as_it_is(program: str, readings: int, arguments: list[str]) -> None:
    line = by_cmd(batch_line(program, arguments))
    assert line.startswith(program)
    rest = line[len(program) :]
    for _ in range(readings - 1):
        rest = by_cmd(rest)
    assert by_program(rest) == arguments


def test_an_address_with_an_ampersand_starts_no_second_command() -> None:
    line = batch_line(NPX, ["-y", "mcp-remote", "https://a.example/mcp?x=1&y=%PATH%"])
    assert line == r"C:\Program^ Files\nodejs\npx.cmd -y mcp-remote https://a.example/mcp^?x=1^&y=^%PATH^%"


def test_only_batch_files_of_windows_are_read_by_its_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_batch(NPX)
    monkeypatch.setattr(sys, "platform", "win32")
    assert is_batch(NPX) and is_batch("x.BAT") and not is_batch("node.exe")
