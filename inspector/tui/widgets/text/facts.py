"""Small pieces of set type that panes are made of: headings, label and value, hanging text. All take safe text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size
from textual.content import Content

Part = Content | tuple[str, str]


def heading(text: str) -> Part:
    return (f"{text}\n", "bold $text-primary")


def fact(
    label: str, value: str, tone: str = "$foreground", *, indent: int = 14, width: int = 0
) -> list[Part]:
    """A label and its value; with a `width` the value hangs beside the label, however long it is."""
    lines = fold(value, width - indent - 2) if width > indent + 12 else [value]
    rest = "".join(f"\n{' ' * (indent + 2)}{line}" for line in lines[1:])
    return [(f"  {label:<{indent}}", "$quiet"), (f"{lines[0]}{rest}\n", tone)]


def facts(pairs: Iterable[tuple[str, str]], *, indent: int = 14, width: int = 0) -> list[Part]:
    """The pairs whose value is not empty."""
    return [
        part for label, value in pairs if value for part in fact(label, value, indent=indent, width=width)
    ]


def blank() -> Part:
    return ("\n", "")


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Exactly `width` cells: padded, or cut with an ellipsis."""
    if cell_len(text) > width:
        return set_cell_size(text, max(0, width - 1)) + "…" if width > 0 else ""
    gap = " " * (width - cell_len(text))
    return gap + text if right else text + gap


def fold(text: str, width: int, most: int = 0) -> list[str]:
    """One line of text broken at blanks into lines of `width` cells, at most `most` of them where that is given:
    the last one then ends in an ellipsis where text is left over. At least one line."""
    words, folded = text.split(" "), [""]
    width = max(1, width)
    while words:
        word = words[0]
        joined = f"{folded[-1]} {word}" if folded[-1] else word
        room = not most or len(folded) < most
        if cell_len(joined) <= width:
            folded[-1] = joined
            words.pop(0)
        elif room and folded[-1]:
            folded.append("")
        elif room:
            folded[-1] = set_cell_size(word, width).rstrip(" ")
            words[0] = word[len(folded[-1]) :]
            if not folded[-1]:
                words.pop(0)
        else:
            folded[-1] = fit(joined, width)
            return folded
    return [line for line in folded if line] or [""]
