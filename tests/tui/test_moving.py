"""The same keys move in everything that is scrolled."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app import Until
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

import inspector.tui
from inspector.tui.registry import BY_ID
from inspector.tui.widgets.lists.filter_list import FilterList, Item
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.lists.moving import Count, Lines, Moves, Options, Scroll
from inspector.tui.widgets.servers.line_log import LineLog
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.text.text_view import TextView

_ROWS = 200
_MOVES = ("up", "down", "page_up", "page_down", "half_up", "half_down", "first", "last")
_MENU = "copy_as.py"
"""A menu whose entries are chosen by letters has none left to move by."""


def _kinds(base: type[Any]) -> Iterator[type[Any]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


def test_every_list_and_text_has_all_keys_that_move() -> None:
    for module in pkgutil.walk_packages(inspector.tui.__path__, "inspector.tui."):
        importlib.import_module(module.name)
    kinds = [kind for kind in _kinds(Moves) if kind.__module__.startswith("inspector.")]
    assert {Lines, Options, Scroll, LineView, LineLog, JsonView} <= set(kinds) and len(kinds) > 20
    for kind in kinds:
        bound = kind._merged_bindings.key_to_bindings
        for action in (BY_ID[f"lines.{move}"] for move in _MOVES):
            for key in action.keys:
                assert [each.id for each in bound[key]] == [action.id], (kind, key)


def test_nothing_that_is_scrolled_by_keys_is_made_without_them() -> None:
    """A plain list or box of Textual is only used where it cannot have the focus, or is the base of ours."""
    for file in Path(inspector.tui.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                given = {word.arg for word in node.keywords}
                plain = node.func.id == "VerticalScroll" and "can_focus" not in given
                plain |= node.func.id == "OptionList" and file.name not in (_MENU, "picker.py")
                cards = file.name == "messages_view.py"
                assert not plain or cards, f"{file}:{node.lineno}"


def _text(size: int) -> str:
    return "\n".join(f"line {number}" for number in range(size))


def _list() -> FilterList:
    made = FilterList(placeholder="", empty="")
    made.show([Item(str(number), f"entry {number}") for number in range(_ROWS)])
    return made


class _Numbers(Options):
    def on_mount(self) -> None:
        self.add_options(map(str, range(_ROWS)))
        self.highlighted = 0


def _log() -> LineLog:
    made = LineLog("nothing")
    made.show(_text(_ROWS).split("\n"), _ROWS)
    made.follow = False
    return made


def _json() -> JsonView:
    return JsonView("[" + ",".join(map(str, range(_ROWS))) + "]")


def _place(widget: Widget) -> int:
    if isinstance(widget, FilterList):
        return int(widget.key or 0)
    if isinstance(widget, Options):
        return widget.highlighted or 0
    return widget.cursor if isinstance(widget, LineView) else widget.scroll_offset.y


@pytest.mark.parametrize(
    "make",
    [_list, _Numbers, _log, _json, lambda: TextView(_text(_ROWS).encode()), lambda: Scroll(Static(_text(_ROWS)))],
    ids=["filter list", "options", "log", "json", "text", "scroll"],
)  # fmt: skip
async def test_they_move_as_in_vim_with_counts(make: Callable[[], Widget], stage: Any, until: Until) -> None:
    class Counting(stage):  # type: ignore[misc]
        count = Count()

        async def on_event(self, event: events.Event) -> None:
            if isinstance(event, events.Key) and not event.is_forwarded:
                self.count.pressed()
            await super().on_event(event)

    widget = make()
    app = Counting(widget)
    async with app.run_test(size=(60, 21)) as pilot:
        mover = next(each for each in (widget, *widget.query("*")) if isinstance(each, Moves))
        mover.focus()

        async def goes(keys: str, to: Callable[[int], bool]) -> None:
            await pilot.press(*keys.split())
            await until(pilot, lambda: to(_place(widget)))

        await until(pilot, lambda: mover.page > 10)
        await goes("g", lambda at: at == 0)
        await goes("j j j k", lambda at: at == 2)
        await goes("home ctrl+d", lambda at: 8 <= at <= 12)
        half = _place(widget)
        await goes("ctrl+d", lambda at: at == 2 * half)
        await goes("ctrl+u ctrl+u", lambda at: at == 0)
        await goes("ctrl+f", lambda at: 2 * half <= at <= 2 * half + 4)
        page = _place(widget)
        await goes("pagedown ctrl+b pageup", lambda at: at == 0)
        await goes("G", lambda at: at >= _ROWS - 1 - page - 3)
        end = _place(widget)
        await goes("j", lambda at: at == end)
        await goes("home end k", lambda at: at == end - 1)
        await goes("g", lambda at: at == 0)
        # Digits are counts where a person gave keys to them.
        await _typed(mover, app, pilot, 12, "j")
        await until(pilot, lambda: _place(widget) == 12)
        await pilot.press("j")
        await until(pilot, lambda: _place(widget) == 13)
        await _typed(mover, app, pilot, 31, "G")
        await until(pilot, lambda: _place(widget) == 30)


async def _typed(mover: Any, app: Any, pilot: Pilot[Any], number: int, key: str) -> None:
    for digit in map(int, str(number)):
        app.count.pressed()
        mover.action_count(digit + 1)
    await pilot.press(key)
