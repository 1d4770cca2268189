from __future__ import annotations

import pytest
from rich.style import Style

from inspector.traffic.rows import Row
from inspector.tui.widgets.traffic.frame_columns import layout, paint_row, titles

ROW = Row(
    number=14, time=1.0, session=1, server="everything", channel="s2c", kind="response", method="tools/call",
    target="get-sum", id="7", has_id=True, size=4096, peer=13, took=0.012, state="answered", status=None, exchange=None,
    flags=(), summary="ok the sum is 5",
)  # fmt: skip


def _text(row: Row, width: int) -> str:
    columns = layout(width, digits=4, server=10)
    return "".join(
        segment.text for segment in paint_row(row, columns, "  ", "12:04:01.123", lambda name: Style.null())
    )


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 160, 200, 300])
def test_a_row_and_its_titles_fill_the_width(width: int) -> None:
    columns = layout(width, digits=7, server=12)
    assert len(titles(columns)) == width
    assert len(_text(ROW, width)) == width


def test_the_least_important_columns_go_first() -> None:
    assert {name for name, _ in layout(80, digits=4, server=10).widths} >= {
        "number",
        "time",
        "server",
        "took",
        "told",
    }
    assert layout(80, digits=4, server=10).width_of("id") == 0
    assert layout(120, digits=4, server=10).width_of("id") > 0
    assert layout(30, digits=4, server=10).width_of("told") >= 8
    assert layout(200, digits=4, server=0).width_of("server") == 0


def test_an_answer_tells_outcome_then_method() -> None:
    text = _text(ROW, 120)
    assert "ok the sum is 5  tools/call get-sum" in text
    assert text.split()[1:5] == ["12:04:01", "everything", "←", "res"] or "12:04:01.123" in text
    assert '"7"' in text and "4.0 KiB" in text and "12 ms" in text


def test_what_is_odd_comes_first() -> None:
    from dataclasses import replace

    assert "late, id type  ok" in _text(replace(ROW, state="late", flags=("id type",)), 120)


def test_hostile_text_in_a_row_is_visible() -> None:
    from dataclasses import replace

    text = _text(replace(ROW, server="a\x1b[2J", summary="x\u202ey [/b]", id="\x07"), 200)
    assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text
    assert "x\\u202ey [/b]" in text
