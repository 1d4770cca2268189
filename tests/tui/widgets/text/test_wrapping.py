"""Text in the lines of a screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from inspector.tui.widgets.text.wrapping import wrap

TEXTS = st.text(st.sampled_from("ab c\n漢é👍"), max_size=60)


@given(TEXTS, st.integers(2, 12), st.booleans())
def test_nothing_is_left_out_but_line_ends(text: str, width: int, words: bool) -> None:
    spans = list(wrap(text, width, words=words))
    at = 0
    for start, stop in spans:
        assert text[at:start].strip("\n") == "" and stop >= start
        # The blank behind a word may stand beyond the edge.
        assert cell_len(text[start:stop].removesuffix(" ") if words else text[start:stop]) <= width
        at = stop
    assert text[at:].strip("\n") == ""
    assert len(spans) >= text.count("\n") + 1


def test_words_stay_whole_where_that_leaves_no_gap() -> None:
    text = "a line that is long enough to be broken"
    assert [text[a:b] for a, b in wrap(text, 12, words=True)] == [
        "a line that ", "is long ", "enough to be ", "broken",
    ]  # fmt: skip
    assert [text[a:b] for a, b in wrap("a incomprehensibilities", 12, words=True)] != []
