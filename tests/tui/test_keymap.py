from __future__ import annotations

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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n"restrt": "x"}', 'line 2: there is no action "restrt"; did you mean restart?'),
        ('{"restart": "hyper+x"}', "line 1: 'hyper+x' is no key for restart"),
        ('{"restart": 5}', "5 is no key for restart"),
        ('{"restart": }', "line 1, column 13"),
        ("[]", "holds no object"),
        ('{\n"keys": ["vim"]}', "line 2: there is no set of keys ['vim'], only: "),
        ('{"keys": {"vim": {}}}', "line 1: there is no set of keys {'vim': {}}, only: "),
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


def test_the_set_of_vim_is_sound_and_lines_of_the_person_come_before_it(config: Path) -> None:
    assert registry.collisions(keymap.SETS["vim"]) == []
    loaded = _load(config, '{"keys": "vim", "undo": ["alt+x"]}')
    assert loaded.problems == [] and loaded.keys["undo"] == ("alt+x",)
    assert loaded.keys["lines.count"][0] == "0" and "colon" in loaded.keys["command_palette"]
    (problem,) = _load(config, '{\n"keys": "vi"}').problems
    assert "line 2: there is no set of keys 'vi', only: vim" in problem


def test_the_file_to_begin_with_changes_nothing_and_every_line_of_it_can_be_taken_in(config: Path) -> None:
    assert _load(config, keymap.template()) == keymap.Keymap()
    lines = [line.replace("  // ", "", 1) for line in keymap.template().split("\n") if '"' in line]
    taken = "{" + "\n".join(line.rpartition("],")[0] + "]," for line in lines if "], " in line) + "}"
    loaded = _load(config, taken)
    assert loaded.problems == []
    assert loaded.keys == {action.id: action.keys for action in registry.ACTIONS} | {"help_quit": ("ctrl+c",)}


async def test_actions_without_keys_get_them_and_counts_move(
    config: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    (config / "keymap.json").write_text('{"keys": "vim", "log_out": "alt+x"}')
    try:
        async with opened("bakery", "shelf", "asker") as (app, pilot):
            await until(pilot, lambda: app.main.traffic_pane is not None)
            bound = app.main._bindings.copy()
            bound.apply_keymap(app._keymap)
            assert [each.id for each in bound.key_to_bindings["alt+x"]] == ["log_out"]
            await pilot.press("2", "j")
            await until(pilot, lambda: app.main.table.selected == "asker")
            await pilot.press("g", "2", "G")
            await until(pilot, lambda: app.main.table.selected == "shelf")
            await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab_id == "overview")
            await until(pilot, lambda: app.workspace.connections["shelf"].count("resources") is not None)
            await pilot.press("alt+2")
            await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab_id != "overview")

            # The file is opened by the palette, and holds at once.
            async def written(app: object, text: str, name: str) -> str:
                assert '"vim"' in text and name == "keymap.json"
                return '{"zoom": "Z", "nonsense": "x"}'

            monkeypatch.setattr("inspector.tui.editor.edit", written)
            await app.run_action("edit_keymap")
            await until(pilot, lambda: registry.keys_of("zoom") == ("Z",))
            assert len(app.keymap_problems) == 1 and registry.keys_of("undo") == ("alt+z",)
            await pilot.press("s", "Z")
            await until(pilot, lambda: app.main.zoomed == "servers")
    finally:
        registry.use({})
