"""A notebook that wants NOTES_KEY in its environment: it fails to start until one has read why."""

from __future__ import annotations

from inspector import __version__
from inspector.serving.call import Call
from inspector.serving.definition import Definition, Tool


async def add_note(call: Call) -> str:
    notes: list[str] = call.session.memory.setdefault("notes", [])
    notes.append(call.arguments["text"])
    return f"Noted. You have {len(notes)} now."


async def list_notes(call: Call) -> str:
    return "\n".join(f"- {each}" for each in call.session.memory.get("notes", ())) or "No notes yet."


def notes() -> Definition:
    text = {"type": "string", "minLength": 1}
    return Definition(
        name="notes",
        version=__version__,
        title="Notes",
        instructions="You found the key. Notes are kept until the server stops.",
        tools=(
            Tool(
                name="add_note",
                title="Add a note",
                run=add_note,
                input={"type": "object", "properties": {"text": text}, "required": ["text"]},
            ),
            Tool(name="list_notes", title="List notes", run=list_notes, annotations={"readOnlyHint": True}),
        ),
    )
