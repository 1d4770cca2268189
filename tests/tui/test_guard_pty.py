"""What reaches a real terminal: an app with every kind of widget that may show foreign text, run in a pty.

Run as a script, this file is that app; its argument is the page to show.
"""

from __future__ import annotations

import asyncio
import os
import re
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import (
    Button,
    Checkbox,
    Collapsible,
    DataTable,
    Input,
    Label,
    ListItem,
    ListView,
    Log,
    Markdown,
    OptionList,
    RadioButton,
    RadioSet,
    RichLog,
    Select,
    SelectionList,
    Static,
    TabbedContent,
    TabPane,
    TextArea,
    Tree,
)
from textual.widgets.option_list import Option

ROOT = Path(__file__).parents[2]
SIZE = (60, 150)

EVIL = (
    "\x1b]52;c;ZXZpbA==\x07\x1b]0;evil title\x07\x1b[2J\x1b[31mred\x9b32mgreen\x9d0;c1 title\x9c\x00\x08\x7f"
    "\u202egnp.exe\u2066\u200bzero\u200d\ufeff\ud800[/bold] [@click=app.evil]click me[/] [red]list[int]"
)
"""Everything that may not pass, in one line."""

FORBIDDEN = {
    "OSC 52": rb"\x1b\]52",
    "OSC 0": rb"\x1b\]0;",
    "erase display": rb"\x1b\[2J\x1b\[31mred",
    "foreign CSI": rb"\x1b\[31mred",
    "C1": rb"\xc2[\x80-\x9f]",
    "NUL, BS, DEL": rb"[\x00\x08\x7f]",
    "bidi": rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]",
    "zero width": rb"\xe2\x80[\x8b\x8d]|\xef\xbb\xbf",
    "hyperlink": rb"\x1b\]8;",
    "surrogate": rb"\xed[\xa0-\xbf]",
}


def _as_content(text: str) -> Content:
    """Content with the controls left in: past the first wall."""
    return Content(text, strip_control_codes=False)


