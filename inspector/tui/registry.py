"""Every action of the app, once: bindings, key bar, command palette and help are made from this table.

Scopes take their keys with `bindings(scope)`; a person may have chosen others (`keymap`), which `use` makes known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.binding import Binding, BindingType
from textual.keys import format_key
from textual.screen import Screen

from inspector.tui.action import SCOPES as SCOPES
from inspector.tui.action import TOGETHER
from inspector.tui.action import Action as Action
from inspector.tui.action import Scope as Scope
from inspector.tui.widget_actions import WIDGET_ACTIONS

UNBOUND = "unbound"
"""The key that no terminal sends: what an action has that a person took all keys from."""


def _of_content(scope: Scope, about: str) -> tuple[Action, ...]:
    """What can be done with content that was asked for: the same keys for resources and messages."""
    views = "The next way to look at it: set, as text, JSON, hex, the raw answer, what is listed."
    told = (
        ("cancel_call", "Cancel", "Gives the request up and tells the server.", "f8", True),
        ("next_view", "View", views, "f6", True),
        ("next_part", "Next part", "The next part of an answer that has several.", "f7", True),
        ("save", "Save", "Saves the content on show to a file.", "w", True),
        ("description", "Whole description", about, "i", False),
    )
    return tuple(
        Action(f"{scope}.{run}", title, help, (key,), scope=scope, bar=bar, run=run)
        for run, title, help, key, bar in told
    )


ACTIONS: tuple[Action, ...] = (
    Action("help", "Help", "Every key, and what it does here.", ("question_mark",), "?", "app", bar=True),
    Action(
        "explain",
        "What is this?",
        "What the focused part is, its keys, its little language.",
        ("f1",),
        "F1",
        "app",
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
    Action(
        "connect",
        "Connect",
        "Connects something new: paste a URL, a command line or a piece of any client's config.",
        ("a",),
        bar=True,
    ),
    Action(
        "edit_server",
        "Update server",
        "Changes command, folder, environment or headers of the selected server, and restarts it with them.",
        ("U",),
    ),
    Action(
        "remove_server",
        "Remove server",
        "Ends the selected server and takes it off the list; only one that was connected in the app.",
        ("delete",),
    ),
    Action(
        "find_tool",
        "Find a tool",
        "Searches the tools of all servers, and goes to the form of the one that is chosen.",
        ("ctrl+k",),
        priority=True,
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
    Action("command_palette", "Palette", "Everything, by name.", ("ctrl+p",), "^p", "app", palette=False),
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
        "quit",
        "Quit at once",
        "Quits also while something is typed.",
        ("ctrl+q",),
        "^q",
        "app",
        palette=False,
        run="leave",
        priority=True,
    ),
    Action(
        "help_quit",
        "Still here",
        "Says how to quit; copies selected text in a field.",
        ("ctrl+c",),
        "^c",
        "app",
        palette=False,
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
        "extend_call",
        "+60 s",
        "Gives the running call a minute more on both clocks.",
        ("f9",),
        "F9",
        "tools",
        bar=True,
    ),
    Action(
        "zoom_result",
        "Result",
        "Goes into the result; again gives it all the room, and once more takes that back.",
        ("f7",),
        "F7",
        "tools",
        bar=True,
    ),
    Action(
        "copy_as",
        "Copy as",
        "Copies a call or its answer: as JSON, as curl, as a line for the shell.",
        ("f3", "Y"),
        "F3",
        "tools",
        bar=True,
    ),
    Action(
        "next_view",
        "View",
        "The next view of the tool: its form, the form that a model sees, the raw definition, JSON, history.",
        ("f6",),
        "F6",
        "tools",
        bar=True,
    ),
    Action(
        "previous_view",
        "View before",
        "The same, the other way round.",
        ("shift+f6",),
        "shift+F6",
        "tools",
    ),
    Action(
        "preview",
        "Frame",
        "Shows the frame that a call would send now, and follows what is typed; again hides it.",
        ("f2",),
        "F2",
        "tools",
        bar=True,
    ),
    Action(
        "fill_last",
        "Last call",
        "Fills the form with the arguments of the call before.",
        ("ctrl+l",),
        "^l",
        "tools",
        bar=True,
    ),
    Action(
        "edit_outside",
        "Editor",
        "Opens the arguments, or the one field whose JSON has the focus, in $VISUAL or $EDITOR.",
        ("ctrl+g",),
        "^g",
        "tools",
        bar=True,
    ),
    Action(
        "sort_tools",
        "Order",
        "Orders the tools by size, the largest first; by name; as they are listed.",
        ("o",),
        "o",
        "tools",
        bar=True,
    ),
    Action(
        "history",
        "History",
        "The calls of the tool so far; again back to its arguments.",
        ("f10", "H"),
        "F10",
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
    Action(
        "result_view",
        "Next view",
        "The next view of the answer: as it reads, JSON, Markdown, structured, the frame.",
        ("v",),
        "v",
        "result",
        bar=True,
    ),
    Action("markdown", "Markdown", "Sets the text as Markdown, and back.", ("b",), "b", "result", bar=True),
    Action(
        "save_result",
        "Save",
        "Saves the block under the cursor, or the answer, to a file.",
        ("w",),
        "w",
        "result",
        bar=True,
        over=("resources.save", "prompts.save"),
    ),
    Action(
        "compare_before",
        "Compare",
        "Compares this answer with the one before it.",
        ("D",),
        "D",
        "result",
        bar=True,
    ),
    Action(
        "edit_call",
        "Edit",
        "Takes the arguments of the call up in the form, to be changed and sent again.",
        ("e",),
        "e",
        "history",
        bar=True,
    ),
    Action(
        "mark_call",
        "Mark",
        "Marks a call, to compare others with it.",
        ("m",),
        "m",
        "history",
        bar=True,
    ),
    Action(
        "compare_calls",
        "Compare",
        "Compares the answer with that of the marked call, or of the one before.",
        ("D",),
        "D",
        "history",
        bar=True,
    ),
    Action(
        "read",
        "Read",
        "Reads the resource on show, again where it was read before.",
        ("f5", "ctrl+j"),
        "F5",
        "resources",
        bar=True,
    ),
    Action(
        "watch",
        "Subscribe",
        "Asks the server to tell of every change of this resource; again ends that.",
        ("u",),
        "u",
        "resources",
        bar=True,
    ),
    Action("any_uri", "Any URI", "Reads a URI that you write by hand.", ("o",), "o", "resources", bar=True),
    *_of_content("resources", "What is listed of it in full, or folded again."),
    Action(
        "get",
        "Get",
        "Gets the prompt with the arguments as they stand; again where a required one is missing.",
        ("f5", "ctrl+j"),
        "F5",
        "prompts",
        bar=True,
    ),
    Action(
        "copy_all",
        "Copy all",
        "Copies all messages as text; y copies the one in focus.",
        ("Y",),
        "Y",
        "prompts",
        bar=True,
    ),
    *_of_content("prompts", "The whole description of the prompt, or folded again."),
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
    Action(
        "to_log",
        "To the lines",
        "From the search into the lines.",
        ("down",),
        "↓",
        "process",
        palette=False,
        over=("log.down",),
    ),
    *WIDGET_ACTIONS,
)

BY_ID = {action.id: action for action in ACTIONS}
_chosen: dict[str, tuple[str, ...]] = {}


def use(chosen: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Makes the keys known that a person chose, by id of the action, and returns them as Textual takes them."""
    _chosen.clear()
    _chosen.update(chosen)
    keymap: dict[str, str] = {}
    for id_, keys in chosen.items():
        if BY_ID[id_].numbered:
            for number, _ in enumerate(BY_ID[id_].keys):
                keymap[f"{id_}.{number + 1}"] = keys[number] if number < len(keys) else UNBOUND
        else:
            keymap[id_] = ",".join(keys) or UNBOUND
    return keymap


