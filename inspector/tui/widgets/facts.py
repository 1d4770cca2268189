"""Small pieces of set type that panes are made of: headings, label and value, lists. All give safe content."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

Part = Content | tuple[str, str]


def heading(text: str) -> Part:
    return (f"{text}\n", "bold $text-primary")


def fact(label: str, value: str, tone: str = "$foreground", width: int = 14) -> list[Part]:
    """One line of label and value; `value` is safe text."""
    return [(f"  {label:<{width}}", "$quiet"), (f"{value}\n", tone)]


def facts(pairs: Iterable[tuple[str, str]], width: int = 14) -> list[Part]:
    """The pairs whose value is not empty."""
    return [part for label, value in pairs if value for part in fact(label, value, width=width)]


def blank() -> Part:
    return ("\n", "")
