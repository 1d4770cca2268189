"""Choosing among the servers that the clients of this machine have in their files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from inspector.base.text import clip
from inspector.config.entry import Entry
from inspector.config.loaded import Loaded, Problem
from inspector.config.server import Server
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.lists.choices import Choices

_LONGEST = 160


class FoundScreen(Asks[Sequence[Entry]]):
    """Dismissed with the entries that are chosen, or None."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    FoundScreen {
        & > Dialog { width: 110; max-width: 96%; height: auto; max-height: 96%; padding: 0 1; }
        & Choices { height: auto; max-height: 24; border: none; background: $surface; padding: 0; margin-top: 1; }
        & .about { height: auto; color: $quiet; margin-top: 1; }
    }
    """
    HELP = (
        "Every server that a client of this machine has in a file: the user's own files, and those of this folder."
        " Below each stands where, and what is to be said of it, as that another client has the same. Nothing is"
        " written, and nothing started that is not chosen; what comes from a file of this folder is asked for once"
        " more. The variables are those of its client."
    )

    def __init__(self, loaded: Loaded) -> None:
        super().__init__()
        self._loaded = loaded
        self._choices = Choices(id="found")

    def compose(self) -> ComposeResult:
        files, servers = len(self._loaded.files), len(self._loaded.servers)
        with Dialog() as box:
            box.border_title = Content(f"Servers of other clients: {servers} in {files} files")
            broken = [
                each for each in self._loaded.problems if each.server is None and each.severity == "error"
            ]
            if broken:
                yield Static(Content("\n").join(map(_broken, broken)), classes="about", markup=False)
            if not servers:
                yield Static(
                    "No client has servers here, neither in the user's own files nor in this folder.",
                    classes="about",
                    markup=False,
                )
            yield self._choices
            yield from self.buttons("Connect")

    def on_mount(self) -> None:
        said: dict[tuple[str, str | None], list[Problem]] = {}
        for problem in self._loaded.problems:
            said.setdefault((problem.path, problem.server), []).append(problem)
        self._choices.show(
            [
                _row(server, said.get((server.entry.source.path, server.name), ()))
                for server in self._loaded.servers
            ],
            set(),
        )
        self._choices.focus()

    def action_accept(self) -> None:
        self.dismiss([self._loaded.entries[number] for number in self._choices.chosen])


def _row(server: Server, problems: Sequence[Problem]) -> Content:
    """Three lines at most: what it is, where it stands, what there is to say."""
    shown = server.as_json()
    does = shown["url"] or " ".join([shown["command"] or "", *shown["args"]])
    off = "  off" if not server.enabled else ""
    lines = [
        Content.assemble(
            (guard.line(server.name), "bold $foreground"),
            (f"  {server.entry.dialect.label}", "$text-accent"),
            (f"  {clip(guard.message(does), _LONGEST)}{off}", "$foreground"),
        ),
        Content.assemble((f"      {guard.line(server.entry.source.path)}", "$quiet")),
    ]
    told = [each for each in problems if each.severity == "error"] + [
        each for each in problems if _is_origin(each)
    ]
    for each in told[:2]:
        tone = "$text-error" if each.severity == "error" else "$text-warning"
        lines.append(Content.assemble((f"      {clip(guard.message(each.message), _LONGEST)}", tone)))
    return Content("\n").join(lines)


def _is_origin(problem: Problem) -> bool:
    """Whether it is about the same server elsewhere."""
    return problem.message.startswith("the same server") or "takes the entry" in problem.message


def _broken(problem: Problem) -> Content:
    return Content.assemble(
        ("✗ ", "$text-error"), (guard.message(f"{problem.place}: {problem.message}"), "$foreground")
    )
