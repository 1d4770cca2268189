"""Choosing what the app serves: a recording or a definition, and where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeVar, get_args

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widgets import Input, OptionList, Static

from inspector.base.errors import Failed, fail
from inspector.base.saving import chosen_path
from inspector.faults.kinds import Fault, parse
from inspector.replay.ignoring import Ignoring, ignoring
from inspector.serving.matching import Match
from inspector.serving.recorded import Pace
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.screens.source import recent
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.tui.widgets.lists.moving import Options

_LAST_PORT = 65535
_MATCHES: tuple[Match, ...] = get_args(Match)
_PACES: tuple[Pace, ...] = get_args(Pace)
_Word = TypeVar("_Word", bound=str)


class Wanted(NamedTuple):
    """As `workspace.serving.Served` takes it."""

    path: Path
    server: str | None
    port: int
    match: Match
    pace: Pace
    rules: Ignoring
    faults: Sequence[Fault]


class ServeScreen(Asks[Wanted | None]):
    """Dismissed with what is to be served. Recordings of ours are offered; any other file is typed."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    ServeScreen {
        & > Dialog { width: 84; padding: 0 1; }
        & OptionList { height: auto; max-height: 6; background: $surface; }
        & .note { height: auto; color: $quiet; }
        & .row { height: auto; }
        & .about { width: 14; color: $quiet; }
        & Input { width: 1fr; background: $panel; }
    }
    """
    HELP = (
        "A recording answers as its server did then; a definition is a server that is written down. It is served on"
        " 127.0.0.1 only, to any client that is given the URL. Which record answers, and when, is for recordings:"
        " params is the same request, strict each once and in order, sequence the next one of the method; fast is at"
        " once, recorded after as long as it took then; what may differ are JSON Pointers into the params, such as"
        " /arguments/day. Faults are as --fault has them, several with blanks between: delay:ms=500,method=tools/call."
    )

    def __init__(self, path: Path | None = None) -> None:
        """`path` is what is served if nothing else is typed."""
        super().__init__()
        self._recent = recent() if path is None else []
        self._list = Options(
            *(
                Content.assemble(("recording  ", "$quiet"), (guard.line(each.name), ""))
                for each in self._recent
            ),
            markup=False,
            compact=True,
        )
        self._path = PathInput(
            "" if path is None else str(path), placeholder="the path of a recording or a definition"
        )
        self._server = Input(placeholder="the name of a server, where a recording has several", compact=True)
        self._port = Input(placeholder="any free one", restrict=r"[0-9]*", max_length=5, compact=True)
        self._match = Input(_MATCHES[0], suggester=SuggestFromList(_MATCHES), compact=True)
        self._pace = Input(_PACES[0], suggester=SuggestFromList(_PACES), compact=True)
        self._ignore = Input(placeholder="nothing; JSON Pointers with blanks between", compact=True)
        self._faults = Input(placeholder="none; such as drop:method=tools/call,nth=2", compact=True)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Serve over HTTP")
            yield self._list
            for about, field in (
                ("File", self._path),
                ("Server in it", self._server),
                ("Port", self._port),
                ("Match by", self._match),
                ("Pace", self._pace),
                ("May differ", self._ignore),
                ("Faults", self._faults),
            ):
                yield Horizontal(Static(about, classes="about", markup=False), field, classes="row")
            words = f"{', '.join(_MATCHES)}; {', '.join(_PACES)}"
            yield Static(f"Match by and pace are for recordings: {words}", classes="note", markup=False)
            yield from self.buttons("Serve")

    def on_mount(self) -> None:
        self._list.display = bool(self._recent)
        self._path.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._path.value = str(self._recent[event.option_index])
        self._path.focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        try:
            path = chosen_path(self._path.value, Path.cwd())
            if not path.exists():
                raise fail("io", f"there is no {path}", "name a recording or a definition")
            port = int(self._port.value or 0)
            if port > _LAST_PORT:
                raise fail("config", f"there is no port {port}", f"the last one is {_LAST_PORT}")
            match, pace = _one_of(_MATCHES, self._match.value), _one_of(_PACES, self._pace.value)
            rules = ignoring(self._ignore.value.split(), (), exact=True)
            faults = parse(self._faults.value.split())
            if bad := next((fault.kind for fault in faults if fault.where == "stdio"), None):
                raise fail("config", f"{bad} happens on stdio only", "this is served over HTTP")
        except Failed as failed:
            self.complain(failed)
            return
        self.dismiss(Wanted(path, self._server.value.strip() or None, port, match, pace, rules, faults))


def _one_of(known: tuple[_Word, ...], typed: str) -> _Word:
    """Raises Failed where it is none."""
    for word in known:
        if word == typed.strip():
            return word
    raise fail("config", f"{typed.strip() or 'nothing'} is none of {', '.join(known)}", "type one of them")
