"""The actions of the panes of a server: its overview, its process, what it asks and says, its
tasks and skills."""

from __future__ import annotations

from inspector.tui.action import Action
from inspector.tui.widget_actions import inside

OVERVIEW: tuple[Action, ...] = (
    Action(
        "login_step",
        "Step of the login",
        "Lists what was asked for the login, and goes to its HTTP exchange in the traffic.",
        ("enter",),
        "enter",
        "overview",
        bar=True,
    ),
    Action(
        "ask_anyway",
        "Ask anyway",
        "Asks for what the server did not declare: its lists at once, completions, subscriptions and the log from then"
        " on; each has its tab, which says what came of it.",
        ("A",),
        "A",
        "overview",
        bar=True,
    ),
    inside(
        "overview",
        "list_changes",
        "List changes",
        "A list that was read again: before and after.",
        ("D",),
        bar=True,
    ),
)

PROCESS: tuple[Action, ...] = (
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
    Action(
        "to_log",
        "To the lines",
        "From the search into the lines.",
        ("down",),
        "↓",
        "process",
        palette=False,
        over=("lines.down",),
    ),
)

INBOX: tuple[Action, ...] = (
    Action(
        "inbox.answer",
        "Answer",
        "Sends the answer as it is filled in; a link is opened, after a yes. In the list: goes there first.",
        ("f5", "ctrl+j"),
        "F5",
        "inbox",
        bar=True,
        run="answer",
    ),
    Action(
        "inbox.decline",
        "Decline",
        "Says no: the form or the link is declined, sampling is refused.",
        ("f8",),
        "F8",
        "inbox",
        bar=True,
        run="decline",
    ),
    Action(
        "inbox.dismiss",
        "Cancel",
        "Answers an elicitation as if its window had been closed.",
        ("f9",),
        "F9",
        "inbox",
        bar=True,
        run="dismiss",
    ),
    Action(
        "inbox.shortcut",
        "Echo or accept",
        "Answers sampling with the text that it came with; accepts a link without opening it here.",
        ("f7",),
        "F7",
        "inbox",
        bar=True,
        run="shortcut",
    ),
    Action(
        "inbox.next_view",
        "View",
        "The next view of the question: its form, JSON, what was sent.",
        ("f6",),
        "F6",
        "inbox",
        bar=True,
        run="next_view",
    ),
    Action(
        "inbox.fill_last",
        "Last answer",
        "Fills in what was answered last to a question of this kind.",
        ("ctrl+l",),
        "^l",
        "inbox",
        bar=True,
        run="fill_last",
    ),
    Action(
        "inbox.edit_outside",
        "Editor",
        "Opens the answer, or the one field whose JSON has the focus, in $VISUAL or $EDITOR.",
        ("ctrl+g",),
        "^g",
        "inbox",
        bar=True,
        run="edit_outside",
    ),
    Action(
        "inbox.decline_all",
        "Decline all",
        "Says no to everything that the server asks now; asks first where that is more than one question.",
        ("D",),
        "D",
        "inbox",
        bar=True,
        run="decline_all",
    ),
    Action(
        "inbox.policy",
        "Who answers",
        "Chooses who answers this server: you, a file, nobody. Kept for the next time.",
        ("o",),
        "o",
        "inbox",
        bar=True,
        run="policy",
    ),
    Action(
        "inbox.roots",
        "Roots",
        "Shows the folders that the server is offered, to be added, changed and taken away.",
        ("e",),
        "e",
        "inbox",
        bar=True,
        run="roots",
    ),
)

MESSAGES: tuple[Action, ...] = (
    Action(
        "messages.level",
        "Level",
        "Asks the server to log from another level on.",
        ("o",),
        "o",
        "messages",
        bar=True,
        run="level",
    ),
    Action(
        "messages.least",
        "Show from",
        "Shows messages of a level and of graver ones only.",
        ("v",),
        "v",
        "messages",
        bar=True,
        run="least",
    ),
    Action(
        "messages.logger",
        "Logger",
        "Shows the messages of one logger only, or those of all again.",
        ("L",),
        "L",
        "messages",
        bar=True,
        run="logger",
    ),
    Action(
        "messages.follow",
        "Follow",
        "Keeps the newest message in view, or stands still.",
        ("space",),
        "space",
        "messages",
        bar=True,
        run="follow",
    ),
)

TASKS: tuple[Action, ...] = (
    Action(
        "tasks.look",
        "List",
        "Asks the server for all of its tasks.",
        ("f5", "ctrl+j"),
        "F5",
        "tasks",
        bar=True,
        run="look",
    ),
    Action(
        "tasks.poll",
        "Look",
        "Asks how the task under the cursor stands.",
        ("f6",),
        "F6",
        "tasks",
        bar=True,
        run="poll",
    ),
    Action(
        "tasks.result",
        "Result",
        "Asks for what the task comes to, and waits until it is over.",
        ("f7",),
        "F7",
        "tasks",
        bar=True,
        run="result",
    ),
    Action(
        "tasks.end",
        "Cancel",
        "Asks the server to end the task.",
        ("f8",),
        "F8",
        "tasks",
        bar=True,
        run="end",
    ),
)

