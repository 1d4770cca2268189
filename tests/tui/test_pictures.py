"""Pictures in the terminal, and those that are made to do harm."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import pytest
from app import Until, opened, painted
from textual.app import App
from textual.widgets import ContentSwitcher

from inspector.demo.media import croissant
from inspector.tui import pictures
from inspector.tui.pictures import Picture, picture
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.answers.picture_view import PictureView


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, pixels: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


RED_OVER_BLUE = png(2, 2, b"\0" + b"\xff\0\0" * 2 + b"\0" + b"\0\0\xff" * 2)


async def shown(data: bytes, columns: int = 40) -> Picture | str:
    async with App[Any]().run_test() as pilot:
        return await picture(pilot.app, data, columns)


async def test_two_pixels_are_a_cell() -> None:
    found = await shown(RED_OVER_BLUE)
    assert isinstance(found, Picture) and (found.width, found.height, found.rows) == (2, 2, 1)
    cells = list(found.paint(0))
    assert [cell.text for cell in cells] == ["▀", "▀"]
    style = cells[0].style
    assert style is not None and style.color is not None and style.bgcolor is not None
    assert (style.color.name, style.bgcolor.name) == ("#ff0000", "#0000ff")
    large = await shown(png(300, 100, (b"\0" + b"\x01\x02\x03" * 300) * 100))
    assert isinstance(large, Picture) and (large.width, large.height) == (40, 13)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (png(60_000, 60_000, b""), "60,000 × 60,000 pixels, too many"),
        (RED_OVER_BLUE[:50], "cannot be shown"),
        (RED_OVER_BLUE.replace(b"IDAT", b"IDAX"), "cannot be shown"),
        (b"\xff\xd8\xff\xe0 no picture", "cannot be shown"),
        (b"GIF89a\xff\xff\xff\xff", "its bytes make no picture"),
        (b"<svg><image href='#'/></svg>", "no picture that can be shown here"),
        (b"", "no picture that can be shown here"),
    ],
    ids=["huge", "cut", "no pixels", "no jpeg", "large gif", "svg", "nothing"],
)
async def test_a_hostile_picture_costs_only_itself(data: bytes, said: str) -> None:
    found = await shown(data)
    assert isinstance(found, str) and said in found


async def test_answers_and_resources_show_their_pictures(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened("bakery") as (app, pilot):
        connection = app.workspace.connections["bakery"]
        await until(pilot, lambda: connection.count("prompts") is not None and app.main.pane is not None)
        await app.main.go_to("bakery", "show_croissant")
        await until(pilot, lambda: app.main.query(AnswerView))
        await pilot.press("f5")
        await until(pilot, lambda: "enter saves it" in painted(app) and "▀▀▀▀" in painted(app))
        monkeypatch.setattr(pictures, "_has_pillow", lambda: False)
        await pilot.press("f5")
        await until(pilot, lambda: "The extra mcp-inspect[images] shows it here." in painted(app))


async def test_a_view_of_a_picture_is_as_high_as_that(stage: Any, until: Until) -> None:
    view, broken = PictureView(croissant()), PictureView(b"\x89PNG\r\n\x1a\n")
    app = stage(ContentSwitcher(), view, broken)
    async with app.run_test(size=(60, 40)) as pilot:
        for each in (view, broken):
            each.styles.height = "auto"
        await until(pilot, lambda: view.size.height == 24 and "cannot be shown" in painted(app))
        assert "▀▀▀▀" in painted(app)
