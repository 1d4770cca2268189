"""What the line of a form says: its label, its type, the lines below its control, its help."""

from __future__ import annotations

from textual.content import Content

from inspector.base.text import clip, first_line
from inspector.schema.field import Field, State
from inspector.schema.hints import text as schema_text
from inspector.schema.scalars import AnyField
from inspector.tui import guard
from inspector.tui.widgets.forms.lines import Line
from inspector.tui.widgets.forms.words import effects
from inspector.tui.widgets.text.wrapping import wrap

_LINES = 3
"""Most lines that a note or what is wrong takes below its field."""


def below(line: Line, error: str, warning: str, width: int) -> list[tuple[str, str]]:
    """The lines under a control, as text and tone: help in a line, what conditions mean, and what is wrong."""
    found: list[tuple[str, str]] = []
    if line.holds:
        field = line.field
        about = first_line(field.description) or field.limits
        if about and (line.label or line.kind == "union"):
            if field.description:
                found.append((guard.line(clip(about, 400)), "$quiet"))
                found += _wrapped(effects(field), "$quiet", width)
            else:
                found += _wrapped(about, "$quiet", width)
    if error:
        found += _wrapped(error, "$text-error", width, "✗ ")
    elif warning:
        found += _wrapped(warning, "$text-warning", width, "▲ ")
    return found


def _wrapped(text: str, tone: str, width: int, sign: str = "") -> list[tuple[str, str]]:
    if not text:
        return []
    text = guard.line(clip(text, 400))
    spans = list(wrap(text, max(8, width - len(sign)), words=True))
    rows = [text[first:last] for first, last in spans[: _LINES - 1]]
    if len(spans) >= _LINES:
        # What does not fit is cut where it is painted, with a sign that it is.
        rows.append(text[spans[_LINES - 1][0] :])
    return [((sign if not at else " " * len(sign)) + row, tone) for at, row in enumerate(rows)]


def label(line: Line, focused: bool, wrong: bool) -> Content:
    """The name of a field behind its mark of focus."""
    mark = ("▌" if focused else " ", "$accent")
    if line.keyed:
        return Content.assemble(mark)
    field, name = line.field, line.label
    if not name and field.parent is not None and field.parent.token_of(field) == "":
        name = '""'
    tone = "$text-error" if wrong else "bold" if focused else ""
    if field.deprecated:
        tone += " strike"
    required = field.required and line.index is None and bool(name)
    return Content.assemble(
        mark,
        (" " * (2 * line.level), ""),
        (guard.line(name), tone.strip()),
        (" *" if required else "", "$accent"),
    )


def kind(field: Field) -> Content:
    """The type of a field; of one that takes anything, how what is typed is read."""
    word = field.type_label
    if isinstance(field, AnyField) and field.state is State.TEXT:
        word = f"→ {field.reading}"
    return Content.assemble((" " + guard.line(word), "$quiet"))


def help(line: Line) -> Content:
    """Everything that is known of the field, and what can be done with it."""
    field = line.field
    head = [field.pointer or "(all arguments)", field.type_label]
    if line.owner is None:
        head.append("required" if field.required else "optional")
    title = schema_text(field.schema, "title")
    if title and title != field.name:
        head.insert(1, title)
    if field.limits:
        head.append(field.limits)
    parts = [(guard.line(clip(" · ".join(head), 500)), "$text-secondary")]
    about = field.description.strip()
    if about:
        parts += [("\n" + guard.block(clip(about, 2000)), "")]
    return Content.assemble(*parts)
