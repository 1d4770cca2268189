"""What an action is, and in which places there are some.

A scope is a place that owns actions: the app, a screen, a pane or a kind of widget. A key means what the innermost
scope round the focus says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal[
    "app", "workspace", "servers", "overview", "tools", "result", "resources", "prompts", "process", "history", "diff",
    "traffic", "traffic_filter", "frames", "detail", "json", "lines", "log", "list", "tabs", "field", "segments",
    "chooser", "fold", "adder", "pager", "uris", "reading", "argument", "message", "definition",
    "inbox", "messages", "tasks", "skills", "solon", "served", "findings", "finding_list", "all_findings",
    "picker", "confirm", "approve", "save", "copy_as", "columns", "marks", "figures", "audit", "dialog", "choices",
    "paste", "search", "timeline", "help", "replay", "one_frame", "saved_calls", "compared",
    "paired", "jump",
]  # fmt: skip

SCOPES: dict[Scope, str] = {
    "app": "The app",
    "workspace": "Servers and screen",
    "servers": "List of servers",
    "overview": "Overview",
    "tools": "Tools",
    "result": "Result of a call",
    "resources": "Resources",
    "prompts": "Prompts",
    "inbox": "Inbox",
    "messages": "Log of the server",
    "tasks": "Tasks",
    "skills": "Skills",
    "solon": "Remote skill of Solon AI",
    "served": "Clients of what is served",
    "findings": "Findings",
    "finding_list": "List of findings",
    "all_findings": "Findings of all servers",
    "process": "Process",
    "history": "Calls so far",
    "definition": "Definition of a tool",
    "diff": "Comparing two texts",
    "replay": "Replay",
    "saved_calls": "Saved calls",
    "compared": "What changed",
    "paired": "Side by side",
    "one_frame": "A frame of a recording",
    "copy_as": "Copying a call",
    "traffic": "Traffic",
    "traffic_filter": "Filter of the traffic",
    "frames": "List of frames",
    "detail": "One frame",
    "json": "JSON",
    "lines": "Moving in lists and texts",
    "log": "Stderr",
    "list": "Lists with a filter",
    "tabs": "Tabs",
    "field": "Field of a form",
    "segments": "Field with a few choices",
    "chooser": "Field with many choices",
    "fold": "Group of fields",
    "adder": "New row",
    "pager": "Pages of a long list",
    "uris": "Tree of resources",
    "reading": "Text",
    "argument": "Field with proposals",
    "message": "Message of a prompt",
    "picker": "List of choices",
    "confirm": "Question",
    "approve": "Allowing a call",
    "columns": "Choosing columns",
    "marks": "Marks",
    "figures": "Requests by method",
    "audit": "Audit trail",
    "timeline": "Time line",
    "save": "Saving to a file",
    "dialog": "Dialogs with fields",
    "paste": "Pasted text",
    "choices": "List of which some are chosen",
    "search": "Search over all tools",
    "help": "Help",
    "jump": "Jumping",
}

_SCREEN: tuple[Scope, ...] = ("workspace", "app")
_CALLERS: tuple[Scope, ...] = ("tools", "resources", "prompts")
_CONTROLS: tuple[Scope, ...] = ("segments", "chooser", "fold", "adder", "pager")

TOGETHER: tuple[tuple[Scope, ...], ...] = (
    ("lines", "servers", *_SCREEN),
    ("lines", "overview", *_SCREEN),
    ("traffic_filter", "traffic", *_SCREEN),
    ("lines", "frames", "traffic", *_SCREEN),
    ("lines", "json", "detail", "traffic", *_SCREEN),
    ("tabs", "detail", "traffic", *_SCREEN),
    *(("lines", "json", "result", caller, *_SCREEN) for caller in _CALLERS),
    *(("tabs", "result", caller, *_SCREEN) for caller in _CALLERS),
    *(("lines", "list", caller, *_SCREEN) for caller in _CALLERS),
    *((control, "field", caller, *_SCREEN) for control in _CONTROLS for caller in _CALLERS),
    *((control, "field", "inbox", *_SCREEN) for control in _CONTROLS),
    ("lines", "list", "inbox", *_SCREEN),
    ("tabs", "inbox", *_SCREEN),
    ("message", "inbox", *_SCREEN),
    ("lines", "json", "inbox", *_SCREEN),
    ("lines", "uris", "list", "resources", *_SCREEN),
    *(("lines", "reading", "result", caller, *_SCREEN) for caller in _CALLERS),
    *(("argument", "field", caller, *_SCREEN) for caller in _CALLERS),
    ("lines", "list", "history", "tools", *_SCREEN),
    ("lines", "json", "definition", "tools", *_SCREEN),
    ("tabs", "definition", "tools", *_SCREEN),
    *(("message", "result", caller, *_SCREEN) for caller in _CALLERS),
    ("lines", "log", "process", *_SCREEN),
    ("lines", "log", "messages", *_SCREEN),
    ("lines", "list", "tasks", *_SCREEN),
    ("lines", "json", "tasks", *_SCREEN),
    ("lines", "list", "skills", *_SCREEN),
    ("lines", "list", "solon", *_SCREEN),
    ("tabs", "solon", *_SCREEN),
    ("lines", "solon", *_SCREEN),
    ("lines", "reading", "solon", *_SCREEN),
    *((control, "field", "solon", *_SCREEN) for control in _CONTROLS),
    ("lines", "list", "served", *_SCREEN),
    ("lines", "reading", "skills", *_SCREEN),
    ("lines", "finding_list", "findings", *_SCREEN),
    ("lines", "finding_list", "findings", "all_findings"),
    ("lines", "diff"),
    ("lines", "replay"),
    ("lines", "saved_calls"),
    ("lines", "compared"),
    ("lines", "paired"),
    ("tabs", "paired"),
    ("argument", "field", "paired"),
    *((control, "field", "paired") for control in _CONTROLS),
    ("lines", "json", "detail", "one_frame"),
    ("lines", "reading", "detail", "one_frame"),
    ("tabs", "detail", "one_frame"),
    ("picker",),
    ("confirm",),
    ("lines", "approve"),
    ("save",),
    ("lines", "columns"),
    ("lines", "marks"),
    ("lines", "figures"),
    ("audit",),
    ("lines", "timeline"),
    ("lines", "choices", "dialog"),
    ("paste", "dialog"),
    ("search",),
    ("copy_as",),
    ("lines", "help"),
    ("jump",),
)  # fmt: skip
"""Scopes whose keys work at the same time, the innermost first. Dialogs have all keys for themselves."""


@dataclass(frozen=True, slots=True)
class Action:
    """`keys` are Textual's key names; `label` is how the first one is shown where its own name is not good enough.

    An action runs as the method `action_<id>` of the widget that owns its scope, or as `run` where that is given.
    `bar` puts it on the key bar, `palette` into the palette. Where `numbered` is set, the method gets the number of
    the key, from 1. With `priority` the key comes before what the focused widget does with it. `over` names the
    actions of outer scopes whose key it takes over on purpose, because it means the same there or is asked for
    first.
    """

    id: str
    title: str
    help: str
    keys: tuple[str, ...]
    label: str = ""
    scope: Scope = "workspace"
    bar: bool = False
    palette: bool = True
    numbered: bool = False
    run: str = ""
    priority: bool = False
    over: tuple[str, ...] = ()

    @property
    def call(self) -> str:
        """What Textual is to run."""
        return self.run or self.id
