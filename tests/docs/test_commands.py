"""Every command of README.md and docs/ does what the page says: run in an empty home, page by page."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import absent
from documents import PAGES, ROOT, Block, blocks, inline
from reader import Reader

from inspector.cli.arguments import Usage, parse
from inspector.cli.vocabulary import VERBS

WITH_COMMANDS = [page for page in PAGES if any(block.language in ("sh", "console") for block in blocks(page))]
REASONS = {
    "needs a package index": "what it installs is tried by .ci/run and by the tests of packaging",
    "needs a login in a browser": "tests/auth and tests/cli/test_auth.py log in",
    "needs public servers": "tests/real talks to some of them",
}
"""Why a block is not run, and where else it is."""
_MAKE = re.compile(r"^make ([a-z]+)")


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_do_what_the_page_says(page: Path, tmp_path: Path) -> None:
    wrong, missing = [], []
    with Reader(tmp_path) as reader:
        for block in blocks(page):
            if block.file:
                reader.write(block)
        for block in blocks(page):
            if block.language not in ("sh", "console") or block.not_run:
                continue
            for step in block.steps():
                if made := _MAKE.match(step.command):
                    assert made[1] in _targets(), f"there is no make {made[1]}"
                elif reason := reader.missing(step):
                    missing.append(f"{step.command}: {reason}")
                elif problem := reader.follow(step):
                    wrong.append(f"{page.relative_to(ROOT)}:{step.line}: {step.command}\n    {problem}")
    assert not wrong, "\n".join(wrong)
    if missing:
        absent("; ".join(missing))


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))


def _not_run() -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.not_run]


def test_what_is_not_run_is_counted_and_has_a_reason(record_property: pytest.RecordProperty) -> None:
    left_out = [f"{block.place}: {block.not_run}" for block in _not_run()]
    print("\n".join([f"{len(left_out)} blocks are not run:", *left_out]))
    unknown = [block.place for block in _not_run() if block.not_run not in REASONS]
    assert not unknown, f"say why in REASONS, and where it is tried: {unknown}"
    assert len(left_out) <= 12, "more and more is not run"


def _mentioned() -> Iterator[tuple[str, list[str]]]:
    """Every command of ours in running text and in what is not run, with its place."""
    for page in PAGES:
        for line, code in inline(page):
            if (
                code.startswith("mcp-inspect ")
                and not {"…", "..."} & set(code.split())
                and not code.startswith("mcp-inspect VERB")
            ):
                yield (
                    f"{page.relative_to(ROOT)}:{line}: {code}",
                    shlex.split(re.split(r"\\?\| ", code)[0])[1:],
                )
    for block in _not_run():
        for step in block.steps() if block.language in ("sh", "console") else ():
            if step.command.startswith("mcp-inspect "):
                yield f"{block.place}: {step.command}", shlex.split(step.command)[1:]


def test_commands_in_running_text_can_be_meant() -> None:
    wrong = []
    for place, words in _mentioned():
        if len(words) == 1 and words[0] in VERBS:
            continue  # its name is meant
        try:
            parse(words)
        except Usage as usage:
            wrong.append(f"{place}\n    {usage}")
        except SystemExit:
            pass
    assert not wrong, "\n".join(wrong)


def test_extras_that_are_named_exist() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {
        extra
        for page in PAGES
        for group in re.findall(r"(?:mcp-inspect|\.)\[([\w, -]+)\]'", page.read_text())
        for extra in re.split(r", ?", group)
    }
    assert named and named <= set(known)
