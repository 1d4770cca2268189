"""Our two themes, ink on a dark and on a light ground, and the colours that every theme gets from us.

`quiet` is for text of second rank and keeps a contrast of 4.5 at least; `line` draws borders that may be overlooked.
`cursor` lies under text of any tone: a selected row keeps the colours that tell its state.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.color import Color
from textual.theme import Theme

DARK = Theme(
    name="inspect-dark",
    primary="#6ea8d8",
    secondary="#9db7d0",
    accent="#e3b25b",
    success="#85c88a",
    warning="#e3b25b",
    error="#ee7f76",
    foreground="#d9dfe6",
    background="#10141a",
    surface="#171c24",
    panel="#202733",
    dark=True,
    variables={
        "block-cursor-foreground": "#f4f7fa",
        "block-cursor-background": "#2c4a68",
        "block-cursor-blurred-foreground": "#d9dfe6",
        "block-cursor-blurred-background": "#232d3a",
        "input-cursor-background": "#e3b25b",
        "input-selection-background": "#6ea8d8 30%",
        "scrollbar": "#34404f",
        "scrollbar-hover": "#4a5a6d",
        "scrollbar-active": "#6ea8d8",
        "scrollbar-background": "#10141a",
        "scrollbar-background-hover": "#10141a",
        "scrollbar-background-active": "#10141a",
        "scrollbar-corner-color": "#10141a",
    },
)

LIGHT = Theme(
    name="inspect-light",
    primary="#24618f",
    secondary="#4a6781",
    accent="#8f5a00",
    success="#23713a",
    warning="#8a5600",
    error="#b3261e",
    foreground="#1f262d",
    background="#faf9f6",
    surface="#f1efe9",
    panel="#e6e3da",
    dark=False,
    variables={
        "block-cursor-foreground": "#10202e",
        "block-cursor-background": "#bcd5ea",
        "block-cursor-blurred-foreground": "#1f262d",
        "block-cursor-blurred-background": "#e2e6e8",
        "input-cursor-background": "#24618f",
        "input-selection-background": "#24618f 25%",
        "scrollbar": "#cbc7bb",
        "scrollbar-hover": "#a9a497",
        "scrollbar-active": "#24618f",
        "scrollbar-background": "#faf9f6",
        "scrollbar-background-hover": "#faf9f6",
        "scrollbar-background-active": "#faf9f6",
        "scrollbar-corner-color": "#faf9f6",
    },
)

CYCLE = ("inspect-dark", "inspect-light", "textual-dark", "textual-light", "nord", "gruvbox", "catppuccin-mocha",
         "tokyo-night", "solarized-light", "ansi-dark", "ansi-light")  # fmt: skip


_AT_LEAST = 4.6
"""Contrast of text to its ground: WCAG 2.2 (1.4.3) asks for 4.5, and a terminal may round a colour."""

_INKS = (
    "foreground", "accent", "text-primary", "text-secondary", "text-accent", "text-success", "text-warning",
    "text-error", "footer-key-foreground", "footer-foreground", "footer-description-foreground", "button-foreground",
)  # fmt: skip

PLAIN = {
    **dict.fromkeys(("quiet", "line", "focus"), "ansi_default"),
    **dict.fromkeys(("cursor", "cursor-blurred", "peer", "marked"), "ansi_bright_black"),
}
"""The same for themes that leave the colours to the terminal; on a light ground the filled ones are light too."""

_PLAIN_LIGHT = {name: tone.replace("bright_black", "white") for name, tone in PLAIN.items()}


def next_theme(name: str) -> str:
    """The theme after `name` on the round through some good ones."""
    return CYCLE[(CYCLE.index(name) + 1) % len(CYCLE)] if name in CYCLE else CYCLE[0]


def derived(variables: dict[str, str], *, dark: bool = True) -> dict[str, str]:
    """Variables that we add to any theme, mixed from its own colours. Those for text are legible on all its grounds."""
    foreground, background = variables["foreground"], variables["background"]
    if foreground.startswith("ansi") or background.startswith("ansi"):
        return dict(PLAIN if dark else _PLAIN_LIGHT)
    ink, ground = Color.parse(foreground), Color.parse(background)
    primary = Color.parse(variables["primary"])
    cursor, blurred = ground.blend(primary, 0.3, 1.0), ground.blend(ink, 0.1, 1.0)
    peer, marked = (
        ground.blend(primary, 0.12, 1.0),
        ground.blend(Color.parse(variables["warning"]), 0.12, 1.0),
    )
    grounds = [
        ground,
        Color.parse(variables["surface"]),
        Color.parse(variables["panel"]),
        cursor,
        blurred,
        peer,
        marked,
    ]

    def legible(colour: str | Color, *others: Color) -> str:
        return _legible(Color.parse(colour) if isinstance(colour, str) else colour, others or grounds).hex

    return {
        **{name: legible(variables[name]) for name in _INKS},
        "quiet": legible(ground.blend(ink, 0.68, 1.0)),
        "line": ground.blend(ink, 0.28, 1.0).hex,
        "focus": legible(variables["accent"]),
        "cursor": cursor.hex,
        "cursor-blurred": blurred.hex,
        "peer": peer.hex,
        "marked": marked.hex,
        "block-cursor-foreground": legible(ink),
        "block-cursor-blurred-foreground": legible(ink),
        "block-cursor-background": cursor.hex,
        "block-cursor-blurred-background": blurred.hex,
        "button-color-foreground": legible(ground, primary),
    }


def _legible(ink: Color, grounds: Sequence[Color]) -> Color:
    """The nearest colour on the way to white or black that is legible on all grounds, or the best there is."""
    poles = (Color.parse("white"), Color.parse("black"))
    pole = max(poles, key=lambda pole: min(contrast(pole, ground) for ground in grounds))
    for step in range(21):
        tried = ink.blend(pole, step / 20, 1.0)
        if all(contrast(tried, ground) >= _AT_LEAST for ground in grounds):
            return tried
    return pole


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    """The relative luminance of WCAG 2.2, from 0 to 1."""

    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b)
