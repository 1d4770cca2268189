"""The actions of single kinds of widgets: moving about, folding, marking, filling in."""

from __future__ import annotations

from inspector.tui.action import Action, Scope


def _inside(
    scope: Scope,
    id: str,
    title: str,
    help: str,
    keys: tuple[str, ...],
    run: str = "",
    *,
    label: str = "",
    bar: bool = False,
    priority: bool = False,
    palette: bool = False,
    over: tuple[str, ...] = (),
) -> Action:
    return Action(
        f"{scope}.{id}", title, help, keys, label, scope, bar, palette, run=run or id, priority=priority, over=over
    )  # fmt: skip


SERVERS = (
    _inside("servers", "up", "Up", "The server above.", ("up", "k"), "move(-1)"),
    _inside("servers", "down", "Down", "The server below.", ("down", "j"), "move(1)"),
    _inside("servers", "first", "First", "The first server.", ("home", "g"), "edge(0)"),
    _inside("servers", "last", "Last", "The last server.", ("end", "G"), "edge(-1)"),
    _inside("servers", "open", "Open", "Goes into the selected server.", ("enter",), bar=True),
)

LINES = (
    _inside("lines", "up", "Up", "One line up.", ("up", "k"), "move(-1)"),
    _inside("lines", "down", "Down", "One line down.", ("down", "j"), "move(1)"),
    _inside("lines", "page_up", "Page up", "One page up.", ("pageup", "ctrl+b"), "page(-1)"),
    _inside("lines", "page_down", "Page down", "One page down.", ("pagedown", "ctrl+f"), "page(1)"),
    _inside("lines", "first", "First", "To the first line.", ("home", "g")),
    _inside("lines", "last", "Last", "To the last line; the traffic follows from there.", ("end", "G")),
    _inside("lines", "open", "Open", "Opens the line under the cursor.", ("enter",)),
)

LOG = (
    _inside("log", "up", "Up", "One line up.", ("up", "k"), "by(-1)"),
    _inside("log", "down", "Down", "One line down.", ("down", "j"), "by(1)"),
    _inside("log", "page_up", "Page up", "One page up.", ("pageup",), "by_page(-1)"),
    _inside("log", "page_down", "Page down", "One page down.", ("pagedown",), "by_page(1)"),
    _inside("log", "first", "First", "To the first line.", ("home", "g"), "edge(0)"),
    _inside("log", "last", "Last", "To the last line, and follows.", ("end", "G"), "edge(1)"),
    _inside("log", "left", "Left", "What is left of the screen.", ("left", "h"), "sideways(-8)"),
    _inside("log", "right", "Right", "What is right of the screen.", ("right", "l"), "sideways(8)"),
)

LIST = (
    _inside("list", "up", "Up", "The entry above.", ("k", "up"), "cursor(-1)"),
    _inside("list", "down", "Down", "The entry below.", ("j", "down"), "cursor(1)"),
)

TABS = (
    _inside("tabs", "left", "Left", "The tab to the left.", ("left", "h"), "step(-1)"),
    _inside("tabs", "right", "Right", "The tab to the right.", ("right", "l"), "step(1)"),
)

