from __future__ import annotations

import re
from pathlib import Path

import pytest
from app import Until, opened, painted, state
from textual.widgets import Input

from inspector.tui import keymap, registry
from inspector.tui.keymap import key_name
from inspector.tui.screens.help import HelpScreen
from inspector.tui.widgets.bars.key_bar import KeyBar


@pytest.fixture(autouse=True)
def config(home: Path) -> Path:
    (home / "config").mkdir()
    return home / "config"


def _load(config: Path, text: str) -> keymap.Keymap:
    (config / "keymap.json").write_text(text)
    return keymap.load()


def test_without_a_file_nothing_changes() -> None:
    loaded = keymap.load()
    assert (loaded.keys, loaded.problems) == ({}, [])


def test_one_key_several_keys_or_none(config: Path) -> None:
    loaded = _load(config, '{ // mine\n "restart": "alt+x", "traffic.mark": ["f3", "^g"], "zoom": [], }')
    assert loaded.keys == {"restart": ("alt+x",), "traffic.mark": ("f3", "ctrl+g"), "zoom": ()}
    assert loaded.problems == []


def test_a_key_that_terminals_send_as_another_works_as_both(config: Path) -> None:
    assert _load(config, '{"restart": "alt+b"}').keys == {"restart": ("alt+b", "ctrl+left")}


def test_the_example_of_the_docs_is_sound(config: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "app.md").read_text()
    (example,) = re.findall(r'`(\{"restart".*?\})`', page)
    assert _load(config, example).problems == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n"restrt": "x"}', 'line 2: there is no action "restrt"; did you mean restart?'),
        ('{"restart": "hyper+x"}', "line 1: 'hyper+x' is no key for restart"),
        ('{"restart": 5}', "5 is no key for restart"),
        ('{"restart": }', "line 1, column 13"),
        ("[]", "holds no object"),
        (
            '{\n\n"traffic.mark": "s"}',
            "line 3: s is the key of traffic.mark and of focus_servers; it is traffic.mark where that works",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_and_costs_only_itself(
    config: Path, text: str, told: str
) -> None:
    (problem,) = _load(config, text).problems
    assert told in problem and "keymap.json" in problem


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("?", "question_mark"),
        ("G", "G"),
        ("ctrl+R", "ctrl+r"),
        ("Esc", "escape"),
        ("F5", "f5"),
        ("alt+up", "alt+up"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("slash", "slash"),
        ("", None),
        ("nokey", None),
    ],
)
def test_keys_as_people_write_them(written: str, name: str | None) -> None:
    assert key_name(written) == name


async def test_the_app_its_bar_and_its_help_have_the_keys_of_the_person(config: Path, until: Until) -> None:
    (config / "keymap.json").write_text('{"focus_traffic": "F9", "zoom": "Z", "leave": [], "nonsense": "x"}')
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.main.traffic_pane is not None)
        assert "there is no action" in app.keymap_problems[0]
        await pilot.press("f9")
        assert app.main.traffic_pane is not None and app.main.traffic_pane.frames.has_focus
        await pilot.press("q", "z")
        assert app.is_running and app.main.zoomed is None
        await pilot.press("Z")
        assert app.main.zoomed == "traffic"
        shown_keys = app.main.query_one(KeyBar).offered()
        keys = [(shown, title) for shown, title, _ in shown_keys]
        assert ("Z", "Zoom") in keys and "Quit" not in [title for _, title in keys]
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await until(pilot, lambda: "F9  Traffic" in app.screen._text().plain)
    registry.use({})


async def test_help_is_searched_and_explains_the_focused_part(until: Until) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        await until(pilot, lambda: app.screen._text().plain.startswith("The servers of the config"))
        await pilot.press("escape", "question_mark", "slash", *"zoom")
        assert isinstance(app.screen, HelpScreen) and isinstance(app.focused, Input)
        await until(pilot, lambda: "Gives the whole screen" in painted(app))
        assert "Restart" not in app.screen._text().plain
        await pilot.press("escape")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        assert app.screen is app.main
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("t", "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await until(pilot, lambda: app.screen._text().plain.startswith("A list to choose from"))
