"""One row of the traffic in full: as JSON, as bytes, its HTTP exchange, and what is known about it."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label, Static, TabbedContent, TabPane

from inspector.base.text import bytes_size, decode, duration
from inspector.protocol.jsonrpc import read
from inspector.traffic.exchanges import Exchange
from inspector.traffic.rows import Row
from inspector.traffic.show import ARROWS, clock
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.widgets.frame_columns import id_text, oddities
from inspector.tui.widgets.json_view import JsonView
from inspector.tui.widgets.line_view import LineView
from inspector.tui.widgets.text_view import TextView

TABS = ("json", "raw", "http", "info")
_BODY = 2000
Part = tuple[str, str]

_WHY = {
    "truncated": "longer than the cap: only its beginning was kept",
    "redacted": "secrets were taken out when this was recorded",
    "broken": "the line of the recording cannot be read",
    "id type": "the id of the answer has another JSON type than that of the request",
    "reused id": "the id was in use or had been used before",
    "lost": "the bytes are gone: the disk refused them and memory was full",
    "late": "it came after the request had been cancelled or answered",
    "duplicate": "the request had been answered before",
    "unknown": "no request of this session has this id",
    "cancelled": "the request was cancelled",
}


class DetailPane(Vertical):
    """Shows the row given to `show`. Posts `Closed` when the person is done with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape", "close", "Close", id="detail.close", tooltip="Close the detail, or the search in it"
        ),
        Binding("slash", "filter", "Search", show=False, id="detail.search", tooltip="Search in the JSON"),
        Binding("left_square_bracket", "tab(-1)", "Tab", show=False, id="detail.previous_tab"),
        Binding("right_square_bracket", "tab(1)", "Tab", show=False, id="detail.next_tab"),
    ]
    DEFAULT_CSS = """
    DetailPane {
        background: $surface;
        & > #detail-head { height: 1; background: $panel; }
        & #detail-title { width: 1fr; height: 1; padding: 0 1; }
        & #detail-close { width: auto; padding: 0 1; color: $text-muted; }
        & #detail-close:hover { color: $foreground; background: $error 40%; }
        & TabbedContent { height: 1fr; }
        & TabPane { padding: 0; }
        & VerticalScroll { padding: 0 1; }
        & #detail-foot { height: 1; background: $panel; }
        & #detail-pointer { width: 1fr; height: 1; padding: 0 1; color: $text-muted; }
        & #detail-title, & #detail-pointer { text-wrap: nowrap; text-overflow: ellipsis; }
        & #detail-search { display: none; width: 40%; }
        &.-searching #detail-search { display: block; }
    }
    """
    HELP = "`[` and `]` change the tab, `/` searches, `c` copies the value under the cursor, `p` its path."

    class Closed(Message):
        """The detail is to be closed."""

    def __init__(self, traffic: Traffic, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.traffic = traffic
        self.number: int | None = None
        self._shown: dict[str, object] = {}

    def compose(self) -> ComposeResult:
        with Horizontal(id="detail-head"):
            yield Label(id="detail-title", markup=False)
            yield Label("✕", id="detail-close", markup=False)
        with TabbedContent(initial="json"):
            with TabPane("JSON", id="json"):
                yield JsonView(id="detail-json")
            with TabPane("Raw", id="raw"):
                yield TextView(id="detail-raw")
            with TabPane("HTTP", id="http"), VerticalScroll():
                yield Static(id="detail-http", markup=False)
            with TabPane("Info", id="info"), VerticalScroll():
                yield Static(id="detail-info", markup=False)
        with Horizontal(id="detail-foot"):
            yield Label("$", id="detail-pointer", markup=False)
            yield Input(placeholder="search", id="detail-search", compact=True)

    def on_mount(self) -> None:
        self.watch(self.query_one(JsonView), "pointer", self._pointed, init=False)

    def show(self, number: int) -> None:
        """Shows a row; a row that is not held any more leaves what is shown as it is."""
        try:
            row = self.traffic.row(number)
        except IndexError:
            return
        if number != self.number:
            self._shown.clear()
        self.number = number
        self.query_one("#detail-title", Label).update(_title(row))
        tabs = self.query_one(TabbedContent)
        if row.exchange is None:
            if tabs.active == "http":
                tabs.active = "json"
            tabs.hide_tab("http")
        else:
            tabs.show_tab("http")
        self._fill(row)

    def refresh_facts(self) -> None:
        """The row may have been answered meanwhile."""
        if self.number is not None:
            self.show(self.number)

    def _fill(self, row: Row) -> None:
        """Only the tab that is seen is made, and made again only where something has changed."""
        tab = self.query_one(TabbedContent).active
        state: object = (row, guard.epoch())
        if tab in ("json", "raw"):
            state = (row.number, guard.epoch())
        if self._shown.get(tab) == state and tab != "http":
            return
        self._shown[tab] = state
        if tab == "json":
            self.query_one(JsonView).load(decode(self.traffic.raw(row.number)))
        elif tab == "raw":
            self.query_one(TextView).load(self.traffic.raw(row.number))
        elif tab == "http" and (exchange := self.traffic.exchange(row.number)) is not None:
            self.query_one("#detail-http", Static).update(
                Content.assemble(*_http(exchange, self.traffic.base_time))
            )
        elif tab == "info":
            self.query_one("#detail-info", Static).update(Content.assemble(*_info(self.traffic, row)))

    @on(TabbedContent.TabActivated)
    def _tab_changed(self) -> None:
        if self.number is not None:
            self.show(self.number)
        foot = {"json": self.query_one(JsonView).pointer}.get(self.query_one(TabbedContent).active, "")
        self._pointed(foot)

    def _pointed(self, pointer: str) -> None:
        self.query_one("#detail-pointer", Label).update(guard.safe(pointer))

    def focus_content(self) -> None:
        """Puts the focus into the tab that is seen."""
        pane = self.query_one(TabbedContent).active_pane
        if pane is not None:
            pane.query("LineView, VerticalScroll").first().focus()

    def action_tab(self, direction: int) -> None:
        tabs = self.query_one(TabbedContent)
        seen = [tab for tab in TABS if tab != "http" or tabs.get_tab("http").display]
        tabs.active = seen[(seen.index(tabs.active) + direction) % len(seen)]
        self.call_after_refresh(self.focus_content)

    def action_close(self) -> None:
        if self.has_class("-searching"):
            self._end_search()
        else:
            self.post_message(self.Closed())

    @on(events.Click, "#detail-close")
    def _close_clicked(self) -> None:
        self.post_message(self.Closed())

    # Search

    def open_filter(self) -> None:
        """Opens the search in the text on show."""
        tabs = self.query_one(TabbedContent)
        if tabs.active not in ("json", "raw"):
            tabs.active = "json"
        self.add_class("-searching")
        self.query_one("#detail-search", Input).focus()

    def action_filter(self) -> None:
        self.open_filter()

    @on(Input.Submitted, "#detail-search")
    def _search(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(TabbedContent).active = "json"
        view = self.query_one(JsonView)
        view.search(event.value)
        view.focus()
        if not event.value:
            self._end_search()

    def _end_search(self) -> None:
        self.remove_class("-searching")
        self.query_one("#detail-search", Input).value = ""
        self.query_one(JsonView).search("")
        self.focus_content()

    @on(JsonView.NotFound)
    def _not_found(self, event: JsonView.NotFound) -> None:
        self.notify(f"{guard.line(event.needle)} is not found", timeout=2, markup=False)

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()

    def copy_offer(self) -> tuple[str, str] | None:
        """What is copied from here: the row as it was on the wire, secrets masked."""
        if self.number is None:
            return None
        try:
            return f"frame {self.number}", guard.masked(decode(self.traffic.raw(self.number)))
        except IndexError:
            return None


def _title(row: Row) -> Content:
    parts: list[Part] = [
        (f"#{row.number}", "$text-muted"),
        (f" {ARROWS[row.channel]} ", "bold $text-primary"),
        (
            row.kind,
            "bold $text-error" if row.kind == "error" or row.state == "tool error" else "bold $foreground",
        ),
    ]
    if row.method:
        target = f" {guard.line(row.target)}" if row.target else ""
        parts.append((f"  {guard.line(row.method)}{target}", "$foreground"))
    facts = [f"id {id_text(row)}" if row.has_id else "", bytes_size(row.size)]
    facts.append(duration(row.took) if row.took is not None else "")
    parts.append((f"  {' · '.join(filter(None, facts))}", "$text-muted"))
    if odd := oddities(row):
        parts.append((f"  {', '.join(odd)}", "bold $text-warning"))
    return Content.assemble(*parts)


def _fact(name: str, value: str, style: str = "$foreground") -> list[Part]:
    return [(f"{name:<10} ", "$text-muted"), (f"{value}\n", style)]


_PEER_IS = {
    "request": "answered by",
    "response": "answer to",
    "error": "answer to",
    "notification": "belongs to",
}


def _info(traffic: Traffic, row: Row) -> list[Part]:
    parts: list[Part] = []
    parts += _fact("time", f"{clock(traffic.base_time + row.time)}   {row.time:.6f} s from the start")
    way = {
        "c2s": "client to server",
        "s2c": "server to client",
        "err": "stderr",
        "sys": "note of mcp-inspect",
    }
    parts += _fact("direction", f"{ARROWS[row.channel]} {way.get(row.channel, row.channel)}")
    parts += _fact("session", f"{guard.line(row.server) or '-'} ({row.session})")
    parts += _fact("kind", row.kind)
    if row.method:
        parts += _fact("method", guard.line(row.method))
    if row.target:
        parts += _fact("of", guard.line(row.target))
    if row.has_id:
        parts += _fact("id", id_text(row))
    parts += _fact("size", f"{bytes_size(row.size)}" + (f" ({row.size:,} bytes)" if row.size >= 1024 else ""))
    if row.state:
        parts += _fact(
            "state", row.state, "$text-error" if row.state in ("error", "tool error") else "$foreground"
        )
    if row.peer is not None:
        parts += _fact(_PEER_IS.get(row.kind, "peer"), f"#{row.peer}")
    others = [number for number in traffic.linked(row.number) if number != row.peer]
    if others:
        more = f" and {len(others) - 12} more" if len(others) > 12 else ""
        parts += _fact("linked", ", ".join(f"#{number}" for number in others[:12]) + more)
    if row.took is not None:
        parts += _fact("took", duration(row.took))
    if row.exchange is not None:
        parts += _fact("exchange", str(row.exchange))
    for word in oddities(row) + (["problem"] if row.kind == "invalid" else []):
        why = _problem(traffic, row) if word == "problem" else _WHY.get(word, "")
        parts += _fact("odd", f"{word}: {why}" if why else word, "$text-warning")
    return parts


def _problem(traffic: Traffic, row: Row) -> str:
    return guard.line(read(traffic.raw(row.number)).problem or "")


def _http(exchange: Exchange, base: float) -> list[Part]:
    parts: list[Part] = [
        (f"{guard.line(exchange.method)} ", "bold $text-primary"),
        (f"{guard.message(exchange.url)}\n", "$foreground"),
    ]
    parts += _headers(exchange.request_headers)
    status = "no answer yet" if exchange.status is None else str(exchange.status)
    good = exchange.status is not None and exchange.status < 400
    parts += [("\n", ""), (status, "bold $text-success" if good else "bold $text-error")]
    if exchange.started is not None and exchange.answered is not None:
        parts.append((f"  after {duration(exchange.answered - exchange.started)}", "$text-muted"))
    parts.append(("\n", ""))
    parts += _headers(exchange.response_headers)
    if exchange.frames:
        parts += [
            ("\nframes ", "$text-muted"),
            (", ".join(f"#{number}" for number in exchange.frames[:40]) + "\n", ""),
        ]
    for t, name, value in exchange.events[:200]:
        parts += [
            (f"{clock(base + t)} ", "$text-muted"),
            (f"{guard.line(name)}: {guard.line(value)}\n", "$foreground"),
        ]
    if exchange.body:
        cut = len(exchange.body) > _BODY
        shown = guard.block(guard.masked(decode(exchange.body)))[:_BODY] + ("…" if cut else "")
        parts += [
            (f"\nbody of {bytes_size(len(exchange.body))}, no frame\n", "$text-muted"),
            (shown + "\n", "$foreground"),
        ]
    outcome = exchange.outcome or "goes on"
    parts += [("\nend    ", "$text-muted"), (guard.message(outcome), "$foreground")]
    if exchange.started is not None and exchange.ended is not None:
        parts.append((f" after {duration(exchange.ended - exchange.started)}", "$text-muted"))
    return parts


def _headers(headers: list[tuple[str, str]]) -> list[Part]:
    parts: list[Part] = []
    for name, value in headers:
        parts += [
            (f"  {guard.line(name)}: ", "$text-muted"),
            (f"{guard.header(name, value)}\n", "$foreground"),
        ]
    return parts
