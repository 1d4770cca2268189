"""The actions of whole conversations, and of the screens that they open."""

from __future__ import annotations

from inspector.tui.action import Action
from inspector.tui.widget_actions import inside

WORKSPACE = (
    Action(
        "replay",
        "Replay",
        "Sends the marked or found requests, all of this session or a recording to a server, and compares the answers.",
        ("alt+r",),
        bar=True,
    ),
    Action(
        "export",
        "Export",
        "Writes the frames, all or those that are marked or found, to a file: HTML, HAR, text, a recording, spans.",
        ("alt+e",),
        bar=True,
    ),
    Action(
        "differences",
        "What changed",
        "Compares servers, their baselines, this session and recordings: what they list, and how calls were answered.",
        ("alt+d",),
        bar=True,
    ),
    Action(
        "side_by_side",
        "Side by side",
        "Two live servers beside each other, or one in two eras or versions: what they declare and list, and what both "
        "answer to the same call. With m two servers are marked for it.",
        ("vertical_line",),
        "|",
        bar=True,
    ),
    Action(
        "baseline",
        "Baseline",
        "Accepts what the selected server lists, or shows what is different from what was accepted.",
        ("alt+v",),
    ),
    Action(
        "saved_calls",
        "Saved calls",
        "Opens a file of saved calls; makes all of them or one, and shows which answers are as expected.",
        ("alt+l",),
        bar=True,
    ),
    Action(
        "save_call",
        "Save the call",
        "Puts the call, with what is to be expected of its answer, into a file of saved calls.",
        ("alt+k",),
        scope="tools",
    ),
)

REPLAY = (
    inside("replay", "start", "Send", "Sends what is chosen, one request after the other.", ("f5", "ctrl+j"), bar=True),
    inside("replay", "stop", "Stop", "Gives up the request under way, and sends no more.", ("f8",), bar=True),
    inside("replay", "toggle", "Choose", "Sends the request with the others, or not; at pace step: sends it now.",
        ("space",), "pick", bar=True),
    inside("replay", "leave_out", "Leave out", "Does not send the request that waits.", ("x",), bar=True),
    inside("replay", "source", "From", "Other requests: marked or found ones, a recording.", ("o",), bar=True),
    inside("replay", "target", "To", "The next server to send to.", ("t",), bar=True),
    inside("replay", "label", "Server then", "The next server of the recording.", ("s",), bar=True),
    inside("replay", "pace", "Pace", "One after the other; with the pauses of then; by key.", ("p",), bar=True),
    inside("replay", "rules", "Rules", "What may differ; answers that are there are compared anew.", ("i",), bar=True),
    inside("replay", "ignore", "May differ", "From now on the place under the cursor may differ.", ("d",), bar=True),
    inside("replay", "next", "Next", "The next request that is not as it was.", ("n",), "next(1)", bar=True),
    inside("replay", "previous", "Before", "The one before that is not as it was.", ("N",), "next(-1)"),
    inside("replay", "compare", "Compare", "Both answers beside each other.", ("c",), bar=True),
    inside("replay", "recorded", "Then", "The frame of then.", ("b",), bar=True),
    inside("replay", "live", "Now", "The frame of now, in the traffic.", ("f",), bar=True),
    inside("replay", "all", "All", "Chooses all that can be sent, or none.", ("a",), bar=True),
    inside("replay", "save", "Save", "Saves the report as JSON.", ("w",), "save_report('json')", bar=True),
    inside("replay", "save_junit", "JUnit", "Saves the report as JUnit XML.", ("W",), "save_report('junit')"),
    inside("replay", "copy", "Copy", "Copies the report as text.", ("y",), "copy_report"),
    inside("replay", "close", "Back", "Closes it; a run goes on, and is here again with the same key.", ("escape", "q"),
        bar=True),
)  # fmt: skip

SAVED_CALLS = (
    inside("saved_calls", "start", "Make all", "Makes all calls, one after the other.", ("f5", "ctrl+j"), bar=True),
    inside("saved_calls", "stop", "Stop", "Gives up the call under way, and makes no more.", ("f8",), bar=True),
    inside("saved_calls", "one", "Make one", "Makes the call under the cursor.", ("space",), bar=True),
    inside("saved_calls", "open", "Open", "Opens another file of saved calls.", ("o",), "open_file", bar=True),
    inside("saved_calls", "reload", "Read again", "Reads the file again, as it is now.", ("r",), bar=True),
    inside("saved_calls", "target", "To", "The next server, for calls that name none.", ("t",), bar=True),
    inside("saved_calls", "next", "Next", "The next call that is not as expected.", ("n",), "next(1)", bar=True),
    inside("saved_calls", "previous", "Before", "The one before that is not as expected.", ("N",), "next(-1)"),
    inside("saved_calls", "frames", "Frames", "The request and its answer, in the traffic.", ("f",), "live", bar=True),
    inside("saved_calls", "save", "Save", "Saves the report as JSON.", ("w",), "save_report('json')", bar=True),
    inside("saved_calls", "save_junit", "JUnit", "Saves the report as JUnit XML.", ("W",), "save_report('junit')"),
    inside("saved_calls", "copy", "Copy", "Copies the report as text.", ("y",), "copy_report"),
    inside("saved_calls", "close", "Back", "Closes it; a run goes on.", ("escape", "q"), bar=True),
)  # fmt: skip

