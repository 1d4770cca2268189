"""Files that the pages show are what the program reads: each is loaded as the kind that its fence names."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from documents import PAGES, Block, blocks

from inspector.calls import saved as calls
from inspector.cli.arguments import parse
from inspector.config import load, settings
from inspector.lenses.solon import saved as prompts
from inspector.policy.answering import responder
from inspector.serving import written
from inspector.tui import keymap

LANGUAGES = {"sh", "console", "json", "yaml", "toml", "python", "text"}
EVERY = [block for page in PAGES for block in blocks(page)]


def _config(path: Path) -> None:
    problems = [
        problem for problem in load.load_text(path.read_text()).problems if problem.severity == "error"
    ]
    assert [
        problem.message for problem in problems if not problem.message.startswith("program not found")
    ] == []


def _settings(path: Path) -> None:
    assert settings.load_settings(path).problems == []


def _keymap(path: Path) -> None:
    assert keymap.load(path).problems == []


def _calls(path: Path) -> None:
    assert calls.read(path).calls


def _skill(path: Path) -> None:
    """A member of a definition."""
    path.write_text("definition: 1\nserver: {name: skill, version: 1.0.0}\n" + path.read_text())
    written.read(path)


def _answers(path: Path) -> None:
    responder(str(path))


def _workflow(path: Path) -> None:
    for step in yaml.safe_load(path.read_text()):
        if step.get("run", "").startswith("mcp-inspect "):
            parse(shlex.split(step["run"])[1:])


READERS: dict[str, Callable[[Path], object]] = {
    "config": _config, "settings": _settings, "keymap": _keymap, "calls": _calls, "definition": written.read,
    "skill": _skill, "answers": _answers, "prompts": prompts.read, "workflow": _workflow,
}  # fmt: skip


def test_every_block_says_what_it_is() -> None:
    assert [block.place for block in EVERY if block.language not in LANGUAGES] == []


@pytest.mark.parametrize(
    "block",
    [block for block in EVERY if block.language in ("json", "yaml", "toml", "python")],
    ids=lambda block: block.place,
)
def test_snippets_are_what_the_program_reads(block: Block, tmp_path: Path) -> None:
    if block.language == "json":
        json.loads(block.text) if not block.kind else None
    elif block.language == "yaml":
        yaml.safe_load(block.text)
    elif block.language == "toml":
        tomllib.loads(block.text)
    else:
        compile(block.text, block.place, "exec")
    if block.kind:
        path = tmp_path / (block.file or f"snippet.{block.language}")
        path.write_text(block.text)
        READERS[block.kind](path)


def test_each_kind_is_shown_somewhere() -> None:
    assert {block.kind for block in EVERY if block.kind} == set(READERS)
