"""Every action of the app, once: bindings, key bar, command palette and help are made from this table.

An action runs as the method `action_<id>` of the widget that owns its scope, and is offered when that widget's
`check_action` says so. A scope is the app, the screen (`workspace`) or a pane; they take theirs with
`bindings(scope)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Scope = Literal["app", "workspace", "overview", "tools", "result", "resources", "prompts", "process", "diff"]

SCOPES: dict[Scope, str] = {
    "app": "The app",
    "workspace": "Servers and screen",
    "overview": "Overview",
    "tools": "Tools",
    "result": "Result of a call",
    "resources": "Resources",
    "prompts": "Prompts",
    "process": "Process",
    "diff": "Comparing two texts",
}


@dataclass(frozen=True, slots=True)
class Action:
    """`keys` are Textual's key names, the first one is shown as `label`; `bar` puts it on the key bar. Where
    `numbered` is set, the method gets the number of the key, from 1."""

    id: str
    title: str
    help: str
    keys: tuple[str, ...]
    label: str
    scope: Scope = "workspace"
    bar: bool = False
    palette: bool = True
    numbered: bool = False


ACTIONS: tuple[Action, ...] = (
    Action(
        "help", "Help", "Every key, and what it does here.", ("question_mark", "f1"), "?", "app", bar=True
    ),
    Action(
        "filter",
        "Filter",
        "Filters or searches the part of the screen that has the focus.",
        ("slash",),
        "/",
        bar=True,
    ),
    Action("restart", "Restart", "Ends the selected server and starts it again.", ("r",), "r", bar=True),
    Action(
        "toggle_enabled",
        "On/off",
        "Disables the selected server, or enables and starts it.",
        ("d",),
        "d",
        bar=True,
    ),
    Action("stop", "Stop", "Ends the selected server; it can be started again with r.", ("S",), "S"),
    Action(
        "keep",
        "Keep connected",
        "Starts the selected server again whenever its connection ends, after 1, 2, 4 ... seconds, five times in a row "
        "at most; again switches that off. Off at first.",
        ("K",),
        "K",
    ),
    Action(
        "next_server",
        "Next server",
        "Selects the next server, wherever the focus is.",
        ("n", "ctrl+down"),
        "n",
    ),
    Action("previous_server", "Previous server", "Selects the server above.", ("p", "ctrl+up"), "p"),
    Action("focus_servers", "Servers", "Puts the focus on the list of servers.", ("s",), "s"),
    Action("focus_tools", "Tools", "Goes to the tools of the selected server.", ("t",), "t"),
    Action("focus_traffic", "Traffic", "Goes to the traffic; opens it where it is hidden.", ("f",), "f"),
    Action(
        "toggle_traffic",
        "Show or hide traffic",
        "Takes the traffic off the screen, or brings it back.",
        ("F",),
        "F",
    ),
    Action(
        "zoom", "Zoom", "Gives the whole screen to the part with the focus, and back.", ("z",), "z", bar=True
    ),
    Action("grow", "More room", "Makes the traffic taller.", ("plus", "equals_sign"), "+"),
    Action("shrink", "Less room", "Makes the traffic less tall.", ("minus",), "-"),
    Action("widen", "Wider list", "Makes the list of servers wider.", ("greater_than_sign",), ">"),
    Action("narrow", "Narrower list", "Makes the list of servers narrower.", ("less_than_sign",), "<"),
    Action(
        "record",
        "Record",
        "Saves all traffic held so far to a file and goes on; again ends it.",
        ("R",),
        "R",
        bar=True,
    ),
    Action("copy", "Copy", "Copies what the focused part shows; secrets stay masked.", ("y",), "y", bar=True),
    Action("cycle_theme", "Next theme", "Tries the next colour theme.", ("ctrl+t",), "^t", "app"),
    Action("suspend", "Suspend", "Back to the shell; fg returns.", ("ctrl+z",), "^z", "app"),
    Action(
        "back",
        "Back",
        "Leaves what was opened last: a zoom, a tool, a filter.",
        ("escape",),
        "esc",
        palette=False,
    ),
    Action(
        "leave",
        "Quit",
        "Ends all servers and the app; asks first while calls run.",
        ("q",),
        "q",
        "app",
        bar=True,
    ),
    Action(
        "tab",
        "Tab by number",
        "The tabs of the pane by number: 1 is the overview.",
        tuple("123456789"),
        "1-9",
        palette=False,
        numbered=True,
    ),
    Action("next_tab", "Next tab", "The tab to the right.", ("right_square_bracket",), "]"),
    Action("previous_tab", "Previous tab", "The tab to the left.", ("left_square_bracket",), "["),
    Action(
        "ask_anyway",
        "Ask anyway",
        "Reads the lists that the server did not declare, and shows what came of it.",
        ("A",),
        "A",
        "overview",
        bar=True,
    ),
    Action(
        "call",
        "Call",
        "Calls the tool with the arguments as they stand.",
        ("f5", "ctrl+j"),
        "F5",
        "tools",
        bar=True,
    ),
    Action(
        "cancel_call",
        "Cancel call",
        "Gives the running call up and tells the server.",
        ("f8",),
        "F8",
        "tools",
        bar=True,
    ),
    Action(
        "next_view",
        "View",
        "The next view of the tool: form, JSON, schema, history.",
        ("f6",),
        "F6",
        "tools",
        bar=True,
    ),
    Action(
        "description",
        "Whole description",
        "Shows a long description in full, or folds it again.",
        ("i",),
        "i",
        "tools",
    ),
    Action("read", "Read", "Reads the selected resource.", ("f5", "ctrl+j"), "F5", "resources", bar=True),
    Action(
        "get",
        "Get",
        "Gets the prompt with the arguments as they stand.",
        ("f5", "ctrl+j"),
        "F5",
        "prompts",
        bar=True,
    ),
    Action(
        "follow",
        "Follow",
        "Keeps the newest line in view, or stands still.",
        ("space",),
        "space",
        "process",
        bar=True,
    ),
    Action(
        "next_match", "Next match", "The next line that the search finds.", ("enter",), "enter", "process"
    ),
    Action("close", "Back", "Closes the comparison.", ("escape", "q"), "esc", "diff", True, palette=False),
    Action(
        "next_change", "Next change", "The next place that differs.", ("n",), "n", "diff", True, palette=False
    ),
    Action(
        "previous_change",
        "Previous change",
        "The place before that differs.",
        ("N", "p"),
        "N",
        "diff",
        True,
        palette=False,
    ),
    Action(
        "diff_view",
        "View",
        "The changes one by one, or the lines of both; side by side on a wide screen.",
        ("v", "f6"),
        "v",
        "diff",
        True,
        palette=False,
    ),
    Action("copy_diff", "Copy", "Copies the changes as text.", ("y",), "y", "diff", True, palette=False),
    Action(
        "copy_pointer",
        "Copy pointer",
        "Copies where the change is.",
        ("P",),
        "P",
        "diff",
        True,
        palette=False,
    ),
)


def bindings(scope: Scope) -> list[BindingType]:
    """The bindings of the widget that owns a scope."""
    made: list[BindingType] = []
    for action in ACTIONS:
        if action.scope != scope:
            continue
        for number, key in enumerate(action.keys):
            made.append(
                Binding(
                    key,
                    f"{action.id}({number + 1})" if action.numbered else action.id,
                    action.title,
                    show=action.bar and number == 0,
                    key_display=action.label,
                    tooltip=action.help,
                    id=action.id if number == 0 else f"{action.id}.{number}",
                    system=action.id == "suspend",
                )
            )
    return made