COMPARED = (
    inside("compared", "whole", "Whole", "Both sides of what is under the cursor, alone on the screen.", ("c",),
           bar=True),
    inside("compared", "accept", "Accept", "What the server lists now is its baseline from here on.", ("A",), bar=True),
    inside("compared", "others", "Others", "Chooses other sides.", ("o",), bar=True),
    inside("compared", "swap", "Swap", "The newer side becomes the older one.", ("x",), bar=True),
    inside("compared", "again", "Again", "Reads both sides again.", ("r",), bar=True),
    inside("compared", "rules", "Rules", "What may differ in answers.", ("i",), bar=True),
    inside("compared", "save", "Save", "Saves what differs as JSON.", ("w",), "save_report('json')", bar=True),
    inside("compared", "save_junit", "JUnit", "Saves it as JUnit XML.", ("W",), "save_report('junit')"),
    inside("compared", "copy", "Copy", "Copies it as text.", ("y",), "copy_report"),
    inside("compared", "close", "Back", "Closes it.", ("escape", "q"), bar=True),
)  # fmt: skip

PAIRED = (
    inside("paired", "send", "Ask both", "Sends what is filled in to both servers.", ("f5", "ctrl+j"), bar=True),
    inside("paired", "cancel", "Cancel", "Gives up what runs on both sides.", ("f8",), bar=True),
    inside("paired", "next_view", "View", "Definition, form, JSON, answers.", ("f6",), "view(1)", bar=True),
    inside("paired", "previous_view", "View before", "The same, the other way round.", ("shift+f6",), "view(-1)"),
    inside("paired", "other_form", "Other form", "The form of the other side, filled in alike.", ("f9",), bar=True),
    inside("paired", "zoom", "Zoom", "All the room for what is below the lists, and back.", ("f7", "z"), bar=True),
    inside("paired", "different", "Only differences", "Hides what is the same; again shows it.", ("equals_sign",),
           label="=", bar=True),
    inside("paired", "filter", "Filter", "Shows what holds a text in its name.", ("slash",), label="/", bar=True),
    inside("paired", "next", "Next", "The next place that differs.", ("n",), "next(1)", bar=True),
    inside("paired", "previous", "Before", "The place before that differs.", ("N",), "next(-1)"),
    inside("paired", "swap", "Swap", "Changes the sides.", ("x",), bar=True),
    inside("paired", "others", "Others", "Other servers, another era or version.", ("o",), bar=True),
    inside("paired", "rules", "Rules", "What may differ in answers.", ("i",), bar=True),
    inside("paired", "ignore", "May differ", "From now on the place under the cursor may differ.", ("d",), bar=True),
    inside("paired", "fold", "Fold", "Folds away what is the same in a text, or shows the whole.", ("v",), bar=True),
    inside("paired", "whole", "Whole", "Both texts alone on the screen, change by change.", ("c",), bar=True),
    inside("paired", "restart", "Restart", "Starts the side again that is down, else both.", ("r",), bar=True),
    inside("paired", "keep", "Keep", "The connection that was begun for this stays when it is closed; again: does not.",
           ("K",), bar=True),
    inside("paired", "frames", "Frames", "The request in the traffic; this screen is there again by its key.", ("f",)),
    inside("paired", "questions", "Questions", "Goes to what a server asks; this screen is there again by its key.",
           ("f12", "I"), bar=True),
    inside("paired", "save", "Save", "Saves what differs as JSON.", ("w",), "save_report('json')", bar=True),
    inside("paired", "save_junit", "JUnit", "Saves it as JUnit XML.", ("W",), "save_report('junit')"),
    inside("paired", "save_text", "Save as text", "Saves it as text.", ("T",), "save_report('text')"),
    inside("paired", "copy", "Copy", "Copies it as text.", ("y",), "copy_report"),
    inside("paired", "next_tab", "Next list", "The next list.", ("right_square_bracket",), "tab(1)"),
    inside("paired", "previous_tab", "List before", "The list before.", ("left_square_bracket",), "tab(-1)"),
    inside("paired", "close", "Back", "Back to the lists; from there closes it, and ends what was begun for it.",
           ("escape",), bar=True),
    inside("paired", "leave", "Close", "Closes it.", ("q",)),
)  # fmt: skip

ONE_FRAME = (
    inside(
        "one_frame", "peer", "Peer", "From a request to its answer and back.", ("o", "percent_sign"), bar=True
    ),
    inside(
        "one_frame", "next_tab", "Next tab", "The next tab of the frame.", ("right_square_bracket",), "tab(1)"
    ),
    inside("one_frame", "previous_tab", "Tab before", "The tab before.", ("left_square_bracket",), "tab(-1)"),
    inside("one_frame", "close", "Back", "Closes it.", ("q",), bar=True),
)

FRAME_ACTIONS = (*WORKSPACE, *REPLAY, *SAVED_CALLS, *COMPARED, *PAIRED, *ONE_FRAME)