FIELD = (
    _inside("field", "null", "Null", "Sends null.", ("ctrl+n",), priority=True),
    _inside("field", "unset", "Unset", "Does not send the field.", ("ctrl+u",), priority=True),
    _inside("field", "empty", "Empty", "Sends an empty text, list or object.", ("ctrl+e",), priority=True),
    _inside("field", "add", "Add a row", "Adds a row to the list or map.", ("ctrl+o",), priority=True),
    _inside("field", "remove", "Remove the row", "Takes the row away.", ("ctrl+r",), priority=True),
    _inside(
        "field",
        "bring_back",
        "Bring the row back",
        "The row that was removed last comes back.",
        ("ctrl+b",),
        priority=True,
    ),
    _inside(
        "field",
        "reveal",
        "Show the secret",
        "Shows what is typed in a masked field, here and in the frame; again hides it.",
        ("ctrl+s",),
        bar=True,
        priority=True,
    ),
    _inside("field", "move_up", "Move up", "The row changes places.", ("alt+up",), "move(-1)", priority=True),
    _inside("field", "move_down", "Move down", "The same, down.", ("alt+down",), "move(1)", priority=True),
    _inside(
        "field",
        "next_page",
        "Next rows",
        "The next page of a long list.",
        ("alt+pagedown",),
        "turn(1)",
        priority=True,
    ),
    _inside(
        "field",
        "previous_page",
        "Rows before",
        "The page before.",
        ("alt+pageup",),
        "turn(-1)",
        priority=True,
    ),
    _inside("field", "as_json", "As JSON", "The field as JSON, or as form again.", ("f4",), priority=True),
    _inside(
        "field",
        "recall",
        "Earlier values",
        "What the server proposes for the field, and the values that it had in earlier calls.",
        ("ctrl+@", "ctrl+space"),
        label="^space",
        priority=True,
    ),
    _inside("field", "previous", "Field above", "The field above.", ("up",), "go(-1)"),
    _inside("field", "next", "Field below", "The field below.", ("down",), "go(1)"),
    _inside("field", "page_up", "Fields above", "A screen of fields up.", ("pageup",), "leap(-1)"),
    _inside("field", "page_down", "Fields below", "A screen of fields down.", ("pagedown",), "leap(1)"),
    _inside(
        "field", "first", "First field", "The first field of the form.", ("ctrl+home",), "leap(-1, True)"
    ),
    _inside("field", "last", "Last field", "The last field of the form.", ("ctrl+end",), "leap(1, True)"),
    _inside("segments", "previous", "Previous", "The choice to the left.", ("left",), "step(-1)"),
    _inside("segments", "next", "Next", "The choice to the right.", ("right", "space"), "step(1)"),
    _inside(
        "chooser",
        "open",
        "Choose",
        "Opens the list; typing does too.",
        ("enter", "space"),
    ),
    _inside("fold", "toggle", "Fold or unfold", "Shows or hides the fields.", ("enter", "space"), "fold"),
    _inside("fold", "unfold", "Unfold", "Shows the fields.", ("right",), "fold(True)"),
    _inside("fold", "fold", "Fold", "Hides the fields.", ("left",), "fold(False)"),
    _inside("adder", "add", "Add", "Adds a row.", ("enter", "space")),
    _inside(
        "pager", "next", "Next rows", "The next page of the list.", ("right", "enter", "space"), "turn(1)"
    ),
    _inside("pager", "previous", "Rows before", "The page before.", ("left",), "turn(-1)"),
    _inside("pager", "first", "First rows", "The first page.", ("home",), "edge(False)"),
    _inside("pager", "last", "Last rows", "The last page.", ("end",), "edge(True)"),
)

