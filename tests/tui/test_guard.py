from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.content import Content

from inspector.base.secrets import Secrets
from inspector.base.text import visible
from inspector.tui import guard

HOSTILE = "a\x1b]52;c;aGk=\x07\x9b31m\u202e\u200b\x00\ud800[/bold] [@click=app.quit]x[/]"


def test_safe_text_is_one_visible_line_and_never_markup() -> None:
    content = guard.safe(HOSTILE + "\n")
    assert isinstance(content, Content)
    assert content.plain == visible(HOSTILE) + "\\u000a"
    assert content.spans == []


def test_a_safe_block_keeps_its_lines() -> None:
    assert guard.safe_block("one\r\ntwo\x1b[2J").plain == "one\ntwo\\u001b[2J"


def test_known_secrets_are_masked_until_they_are_revealed() -> None:
    guard.keep(Secrets(["s3cret-value-1"]))
    before = guard.epoch()
    assert guard.safe("key s3cret-value-1").plain == "key ***"
    assert guard.safe_block("s3cret-value-1\n").plain == "***\n"
    assert guard.masked_bytes(b"s3cret-value-1") == b"***"
    guard.reveal(True)
    assert guard.safe("key s3cret-value-1").plain == "key s3cret-value-1"
    assert guard.epoch() > before


def test_half_of_a_secret_at_a_cut_is_masked_too() -> None:
    guard.keep(Secrets(["s3cret-value-1"]))
    assert guard.line("key s3cret-va…", cut=True) == "key ***…"
    assert guard.line("key s3cret-va", cut=True) == "key ***"
    assert guard.line("no sec", cut=True) == "no sec"


def test_headers_are_masked_by_name_and_messages_by_form() -> None:
    assert guard.header("Authorization", "Bearer abcdefgh12345") == "Bearer ***"
    assert guard.header("Accept", "text/\x1b[0m") == "text/\\u001b[0m"
    assert guard.message("GET http://h/?api_key=abc") == "GET http://h/?api_key=***"


def _filtered(*segments: Segment) -> list[Segment]:
    return guard.HostileTextFilter().apply(list(segments), Color(0, 0, 0))


def test_the_filter_leaves_clean_lines_as_they_are() -> None:
    segments = [Segment("plain é 日本 │ ✓", Style(bold=True))]
    assert guard.HostileTextFilter().apply(segments, Color(0, 0, 0)) is segments


def test_the_filter_takes_controls_and_links_off() -> None:
    style = Style(link="http://h/\x1b]52;c;aGk=\x07")
    clean = _filtered(Segment("a\x1b\x9b\u202eb", style), Segment("\x1b[2J", None, [(2,)]))  # type: ignore[list-item]
    assert [segment.text for segment in clean] == ["ab"]
    assert clean[0].style is not None and not clean[0].style.link


@given(st.text(st.characters(codec=None) | st.sampled_from("\x1b\x9b\u202e\u200d\ufeff\ud800\u00ad\x00")))
def test_the_filter_keeps_widths_and_lets_nothing_through(text: str) -> None:
    (clean,) = _filtered(Segment(text)) if text else (Segment(""),)
    assert visible(clean.text) == clean.text
    assert cell_len(clean.text) == cell_len(text)
