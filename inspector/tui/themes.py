"""Our two themes, ink on a dark and on a light ground, and the colours that every theme gets from us.

`quiet` is for text of second rank and keeps a contrast of 4.5 at least; `line` draws borders that may be overlooked.
`cursor` lies under text of any tone: a selected row keeps the colours that tell its state.
"""

from __future__ import annotations

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


PLAIN = {
    "quiet": "ansi_default", "line": "ansi_default", "focus": "ansi_default", "cursor": "ansi_bright_black",
    "cursor-blurred": "ansi_bright_black",
}  # fmt: skip
"""The same for themes that leave the colours to the terminal."""


def next_theme(name: str) -> str:
    """The theme after `name` on the round through some good ones."""
    return CYCLE[(CYCLE.index(name) + 1) % len(CYCLE)] if name in CYCLE else CYCLE[0]


def derived(variables: dict[str, str]) -> dict[str, str]:
    """Variables that we add to any theme, mixed from its own colours."""
    foreground, background = variables["foreground"], variables["background"]
    if foreground.startswith("ansi") or background.startswith("ansi"):
        return dict(PLAIN)
    ink, ground = Color.parse(foreground), Color.parse(background)
    return {
        "quiet": ground.blend(ink, 0.68, 1.0).hex,
        "line": ground.blend(ink, 0.28, 1.0).hex,
        "focus": variables["accent"],
        "cursor": ground.blend(Color.parse(variables["primary"]), 0.3, 1.0).hex,
        "cursor-blurred": ground.blend(ink, 0.1, 1.0).hex,
    }
