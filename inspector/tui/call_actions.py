"""The actions of what is asked of a server: its tools, resources and prompts, and the answers."""

from __future__ import annotations

from inspector.tui.action import Action, Scope


def _of_content(scope: Scope, about: str) -> tuple[Action, ...]:
    """What can be done with content that was asked for: the same keys for resources and messages."""
    views = "The next way to look at it: set, as text, JSON, hex, the raw answer, what is listed."
    told = (
        ("cancel_call", "Cancel", "Gives the request up and tells the server.", "f8", True),
        ("preview", "Frame", "Shows the frame that would be sent now; again hides it.", "f2", True),
        ("fill_last", "Last", "Fills in what it was asked for with last.", "ctrl+l", True),
        ("next_view", "View", views, "f6", True),
        ("next_part", "Next part", "The next part of an answer that has several.", "f7", True),
        ("save", "Save", "Saves the content on show to a file.", "w", True),
        ("description", "Whole description", about, "i", False),
    )
    return tuple(
        Action(f"{scope}.{run}", title, help, (key,), scope=scope, bar=bar, run=run)
        for run, title, help, key, bar in told
    )


TOOLS: tuple[Action, ...] = (
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
        "as_task",
        "As a task",
        "Calls of this tool are sent as tasks, where it allows that; again as usual.",
        ("alt+t",),
        "alt+t",
        "tools",
        bar=True,
    ),
    Action(
        "app_page",
        "Page",
        "Reads the page that belongs to the tool (MCP Apps).",
        ("alt+p",),
        "alt+p",
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
)

ANSWERS: tuple[Action, ...] = (
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
)

CONTENTS: tuple[Action, ...] = (
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
    Action(
        "browse",
        "Browser",
        "Opens the page on show in your browser, after a yes.",
        ("alt+o",),
        "alt+o",
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
)

CALL_ACTIONS = (*TOOLS, *ANSWERS, *CONTENTS)