DIALOGS = (
    _inside("picker", "leave", "Leave", "Leaves the field as it is.", ("escape",)),
    _inside("picker", "up", "Up", "The choice above.", ("up",), "move(-1)", priority=True),
    _inside("picker", "down", "Down", "The choice below.", ("down",), "move(1)", priority=True),
    _inside("picker", "page_up", "Page up", "Ten up.", ("pageup",), "move(-10)", priority=True),
    _inside("picker", "page_down", "Page down", "Ten down.", ("pagedown",), "move(10)", priority=True),
    _inside("picker", "pick", "Pick", "Picks one of several.", ("space",), "pick", priority=True),
    _inside("picker", "pick_any", "Pick", "The same, while typing.", ("tab",), "pick(True)", priority=True),
    _inside("confirm", "yes", "Yes", "Does it.", ("y",), "answer(True)"),
    _inside("confirm", "no", "No", "Leaves it.", ("n", "escape", "q"), "answer(False)"),
    _inside("columns", "toggle", "Show or hide", "Shows the column, or hides it.", ("space", "enter"), "show"),
    _inside("columns", "move_up", "Further left", "The column changes places.", ("shift+up", "K", "left"), "move(-1)"),
    _inside("columns", "move_down", "Further right", "The same, to the right.", ("shift+down", "J", "right"),
            "move(1)"),
    _inside("columns", "up", "Up", "The column above.", ("k",), "cursor(-1)"),
    _inside("columns", "down", "Down", "The column below.", ("j",), "cursor(1)"),
    _inside("columns", "usual", "Usual", "The columns that came with the app.", ("u",)),
    _inside("columns", "close", "Close", "Done.", ("escape", "q", "C")),
    _inside("marks", "go", "Go", "Goes to the marked row.", ("enter",)),
    _inside("marks", "rename", "Rename", "Gives the mark another name.", ("r", "f2")),
    _inside("marks", "remove", "Remove", "Takes the mark off.", ("delete", "d")),
    _inside("marks", "up", "Up", "The mark above.", ("k",), "cursor(-1)"),
    _inside("marks", "down", "Down", "The mark below.", ("j",), "cursor(1)"),
    _inside("marks", "close", "Close", "Back.", ("escape", "q", "M")),
    _inside("confirm", "other", "Other answer", "The other button.", ("left", "right"), "app.focus_next"),
    _inside("confirm", "up", "Up", "A line up in a long question.", ("up", "k"), "scroll(-1)"),
    _inside("confirm", "down", "Down", "A line down.", ("down", "j"), "scroll(1)"),
    _inside("confirm", "page_up", "Page up", "Ten lines up.", ("pageup",), "scroll(-10)"),
    _inside("confirm", "page_down", "Page down", "Ten lines down.", ("pagedown",), "scroll(10)"),
    _inside("dialog", "accept", "Go ahead", "Does what the dialog is for, with what is filled in.", ("f5", "ctrl+s")),
    _inside("dialog", "reveal", "Show secrets", "Shows the values of secret names, or hides them.", ("ctrl+r",)),
    _inside("dialog", "leave", "Leave", "Leaves the dialog; nothing is done.", ("escape",), "leave_dialog"),
    _inside("paste", "done", "Done", "Behind a URL or a command: on to the button.", ("enter",), priority=True),
    _inside("choices", "choose", "Choose", "Chooses the entry, or no longer.", ("space",), "select"),
    _inside("search", "up", "Up", "The tool above.", ("up",), "move(-1)", priority=True),
    _inside("search", "down", "Down", "The tool below.", ("down",), "move(1)", priority=True),
    _inside("search", "page_up", "Page up", "Ten up.", ("pageup",), "move(-10)", priority=True),
    _inside("search", "page_down", "Page down", "Ten down.", ("pagedown",), "move(10)", priority=True),
    _inside("search", "leave", "Leave", "Back to where you were.", ("escape",), "leave_search"),
    _inside("save", "cancel", "Cancel", "Saves nothing.", ("escape",)),
    _inside("copy_as", "close", "Close", "Copies nothing.", ("escape", "q"), "dismiss"),
    *(
        _inside("copy_as", letter, f"Copy {what}", f"Copies {what}.", (letter,), f"copy('{letter}')")
        for letter, what in (
            ("j", "the result as JSON"), ("t", "the text of the result"), ("a", "the arguments"),
            ("f", "the frame of the request"), ("m", "a line of mcp-inspect"), ("c", "lines of curl"),
            ("p", "a pipe into the process"),
        )
    ),
    _inside("help", "close", "Close", "Back.", ("escape", "question_mark", "q", "f1"), "dismiss"),
    _inside("help", "search", "Search", "Finds actions by a word, a key, an id.", ("slash",)),
    _inside("help", "down", "Down", "One line down.", ("j",), "scroll('down')"),
    _inside("help", "up", "Up", "One line up.", ("k",), "scroll('up')"),
)  # fmt: skip

