"""A city library, served over Streamable HTTP: books to borrow, a reading room that opens and closes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from inspector import __version__
from inspector.demo import media
from inspector.demo.media import icon
from inspector.serving import content
from inspector.serving.call import Call
from inspector.serving.definition import (
    Argument,
    Definition,
    Prompt,
    Resource,
    Result,
    RpcError,
    Template,
    Tool,
    ToolError,
)
from inspector.serving.methods import RESOURCE_NOT_FOUND


class Book(NamedTuple):
    title: str
    author: str
    year: int
    shelf: str


BOOKS = {
    "frankenstein": Book("Frankenstein", "Mary Shelley", 1818, "horror"),
    "walden": Book("Walden", "Henry David Thoreau", 1854, "nature"),
    "moby-dick": Book("Moby-Dick", "Herman Melville", 1851, "sea"),
    "middlemarch": Book("Middlemarch", "George Eliot", 1871, "novels"),
    "dracula": Book("Dracula", "Bram Stoker", 1897, "horror"),
    "faust": Book("Faust", "Johann Wolfgang von Goethe", 1808, "plays"),
    "treasure-island": Book("Treasure Island", "Robert Louis Stevenson", 1883, "sea"),
    "the-time-machine": Book("The Time Machine", "H. G. Wells", 1895, "science fiction"),
    "xi-you-ji": Book("西遊記", "吳承恩", 1592, "novels"),
}
SHELVES = tuple(sorted({book.shelf for book in BOOKS.values()}))
_LOANS = "library://loans"
_CLOCK = "library://clock"
_CLOCK_PERIOD = 5.0


def form(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


def loans(call: Call) -> dict[str, str]:
    """Who has borrowed what in this session: id of the book to name of the reader."""
    found: dict[str, str] = call.session.memory.setdefault("loans", {})
    return found


def card(id: str) -> dict[str, Any]:
    return {"id": id, **BOOKS[id]._asdict()}


async def find_books(call: Call) -> Result:
    word = call.arguments.get("word", "").casefold()
    shelves = call.arguments.get("shelves") or SHELVES
    before = call.arguments.get("before") or 3000
    found = [
        card(id)
        for id, book in BOOKS.items()
        if word in f"{book.title} {book.author}".casefold() and book.shelf in shelves and book.year < before
    ]
    answer = {"count": len(found), "books": found}
    return Result([content.text(json.dumps(answer, ensure_ascii=False))], structured=answer)


async def borrow_book(call: Call) -> str:
    id, reader = call.arguments["book"], call.arguments["reader"]
    if id in loans(call):
        raise ToolError(f"{BOOKS[id].title} is with {loans(call)[id]}. Try `return_book` first.")
    loans(call)[id] = reader["name"]
    call.session.updated(_LOANS)
    return f"📕 {BOOKS[id].title} is yours for {call.arguments.get('weeks', 4)} weeks, {reader['name']}."


async def return_book(call: Call) -> str:
    reader = loans(call).pop(call.arguments["book"], None)
    if reader is None:
        raise ToolError("That book is on its shelf: nobody has borrowed it.")
    call.session.updated(_LOANS)
    return f"Thank you, {reader}."


async def take_inventory(call: Call) -> str:
    pause = float(call.arguments.get("seconds", 6)) / len(BOOKS)
    for number, book in enumerate(BOOKS.values(), 1):
        call.progress(number - 1, len(BOOKS), f"{book.shelf}: {book.title}")
        call.log("debug", {"title": book.title, "shelf": book.shelf}, logger="library.inventory")
        await call.sleep(pause)
    call.progress(len(BOOKS), len(BOOKS), "every shelf has been seen")
    call.log("info", "The inventory is done.", logger="library.inventory")
    return f"All {len(BOOKS)} books are there or lent out ({len(loans(call))} of them)."


async def show_cover(call: Call) -> list[content.Block]:
    id = call.arguments["book"]
    about = content.link(f"library://books/{id}", id, "application/json", title=BOOKS[id].title)
    return [content.image(media.book()), about]


async def apply_for_card(call: Call) -> str:
    action, answer = await call.elicit(
        "A library card costs nothing. We only need to know you a little.",
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "title": "Your name", "minLength": 1},
                "email": {"type": "string", "title": "E-mail", "format": "email"},
                "reads": {"type": "string", "title": "You like to read", "enum": list(SHELVES)},
                "newsletter": {"type": "boolean", "title": "Tell me of new books", "default": False},
            },
            "required": ["name"],
        },
    )
    if action != "accept":
        return "No card today. You are welcome to read here all the same."
    return f"Welcome, {answer.get('name', 'reader')}! Your card will be in the mail."


async def pay_fine(call: Call) -> str:
    raise RpcError(-32603, "The cash desk is closed: this is a JSON-RPC error", {"opens": "tomorrow at nine"})


async def read_aloud(call: Call) -> str:
    return f"“{call.arguments['line']}”, read aloud in the reading room. Somebody says hush."


READ_ALOUD = Tool(
    name="read_aloud",
    title="Read aloud",
    description="Only while the reading room is open.",
    run=read_aloud,
    input=form(["line"], line={"type": "string", "maxLength": 200}),
)
ROOM = Resource(
    uri="library://reading-room",
    name="reading-room",
    title="Reading room",
    description="Only while it is open",
    mime="text/plain",
    read="Eight green lamps, one cat.\n",
)
WHISPER = Prompt(
    name="whisper",
    title="Whisper",
    description="Only while the reading room is open",
    messages="From now on answer in a whisper: short, quiet, no capitals.",
)


async def open_reading_room(call: Call) -> str:
    for item in (READ_ALOUD, ROOM, WHISPER):
        call.session.add(item)
    return "The reading room is open: a new tool, a new resource and a new prompt."


async def close_reading_room(call: Call) -> str:
    for item in (READ_ALOUD, ROOM, WHISPER):
        call.session.remove(item)
    return "The reading room is closed."


async def read_loans(call: Call) -> str:
    return json.dumps(loans(call), indent=2, ensure_ascii=False)


async def read_clock(call: Call) -> str:
    return f"The hall clock has ticked {call.session.memory.get('ticks', 0)} times.\n"


async def read_stamp(call: Call) -> bytes:
    return media.book()


async def read_book(call: Call) -> str:
    id = call.arguments["book"]
    if id not in BOOKS:
        raise RpcError(RESOURCE_NOT_FOUND, "Resource not found", {"uri": call.params["uri"]})
    return json.dumps(card(id), indent=2, ensure_ascii=False)


async def read_shelf(call: Call) -> str:
    shelf = call.arguments["shelf"]
    found = [book for book in BOOKS.values() if book.shelf == shelf]
    if not found:
        raise RpcError(RESOURCE_NOT_FOUND, "Resource not found", {"uri": call.params["uri"]})
    by_year = call.arguments.get("sort") == "year"
    found.sort(key=lambda book: (book.year, book.title) if by_year else (0, book.title))
    return f"# {shelf}\n\n" + "".join(f"* **{book.title}**, {book.author}, {book.year}\n" for book in found)


async def tick(call: Call) -> None:
    """The clock in the hall: its resource changes all the time."""
    while True:
        await call.sleep(_CLOCK_PERIOD)
        call.session.memory["ticks"] = call.session.memory.get("ticks", 0) + 1
        call.session.updated(_CLOCK)


def titles(typed: str, others: Mapping[str, str]) -> Iterable[str]:
    """The books of the shelf that was chosen, of all shelves where none was."""
    shelf = others.get("shelf")
    return [
        id for id, book in BOOKS.items() if id.startswith(typed.casefold()) and shelf in (None, book.shelf)
    ]


async def recommend(call: Call) -> list[content.Block]:
    book = BOOKS.get(call.arguments["book"])
    if book is None:
        raise RpcError(-32602, f"Invalid params: there is no book {call.arguments['book']}")
    return [
        content.message("user", f"I have just read {book.title} by {book.author}."),
        content.message("assistant", "A good choice! What did you like about it?"),
        content.message("user", f"{call.arguments.get('reason', 'All of it')}. What shall I read next?"),
    ]


_BOOK = {"type": "string", "enum": list(BOOKS)}
_READ = {"readOnlyHint": True, "openWorldHint": False}


def library() -> Definition:
    return Definition(
        name="library",
        version=__version__,
        title="The City Library",
        about={"description": "A demo server over Streamable HTTP", "icons": [icon("📚")]},
        instructions="Find a book, borrow it, and open the reading room to see lists change.",
        tools=(
            Tool(
                name="find_books",
                title="Find books",
                description="By a word of title or author, by shelves, by year. The answer is structured.",
                run=find_books,
                input=form(
                    [],
                    word={"type": "string", "description": "Part of a title or an author", "default": ""},
                    shelves={
                        "type": "array",
                        "items": {"type": "string", "enum": list(SHELVES)},
                        "uniqueItems": True,
                    },
                    before={
                        "type": ["integer", "null"],
                        "description": "Written before that year",
                        "default": None,
                    },
                ),
                output=form(
                    ["count", "books"],
                    count={"type": "integer"},
                    books={
                        "type": "array",
                        "items": form(
                            ["id", "title"],
                            id={"type": "string"},
                            title={"type": "string"},
                            author={"type": "string"},
                            year={"type": "integer"},
                            shelf={"type": "string"},
                        ),
                    },
                ),
                annotations=_READ,
                icons=[icon("🔎")],
            ),
            Tool(
                name="borrow_book",
                title="Borrow a book",
                description="Subscribers of `library://loans` hear of it.",
                run=borrow_book,
                input=form(
                    ["book", "reader"],
                    book=_BOOK,
                    reader=form(
                        ["name"], name={"type": "string"}, card={"type": "string", "pattern": "^[0-9]{4}$"}
                    ),
                    weeks={"type": "integer", "minimum": 1, "maximum": 8, "default": 4},
                ),
                annotations={"readOnlyHint": False, "destructiveHint": False},
            ),
            Tool(
                name="return_book",
                title="Return a book",
                run=return_book,
                input=form(["book"], book=_BOOK),
                annotations={"readOnlyHint": False, "destructiveHint": False},
            ),
            Tool(
                name="take_inventory",
                title="Take inventory",
                description="Goes along all shelves, slowly: progress, log messages, and you can cancel it.",
                run=take_inventory,
                input=form([], seconds={"type": "number", "minimum": 0, "maximum": 300, "default": 6}),
                annotations=_READ,
            ),
            Tool(
                name="show_cover",
                title="Show a cover",
                description="A picture, and a link to the catalogue card.",
                run=show_cover,
                input=form(["book"], book=_BOOK),
                annotations=_READ,
            ),
            Tool(
                name="open_reading_room",
                title="Open the reading room",
                description="Adds a tool, a resource and a prompt.",
                run=open_reading_room,
            ),
            Tool(name="close_reading_room", title="Close the reading room", run=close_reading_room),
            Tool(
                name="apply_for_card",
                title="Apply for a card",
                description="Asks you for your name (elicitation).",
                run=apply_for_card,
                icons=[icon("🪪")],
            ),
            Tool(
                name="pay_fine", title="Pay a fine", description="Fails with a JSON-RPC error.", run=pay_fine
            ),
        ),
        resources=(
            Resource(
                uri="library://rules",
                name="rules",
                title="House rules",
                mime="text/markdown",
                read="# House rules\n\n1. Whisper.\n2. Bring books back.\n3. The cat is always right.\n",
            ),
            Resource(
                uri=_LOANS,
                name="loans",
                title="Loans",
                description="Changes when a book is borrowed or returned",
                mime="application/json",
                read=read_loans,
            ),
            Resource(
                uri=_CLOCK,
                name="clock",
                title="The hall clock, live",
                description="Changes every five seconds; subscribe to hear of it",
                mime="text/plain",
                read=read_clock,
            ),
            Resource(
                uri="library://stamp", name="stamp", title="Our stamp", mime="image/png", read=read_stamp
            ),
        ),
        templates=(
            Template(
                uri="library://books/{book}",
                name="book",
                title="Catalogue card",
                mime="application/json",
                read=read_book,
                complete={"book": titles},
            ),
            Template(
                uri="library://shelves/{shelf}{?sort}",
                name="shelf",
                title="What stands on a shelf",
                mime="text/markdown",
                read=read_shelf,
                complete={"shelf": SHELVES, "sort": ("title", "year")},
            ),
        ),
        prompts=(
            Prompt(
                name="recommend",
                title="Recommend a book",
                description="From one that you have read",
                messages=recommend,
                arguments=(
                    Argument("book", "Which one", required=True, complete=titles),
                    Argument("reason", "What you liked about it"),
                ),
            ),
            Prompt(
                name="first_line",
                title="First line",
                description="Needs no arguments",
                messages="Write the first line of a novel that I cannot put down.",
            ),
        ),
        routines=(tick,),
        pages={"tools": 4, "resources": 3, "resourceTemplates": 1, "prompts": 1},
    )
