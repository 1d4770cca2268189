"""One row of the traffic in full: as JSON, as bytes, its HTTP exchange, and what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import ContentSwitcher, Input, Label, Static

from inspector.base.jsonptr import tokens
from inspector.base.text import bytes_size, clip, decode, duration
from inspector.check.rules import Finding
from inspector.protocol.jsonrpc import read
from inspector.traffic.exchanges import Exchange
from inspector.traffic.rows import Row
from inspector.traffic.show import ARROWS, clock
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.text.reading_view import ReadingView
from inspector.tui.widgets.traffic.exchange_view import ExchangeView, conversation
from inspector.tui.widgets.traffic.frame_columns import id_text, oddities
from inspector.tui.widgets.traffic.strings import strings

_TABS = [
    Tab("json", "JSON"), Tab("exchange", "Exchange"), Tab("text", "Text"), Tab("raw", "Raw"), Tab("hex", "Hex"),
    Tab("http", "HTTP"), Tab("info", "Info"), Tab("findings", "Findings"),
]  # fmt: skip
_IN_SHORT, _LOW = 3, 20
"""Findings that are told above the frame; one where it has fewer rows than these."""
_FLAGGED = 500
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
    "probe": "it finds out which era of the protocol the server speaks; the verdict is in Overview",
}


class DetailPane(Vertical):
    """Shows the row given to `show`. Posts `Closed` when the person is done with it."""

    SCOPE = "detail"
    BINDINGS: ClassVar[list[BindingType]] = bindings("detail")
    DEFAULT_CSS = """
    DetailPane {
        background: $surface;
        & Horizontal { height: 1; background: $panel; }
        & Label { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & #detail-title { width: 1fr; }
        & #detail-note { display: none; width: 1fr; height: auto; max-height: 4; text-wrap: wrap; color: $text-accent; }
        &.-noted #detail-note { display: block; }
        & #detail-wrong { display: none; width: 1fr; height: auto; text-wrap: nowrap; }
        &.-wrong #detail-wrong { display: block; }
        & .button { width: auto; color: $quiet; }
        & .button:hover { color: $foreground; background: $primary 40%; }
        & #detail-close:hover { color: $foreground; background: $error 40%; }
        & TabStrip { width: auto; }
        & #detail-pointer { width: 1fr; color: $quiet; text-align: right; }
        & #detail-search { display: none; width: 1fr; margin-left: 2; }
        & ContentSwitcher { height: 1fr; }
        & VerticalScroll { padding: 0 1; }
        &.-searching #detail-search { display: block; }
        &.-searching #detail-pointer { display: none; }
    }
    """
    HELP = "One frame in full. [ and ] change the tab, / searches, esc goes back to the list."

    class Wanted(Message):
        """Another row is to be shown; by `step` from this one, or by its `number`."""

        def __init__(self, number: int | None = None, step: int = 0) -> None:
            super().__init__()
            self.number = number
            self.step = step

    class Closed(Message):
        """The detail is to be closed."""

    def __init__(self, traffic: Traffic, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.traffic = traffic
        self.number: int | None = None
        self._shown: dict[str, object] = {}
        self._told: object = None

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Label(id="detail-title", markup=False)
            yield Label("‹", id="detail-previous", classes="button", markup=False)
            yield Label("›", id="detail-next", classes="button", markup=False)
            yield Label("✕", id="detail-close", classes="button", markup=False)
        yield Label(id="detail-note", markup=False)
        yield Label(id="detail-wrong", markup=False)
        with Horizontal():
            yield TabStrip(_TABS, id="detail-tabs")
            yield Label(id="detail-pointer", markup=False)
            yield Input(placeholder="search", id="detail-search", compact=True)
        with ContentSwitcher(initial="detail-json"):
            yield JsonView(id="detail-json")
            yield ExchangeView(self.traffic, id="detail-exchange")
            yield ReadingView(id="detail-text")
            yield ReadingView(id="detail-raw")
            yield ReadingView(always_hex=True, id="detail-hex")
            with Scroll(id="detail-http"):
                yield Static(id="detail-http-text", markup=False)
            with Scroll(id="detail-info"):
                yield Static(id="detail-info-text", markup=False)
            with Scroll(id="detail-findings"):
                yield Static(id="detail-findings-text", markup=False)

    def on_mount(self) -> None:
        self.watch(self.query_one(JsonView), "pointer", self._pointed, init=False)

    @property
    def tab(self) -> str:
        """The tab on show: json, raw, http or info."""
        return self.query_one(TabStrip).active

    def open_tab(self, tab: str) -> None:
        """Shows another tab; one that the row does not have is left alone."""
        strip = self.query_one(TabStrip)
        if tab in [each.id for each in strip.tabs]:
            self._switch(tab)
            if self.number is not None:
                self.show(self.number)

    def _switch(self, tab: str) -> None:
        self.query_one(TabStrip).active = tab
        self.query_one(ContentSwitcher).current = f"detail-{tab}"
        self._pointed(self.query_one(JsonView).pointer if tab == "json" else "")

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
        self.set_class(bool(row.note), "-noted")
        if row.note:
            self.query_one("#detail-note", Label).update(Content(f"✎ {guard.line(row.note)}"))
        found = self._found(number)
        self._tell_found(found)
        strip = self.query_one(TabStrip)
        has = {"http": row.exchange is not None, "findings": bool(found)}
        strip.show([_counted(tab, found) for tab in _TABS if has.get(tab.id, True)])
        strip.refresh(layout=True)
        if self.tab not in [tab.id for tab in strip.tabs]:
            self._switch("json")
        self._fill(row)

    def _found(self, number: int) -> tuple[Finding, ...]:
        return cast("tuple[Finding, ...]", self.traffic.judged.at(number))

    def _tell_found(self, found: Sequence[Finding]) -> None:
        """What is wrong with the frame, in a line each."""
        self.set_class(bool(found), "-wrong")
        width, most = self.size.width - 2, _IN_SHORT if self.size.height >= _LOW else 1
        if self._told == (found, width, most, guard.epoch()):
            return
        self._told = (found, width, most, guard.epoch())
        if found:
            from inspector.tui.widgets.findings.explained import in_short

            told = Content.assemble(*in_short(found[:most], width)).rstrip()
            self.query_one("#detail-wrong", Label).update(told)

    def next_finding(self) -> bool:
        """Puts the cursor of the JSON on the next place that breaks a rule; False where nothing in this frame does."""
        if self.number is None or not self._found(self.number):
            return False
        self.open_tab("json")
        view = self.query_one(JsonView)
        view.focus()
        return view.go_to_flag()

    def point_to(self, finding: Finding) -> None:
        """Puts the cursor of the JSON on the place of a finding in the frame that is shown."""
        self.open_tab("json")
        self.query_one(JsonView).go_to(tokens(finding.pointer))

    def refresh_facts(self) -> None:
        """The row may have been answered meanwhile."""
        if self.number is not None:
            self.show(self.number)

    def _fill(self, row: Row) -> None:
        """Only the tab that is seen is made, and made again only where something has changed."""
        tab = self.tab
        state: object = (row, guard.epoch())
        found = self._found(row.number)
        if tab in ("json", "raw", "hex", "text"):
            state = (row.number, guard.epoch())
        elif tab == "findings":
            state = (found, self.size.width, guard.epoch())
        elif tab == "exchange":
            state = (row, len(conversation(self.traffic, row.number)), guard.epoch())
        if self._shown.get(tab) == state and tab != "http":
            if tab == "json":
                self._flag(found)
            return
        self._shown[tab] = state
        if tab == "json":
            self.query_one(JsonView).load(decode(self.traffic.raw(row.number)))
            self._flag(found)
        elif tab == "exchange":
            self.query_one(ExchangeView).load(row.number)
        elif tab == "text":
            text = strings(self.traffic.raw(row.number))
            self.query_one("#detail-text", ReadingView).load(text.encode("utf-8", "surrogatepass"))
        elif tab in ("raw", "hex"):
            self.query_one(f"#detail-{tab}", ReadingView).load(self.traffic.raw(row.number))
        elif tab == "http" and (exchange := self.traffic.exchange(row.number)) is not None:
            self.query_one("#detail-http-text", Static).update(
                Content.assemble(*_http(exchange, self.traffic.base_time))
            )
        elif tab == "info":
            self.query_one("#detail-info-text", Static).update(Content.assemble(*_info(self.traffic, row)))

        elif tab == "findings":
            from inspector.tui.widgets.findings.explained import explained

            parts = [part for each in found for part in (*explained(each, self.size.width - 3), ("\n", ""))]
            self.query_one("#detail-findings-text", Static).update(Content.assemble(*parts))

    def _flag(self, found: Sequence[Finding]) -> None:
        flags = {
            tuple(tokens(each.pointer)): (each.level, f"{each.rule} {each.message}") for each in found[::-1]
        }
        self.query_one(JsonView).flag(dict(islice(reversed(flags.items()), _FLAGGED)))

    @on(TabStrip.Chosen)
    def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        self.open_tab(event.tab)

    def _pointed(self, pointer: str) -> None:
        shown = Content.assemble(("path ", "$quiet"), guard.safe(pointer)) if pointer else Content("")
        self.query_one("#detail-pointer", Label).update(shown)

    def focus_content(self) -> None:
        """Puts the focus into the tab that is seen."""
        self.query_one(f"#detail-{self.tab}").focus()

    def step_tab(self, direction: int) -> None:
        """The next tab, or the one before; the focus goes along where it is in here."""
        inside = self.has_focus_within
        tabs = [tab.id for tab in self.query_one(TabStrip).tabs]
        self.open_tab(tabs[(tabs.index(self.tab) + direction) % len(tabs)])
        if inside:
            self.focus_content()

    def action_close(self) -> None:
        if self.has_class("-searching"):
            self._end_search()
        else:
            self.post_message(self.Closed())

    @on(events.Click, "#detail-previous")
    def _previous_clicked(self) -> None:
        self.post_message(self.Wanted(step=-1))

    @on(events.Click, "#detail-next")
    def _next_clicked(self) -> None:
        self.post_message(self.Wanted(step=1))

    @on(ExchangeView.Wanted)
    def _row_wanted(self, event: ExchangeView.Wanted) -> None:
        event.stop()
        self.post_message(self.Wanted(event.number))

    @on(events.Click, "#detail-close")
    def _close_clicked(self) -> None:
        self.post_message(self.Closed())

    # Search

    def open_filter(self) -> None:
        """Opens the search in the text on show; where that is none, in the JSON."""
        if self.tab not in ("json", "text", "raw"):
            self.open_tab("json")
        self.add_class("-searching")
        self.query_one("#detail-search", Input).focus()

    def action_filter(self) -> None:
        self.open_filter()

    @on(Input.Submitted, "#detail-search")
    def _search(self, event: Input.Submitted) -> None:
        event.stop()
        view = self.query_one(f"#detail-{self.tab}")
        if isinstance(view, JsonView | ReadingView):
            view.search(event.value)
        view.focus()
        if not event.value:
            self._end_search()

    def _end_search(self) -> None:
        self.remove_class("-searching")
        self.query_one("#detail-search", Input).value = ""
        self.query_one(JsonView).search("")
        for view in self.query(ReadingView):
            view.search("")
        self.focus_content()

    @on(ReadingView.NotFound)
    @on(JsonView.NotFound)
    def _not_found(self, event: JsonView.NotFound | ReadingView.NotFound) -> None:
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


def _counted(tab: Tab, found: Sequence[Finding]) -> Tab:
    return Tab(tab.id, tab.label, str(len(found))) if tab.id == "findings" else tab


def _title(row: Row) -> Content:
    parts: list[Part] = [
        (f"#{row.number}", "$quiet"),
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
    parts.append((f"  {' · '.join(filter(None, facts))}", "$quiet"))
    if odd := oddities(row):
        parts.append((f"  {', '.join(odd)}", "bold $text-warning"))
    return Content.assemble(*parts)


def _fact(name: str, value: str, style: str = "$foreground") -> list[Part]:
    return [(f"{name:<12} ", "$quiet"), (f"{value}\n", style)]


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
    if row.channel == "s2c":
        from inspector.lenses.java_sdk.clients import CLIENTS, made_of

        for client in CLIENTS:
            for seen in made_of(client, read(traffic.raw(row.number)), row.method, row.size):
                tone = "$foreground" if seen.severity == "info" else "$text-warning"
                parts += _fact("elsewhere", f"{client.name} {guard.line(clip(seen.text, 600))}", tone)
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
        parts.append((f"  after {duration(exchange.answered - exchange.started)}", "$quiet"))
    parts.append(("\n", ""))
    parts += _headers(exchange.response_headers)
    if exchange.frames:
        parts += [
            ("\nframes ", "$quiet"),
            (", ".join(f"#{number}" for number in exchange.frames[:40]) + "\n", ""),
        ]
    for t, name, value in exchange.events[:200]:
        parts += [
            (f"{clock(base + t)} ", "$quiet"),
            (f"{guard.line(name)}: {guard.line(value)}\n", "$foreground"),
        ]
    if exchange.body:
        cut = len(exchange.body) > _BODY
        shown = guard.block(guard.masked(decode(exchange.body)))[:_BODY] + ("…" if cut else "")
        parts += [
            (f"\nbody of {bytes_size(len(exchange.body))}, no frame\n", "$quiet"),
            (shown + "\n", "$foreground"),
        ]
    outcome = exchange.outcome or "goes on"
    parts += [("\nend    ", "$quiet"), (guard.message(outcome), "$foreground")]
    if exchange.started is not None and exchange.ended is not None:
        parts.append((f" after {duration(exchange.ended - exchange.started)}", "$quiet"))
    return parts


def _headers(headers: list[tuple[str, str]]) -> list[Part]:
    parts: list[Part] = []
    for name, value in headers:
        parts += [
            (f"  {guard.line(name)}: ", "$quiet"),
            (f"{guard.header(name, value)}\n", "$foreground"),
        ]
    return parts