CONTENT = (
    _inside("definition", "next", "Next", "Compared, as served, sanitized, the whole definition.", ("v",), bar=True),
    _inside("definition", "next_change", "Next change", "To the next place that the sanitizer has changed.", ("n",),
            bar=True, over=("next_server",)),
    _inside("uris", "open", "Open", "Opens the branch.", ("right", "l"), "expand"),
    _inside("uris", "close", "Close", "Closes it, or goes to what holds it.", ("left", "h"), "fold"),
    _inside("uris", "toggle", "Fold", "Opens or closes the branch, or opens the entry.", ("space",), "open"),
    _inside("reading", "next", "Next hit", "The next place of the search.", ("n",), "find(1)", over=("next_server",)),
    _inside("reading", "previous", "Previous hit", "The place of the search before.", ("N",), "find(-1)"),
    _inside("reading", "wrap", "Wrap lines", "Breaks long lines, or lets them run on.", ("W",), "toggle_wrap"),
    _inside("reading", "left", "Left", "To the left in long lines.", ("left", "h"), "sideways(-8)"),
    _inside("reading", "right", "Right", "To the right in long lines.", ("right", "l"), "sideways(8)"),
    _inside("message", "next", "Next message", "The message below.", ("down", "j"), "step(1)"),
    _inside("message", "previous", "Message before", "The message above.", ("up", "k"), "step(-1)"),
    _inside("message", "follow", "Read the resource", "Reads the resource that the message links to.", ("enter",),
            bar=True),
    _inside("argument", "take", "Take", "Takes the proposal.", ("tab",)),
    _inside("argument", "down", "Down", "The proposal below.", ("down",), "propose(1)", over=("field.next",)),
    _inside("argument", "up", "Up", "The proposal above.", ("up",), "propose(-1)", over=("field.previous",)),
    _inside("argument", "close", "Close", "Closes the proposals, or gives up asking for them.", ("escape",),
            "close_proposals", over=("back",)),
)  # fmt: skip

