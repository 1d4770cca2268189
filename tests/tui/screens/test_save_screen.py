from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app import Until
from textual.widgets import Input, Static

from inspector.base.secrets import Secrets
from inspector.tui import guard
from inspector.tui.screens.save import SaveScreen


def said(screen: SaveScreen) -> str:
    return " ".join(str(static.render()) for static in screen.query(Static))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_what_is_proposed_is_saved_by_enter(stage: Any, until: Until, folder: Path) -> None:
    app, saved = stage(), []
    async with app.run_test() as pilot:
        screen = SaveScreen("image/png", "stamp.png", b"\x89PNG")
        app.push_screen(screen, saved.append)
        await pilot.pause()
        assert (
            "image/png" in said(screen)
            and "4 B" in said(screen)
            and str(folder / "stamp.png") in said(screen)
        )
        await pilot.press("enter")
        await until(pilot, lambda: saved)
    assert saved == [folder / "stamp.png"] and saved[0].read_bytes() == b"\x89PNG"


async def test_a_file_is_replaced_only_after_a_second_yes(stage: Any, until: Until, folder: Path) -> None:
    old = folder / "a.txt"
    old.write_text("old")
    app, saved = stage(), []
    async with app.run_test() as pilot:
        screen = SaveScreen("text", "a.txt", b"new")
        app.push_screen(screen, saved.append)
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: "Enter again replaces it" in said(screen))
        assert old.read_text() == "old" and not saved
        await pilot.press("end", "x", "backspace", "enter")
        await until(pilot, lambda: "Enter again replaces it" in said(screen))
        assert old.read_text() == "old" and not saved
        await pilot.press("enter")
        await until(pilot, lambda: saved)
    assert old.read_text() == "new"


async def test_what_cannot_be_saved_is_said_and_the_dialog_stays(
    stage: Any, until: Until, folder: Path
) -> None:
    app, saved = stage(), []
    async with app.run_test() as pilot:
        screen = SaveScreen("text", "a.txt", b"new")
        app.push_screen(screen, saved.append)
        await pilot.pause()
        for typed, why in (("", "no file name"), ("no/such/a", "there is no folder"), (".", "is a folder")):
            screen.query_one(Input).value = typed
            await pilot.press("enter")
            await until(pilot, lambda why=why: why in said(screen))
        assert not saved and not list(folder.iterdir())
        await pilot.press("escape")
        await until(pilot, lambda: saved == [None])


async def test_secrets_stay_masked_in_files(stage: Any, until: Until, folder: Path) -> None:
    secrets = Secrets()
    secrets.add("hunter2hunter2", "KEY")
    guard.keep(secrets)
    app, saved = stage(), []
    async with app.run_test() as pilot:
        screen = SaveScreen("text", "a.txt", b"the key is hunter2hunter2.")
        app.push_screen(screen, saved.append)
        await pilot.pause()
        assert "masked" in said(screen)
        await pilot.press("enter")
        await until(pilot, lambda: saved)
    assert b"hunter2" not in saved[0].read_bytes()