def keys_of(action: Action | str) -> tuple[str, ...]:
    """The keys of an action as the person has them; none where they were taken away."""
    action = BY_ID[action] if isinstance(action, str) else action
    return _chosen.get(action.id, action.keys)


def label(action: Action | str) -> str:
    """How the first key of an action is written; empty where it has none."""
    action = BY_ID[action] if isinstance(action, str) else action
    keys = keys_of(action)
    if keys == action.keys and action.label:
        return action.label
    return key_label(keys[0]) if keys else ""


def spoken(action: Action | str) -> str:
    """An action in a sentence: its key, or its title where it has none."""
    action = BY_ID[action] if isinstance(action, str) else action
    return label(action) or action.title


def titled(title: str, action: Action | str, form: str = "{}  {}") -> str:
    """The title of a button with the key of its action, if it has one."""
    key = label(action)
    return form.format(title, key) if key else title


_WORDS = {
    "enter": "enter",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
    "space": "space",
}


def key_label(key: str) -> str:
    """How a key is written for people: `^p`, `F5`, `?`, `alt+↑`."""
    *modifiers, name = key.split("+")
    shown = _WORDS.get(name) or (name.upper() if name[:1] == "f" and name[1:].isdigit() else format_key(name))
    if modifiers == ["ctrl"]:
        return f"^{shown}"
    return "+".join([*modifiers, shown])


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
                    f"{action.call}({number + 1})" if action.numbered else action.call,
                    action.title,
                    show=action.bar and number == 0,
                    key_display=(action.label or key_label(key)) if number == 0 else None,
                    priority=action.priority,
                    tooltip=action.help,
                    id=f"{action.id}.{number + 1}" if action.numbered else action.id,
                    system=action.id == "suspend",
                )
            )
    return made


def active(screen: Screen[Any]) -> set[str]:
    """The ids of the actions that a key runs now, where the focus is."""
    found = (active.binding.id for active in screen.active_bindings.values() if active.enabled)
    return {id_.partition(".")[0] if id_.partition(".")[0] == "tab" else id_ for id_ in found if id_}


def collisions(chosen: Mapping[str, tuple[str, ...]] | None = None) -> list[tuple[Action, Action, str]]:
    """Actions of which the first takes a key away from the second while both could be meant, unless it says so;
    with the keys that came with the app where none are `chosen`."""
    chosen = chosen or {}
    found: dict[tuple[str, str, str], tuple[Action, Action, str]] = {}
    for chain in TOGETHER:
        owners: dict[str, Action] = {}
        for scope in chain:
            for action in ACTIONS:
                if action.scope != scope:
                    continue
                for key in chosen.get(action.id, action.keys):
                    other = owners.setdefault(key, action)
                    if other is not action and action.id not in other.over and other.id not in action.over:
                        found[other.id, action.id, key] = (other, action, key)
    return list(found.values())
