"""The actions of the panes of a server: its overview, its process, what it asks and says, its tasks."""

from __future__ import annotations

from inspector.tui.action import Action

OVERVIEW: tuple[Action, ...] = (
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
        "other_era",
        "Other era",
        "Opens a second session in the other era of the protocol, and shows how the server differs there.",
        ("E",),
        "E",
        "overview",
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
        over=("log.down",),
    ),
)

INBOX: tuple[Action, ...] = (
    Action(
        "inbox.answer",
        "Answer",
        "Sends the answer as it is filled in; a link is opened, after a yes.",
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

PANE_ACTIONS = (*OVERVIEW, *PROCESS, *INBOX, *MESSAGES, *TASKS)
