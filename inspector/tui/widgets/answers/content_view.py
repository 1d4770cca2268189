"""Content that came with an answer: its parts, each in the views that fit it, and the answer itself."""

from __future__ import annotations

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, Static

from inspector.base.errors import Failure
from inspector.base.text import bytes_size, decode, duration
from inspector.tui import guard
from inspector.tui.calls import MARKS, Call
from inspector.tui.pieces import Piece
from inspector.tui.screens.save import SaveScreen
from inspector.tui.widgets.answers.failure_card import FailureCard
from inspector.tui.widgets.answers.picture_view import PictureView
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.facts import Part
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.text.markdown_view import MarkdownView
from inspector.tui.widgets.text.reading_view import ReadingView

_LABELS = {
    "markdown": "Markdown", "json": "JSON", "text": "Text", "media": "Media", "hex": "Hex", "failure": "Failure",
    "problem": "Answer", "raw": "Raw", "listing": "Listing", "messages": "Messages",
    "model": "Model",
}  # fmt: skip


_NEAR = 24
"""Parts that are named at once."""


def summary(call: Call) -> tuple[str, str]:
    """How a call went, for the line beside its button: text and tone."""
    mark, tone = MARKS[call.badge]
    facts = [f"{mark} {call.badge}", duration(call.elapsed)]
    if call.answer is not None:
        facts += [bytes_size(len(call.answer.raw)), f"frame {call.answer.row}"]
    return " · ".join(facts), tone


