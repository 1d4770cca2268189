"""The pages of docs/: made ones are up to date, links lead somewhere, an index names each page, keys exist."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from documents import PAGES, ROOT, inline, prose

from inspector.base.errors import KINDS, Exit
from inspector.config import settings
from inspector.config.dialects import DIALECTS
from inspector.faults.kinds import KINDS as FAULTS
from inspector.traffic.completion import NOTES
from inspector.traffic.lines import FLAGS
from inspector.tui.keymap import key_name
from inspector.tui.registry import ACTIONS

REFERENCE = ROOT / "docs" / "reference"
_LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+?)\s*$", re.M)
_KEY = re.compile(r"(?:(?:alt|ctrl|shift)\+\S+|\^\S|F\d{1,2}|(?:alt|shift)\+F\d{1,2})$")


def test_pages_that_are_made_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    stale = [name for name, text in generate.pages().items() if (REFERENCE / name).read_text() != text]
    assert not stale, f"run make docs: {', '.join(stale)}"


def _anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    found: set[str] = set()
    for heading in _HEADING.findall(prose(page)):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(
            " ", "-"
        )
        number = 0
        while (anchor := f"{words}-{number}" if number else words) in found:
            number += 1
        found.add(anchor)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target in _LINK.findall(prose(page)):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = unquote(target).partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and anchor not in _anchors(there)):
            broken.append(target)
    assert not broken


def test_the_index_names_each_page_once() -> None:
    index = ROOT / "docs" / "README.md"
    linked = [
        (index.parent / target).resolve() for target in _LINK.findall(index.read_text()) if ".." not in target
    ]
    pages = {page for page in PAGES if ROOT / "docs" in page.parents and page != index}
    assert set(linked) == pages
    twice = {page.name for page in linked if linked.count(page) > 1}
    assert not twice


def test_the_index_calls_each_page_by_its_title() -> None:
    index = ROOT / "docs" / "README.md"
    named = re.findall(r"\[([^\]]+)\]\(((?!\.\.)[^)#]+\.md)\)", index.read_text())
    wrong = [
        target for name, target in named if (index.parent / target).read_text().split("\n")[0] != f"# {name}"
    ]
    assert named and not wrong


def test_keys_that_are_named_are_keys_of_the_app() -> None:
    known = {key for action in ACTIONS for key in action.keys}
    wrong = []
    for page in PAGES:
        if page.name in ("keys.md", "SECURITY.md"):
            continue
        for line, code in inline(page):
            if (
                _KEY.match(code)
                and (key_name(code) or code) not in known
                and key_name(code.lower()) not in known
            ):
                wrong.append(f"{page.relative_to(ROOT)}:{line}: {code}")
    assert not wrong


def test_files_of_the_repository_that_are_named_exist() -> None:
    gone = [
        f"{page.relative_to(ROOT)}:{line}: {code}"
        for page in PAGES
        for line, code in inline(page)
        if re.fullmatch(r"(inspector|tests|docs|bench|conformance|screenshots)/[\w./*-]*", code)
        and not list(ROOT.glob(code))
    ]
    assert not gone


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("settings.md", settings._MEMBERS),
        ("filter.md", [word.rstrip(":<>") for word in NOTES]),
        ("filter.md", [word.replace(" ", "-") for word in FLAGS]),
        ("configs.md", DIALECTS),
        ("faults.md", FAULTS),
        ("json.md", KINDS),
        ("json.md", [str(int(code)) for code in Exit]),
    ],
)  # fmt: skip
def test_what_there_is_stands_in_the_reference(name: str, words: list[str]) -> None:
    named = {part for _, code in inline(REFERENCE / name) for part in re.findall(r"[\w-]+", code)}
    numbers = set(re.findall(r"^\| (\d+) \|", (REFERENCE / name).read_text(), re.M))
    assert not set(words) - named - numbers
