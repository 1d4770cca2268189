"""The resources pane on the demo servers, and on a server of odd ones."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from app import Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, Static

from inspector.protocol.uritemplate import parse
from inspector.schema.form import FormModel
from inspector.tui.app import InspectorApp
from inspector.tui.panes.resource import schema_of
from inspector.tui.panes.resources import ResourcesPane
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.screens.save import SaveScreen
from inspector.tui.widgets.answers.content_view import ContentView
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.suggestions import SuggestedInput
from inspector.tui.widgets.lists.uri_list import UriLines, UriList
from inspector.tui.widgets.text.reading_view import ReadingView

SHELF_SIZE = (140, 50)


@pytest.fixture(autouse=True)
def _here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)


async def pane_of(app: InspectorApp, pilot: Pilot[Any], until: Until, server: str) -> ResourcesPane:
    await until(pilot, lambda: app.workspace.connections[server].count("templates") is not None)
    await until(pilot, lambda: app.main.pane is not None)
    app.main.tab_wanted("resources")
    await app.main.go_to(server, None)
    await until(pilot, lambda: isinstance(app.main.pane and app.main.pane.tab, ResourcesPane))
    assert app.main.pane is not None
    pane: ResourcesPane = app.main.pane.tab
    await until(pilot, lambda: pane.is_listed and pane.list.is_mounted)
    pane.enter()
    await until(pilot, lambda: isinstance(app.focused, UriLines))
    return pane


async def read(pane: ResourcesPane, pilot: Pilot[Any], until: Until, uri: str) -> ContentView:
    await pane.open_uri(uri)
    view = pane.view
    assert view is not None
    await until(
        pilot,
        lambda: view.content.call is not None and not view.running and view.visit.call is view.content.call,
    )
    await until(pilot, lambda: view.content.view != "listing" and view.content.shown is not None)
    return view.content


async def test_a_list_is_a_tree_and_enter_reads(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        pane = await pane_of(app, pilot, until, "bakery")
        text = painted(app)
        for said in (
            "Resources  6",
            "Templates  3",
            "bakery://",
            "welcome",
            "recipes/",
            "any other URI",
            "markdown",
        ):
            assert said in text, said
        await pilot.press("down", "enter")
        await until(pilot, lambda: pane.view is not None and pane.view.content.view == "markdown")
        await until(
            pilot,
            lambda: (
                "bakery://menu" in painted(app)
                and "priority 0.9" in painted(app)
                and "for user and assistant" in painted(app)
            ),
        )
        await pilot.press("f6")
        await until(pilot, lambda: pane.view is not None and pane.view.content.view == "text")


async def test_what_was_read_stays_while_one_walks_about(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        pane = await pane_of(app, pilot, until, "bakery")
        await pilot.press("enter")
        await until(pilot, lambda: "Come in!" in painted(app))
        await pilot.press("down")
        await until(pilot, lambda: "Come in!" not in painted(app))
        await pilot.press("up")
        await until(pilot, lambda: "Come in!" in painted(app))
        for view in pane.views():
            await view.remove()
        await pilot.press("down")
        await until(pilot, lambda: pane.views())
        await pilot.press("up")
        await until(pilot, lambda: "Come in!" in painted(app))


async def test_a_template_is_filled_in_with_what_the_server_proposes(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        pane = await pane_of(app, pilot, until, "bakery")
        pane.list.select("templates bakery://prices/{item}{?currency}")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press("r")
        assert pane.view is not None
        rows = pane.view.query(SuggestedInput)
        await until(pilot, lambda: rows.first().is_open)
        await pilot.press("tab")
        await until(pilot, lambda: rows.first().value == "rye loaf")
        assert pane.view is not None and pane.view.uri == "bakery://prices/rye%20loaf"
        await until(pilot, lambda: "→ bakery://prices/rye%20loaf" in painted(app))
        await pilot.press("tab", "ctrl+@")
        await until(pilot, lambda: rows.last().is_open)
        # The first one is chosen.
        await pilot.press("down", "enter")
        await until(pilot, lambda: rows.last().value == "EUR")
        await pilot.press("f5")
        await until(
            pilot,
            lambda: pane.view is not None and pane.view.content.view == "json" and '"EUR"' in painted(app),
        )


async def test_an_empty_variable_is_told_before_it_is_sent(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        pane = await pane_of(app, pilot, until, "bakery")
        pane.list.select("templates bakery://prices/{item}{?currency}")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press("f5")
        await until(pilot, lambda: "F5 again" in painted(app) and "✗ required" in painted(app))
        assert pane.view is not None and not pane.view.visit.read
        await pilot.press("f5")
        await until(pilot, lambda: pane.view is not None and pane.view.visit.read)


async def test_completion_hears_of_the_other_values(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        pane.list.select("templates x://{kind}{/path*}{?q,who}")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.focused, Input))
        rows = {row.field.name: row.control for row in pane.query(FieldRow)}
        await pilot.press("a")
        await until(
            pilot, lambda: rows["kind"].is_open and "adele" in painted(app) and "37 more" in painted(app)
        )
        await pilot.press("escape")
        await until(pilot, lambda: not rows["kind"].is_open)
        assert isinstance(app.focused, Input) and rows["kind"].value == "a"
        # What explodes is a text, a list or a map.
        await pilot.press("tab", "l")

        def fills(pointer: str) -> bool:
            row = next((row for row in pane.query(FieldRow) if row.control is app.focused), None)
            return row is not None and row.field.pointer == pointer

        for pointer, text in (("/path/0", "b"), ("/path/1", "c d")):
            await pilot.press("ctrl+o")
            await until(pilot, partial(fills, pointer))
            await pilot.press(*text)
        await until(pilot, lambda: pane.view is not None and pane.view.uri == "x://a/b/c%20d")
        await pilot.press("down", "down", "a")
        await until(pilot, lambda: rows["q"].is_open and "ada!" in painted(app))


async def test_a_bad_template_points_at_the_place_and_takes_a_uri(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        pane.list.select("templates x://{a")
        await pilot.press("enter")
        await until(pilot, lambda: "that is never closed" in painted(app))
        app.focused.value = "x://text"  # type: ignore[union-attr]
        await pilot.press("f5")
        await until(pilot, lambda: "plain words" in painted(app))


async def test_any_uri_is_read_by_hand(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press("enter")
        await until(pilot, lambda: "there is no URI to read yet" in painted(app))
        app.focused.value = "x://never listed/%20"  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: "x://never listed/%20" in painted(app) and "evil" in painted(app))
        assert pane.view is not None and pane.view.visit.call is not None
        assert pane.view.visit.call.params == {"uri": "x://never listed/%20"}


CONTENTS = [
    ("x://text", "text", "plain words"),
    ("x://json", "json", "1.50"),
    ("x://markdown", "markdown", "• one"),
    ("x://blob", "hex", "0000  00 01 02 03"),
    ("x://bad64", "text", "not base64: '!' at character 9"),
    ("x://unpadded", "text", "without its padding"),
    ("x://none", "json", "It has neither text nor blob."),
    ("x://notlist", "problem", "contents is an object, not a list"),
    ("x://empty", "problem", "The answer holds nothing"),
    ("x://strange", "text", "strange text"),
    ("x://error", "failure", "Resource not found"),
    ("x://big", "hex", "9.5 MiB"),
    ("x://image", "media", "GIF · 3 × 4 pixels"),
]
"""What is read, the view it opens in, and what is seen there."""


async def test_content_is_shown_as_what_it_is(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        for uri, view, said in CONTENTS:
            content = await read(pane, pilot, until, uri)
            assert content.view == view, uri
            await until(pilot, lambda said=said: said in painted(app))
            content.enter()
            seen = [content.view]
            # Round all of its views, and to the first again.
            while len(seen) == 1 or content.view != seen[0]:
                await pilot.press("f6")
                await until(pilot, lambda content=content, last=seen[-1]: content.view != last)
                seen.append(content.view)
            assert {"raw", view} < set(seen) and app.is_running, (uri, seen)


async def test_parts_are_looked_at_one_by_one(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await read(pane, pilot, until, "x://parts")
        await until(pilot, lambda: "part one" in painted(app) and "1 1" in painted(app))
        for said in ("00 01 02", "part three", "This part is a number", "part one"):
            await pilot.press("f7")
            await until(pilot, lambda said=said: said in painted(app))


async def test_hostile_names_and_texts_do_nothing(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        nasty = next(
            entry
            for entry in pane._listings["resources"].entries
            if isinstance(entry, dict) and "\x1b" in entry["uri"]
        )
        await read(pane, pilot, until, nasty["uri"])
        text = painted(app)
        assert "\\u001b[2J" in text and "[@click=app.quit]press[/]" in text
        assert not set(text) & set("\x1b\x07\u202e\u200b")
        await pilot.press("f6", "f6", "f6", "f6", "w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        proposed = app.screen.query_one(Input).value
        assert "/" not in proposed and "\x1b" not in proposed and proposed.isprintable()


async def test_odd_entries_are_told_and_cost_nothing_else(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        for key, said in (("resources #18", "not an object but a string"), ("resources #19", "no uri")):
            pane.list.select(key)
            await pilot.press("enter")
            await until(pilot, lambda said=said: said in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: "there is no URI to read yet" in painted(app))


async def test_a_search_goes_from_place_to_place(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        content = await read(pane, pilot, until, "x://text")
        content.enter()
        await pilot.press("slash", *"WORDS", "enter")
        reader = content.query_one(ReadingView)
        await until(pilot, lambda: app.focused is reader)
        await pilot.press("n")
        await until(pilot, lambda: reader.cursor == 1)
        await pilot.press("N", "N")
        await until(pilot, lambda: reader.cursor == 2)
        await pilot.press("escape")
        await until(pilot, lambda: not content.query_one(Input).display)


async def test_content_is_saved(until: Until, home: Path) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await read(pane, pilot, until, "x://image")
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
    assert (home / "blob.gif").read_bytes() == b"GIF89a\x03\x00\x04\x00rest"


async def test_a_subscription_marks_what_has_changed(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await read(pane, pilot, until, "x://text")
        await pilot.press("u")
        subscriptions = app.workspace.connections["shelf"].subscriptions
        await until(pilot, lambda: "◉ subscribed" in painted(app) and subscriptions.active == {"x://text"})
        await read(pane, pilot, until, "x://json")
        await until(pilot, lambda: "◉ text" in painted(app) and "changed" in painted(app))
        pane.enter()
        pane.list.select("resources x://text")
        await until(pilot, lambda: "● changed since; F5 reads it again" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: "changed" not in painted(app))
        await pilot.press("r")
        await until(pilot, lambda: app.workspace.connections["shelf"].restarts == 1)
        await until(pilot, lambda: subscriptions.active == {"x://text"})
        await until(pilot, lambda: "◉ subscribed" in painted(app))
        await pilot.press("u")
        await until(pilot, lambda: "◉ subscribed" not in painted(app) and not subscriptions.wanted)


async def test_a_subscription_that_is_refused_says_so(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        pane.list.select("resources x://nosub")
        await until(pilot, lambda: pane.view is not None and pane.view.uri == "x://nosub")
        await pilot.press("u")
        await until(pilot, lambda: "not this one" in painted(app))
        assert not app.workspace.connections["shelf"].subscriptions.wanted


async def test_a_changed_list_keeps_the_selection(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await read(pane, pilot, until, "x://grow")
        await until(pilot, lambda: "a-new-one" in painted(app))
        assert pane.list.key == "resources x://grow"
        assert pane.view is not None and pane.view.uri == "x://grow"


async def test_ten_thousand_resources_are_filtered_and_read(until: Until) -> None:
    async with opened("many") as (app, pilot):
        pane = await pane_of(app, pilot, until, "many")
        await until(pilot, lambda: "10,000" in painted(app) and "▸ shelf0/" in painted(app))
        await pilot.press("slash", *"box7 9876")
        await until(pilot, lambda: pane.list.key == "resources x://shelf98/box7/9876.txt")
        await pilot.press("enter")
        await until(pilot, lambda: pane.view is not None and pane.view.visit.read)
        pane.enter()
        await pilot.press("escape")
        await until(pilot, lambda: pane.list.key == "resources x://shelf98/box7/9876.txt")
        await until(pilot, lambda: "shelf97" in painted(app) or "shelf99" in painted(app))


async def test_branches_are_opened_and_closed_by_keys_and_mouse(until: Until) -> None:
    async with opened("many") as (app, pilot):
        pane = await pane_of(app, pilot, until, "many")
        lines = pane.query_one(UriList).query_one(UriLines)
        await pilot.press("home", "down", "right")
        count = lines.line_count()
        await pilot.press("down", "right", "down")
        await until(pilot, lambda: lines.line_count() > count)
        await pilot.press("left")
        assert lines.current is not None and lines.current[1].kind == "branch"
        count = lines.line_count()
        await pilot.click(UriLines, offset=(2, lines.cursor - lines.scroll_offset.y))
        await until(pilot, lambda: lines.line_count() != count)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_it_fits_every_screen(size: tuple[int, int], until: Until) -> None:
    async with opened("shelf", size=size) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await pilot.press("enter")
        await until(pilot, lambda: "plain words" in painted(app))
        if size[0] == 80:
            assert "any other URI" not in painted(app)
            await pilot.press("escape")
            await until(pilot, lambda: "x://" in painted(app) and isinstance(app.focused, UriLines))
        assert pane.list.key == "resources x://text"


def test_variables_become_fields() -> None:
    schema = schema_of(parse("x://{a}{/path*}{+wide}{p:3}{?q,more*}"))
    assert schema is not None and schema["required"] == ["a", "path", "wide", "p"]
    model = FormModel(schema, blanks=False)
    entered = {"a": "1", "path": ["b", "c"], "more": {"k": "v"}}
    model.load(entered)
    outcome = model.arguments()
    assert outcome.arguments == entered and {path for path, _ in outcome.errors} == {"/wide", "/p"}
    assert schema_of(parse("x://plain")) is None


async def test_a_resource_is_read_again_when_it_changes_and_says_what_did(until: Until) -> None:
    async with opened("shelf", size=(200, 60)) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await read(pane, pilot, until, "x://counter")
        rereading = app.workspace.connections["shelf"].rereading
        await pilot.press("alt+u")
        await until(pilot, lambda: "subscribed and read again on every change" in painted(app))
        await until(
            pilot, lambda: "count 1" in painted(app) and not pane.check_action("compare_readings", ())
        )
        await read(pane, pilot, until, "x://json")
        await until(pilot, lambda: rereading.count == 1)
        pane.enter()
        pane.list.select("any")
        await until(pilot, lambda: "read again at" in painted(app) and "D shows what" in painted(app))
        await until(pilot, lambda: "count 2" in painted(app))
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen) and "count 2" in painted(app))
        await until(pilot, lambda: "count 1" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, DiffScreen))
        await until(pilot, lambda: "D shows what" not in painted(app))
        await pilot.press("alt+u")
        await until(pilot, lambda: not rereading.wanted and "read again on every change" not in painted(app))


async def test_a_resource_is_shown_as_the_model_of_paicli_gets_it(until: Until) -> None:
    async with opened("shelf", size=SHELF_SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        content = await read(pane, pilot, until, "x://text")
        content.enter()
        while content.view != "model":
            last = content.view
            await pilot.press("f6")
            await until(pilot, lambda last=last: content.view != last)
        await until(pilot, lambda: '<resource server="shelf" uri="x://text"' in painted(app))
        offered = content.copy_offer()
        assert offered is not None and offered[1].endswith("\n</resource>")
        app.main.pane.want("overview")  # type: ignore[union-attr]
        await until(pilot, lambda: app.main.query("#java-sdk"))
        told = app.main.query_one("#java-sdk", Static)
        added = "mcp__shelf__list_resources and mcp__shelf__read_resource"
        await until(pilot, lambda: added in " ".join(str(told.content).split()))
