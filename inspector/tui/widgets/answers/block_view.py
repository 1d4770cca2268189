"""The blocks of a result one below the other, however many and long; keys act on the one under the cursor."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events, work
from textual.message import Message

from inspector.tui import guard
from inspector.tui.pictures import Picture, picture
from inspector.tui.widgets.answers.blocks import Block
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.text.wrapping import wrap

_DOES = {
    "save": "enter saves it", "read": "enter reads it", "json": "enter folds it as JSON", "": "",
}  # fmt: skip


class BlockView(LineView):
    """Posts `Opened` with the block on enter. Texts are wrapped and shown whole."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "block-view--head", "block-view--does", "block-view--odd", "block-view--link",
    }  # fmt: skip
    DEFAULT_CSS = """
    BlockView {
        & > .block-view--head { color: $quiet; }
        & > .block-view--does { color: $text-accent; }
        & > .block-view--odd { color: $text-warning; }
        & > .block-view--link { color: $text-primary; }
    }
    """
    HELP = "Enter saves a picture or sound, reads a link, folds JSON. `b` sets Markdown, `w` saves a block."

    class Opened(Message):
        """Enter on a block."""

        def __init__(self, block: Block) -> None:
            super().__init__()
            self.block = block

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks: list[Block] = []
        self._texts: list[str] = []
        self._serial = 0
        # Block, kind of line, start and end of the text, for each line.
        self._lines = array("L")
        self._laid_out = (0, -1)
        self._pictures: dict[int, Picture | str] = {}
        """By the number of their block; a sentence where one cannot be shown."""

    def load(self, blocks: list[Block]) -> None:
        """Shows blocks, from the top."""
        self._blocks = blocks
        self._pictures.clear()
        self._laid_out = (0, -1)
        self.set_reactive(BlockView.cursor, 0)
        self._lay_out()
        self._show_pictures()
        self.scroll_to(y=0, animate=False, force=True)

    def reload(self) -> None:
        self._laid_out = (0, -1)
        self._lay_out()

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out()
        self._show_pictures()

    @work(exclusive=True, group="pictures")
    async def _show_pictures(self) -> None:
        """Unpacks the pictures one after the other, those again that have become too wide."""
        blocks, width = self._blocks, self.line_width
        for number in [at for at, block in enumerate(blocks) if block.is_picture][:_MOST_PICTURES]:
            there, read = self._pictures.get(number), blocks[number].data
            if width <= 0 or read is None or (there is not None and _fits(there, width)):
                continue
            found = await picture(self.app, read(), width)
            if self._blocks is not blocks:
                return
            if not isinstance(found, str) or found not in self._pictures.values():
                self._pictures[number] = found
                self.reload()

    def _lay_out(self) -> None:
        width = self.line_width
        if width <= 0 or self._laid_out == (width, guard.epoch()):
            return
        if self._laid_out[1] != guard.epoch():
            self._texts = [guard.block(block.text).expandtabs(4) for block in self._blocks]
        self._laid_out = (width, guard.epoch())
        lines = array("L")
        for number, (block, text) in enumerate(zip(self._blocks, self._texts, strict=True)):
            if number:
                lines.extend((number, _BLANK, 0, 0))
            if block.head:
                apart = bool(block.does) and cell_len(block.head) + len(_DOES[block.does]) + 3 > width
                lines.extend((number, _HEAD, apart, 0))
                if apart:
                    lines.extend((number, _HINT, 0, 0))
            if block.odd:
                lines.extend((number, _ODD, 0, 0))
            if isinstance(there := self._pictures.get(number), Picture):
                for row in range(there.rows):
                    lines.extend((number, _PICTURE, row, 0))
            elif there:
                lines.extend((number, _NOTE, 0, 0))
            if text or not (block.head or block.odd):
                for first, last in wrap(text.removesuffix("\n"), width, words=True):
                    lines.extend((number, _TEXT, first, last))
        self._lines = lines
        self._serial += 1
        self.lines_changed()
        self.repaint()

    @property
    def block(self) -> Block | None:
        """The one under the cursor."""
        at = 4 * self.cursor
        return self._blocks[self._lines[at]] if at < len(self._lines) else None

    @property
    def blocks(self) -> list[Block]:
        return self._blocks

    def line_count(self) -> int:
        return len(self._lines) // 4

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        number, kind, first, last = self._lines[4 * index : 4 * index + 4]
        block = self._blocks[number]
        if kind == _HEAD:
            name, dot, facts = block.head.partition(" · ")
            yield Segment(name, self.component("block-view--link"))
            yield Segment(dot + facts, self.component("block-view--head"))
            if block.does and not first:
                yield Segment(f"   {_DOES[block.does]}", self.component("block-view--does"))
        elif kind == _HINT:
            yield Segment(_DOES[block.does], self.component("block-view--does"))
        elif kind == _ODD:
            yield Segment(f"▲ {block.odd}", self.component("block-view--odd"))
        elif kind == _PICTURE and isinstance(there := self._pictures.get(number), Picture):
            yield from there.paint(first)
        elif kind == _NOTE:
            yield Segment(str(self._pictures.get(number, "")), self.component("block-view--head"))
        elif kind == _TEXT:
            text = self._texts[number][first:last]
            if not text and not self._texts[number].strip():
                yield Segment("(empty text)", self.component("block-view--head"))
            elif block.kind == "link":
                yield Segment(text, self.component("block-view--link"))
            else:
                yield Segment(text)

    def action_open(self) -> None:
        if (block := self.block) is not None:
            self.post_message(self.Opened(block))

    def copy_offer(self) -> tuple[str, str] | None:
        """The text of a single block, else all of what is shown; secrets masked."""
        if not self._blocks:
            return None
        parts = [
            "\n".join(
                part for part in (block.head, f"▲ {block.odd}" if block.odd else "", block.text) if part
            )
            for block in self._blocks
        ]
        if len(self._blocks) == 1 and self._blocks[0].text:
            parts = [self._blocks[0].text]
        return "The answer", guard.masked("\n\n".join(parts))


def _fits(there: Picture | str, width: int) -> bool:
    return isinstance(there, str) or there.width <= width


_BLANK, _HEAD, _HINT, _ODD, _TEXT, _PICTURE, _NOTE = range(7)
_MOST_PICTURES = 20
