"""The line at the top: what is open, how its servers do, how much was said, whether it is recorded."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from inspector.tui.wording import TONES


class TitleBar(Widget):
    """`show` takes the facts; what does not fit is left out from the middle."""

    DEFAULT_CSS = """
    TitleBar { dock: top; height: 1; width: 100%; background: $surface; color: $foreground; padding: 0 1; }
    """

    def __init__(self, title: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = title
        self._facts: tuple[tuple[tuple[str, str], ...], int, str, bool] = ((), 0, "", False)

    def show(
        self, summary: list[tuple[str, str]], frames: int, recording: str, tells_secrets: bool = False
    ) -> None:
        """`summary` is text and state, `frames` a count, `recording` the name of the file or empty; `tells_secrets`
        that nothing in it is masked."""
        facts = (tuple(summary), frames, recording, tells_secrets)
        if facts != self._facts:
            self._facts = facts
            self.refresh()

    def render(self) -> Content:
        summary, frames, recording, tells_secrets = self._facts
        width = self.content_size.width
        right: list[Content | tuple[str, str]] = []
        for number, (text, state) in enumerate(summary):
            right += [(" · ", "$quiet")] if number else []
            right.append((text, TONES[state]))
        if width >= 70:
            right += [("   ", ""), (f"{frames:,} frame{'' if frames == 1 else 's'}", "$quiet")]
        if recording:
            right += [("   ", ""), ("● REC", "bold $text-error")]
            right += [(" SECRETS NOT MASKED", "bold $text-error")] if tells_secrets else []
            right += [(f" {recording}", "$quiet")] if width >= 110 else []
        tail = Content.assemble(*right)
        head = Content.assemble(("mcp-inspect", "bold $text-primary"), ("  ", ""))
        room = width - tail.cell_length - head.cell_length - 2
        if room > 3:
            title = self._title if cell_len(self._title) <= room else "…" + self._title[1 - room :]
            head = head + Content(title)
        gap = max(1, width - head.cell_length - tail.cell_length)
        return Content.assemble(head, " " * gap, tail)
