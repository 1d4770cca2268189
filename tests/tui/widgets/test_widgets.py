"""Small widgets and what they are set with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import OptionList

from inspector.tui.registry import ACTIONS, SCOPES, bindings
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.lists.filter_list import FilterList, Item
from inspector.tui.widgets.servers.line_log import LineLog
from inspector.tui.widgets.text.facts import fit, fold

Until = Callable[[Pilot[Any], Callable[[], object]], Any]


@given(st.text(alphabet="ab 漢é-", max_size=80), st.integers(2, 30), st.integers(0, 4))
def test_folded_lines_fit_and_lose_nothing_but_blanks(text: str, width: int, most: int) -> None:
    lines = fold(text, width, most)
    assert lines and all(cell_len(line) <= width for line in lines)
    if most:
        assert len(lines) <= most
    else:
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.text(alphabet="ab漢é", max_size=20), st.integers(1, 12), st.booleans())
def test_fitted_text_has_exactly_its_width(text: str, width: int, right: bool) -> None:
    assert cell_len(fit(text, width, right=right)) == width


def test_every_action_has_a_scope_and_keys_do_not_collide() -> None:
    for scope in SCOPES:
        keys = [key for action in ACTIONS if action.scope == scope for key in action.keys]
        assert len(keys) == len(set(keys)), scope
        assert all(binding.tooltip for binding in bindings(scope))  # type: ignore[union-attr]
    shared = [key for action in ACTIONS if action.scope in ("app", "workspace") for key in action.keys]
    assert len(shared) == len(set(shared))


async def test_the_cursor_stays_on_its_entry_when_the_list_changes(stage: Any, until: Until) -> None:
    view = FilterList(placeholder="", empty="nothing here")
    app = stage(view)
    async with app.run_test() as pilot:
        view.show([Item(name, name) for name in ("apple", "bread", "cake")])
        view.enter()
        await pilot.press("down")
        assert view.key == "bread"
        view.show([Item(name, name) for name in ("almond", "apple", "bread")])
        assert view.key == "bread"
        view.open_filter()
        await pilot.press(*"app")
        assert view.key == "apple" and view.query_one(OptionList).option_count == 1
        view.end_filter()
        view.show([])
        assert view.key is None


async def test_a_log_follows_its_end_until_someone_looks_up(stage: Any) -> None:
    log = LineLog("quiet")
    app = stage(log)
    async with app.run_test(size=(40, 10)) as pilot:
        log.focus()
        log.show([f"line {number}" for number in range(50)], 50)
        await pilot.pause()
        assert log.scroll_offset.y == log.max_scroll_y > 30
        await pilot.press("up")
        assert not log.follow
        standing = log.scroll_offset.y
        log.show([f"line {number}" for number in range(60)], 60)
        await pilot.pause()
        assert log.scroll_offset.y == standing
        await pilot.press("end")
        log.show([f"line {number}" for number in range(60)], 60)
        await pilot.pause()
        assert log.follow and log.scroll_offset.y == log.max_scroll_y
        assert log.find("LINE 7") == 1 and not log.follow


async def test_tabs_are_chosen_by_key_and_mouse(stage: Any) -> None:
    strip = TabStrip([Tab("one", "One"), Tab("two", "Two", "3"), Tab("six", "Six")])
    chosen: list[str] = []
    app = stage(strip)
    async with app.run_test(size=(40, 5), message_hook=lambda message: _note(message, chosen)) as pilot:
        strip.focus()
        await pilot.press("right")
        await pilot.click(strip, offset=(13, 0))
        await pilot.pause()
        assert chosen == ["two", "six"]


def _note(message: Any, chosen: list[str]) -> None:
    if isinstance(message, TabStrip.Chosen) and (not chosen or chosen[-1] != message.tab):
        chosen.append(message.tab)


@pytest.mark.parametrize("width", [27, 35, 48])
async def test_facts_at_the_edge_never_cut_a_name_that_would_fit_without_them(
    width: int, stage: Any, until: Until
) -> None:
    view = FilterList(placeholder="", empty="nothing here")
    app = stage(view)
    async with app.run_test(size=(width, 10)) as pilot:
        names = ("big", "union_of_many")
        view.show([Item(name, name, sides=("  446 B   ~112 tok", "446 B ~112", "~112")) for name in names])
        text = "\n".join(str(view._options.get_option_at_index(at).prompt) for at in range(2))
        await until(pilot, lambda: view._options.option_count == 2)
        assert "union_of_many" in text
