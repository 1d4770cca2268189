"""One picture, as large as there is room for it."""

from __future__ import annotations

from textual import work
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget

from inspector.tui.pictures import Picture, picture


class PictureView(Widget):
    """Shows a picture, or a sentence on why it does not."""

    DEFAULT_CSS = """
    PictureView { height: auto; color: $quiet; }
    """

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data
        self._picture: Picture | str = "…"
        self._columns = 0

    def on_resize(self) -> None:
        if self.size.width != self._columns:
            self._columns = self.size.width
            self._make()

    @work(exclusive=True, group="picture")
    async def _make(self) -> None:
        self._picture = await picture(self.app, self._data, self._columns)
        self.refresh(layout=True)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return self._picture.rows if isinstance(self._picture, Picture) else 2

    def render(self) -> Content:
        return Content(self._picture if isinstance(self._picture, str) else "")

    def render_line(self, y: int) -> Strip:
        if isinstance(self._picture, str):
            return super().render_line(y)
        if y >= self._picture.rows:
            return Strip.blank(self.size.width, self.rich_style)
        strip = Strip(self._picture.paint(y), self._picture.width)
        return strip.adjust_cell_length(self.size.width, self.rich_style)
