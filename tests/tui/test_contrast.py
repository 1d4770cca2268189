"""Text can be read on every ground: the contrast of WCAG 2.2 (1.4.3), on the scenes that the pictures show."""

from __future__ import annotations

import pytest
from app import Until
from rich.color import Color as AnsiColor
from rich.terminal_theme import DIMMED_MONOKAI
from scenes import SCENES
from take import opened
from textual.app import App
from textual.color import Color

from inspector.tui import themes

AT_LEAST = 4.5
THEMES = (themes.DARK.name, themes.LIGHT.name, "textual-light", "solarized-light", "nord")


@pytest.mark.parametrize(
    "name", ["overview", "overview_failed", "tool_form", "call_ok", "traffic_detail", "help_"]
)
async def test_every_word_can_be_read(name: str, until: Until) -> None:
    async with opened((120, 40)) as (app, pilot):
        await SCENES[name](app, pilot)
        for theme in THEMES:
            app.theme = theme
            ground = Color.parse(app.get_css_variables()["background"])
            await until(pilot, lambda ground=ground: app.main.styles.background == ground)
            assert faint(app) == {}, theme


def faint(app: App[None]) -> dict[str, float]:
    """Words on the screen below the contrast, each with its ratio. Lines, bars and marks are not words."""
    found: dict[str, float] = {}
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            style, text = segment.style, segment.text.strip()
            if style is None or style.color is None or style.bgcolor is None:
                continue
            if any(character.isalnum() for character in text):
                ink, ground = _colour(style.color), _colour(style.bgcolor)
                if style.dim:
                    ink = ground.blend(ink, 0.5, 1.0)
                ratio = themes.contrast(ink, ground)
                if ratio < AT_LEAST:
                    found[text] = round(ratio, 2)
    return found


def _colour(colour: AnsiColor) -> Color:
    return Color.from_rich_color(colour, DIMMED_MONOKAI)
