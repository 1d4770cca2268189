"""Two texts compared on a screen of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from app import painted
from textual.pilot import Pilot

from inspector.base.secrets import Secrets
from inspector.base.text import visible
from inspector.tui import guard
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.widgets.text.change_list import ChangeList
from inspector.tui.widgets.text.diff_lines import DiffLines


@pytest.fixture
def bare(stage: Any) -> Any:
    """The stage without its own layout: the screen brings its own."""
    return type("Bare", (stage,), {"CSS": ""})


Until = Callable[[Pilot[Any], Callable[[], object]], Any]

OLD = {"a": 1, "text": "first line\nsecond line\nthird", "list": [{"id": n} for n in range(40)], "gone": True}
NEW = {
    "a": 2,
    "text": "first line\nsecond LINE\nthird",
    "list": [{"id": n} for n in range(1, 40)],
    "come": None,
}


async def test_ids_of_frames_come_last_and_are_no_change(bare: Any, until: Until) -> None:
    frames = [json.dumps({"jsonrpc": "2.0", "id": id, "result": {"z": id > 7}}) for id in (7, 8)]
    app = bare()
    async with app.run_test(size=(100, 30)) as pilot:
        await app.push_screen(DiffScreen("#1", frames[0], "#2", frames[1], frames=True))
        await until(pilot, lambda: "1 change beside the id" in painted(app))
        text = painted(app)
        assert text.index("/result/z") < text.index("/id  differs, as it must: 7 → 8")


@pytest.mark.parametrize("size", [(80, 24), (160, 40)])
async def test_changes_one_by_one_and_lines(bare: Any, size: tuple[int, int], until: Until) -> None:
    app = bare()
    async with app.run_test(size=size) as pilot:
        await app.push_screen(DiffScreen("get-sum 12:04", json.dumps(OLD), "get-sum 12:05", json.dumps(NEW)))
        changes = app.screen.query_one(ChangeList)
        await until(pilot, lambda: changes.line_count() == 5)
        for said in (
            "5 changes",
            "~ /a  1 → 2",
            "+ /come  null",
            "− /gone  true",
            "get-sum 12:04",
            '− /list/0  {"id": 0}',
        ):
            await until(pilot, lambda said=said: said in painted(app))
        await pilot.press("n")
        await until(pilot, lambda: "second LINE" in painted(app) and "second line" in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: app.copied)
        assert "~ /a  1 -> 2" in app.copied[0][1]
        await pilot.press("v")
        lines = app.screen.query_one("#diff-lines", DiffLines)
        await until(pilot, lambda: "lines are the same" in painted(app))
        assert lines.split is (size[0] == 160)
        await pilot.press("n")
        await until(pilot, lambda: lines.cursor > 0)
        await pilot.press("P", "y", "escape")
        await until(pilot, lambda: len(app.copied) == 3)
        assert '-  "a": 1,' in app.copied[2][1] and '+  "a": 2,' in app.copied[2][1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[1, 2]", "[1, 2]", "byte for byte"),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', "No value differs"),
        ("no json\nat all", "no json\nany more", "+ any more"),
        ("", "x", "x"),
    ],
)
async def test_what_is_the_same_and_what_is_no_json(
    bare: Any, old: str, new: str, said: str, until: Until
) -> None:
    app = bare()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(DiffScreen("a", old, "b", new))
        await until(pilot, lambda: said in painted(app))


async def test_hostile_texts_are_shown_and_secrets_are_not(bare: Any, until: Until) -> None:
    nasty = "\x1b]52;c;aGk=\x07[@click=app.leave]x[/x] \u202egnp\u200b \x9b31m"
    guard.keep(Secrets(["s3cret-value"]))
    app = bare()
    async with app.run_test(size=(120, 40)) as pilot:
        old, new = json.dumps({nasty: nasty, "k": "s3cret-value"}), json.dumps({nasty: nasty + "y", "k": 1})
        await app.push_screen(DiffScreen(nasty, old, nasty, new))
        for key in ("", "n", "v", "n", "v"):
            if key:
                await pilot.press(key)
            await until(pilot, lambda: "\\u001b" in painted(app))
            strips = app.screen._compositor.render_strips()
            texts = [segment.text for strip in strips for segment in strip if not segment.control]
            assert all(text == visible(text) for text in texts)
            assert "s3cret" not in painted(app)
        assert app.is_running


async def test_megabytes_leave_the_keys_alive(bare: Any, until: Until) -> None:
    old = {"items": [{"id": n, "text": f"item {n} of many, with some words in it"} for n in range(40_000)]}
    new = {"items": [{**item, "id": item["id"]} for item in old["items"] if item["id"] % 9000]}
    new["items"][100]["text"] = "changed"
    app = bare()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(DiffScreen("a", json.dumps(old), "b", json.dumps(new)))
        await until(pilot, lambda: "comparing" in painted(app))
        await until(pilot, lambda: "6 changes" in painted(app))
        await pilot.press("v")
        await until(pilot, lambda: "lines are the same" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, DiffScreen))
