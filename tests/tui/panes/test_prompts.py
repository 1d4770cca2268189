"""The prompts pane on the demo servers, and on a server of odd ones."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from app import Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from inspector.tui.app import InspectorApp
from inspector.tui.panes.prompts import PromptsPane
from inspector.tui.panes.resources import ResourcesPane
from inspector.tui.screens.save import SaveScreen
from inspector.tui.widgets.answers.messages_view import MessageCard
from inspector.tui.widgets.forms.suggestions import SuggestedInput
from inspector.tui.widgets.lists.uri_list import UriLines

SIZE = (140, 60)


@pytest.fixture(autouse=True)
def _here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)


async def pane_of(app: InspectorApp, pilot: Pilot[Any], until: Until, server: str) -> PromptsPane:
    await until(pilot, lambda: app.workspace.connections[server].count("prompts") is not None)
    await until(pilot, lambda: app.main.pane is not None)
    app.main.tab_wanted("prompts")
    await app.main.go_to(server, None)
    await until(pilot, lambda: isinstance(app.main.pane and app.main.pane.tab, PromptsPane))
    assert app.main.pane is not None
    pane: PromptsPane = app.main.pane.tab
    await until(pilot, lambda: pane.is_listed)
    pane.enter()
    await until(pilot, lambda: isinstance(app.focused, UriLines))
    return pane


async def got(pane: PromptsPane, pilot: Pilot[Any], until: Until, name: str) -> None:
    """The answer to a prompt, gotten without its arguments, is on show."""
    pane.list.select(f"prompts {name}")
    await until(pilot, lambda: pane.view is not None and pane.view.visit.entry.get("name") == name)
    pane.ask()
    await pilot.pause()
    if not pane.view.running and not pane.view.visit.read:  # type: ignore[union-attr]
        pane.ask()
    await until(pilot, lambda: pane.view is not None and pane.view.content.view != "listing")


async def test_arguments_are_proposed_and_messages_told_apart(until: Until) -> None:
    async with opened("bakery", size=SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "bakery")
        await until(pilot, lambda: "Prompts  3" in painted(app) and "2 arguments" in painted(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.focused, Input))
        assert pane.view is not None
        row = pane.view.query(SuggestedInput).first()
        await pilot.press("r")
        await until(pilot, lambda: row.is_open)
        await pilot.press("tab", "f2")
        await until(pilot, lambda: '"rye loaf"' in painted(app) and "Next frame" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: " ok · " in painted(app) and "5 messages" in painted(app))
        assert row.value == "rye loaf"
        said = ("user", "# Rye loaf", "PNG · 128 × 128 pixels")
        await until(pilot, lambda: all(words in painted(app) for words in said))
        await pilot.press("f6")
        await until(pilot, lambda: "# Rye loaf" not in painted(app) and "Rye loaf" in painted(app))


async def test_a_missing_argument_is_told_before_it_is_sent(until: Until) -> None:
    async with opened("shelf", size=SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await pilot.press("enter", "f5")
        await until(pilot, lambda: "F5 again" in painted(app) and "✗ required" in painted(app))
        assert pane.view is not None and not pane.view.visit.read
        await pilot.press("f5")
        await until(pilot, lambda: "4 messages" in painted(app))
        assert pane.view.visit.call is not None and pane.view.visit.call.params == {
            "name": "talk",
            "arguments": {},
        }
        assert "F5 again" not in painted(app)


async def test_arguments_are_seen_and_edited_as_json(
    until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text('import pathlib, sys\npathlib.Path(sys.argv[-1]).write_text(\'{"who": "bread"}\')\n')
    monkeypatch.setenv("VISUAL", f"{sys.executable} '{editor}'")
    async with opened("shelf", size=SIZE) as (app, pilot):
        app.suspend = nullcontext  # type: ignore[method-assign]
        pane = await pane_of(app, pilot, until, "shelf")
        await pilot.press("enter", "ctrl+g")
        await until(
            pilot,
            lambda: (
                pane.view is not None
                and pane.view.form is not None
                and pane.view.form.model.collect().arguments == {"who": "bread"}
            ),
        )
        await pilot.press("alt+j")
        await until(pilot, lambda: isinstance(app.focused, TextArea) and '"who": "bread"' in painted(app))
        assert isinstance(app.focused, TextArea)
        app.focused.text = '{"who": '
        await pilot.press("f5")
        await until(pilot, lambda: "not JSON yet" in painted(app))
        app.focused.text = '{"who": "cake"}'
        await pilot.press("f5")
        await until(pilot, lambda: "messages" in painted(app))
        assert pane.view is not None and pane.view.visit.call is not None
        assert pane.view.visit.call.params["arguments"] == {"who": "cake"}
        await pilot.press("alt+j")
        await until(pilot, lambda: isinstance(app.focused, Input) and app.focused.value == "cake")


async def test_messages_are_copied_one_by_one_or_all(until: Until, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened("shelf", size=SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        copied: list[str] = []

        async def keep(_: object, text: str) -> str:
            copied.append(text)
            return "nowhere"

        monkeypatch.setattr("inspector.tui.app.copy", keep)
        await got(pane, pilot, until, "talk")
        assert pane.view is not None
        pane.view.enter_content()
        await until(pilot, lambda: isinstance(app.focused, MessageCard))
        await pilot.press("y", "Y", "down", "down", "y")
        await until(pilot, lambda: len(copied) == 3)
        assert copied[0] == "# Hello\n\nI am *here*." and copied[2] == "embedded words"
        assert copied[1].startswith("user: # Hello") and "assistant: [image image/gif, 10 B]" in copied[1]
        assert copied[1].endswith("user: [link to x://text]")
        cards = list(app.screen.query(MessageCard))
        for keys, at in (
            ("G", -1),
            ("g", 0),
            ("end", -1),
            ("ctrl+u ctrl+b pageup", 0),
            ("ctrl+f ctrl+d pagedown", -1),
        ):
            await pilot.press(*keys.split())
            await until(pilot, lambda card=cards[at]: card.has_focus)


async def test_a_picture_in_a_message_is_saved(until: Until, home: Path) -> None:
    async with opened("shelf", size=SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await got(pane, pilot, until, "talk")
        assert pane.view is not None
        pane.view.enter_content()
        await until(pilot, lambda: isinstance(app.focused, MessageCard))
        await pilot.press("down", "w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
    assert (home / "image.gif").read_bytes() == b"GIF89a\3\0\4\0"


async def test_a_link_to_a_resource_is_followed(until: Until) -> None:
    async with opened("shelf", size=SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await got(pane, pilot, until, "talk")
        cards = pane.query(MessageCard)
        cards.last().focus()
        await pilot.press("enter")
        await until(pilot, lambda: app.main.pane is not None and isinstance(app.main.pane.tab, ResourcesPane))
        await until(pilot, lambda: "plain words" in painted(app))


async def test_odd_messages_are_shown_as_what_they_are(until: Until) -> None:
    async with opened("shelf", size=SIZE) as (app, pilot):
        pane = await pane_of(app, pilot, until, "shelf")
        await got(pane, pilot, until, "odd")
        await until(pilot, lambda: "This message is a string" in painted(app))
        text = painted(app)
        for said in (
            "neither user nor assistant",
            "unknown type",
            "\\u001b[2J",
        ):
            assert said in text, said
        assert not set(text) & set("\x1b\x07\u202e\u200b")
        await pilot.press("f6")
        await until(pilot, lambda: pane.view is not None and pane.view.content.view == "markdown")
        await got(pane, pilot, until, "bare")
        await until(pilot, lambda: "messages is an object, not a list" in painted(app))


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_it_fits_every_screen(size: tuple[int, int], until: Until) -> None:
    async with opened("shelf", size=size) as (app, pilot):
        await pane_of(app, pilot, until, "shelf")
        await pilot.press("enter", "x", "f5")
        await until(pilot, lambda: "4 messages" in painted(app) and "# Hello" in painted(app))
        if size[0] == 80:
            # The traffic makes way, so that the form keeps the keys beside the answer.
            await until(pilot, lambda: isinstance(app.focused, Input))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.focused, UriLines))