TRAFFIC = (
    _inside("traffic", "filter", "Filter", "Puts the cursor into the filter.", ("slash",), bar=True,
            over=("filter",)),
    _inside("traffic", "back", "Back", "Leaves the filter, the detail, then takes the filter off.", ("escape",),
            "leave", bar=True, over=("back",)),
    _inside("traffic_filter", "down", "Down", "Chooses the next way to go on.", ("down",), "choose(1)"),
    _inside("traffic_filter", "up", "Up", "The one above; from the first on: filters used before.", ("up",),
            "choose(-1)"),
    _inside("traffic_filter", "accept", "Take", "Takes the way to go on.", ("tab",), "accept", bar=True),
    _inside("traffic_filter", "right", "Right", "The same, at the end of the text.", ("right",),
            "accept_or_right"),
    _inside("traffic_filter", "close", "Close", "Takes the list away.", ("escape",), "close_list",
            over=("traffic.back", "back")),
    _inside("frames", "open", "Open", "The row in full; once more: into it.", ("enter",), bar=True,
            over=("lines.open",)),
    _inside("frames", "follow", "Follow", "Keeps the newest row in view, or stands still.", ("space",),
            "toggle_follow", bar=True, palette=True),
    _inside("traffic", "peer", "Peer", "From a request to its answer and back.", ("o", "percent_sign"), bar=True,
            palette=True),
    _inside("traffic", "slowest", "Slowest", "To the answer that took longest; again: the next slower one.", ("w",),
            bar=True, palette=True),
    _inside("traffic", "mark", "Mark", "Marks the row with a letter, or takes the mark off.", ("m",), bar=True,
            palette=True),
    _inside("traffic", "marks", "Marks", "All marks: go to one, name it, take it off.", ("M",), palette=True),
    _inside("traffic", "next_mark", "Next mark", "To the next marked row.", ("apostrophe",), "next_mark(1)",
            palette=True),
    _inside("traffic", "previous_mark", "Previous mark", "To the marked row before.", ("quotation_mark",),
            "next_mark(-1)", palette=True),
    _inside("traffic", "diff", "Compare", "Compares two marked rows, or the marked one with this one.", ("D",),
            palette=True),
    _inside("traffic", "next", "Next frame", "The row below, also while one is read.", ("full_stop",), "step(1)"),
    _inside("traffic", "previous", "Frame before", "The row above, also while one is read.", ("comma",), "step(-1)"),
    _inside("traffic", "next_alike", "Next alike", "The next row of the same method and tool.",
            ("right_curly_bracket",), "alike(1)", palette=True),
    _inside("traffic", "previous_alike", "Alike before", "The row before of the same method and tool.",
            ("left_curly_bracket",), "alike(-1)", palette=True),
    _inside("traffic", "next_failure", "Next failure", "Errors, tool errors, what is no JSON-RPC, HTTP from 400 on.",
            ("x",), "failure(1)", palette=True),
    _inside("traffic", "previous_failure", "Failure before", "The same, upwards.", ("X",), "failure(-1)",
            palette=True),
    _inside("traffic", "time", "Time", "Time of day, since the start, since the row above.", ("T",), palette=True),
    _inside("traffic", "columns", "Columns", "Chooses which columns there are, and their order.", ("C",), bar=True,
            palette=True),
    _inside("traffic", "next_tab", "Next tab", "The next tab of the open frame.", ("right_square_bracket",),
            "tab(1)", over=("next_tab",)),
    _inside("traffic", "previous_tab", "Tab before", "The tab before of the open frame.", ("left_square_bracket",),
            "tab(-1)", over=("previous_tab",)),
    _inside("traffic", "clear", "Clear traffic", "Forgets all frames held; asks first.", ("ctrl+l",), palette=True),
    _inside("detail", "close", "Close", "Leaves the search, then the detail.", ("escape",), "close", bar=True,
            over=("traffic.back", "back")),
    _inside("detail", "search", "Search", "Searches in the JSON.", ("slash",), "filter",
            over=("traffic.filter", "filter")),
)  # fmt: skip

JSON = (
    _inside("json", "open", "Open", "Opens the value.", ("right", "l"), "expand"),
    _inside("json", "close", "Close", "Closes it, or goes to what holds it.", ("left", "h"), "fold"),
    _inside("json", "toggle", "Fold", "Opens or closes the value.", ("space",), "open"),
    _inside("json", "open_all", "Open all", "Opens all below the cursor.", ("E",), "expand_all", bar=True),
    _inside("json", "close_all", "Close all", "Closes all but the first level.", ("W",), "fold_all", bar=True),
    _inside("json", "more", "Level more", "Opens one level more of all.", ("plus", "equals_sign"), "level(1)",
            over=("grow",)),
    _inside("json", "less", "Level less", "Closes the innermost level.", ("minus",), "level(-1)", over=("shrink",)),
    _inside("json", "copy_value", "Copy value", "Copies the value; text without quotes.", ("c",), bar=True),
    _inside("json", "copy_subtree", "Copy JSON", "Copies the value as JSON.", ("J",)),
    _inside("json", "copy_pointer", "Copy path", "Copies its $ path.", ("P",)),
    _inside("json", "next", "Next hit", "The next place of the search.", ("n",), "find(1)",
            over=("next_server", "definition.next_change")),
    _inside("json", "previous", "Previous hit", "The place of the search before.", ("N",), "find(-1)"),
)  # fmt: skip

WIDGET_ACTIONS = (*SERVERS, *TRAFFIC, *JSON, *CONTENT, *LINES, *LOG, *LIST, *TABS, *FIELD, *DIALOGS)
