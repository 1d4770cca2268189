"""The TAB key in real shells, and what is offered to them."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from command import inspect, odd_entry, write_config
from terminal import ROOT, Terminal

from inspector.cli.completing import UNKNOWN, offer
from inspector.cli.options import parser_of
from inspector.cli.vocabulary import FILE_FIRST, SHELLS, VERBS
from inspector.workspace import accepted

EVIL = "tidy $(touch pwned)"
START = {
    "bash": "exec bash --norc --noprofile -i",
    "zsh": "exec zsh -f -i",
    "fish": "exec fish --no-config -i",
}
SETUP = {
    "bash": "PS1='READ''Y '; source ./script",
    "zsh": "PS1='READ''Y '; autoload -U compinit; compinit -D; source ./script",
    "fish": "function fish_prompt; printf 'READ''Y '; end; source ./script",
}
LINES = [
    ("stat\t", ["status"]),
    ("check --expl\tJ01", ["check", "--explain", "J01"]),
    ("run --format=ju\t", ["run", "--format=junit"]),
    ("tools demo -s bak\t", ["tools", "demo", "-s", "bakery"]),
    ("call demo -s bakery price\t", ["call", "demo", "-s", "bakery", "price_of"]),
    (
        "call demo price_of -s bakery cou\t3 item=rye\t",
        ["call", "demo", "price_of", "-s", "bakery", "count:=3", "item=rye loaf"],
    ),
    ("config my\t", ["config", "my servers.json"]),
    ("call servers.json -s 'with blank' tid\t", ["call", "servers.json", "-s", "with blank", EVIL]),
    ("tools servers.json -s wi\t", ["tools", "servers.json", "-s", "with blank"]),
    ("complete demo prompt:plan\t", ["complete", "demo", "prompt:plan_breakfast"]),
    ("tools -- mkfif\t", ["tools", "--", "mkfifo"]),
]


def words(*typed: str) -> list[str]:
    *before, current = typed
    return [word for word, _ in offer(before, current).words]


@pytest.fixture
def room(tmp_path: Path, own_folders: Path) -> Path:
    """A folder with configs, a baseline of a server that has a hostile tool, and a program that prints what it is
    called with."""
    config = write_config(tmp_path, **{"with blank": odd_entry(), "other": odd_entry()})
    shutil.copy(config, tmp_path / "my servers.json")
    from inspector.config.load import load

    entry = load(config).entries[0]
    tool = {"name": EVIL, "inputSchema": {"type": "object"}}
    lines = {"name": "two\nlines", "inputSchema": {"type": "object"}}
    lists = {"tools": [tool, lines], "resources": [], "templates": [], "prompts": []}
    accepted.write(accepted.file_of(entry, os.environ), {entry.name: lists}, ours=True)
    program = tmp_path / "bin" / "mcp-inspect"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = completion ]; then PYTHONPATH={ROOT} exec {sys.executable} -m inspector "$@"; fi\n'
        "printf '<%s>' \"$@\"; echo OVER\n"
    )
    program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("shell", START)
def test_the_tab_key_of_a_real_shell_finishes_words(
    shell: str, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: what it offers at the TAB key is not tried")
    monkeypatch.chdir(room)
    (room / "script").write_text(inspect("completion", shell).out)
    path = f"{room / 'bin'}:{os.environ['PATH']}"
    with Terminal(under=START[shell], columns=200, PATH=path, TERM="xterm", HOME=str(room)) as terminal:
        terminal.type(SETUP[shell] + "\r")
        at = 0
        for line, expected in LINES:
            terminal.until("READY ", after=at)
            at = len(terminal.seen)
            terminal.type(f"mcp-inspect {line}\r")
            terminal.until(">OVER", after=at)
            end = terminal.seen.index(b">OVER", at) + 1
            assert re.findall("<([^<>]*)>", terminal.seen[at:end].decode()) == expected
            at = end
    assert not (room / "pwned").exists()


def test_every_value_of_an_option_is_offered_or_known_to_be_nobodys_guess() -> None:
    """A new option is to be thought about once."""
    seen = set()
    for verb in VERBS:
        for action in parser_of(verb)._actions:
            if action.nargs == 0 or not action.option_strings or action.help == argparse.SUPPRESS:
                continue
            if (key := (*action.option_strings, action.metavar)) in seen:
                continue
            seen.add(key)
            name = action.metavar if isinstance(action.metavar, str) else str((action.metavar or ("",))[0])
            before = ["a.yaml"] if verb in FILE_FIRST else []
            found = offer([verb, *before, "demo", "-s", "bakery", action.option_strings[-1]], "")
            assert found.words or found.also or name in UNKNOWN, (verb, action.option_strings)


def test_what_has_nothing_to_do_on_a_verb_is_not_offered() -> None:
    assert "--listen" in words("tap", "--l") and "--listen" not in words("call", "--l")
    assert "--record" not in words("log", "--re")
    assert words("paths", "") == []


def test_a_command_behind_the_marks_is_for_the_shell() -> None:
    assert offer(["tools", "--"], "np").also == "command"


def test_values_follow_an_equals_sign_and_an_install_names_a_file_and_a_server(room: Path) -> None:
    assert words("check", "--fail-on=w") == ["--fail-on=warning"]
    assert words("tap", "--install", str(room / "servers.json"), "o") == ["other"]
    assert offer(["tap", "--install"], "").also == "files"


def test_what_a_hostile_server_calls_its_tools_is_one_plain_word_or_none(room: Path) -> None:
    config = str(room / "servers.json")
    assert words("call", config, "-s", "with blank", "") == [EVIL]
    line = f"\nmcp-inspect call {config} -s 'with blank' "
    bash = inspect("completion", "bash", MCP_INSPECT_COMPLETE=line).out.splitlines()
    assert bash == ["words", r"tidy\ \$\(touch\ pwned\)"]
    typed = f"\nmcp-inspect\ncall\n{config}\n-s\nwith blank"
    power = inspect("completion", "powershell", MCP_INSPECT_COMPLETE=typed).out.splitlines()
    assert power[1].split("\t")[0] == f"'{EVIL}'"


@pytest.mark.parametrize("typed", ["", "x 'y", "x tap --install a"])
def test_no_line_is_too_odd(typed: str) -> None:
    for shell in SHELLS:
        assert inspect("completion", shell, MCP_INSPECT_COMPLETE=f"\n{typed}").code == 0


def test_a_shell_that_is_not_known_is_told_which_are() -> None:
    ran = inspect("completion", "csh")
    assert ran.code == 2 and "bash, zsh, fish, powershell" in ran.err
    assert inspect("completion", "fish", "--json").json["script"].startswith("# mcp-inspect completion fish")