class Hostile(App[None]):
    """`page` is guarded (the first wall, as our own code does it) or bare (only the second one is left)."""

    CSS = "Screen > * { height: auto; } Tree, DataTable, OptionList, ListView, Log, RichLog, TextArea { height: 4; }"

    def __init__(self, page: str) -> None:
        super().__init__()
        from inspector.tui import guard

        self._line_filter = guard.HostileTextFilter()
        self.page = page
        self.evil = guard.line(EVIL) if page == "guarded" else EVIL
        self.content = guard.safe(EVIL) if page == "guarded" else _as_content(EVIL)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self._line_filter]

    def get_css_variables(self) -> dict[str, str]:
        from inspector.tui import themes

        variables = super().get_css_variables()
        return {**variables, **themes.derived(variables)}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"quiet": "ansi_default", "line": "ansi_default", "focus": "ansi_default"}

    def compose(self) -> ComposeResult:
        if self.page == "ours":
            yield from self._ours()
        else:
            yield from self._theirs()

    def _ours(self) -> ComposeResult:
        from inspector.traffic.store import Traffic
        from inspector.tui.panes.traffic import TrafficPane
        from inspector.tui.widgets.text.json_view import JsonView
        from inspector.tui.widgets.text.text_view import TextView

        traffic = Traffic.in_memory()
        log = traffic.session(EVIL)
        traffic.session("other")
        raw = EVIL.encode("utf-8", "surrogatepass")
        log.received([raw, raw.decode("utf-8", "replace").encode()])
        import json

        log.received([json.dumps({"jsonrpc": "2.0", "method": EVIL, "params": {EVIL: EVIL}}).encode()])
        exchange = log.http_request("POST", f"http://h/{EVIL}", [(EVIL, EVIL)])
        log.sent(
            json.dumps(
                {"jsonrpc": "2.0", "id": EVIL, "method": "tools/call", "params": {"name": EVIL}}
            ).encode(),
            exchange,
        )
        log.http_response(exchange, 200, [("content-type", EVIL)])
        log.http_event(exchange, EVIL, EVIL)
        log.http_body(exchange, raw)
        log.http_end(exchange, EVIL)
        log.system(EVIL)
        self.pane = TrafficPane(traffic)
        self.pane.styles.height = 40
        yield self.pane
        for view in (
            JsonView(json.dumps({EVIL: [EVIL], "x": "y"}, ensure_ascii=False)),
            JsonView(EVIL),
            TextView(raw),
        ):
            view.styles.height = 12
            yield view
        text = TextView(raw.decode("utf-8", "replace").encode())
        text.styles.height = 8
        yield text

    def _theirs(self) -> ComposeResult:
        evil, content = self.evil, self.content
        yield Static(content, id="static")
        yield Label(content)
        yield Button(content)
        yield Checkbox(content)
        with RadioSet():
            yield RadioButton(content)
        with Collapsible(title="plain"):
            yield Static(content)
        yield Input(evil, placeholder=evil)
        yield Input(placeholder=evil)
        yield TextArea(evil)
        yield OptionList(Option(content))
        yield SelectionList((content, 1))
        yield Select([(content, 1)], value=1)
        yield ListView(ListItem(Label(content)))
        tree: Tree[None] = Tree(Text(evil))
        tree.root.add_leaf(Text(evil))
        yield tree
        table: DataTable[Text] = DataTable()
        table.add_column(Text(evil))
        table.add_row(Text(evil))
        yield table
        yield Log()
        yield RichLog(markup=False)
        yield Markdown(
            evil.replace("\n", " ") + " [link](http://h/\x1b]52;c;aGk=\x07) `code`", open_links=False
        )
        with TabbedContent(), TabPane(content):
            yield Static(content)
        framed = Vertical(Label("framed"))
        framed.border_title = content  # type: ignore[assignment]
        framed.border_subtitle = content  # type: ignore[assignment]
        framed.styles.border = ("round", "red")
        yield framed

    def on_mount(self) -> None:
        if self.page == "ours":
            self.pane.show(4)
            self.run_worker(self._ours_tabs())
            return
        self.query_one(Log).write_line(self.evil)
        self.query_one(RichLog).write(Text(self.evil))
        self.notify(self.evil, title="toast", markup=False, timeout=60)
        tooltip = self.screen.query_one("#textual-tooltip", Static)
        tooltip.update(self.content)
        tooltip.display = True
        self.run_worker(self._click())

    async def _ours_tabs(self) -> None:
        await self._painted()
        for tab in ("json", "raw", "http", "info"):
            self.pane.detail.open_tab(tab)
            await self._painted()
        for number in (0, 1, 2, 9):
            self.pane.show(number)
            await self._painted()
        self.pane.filter_by(f"kind:{EVIL}")
        await self._painted()
        self.exit()

    async def _click(self) -> None:
        """Clicks all over the first lines, where a link would run its action."""
        await self._painted()
        for x in range(0, 150, 3):
            for y in range(8):
                widget, _ = self.get_widget_at(x, y)
                widget.post_message(
                    events.Click(
                        widget, x, y, 0, 0, 1, False, False, False, x, y, self.screen.get_style_at(x, y)
                    )
                )
        await self._painted()
        self.exit()

    async def _painted(self) -> None:
        """Waits until what was asked for so far is on the screen."""
        for _ in range(3):
            painted = asyncio.Event()
            self.call_after_refresh(painted.set)
            await painted.wait()

    def action_evil(self) -> None:
        self.exit(return_code=66)


def main(page: str) -> None:
    sys.path.insert(0, str(ROOT))
    app = Hostile(page)
    app.run()
    sys.exit(app.return_code or 0)


async def _run(page: str) -> tuple[int, bytes]:
    """Runs the app in a pty; its exit code and every byte it wrote to the terminal."""
    import fcntl
    import pty
    import termios

    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TEXTUAL_ANIMATIONS": "none",
    }
    # Whoever runs the tests may have set these, and they win over the real size.
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        environment.pop(name, None)
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, page, stdin=terminal, stdout=terminal, stderr=terminal, env=environment,
        start_new_session=True,
    )  # fmt: skip
    os.close(terminal)
    written = bytearray()
    loop = asyncio.get_running_loop()

    def read() -> None:
        try:
            written.extend(os.read(controller, 1 << 16))
        except OSError:
            loop.remove_reader(controller)

    loop.add_reader(controller, read)
    try:
        code = await asyncio.wait_for(process.wait(), 60)
        read()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        loop.remove_reader(controller)
        os.close(controller)
    return code, bytes(written)


@pytest.mark.skipif(os.name != "posix", reason="a pty is needed")
@pytest.mark.parametrize("page", ["guarded", "bare", "ours"])
async def test_nothing_foreign_reaches_the_terminal(page: str) -> None:
    code, written = await _run(page)
    text = written.decode("utf-8", "replace")
    assert code == 0, text[-3000:]
    assert "Traceback" not in text
    assert text.count("list[int]") > (10 if page != "ours" else 4), "the widgets were not painted"
    passed = {name for name, pattern in FORBIDDEN.items() if re.search(pattern, written)}
    assert not passed
    assert "click me" in text


if __name__ == "__main__":
    main(sys.argv[1])