class ContentView(Vertical):
    """Shows what is listed of an item, and once it was asked for what came of it. Views are built when they are looked
    at; the kind of view that a person chose stays for the next content where it applies."""

    DEFAULT_CSS = """
    ContentView {
        height: 1fr;
        & > .top { height: 1; background: $surface; }
        & > .top > TabStrip { width: auto; }
        & > .top > .facts {
            width: 1fr; text-align: right; text-wrap: nowrap; text-overflow: ellipsis; padding: 0 1; color: $quiet;
        }
        & > .parts { display: none; height: 1; padding: 0 0; }
        & > .problem { display: none; height: auto; max-height: 3; padding: 0 1; color: $text-warning; }
        & > Input { display: none; }
        & > ContentSwitcher { height: 1fr; }
        & JsonView, & ReadingView { height: 1fr; padding: 0 1; }
        & .media { padding: 1 2; }
    }
    """

    def __init__(self, listing: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._listing = listing
        self._call: Call | None = None
        self._raw = b""
        self._pieces: list[Piece] = []
        self._part = 0
        self._whole = ""
        self._failure: Failure | None = None
        self._preferred: str | None = None
        self._model: Callable[[], str] | None = None
        self._views = TabStrip([Tab("listing", _LABELS["listing"])] if listing else [])
        self._facts = Static(classes="facts", markup=False)
        self._parts = TabStrip([])
        self._parts.add_class("parts")
        self._problem = Static(classes="problem", markup=False)
        self._search = Input(placeholder="search; enter finds the next place, esc closes", compact=True)
        self._switcher = ContentSwitcher()

    def compose(self) -> ComposeResult:
        with Horizontal(classes="top"):
            yield self._views
            yield self._facts
        yield self._parts
        yield self._problem
        yield self._search
        yield self._switcher

    async def on_mount(self) -> None:
        if self._call is None and self._listing:
            await self._open("listing")

    @property
    def piece(self) -> Piece | None:
        """The part on show."""
        return self._pieces[self._part] if self._part < len(self._pieces) else None

    @property
    def call(self) -> Call | None:
        return self._call

    @property
    def view(self) -> str:
        """The view on show: markdown, json, text, media, hex, failure, problem, model, raw or listing."""
        return self._views.active

    async def show(
        self, call: Call, pieces: list[Piece], whole: str = "", model: Callable[[], str] | None = None
    ) -> None:
        """How a call ended: its parts, or what is wrong with the whole of them in a safe sentence; `model` gives
        the text that PaiCLI's model gets of it."""
        self._call, self._model = call, model
        self._raw = call.answer.raw if call.answer is not None else b""
        self._failure, self._whole = call.why, whole
        self._pieces = [] if self._failure is not None else pieces
        self._part = 0
        self._parts.display = len(self._pieces) > 1
        await self._show_part()

    async def relist(self, listing: str) -> None:
        """The item is listed differently now."""
        if listing != self._listing:
            self._listing = listing
            await self._switcher.query("#view-listing").remove()
            if self.view == "listing":
                await self._open("listing")

    async def _show_part(self) -> None:
        piece = self.piece
        # From a little before the part on show: there may be more parts than the screen is wide.
        first = max(0, self._part - 2)
        near = list(enumerate(self._pieces))[first : first + _NEAR]
        self._parts.show([Tab(str(number), f"{number + 1} {_part_label(each)}") for number, each in near])
        self._parts.active = str(self._part)
        await self._switcher.remove_children(
            [each for each in self._switcher.children if each.id != "view-listing"]
        )
        tabs = self._tabs()
        self._views.show(tabs)
        self._views.refresh(layout=True)
        problem = piece.problem if piece is not None else ""
        notes = self._call.answer.notes if self._call is not None and self._call.answer is not None else []
        said = [problem, *(guard.message(note) for note in notes if self._failure is None)]
        self._problem.display = any(said)
        self._problem.update(Content("\n".join(f"▲ {text}" for text in said if text)))
        self._facts.update(self.summary())
        names = [tab.id for tab in tabs]
        if names:
            await self._open(self._preferred if self._preferred in names else names[0])

    def content_views(self) -> list[str]:
        """The views of the content itself, the best first."""
        return list(self.piece.views) if self.piece is not None else []

    def _tabs(self) -> list[Tab]:
        names = ["failure"] if self._failure is not None else self.content_views()
        if not names and self._whole:
            names = ["problem"]
        names += ["model"] if self._model and self._failure is None else []
        names = [*names, *(["raw"] if self._raw else []), *(["listing"] if self._listing else [])]
        return [Tab(name, self._label(name)) for name in names]

    def _label(self, name: str) -> str:
        piece = self.piece
        if name == "media" and piece is not None:
            kind = piece.found.kind if piece.found is not None else (piece.mime or "").partition("/")[0]
            return {"image": "Image", "audio": "Sound", "video": "Video"}.get(kind, "Media")
        return _LABELS[name]

    def summary(self) -> Content:
        """What is said at the right of the names of the views."""
        piece = self.piece
        # The size first: what is behind it may be cut off.
        return Content(" · ".join(reversed(piece.facts)) if piece is not None else "")

    async def _open(self, name: str) -> None:
        id_ = f"view-{name}"
        if not self._switcher.query(f"#{id_}"):
            await self._switcher.mount(self.build(name, id_))
        if not self._switcher.query(f"#{id_}"):
            # The app is closing: nothing is mounted any more.
            return
        self._views.active = name
        self._switcher.current = id_

    @property
    def shown(self) -> Widget | None:
        """The view on show."""
        return self._switcher.visible_content

    def build(self, name: str, id_: str) -> Widget:
        """One view by its name."""
        piece = self.piece
        if name == "listing":
            return JsonView(self._listing, id=id_)
        if name == "raw":
            return JsonView(decode(self._raw), id=id_)
        if name == "model" and self._model is not None:
            return ReadingView(self._model().encode("utf-8", "replace"), id=id_)
        if name == "failure" and self._failure is not None:
            return FailureCard(self._failure, id=id_)
        if piece is None:
            return Scroll(Static(Content(self._whole), markup=False), id=id_, classes="media")
        if name == "json":
            return JsonView(piece.shown, id=id_)
        if name == "markdown":
            return MarkdownView(piece.shown, id=id_)
        if name == "media":
            shown = (
                [PictureView(piece.bytes_)] if piece.found is not None and piece.found.kind == "image" else []
            )
            return Scroll(Static(_about(piece), markup=False), *shown, id=id_, classes="media")
        return ReadingView(piece.bytes_, always_hex=name == "hex", id=id_)

    @on(TabStrip.Chosen)
    async def _chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        if event.strip is self._parts:
            self._part = int(event.tab)
            await self._show_part()
        else:
            self._preferred = event.tab
            await self._open(event.tab)

    async def next_view(self) -> None:
        """The view to the right of this one; the focus stays inside where it was inside."""
        names = [tab.id for tab in self._views.tabs]
        if not names:
            return
        inside = self._switcher.has_focus_within or self._search.has_focus
        self._preferred = names[(names.index(self.view) + 1) % len(names)]
        await self._open(self._preferred)
        if inside:
            self.enter()

    async def next_part(self) -> None:
        """The next part, after the last the first."""
        if len(self._pieces) > 1:
            inside = self.has_focus_within
            self._part = (self._part + 1) % len(self._pieces)
            await self._show_part()
            if inside:
                self.enter()

    @property
    def has_parts(self) -> bool:
        return len(self._pieces) > 1

    def enter(self) -> None:
        """The focus goes to what is read."""
        current = self._switcher.visible_content
        if current is not None:
            current.focus()

    # Search

    def open_filter(self) -> None:
        self.call_later(self._open_search)

    async def _open_search(self) -> None:
        """Where the view has no text to search, the text or the answer is opened first."""
        names = [tab.id for tab in self._views.tabs]
        if not names:
            return
        if self.view not in ("json", "text", "raw", "listing"):
            await self._open(next(name for name in ("text", "json", "raw", "listing") if name in names))
        self._search.display = True
        self._search.focus()

    @on(Input.Submitted)
    def _searched(self, event: Input.Submitted) -> None:
        event.stop()
        view = self._switcher.visible_content
        if isinstance(view, JsonView | ReadingView):
            view.search(event.value)
            if event.value:
                view.focus()

    @on(JsonView.NotFound)
    @on(ReadingView.NotFound)
    def _not_found(self, event: JsonView.NotFound | ReadingView.NotFound) -> None:
        event.stop()
        self.notify(f"{guard.line(event.needle)} is not in it", timeout=3, markup=False)

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()

    def leave(self) -> bool:
        """Ends the search; False where there is none."""
        if not self._search.display:
            return False
        self._search.display = False
        self._search.value = ""
        for view in self._switcher.children:
            if isinstance(view, JsonView | ReadingView):
                view.search("")
        self.enter()
        return True

    # Copy and save

    def copy_offer(self) -> tuple[str, str] | None:
        """What the view on show holds, secrets masked."""
        if self.view == "raw":
            return "the frame", guard.masked(decode(self._raw))
        if self.view == "failure" and self._failure is not None:
            return "the failure", guard.message(self._failure.message)
        if self.view == "model" and self._model is not None:
            return "the text that the model gets", guard.masked(self._model())
        piece = self.piece
        if self.view == "listing" or piece is None:
            return "the listing", guard.masked(self._listing)
        if piece.data is not None and self.view in ("hex", "media"):
            return "the bytes in hex", guard.masked_bytes(piece.data).hex(" ")
        return "the content", guard.masked(piece.shown)

    def save(self) -> None:
        """Asks where the part on show shall go; nothing happens where there is none."""
        if (piece := self.piece) is not None:
            what = " · ".join(fact for fact in (piece.kind, *piece.facts[:-1]) if fact)
            self.app.push_screen(SaveScreen(what, piece.file_name, piece.bytes_))

    @property
    def can_save(self) -> bool:
        return self.piece is not None


def _part_label(piece: Piece) -> str:
    tail = guard.line(piece.name.rstrip("/").rpartition("/")[2] or piece.kind)
    return tail if len(tail) <= 20 else f"{tail[:19]}…"


def _about(piece: Piece) -> Content:
    found = piece.found
    size = bytes_size(len(piece.bytes_))
    rows = [
        ("kind", found.facts if found is not None else "not known here by its first bytes"),
        ("media type", guard.line(piece.mime)[:200] if piece.mime else "none given"),
        ("size", f"{size} ({len(piece.bytes_):,} bytes)" if len(piece.bytes_) >= 1024 else size),
        ("from", guard.line(piece.name)[:400]),
    ]
    parts: list[Part] = []
    for label, value in rows:
        if value:
            parts += [(f"{label:<12}", "$quiet"), (f"{value}\n", "$foreground")]
    parts += [("\nw", "bold $text-accent"), (" saves it to a file, ", "$quiet"), ("F6", "bold $text-accent")]
    parts.append((" shows its bytes.\n", "$quiet"))
    return Content.assemble(*parts)
