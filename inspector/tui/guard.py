"""Two walls between foreign text and the terminal: nothing from outside becomes markup or a control sequence.

The first is at the edge: whatever a server, a file or the environment wrote enters a widget only as `Content` from
`safe` or `safe_block`, or as a plain string from `line` or `block` where the widget takes no markup. The second is
`HostileTextFilter`, through which every segment goes that the app paints.

Known secrets are masked on the way in, until `reveal` is called.
"""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.text import Text
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter

from inspector.base.secrets import Secrets, mask_header
from inspector.base.text import visible, visible_block


class _Curtain:
    """What hides the secrets of this process; `epoch` rises when what is painted is no longer what should be."""

    secrets = Secrets()
    revealed = False
    epoch = 0


_curtain = _Curtain()


def keep(secrets: Secrets) -> None:
    """From now on the values of `secrets` are masked in all that is shown."""
    _curtain.secrets = secrets
    _curtain.epoch += 1


def reveal(revealed: bool) -> None:
    """Shows secrets as they are, or masks them again. Repainting is up to the app."""
    _curtain.revealed = revealed
    _curtain.epoch += 1


def revealed() -> bool:
    return _curtain.revealed


def epoch() -> int:
    """Rises with each `keep` and `reveal`: caches of painted text are stale when it has changed."""
    return _curtain.epoch


def masked(text: str) -> str:
    """The text without known secrets, otherwise as it is: for the clipboard and files."""
    return text if _curtain.revealed else _curtain.secrets.mask(text)


def masked_bytes(raw: bytes) -> bytes:
    """The same for bytes."""
    return raw if _curtain.revealed else _curtain.secrets.mask_bytes(raw)


def line(text: str, *, cut: bool = False) -> str:
    """One line of foreign text, masked and visible. Where `cut` is set it is the beginning of a longer one."""
    if not _curtain.revealed:
        text = _curtain.secrets.mask_start(text) if cut else _curtain.secrets.mask(text)
    return visible(text)


def block(text: str) -> str:
    """Foreign text of several lines, masked and visible."""
    return visible_block(masked(text))


def message(text: str) -> str:
    """One line that may quote a request: bearer tokens and secrets in URLs are masked as well."""
    return visible(text if _curtain.revealed else _curtain.secrets.mask_message(text))


def header(name: str, value: str) -> str:
    """The value of an HTTP header; that of a secret one is masked by its name."""
    return line(value) if _curtain.revealed else message(mask_header(name, value))


def safe(text: str) -> Content:
    """`line` as content for a widget: never markup."""
    return Content(line(text))


def safe_text(text: str) -> Text:
    """`line` for the widgets that still take Rich text: trees, tables, rich logs."""
    return Text(line(text))


def safe_block(text: str) -> Content:
    """`block` as content for a widget: never markup."""
    return Content(block(text))


class HostileTextFilter(LineFilter):
    """Replaces what is left of control, bidi, zero-width and surrogate characters in painted segments.

    The width of a segment does not change: a character of no width is left out, others become U+FFFD. The app keeps
    one instance and returns it last from `get_line_filters`, since strips remember filtered lines by filter.
    Hyperlinks (OSC 8) are taken off, for their targets are foreign.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        for segment in segments:
            text, style, control = segment
            if control or not _is_clean(text) or (style is not None and style.link):
                return [_clean_segment(segment) for segment in segments if not segment.control]
        return segments


def _is_clean(text: str) -> bool:
    return (text.isascii() and text.isprintable()) or visible(text) == text


def _clean_segment(segment: Segment) -> Segment:
    text, style, _ = segment
    if style is not None and style.link:
        style = style.update_link(None)
    if not _is_clean(text):
        text = set_cell_size("".join(map(_clean_character, text)), cell_len(text))
    return Segment(text, style)


@lru_cache(4096)
def _clean_character(char: str) -> str:
    return char if visible(char) == char else "\ufffd" * cell_len(char)