SKILLS: tuple[Action, ...] = (
    Action(
        "skills.read",
        "Read",
        "Reads the file under the cursor and compares it with what the list says of it.",
        ("f5", "ctrl+j"),
        "F5",
        "skills",
        bar=True,
        run="read",
    ),
    Action(
        "skills.next_view",
        "View",
        "Markdown as set text, or as it was written.",
        ("f6",),
        "F6",
        "skills",
        bar=True,
        run="next_view",
    ),
    Action(
        "skills.check_all",
        "Check all",
        "Reads every file of every skill, and marks those that are not what the list says.",
        ("f7",),
        "F7",
        "skills",
        bar=True,
        run="check_all",
    ),
    Action(
        "skills.list",
        "List",
        "Asks the server for its skills again.",
        ("f8",),
        "F8",
        "skills",
        bar=True,
        run="list",
    ),
)

SOLON = (
    inside("solon", "run", "Activate", "Asks the skill about the prompt under the cursor, step by step, as a client "
           "does.", ("f5", "ctrl+j"), bar=True, palette=True),
    inside("solon", "next_view", "View", "Prompt, steps, tools, instruction, skill, all prompts.", ("f6",), bar=True,
           palette=True),
    inside("solon", "run_all", "All", "Asks about every prompt, one after the other, and shows them side by side.",
           ("f7",), bar=True, palette=True),
    inside("solon", "stop", "Stop", "Stops asking; the call under way is given up.", ("f8",), bar=True, palette=True),
    inside("solon", "new", "New prompt", "Another prompt: an empty one, this one again, or a text at the limit of what "
           "servers accept.", ("f9",), bar=True, palette=True),
    inside("solon", "remove", "Remove", "Takes the prompt under the cursor away.", ("f10",)),
    inside("solon", "client", "Client", "Asks as the next version of Solon AI: 3.9.0, 3.9.3, 4.0.", ("v",), bar=True,
           palette=True),
    inside("solon", "ask_one", "Ask once", "One of the four calls by itself.", ("o",), bar=True, palette=True),
    inside("solon", "read", "Read again", "Reads the metadata again, which a client never does.", ("m",)),
    inside("solon", "management", "Management", "Shows the tools that the skill itself is made of, or leaves them out "
           "of the table.", ("M",)),
    inside("solon", "compare", "Compare", "The instruction of this prompt beside that of another one.", ("D",)),
    inside("solon", "edit_outside", "Editor", "Opens the prompt, or the one field of it with the focus, in $VISUAL or "
           "$EDITOR.", ("ctrl+g",)),
)  # fmt: skip

SERVED: tuple[Action, ...] = (
    Action(
        "served.send",
        "Send",
        "Sends the client under the cursor a notification or a request, from a template or written by hand.",
        ("f5", "ctrl+j"),
        "F5",
        "served",
        bar=True,
        run="send",
    ),
    Action(
        "served.send_to_all",
        "Send to all",
        "Sends a notification to all clients that are there.",
        ("b",),
        "b",
        "served",
        bar=True,
        run="send_to_all",
    ),
    Action(
        "served.frames",
        "Frames",
        "Shows the frames of the client under the cursor in the traffic, and no others; again shows all.",
        ("f6",),
        "F6",
        "served",
        bar=True,
        run="frames",
    ),
)

FINDINGS = (
    inside("finding_list", "open", "Frame", "Opens the frame that breaks the rule, at the place of it; of a rule: its "
           "findings.", ("enter",), bar=True, over=("lines.open",)),
    inside("findings", "tool", "Tool", "Goes to the tool that the finding is about.", ("T",), bar=True),
    inside("findings", "mute", "Mute", "Leaves the rule out, here and in check, and keeps that in the settings; among "
           "the muted ones: tells of it again.", ("m",), bar=True),
    inside("findings", "muted", "Muted", "Shows what is muted, or the others again.", ("M",), bar=True),
    inside("findings", "sort", "Sort", "Worst first, by rule, newest or oldest first, by server.", ("o",), bar=True),
    inside("findings", "rules", "Rules", "One line for each rule, with how often it is broken; again: each finding.",
           ("v",), bar=True),
    inside("findings", "probe", "Probe", "Sends what the server has to refuse, and looks whether it does; shows all "
           "of it first, and asks.", ("P",), bar=True),
    inside("findings", "copy_all", "Copy all", "Copies all findings that are shown, as check prints them.", ("Y",)),
)  # fmt: skip

ALL_FINDINGS = (
    inside("all_findings", "filter", "Filter", "Shows the findings that have some words.", ("slash",), bar=True),
    inside("all_findings", "copy", "Copy", "Copies the finding under the cursor.", ("y",), bar=True),
    inside("all_findings", "close", "Back", "Leaves the filter, then the list.", ("escape", "q"), bar=True),
)  # fmt: skip

PANE_ACTIONS = (
    *OVERVIEW, *PROCESS, *INBOX, *MESSAGES, *TASKS, *SKILLS, *SOLON, *SERVED, *FINDINGS, *ALL_FINDINGS,
)  # fmt: skip
