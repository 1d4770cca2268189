"""A post office of 2026-07-28, and of the versions before: it asks in rounds, tells of changes by subscription, says
how long its answers keep, wants an argument in a header, and has a page."""

from __future__ import annotations

import json
from typing import Any

from inspector import __version__
from inspector.demo.media import icon
from inspector.protocol.extensions import APP_TYPE, APPS
from inspector.protocol.mirrored import ANNOTATION
from inspector.serving import content
from inspector.serving.call import Call
from inspector.serving.definition import (
    MODERN,
    VERSIONS,
    Argument,
    Definition,
    Prompt,
    Resource,
    Result,
    Template,
    Tool,
    ToolError,
)

_QUEUE, _PAGE = "post://queue", "ui://post/counter"
_PERIOD = 3.0
_TARIFF = {"letter": 0.95, "parcel": 5.49, "express": 14.90}
_BOARD = "# Tariff\n\n" + "".join(f"* **{name}**, {price:.2f} €\n" for name, price in _TARIFF.items())
_NUMBERS = ("PX-1001", "PX-1002", "PX-1003")

_COUNTER = """\
<!doctype html>
<meta charset="utf-8">
<title>The counter</title>
<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 34rem; color-scheme: light dark; }
  output { display: block; padding: 1rem; border: 2px solid #d4a017; border-radius: .5rem; }
</style>
<h1>📮 The counter</h1>
<p>This page belongs to the tool <code>weigh</code>. A host would show it beside the answer, and tell it the weight.</p>
<output id="told">Nobody has told it a weight yet.</output>
<script>
  addEventListener("message", (event) => { told.textContent = JSON.stringify(event.data); });
  if (parent !== window) parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {} }, "*");
</script>
"""


def _form(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


def _sent(call: Call) -> list[dict[str, Any]]:
    """What was sent since the office opened."""
    found: list[dict[str, Any]] = call.session.memory.setdefault("sent", [])
    return found


async def send_parcel(call: Call) -> str | Result:
    """Asks twice: how it shall travel, and whether the price is right."""
    to, kilos = call.arguments["to"], call.arguments.get("kilos", 1)
    action, how = await call.elicit(
        f"How shall it travel to {to}?",
        _form(
            ["service"],
            service={
                "type": "string", "title": "Service", "default": "parcel",
                "oneOf": [{"const": name, "title": f"{name}, from {price:.2f} €"} for name, price in _TARIFF.items()],
            },
            insured={"type": "boolean", "title": "Insure it", "default": False},
            note={"type": "string", "title": "A word to the carrier", "maxLength": 80},
        ),
    )  # fmt: skip
    if action != "accept":
        return "You keep your parcel."
    price = _TARIFF.get(how.get("service", ""), 5.49) + 0.80 * kilos + (2.5 if how.get("insured") else 0)
    action, paid = await call.elicit(
        f"That makes {price:.2f} €.",
        _form(["agreed"], agreed={"type": "boolean", "title": "I pay that", "default": True}),
    )
    if action != "accept" or not paid.get("agreed"):
        return "Too dear? You keep your parcel."
    number = f"PX-{1004 + len(_sent(call))}"
    slip = {"number": number, "to": to, "service": how.get("service"), "price": round(price, 2)}
    _sent(call).append(slip)
    return Result([content.text(f"{number} is on its way to {to}, for {price:.2f} €.")], structured=slip)


async def write_card(call: Call) -> str:
    """Has the client's model write."""
    answer = await call.sample(f"Write a picture postcard to {call.arguments['to']}, two lines long.", 120)
    said = answer.get("content")
    return f"On the card stands: {said.get('text', '') if isinstance(said, dict) else said}"


async def sort_mail(call: Call) -> str:
    count = int(call.arguments.get("letters", 20))
    for number in range(count):
        call.progress(number, count, f"letter {number + 1} goes to box {number * 7 % 12 + 1}")
        call.log("debug", {"letter": number + 1}, logger="post.sorting")
        await call.sleep(0.25)
    call.progress(count, count, "the bag is empty")
    call.log("info", f"{count} letters are sorted", logger="post.sorting")
    return f"All {count} letters are in their boxes."


async def weigh(call: Call) -> Result:
    grams = call.arguments["grams"]
    kind = "letter" if grams <= 500 else "parcel"
    found = {"grams": grams, "kind": kind, "price": _TARIFF[kind]}
    return Result([content.text(f"{grams} g: a {kind}, {_TARIFF[kind]:.2f} €.")], structured=found)


_WINDOW = Tool(name="buy_stamps", title="Buy stamps", description="Only while the second window is open.",
               run="Ten stamps, and a smile.")  # fmt: skip


async def open_window(call: Call) -> str:
    call.session.add(_WINDOW)
    return "The second window is open: there is a new tool."


async def close_window(call: Call) -> str:
    call.session.remove(_WINDOW)
    return "The second window is closed."


async def read_queue(call: Call) -> str:
    return json.dumps({"waiting": call.session.memory.get("waiting", 3), "windows": 1}, indent=2)


async def read_parcel(call: Call) -> str:
    number = call.arguments["number"]
    slip = next((slip for slip in _sent(call) if slip["number"] == number), {"number": number})
    return json.dumps({**slip, "state": "on its way"}, indent=2)


async def shuffle(call: Call) -> None:
    """People come and go: who has subscribed to the queue is told."""
    step = 0
    while True:
        await call.sleep(_PERIOD)
        step += 1
        call.session.memory["waiting"] = (3, 4, 6, 5, 2, 1)[step % 6]
        call.session.updated(_QUEUE)


async def letter(call: Call) -> str:
    """A prompt that asks, too, where the client can be asked."""
    form = _form(["name"], name={"type": "string", "title": "Name", "minLength": 1})
    try:
        _, given = await call.elicit("Who signs the letter?", form)
    except ToolError:
        given = {}
    about, name = call.arguments["about"], given.get("name", "nobody")
    return f"Write a letter of complaint about {about}: polite, short, signed by {name}."


def post() -> Definition:
    grams = {"type": "integer", "minimum": 1, "maximum": 31_500, "description": "In grams"}
    text = {"type": "string", "minLength": 1}
    return Definition(
        name="post",
        version=__version__,
        title="The Post Office",
        about={"description": "A demo server of the era without a handshake", "icons": [icon("📮")]},
        instructions=(
            "It speaks 2026-07-28: `send_parcel` asks you in rounds, `sort_mail` tells how far it is, `post://queue` "
            "changes by itself. It speaks the versions before, too: E in Overview shows how it is there."
        ),
        tools=(
            Tool(
                name="send_parcel", title="Send a parcel", run=send_parcel,
                description="Asks how it shall travel and whether the price is right: two rounds in the Inbox.",
                input=_form(["to"], to=text | {ANNOTATION: "Destination"},
                            kilos={"type": "number", "minimum": 0, "maximum": 31.5, "default": 1}),
            ),
            Tool(
                name="write_card", title="Write a postcard", run=write_card, input=_form(["to"], to=text),
                description="Asks your model to write it: a sampling request in the Inbox.",
            ),
            Tool(
                name="sort_mail", title="Sort the mail", run=sort_mail, annotations={"readOnlyHint": True},
                description="Takes a while, tells how far it is, and logs each letter where debug is asked for.",
                input=_form([], letters={"type": "integer", "minimum": 1, "maximum": 200, "default": 20}),
            ),
            Tool(
                name="weigh", title="Weigh", run=weigh, annotations={"readOnlyHint": True, "idempotentHint": True},
                description="What it costs by weight. Has a page of its own (MCP Apps).",
                input=_form(["grams"], grams=grams),
                output=_form(["grams", "kind", "price"], grams=grams, kind=text, price={"type": "number"}),
                more={"_meta": {"ui": {"resourceUri": _PAGE, "visibility": ["model", "app"]}}},
            ),
            Tool(name="open_window", title="Open the second window", run=open_window,
                 description="Adds a tool; whoever listens is told that the list has changed."),
            Tool(name="close_window", title="Close the second window", run=close_window,
                 description="Takes it away again."),
        ),
        resources=(
            Resource(uri=_QUEUE, name="queue", title="The queue, live", mime="application/json", read=read_queue,
                     description="Changes every few seconds: subscribe, or have it read again by itself"),
            Resource(uri="post://tariff", name="tariff", title="Tariff", mime="text/markdown",
                     description="May be kept for an hour",
                     read=_BOARD),
            Resource(uri=_PAGE, name="counter", title="The page of the counter", mime=APP_TYPE, read=_COUNTER,
                     more={"_meta": {"ui": {"csp": {"connectDomains": [], "resourceDomains": []},
                                            "permissions": {}, "prefersBorder": True}}}),
        ),
        templates=(
            Template(uri="post://parcels/{number}", name="parcel", title="Where a parcel is", mime="application/json",
                     read=read_parcel, complete={"number": _NUMBERS}),
        ),
        prompts=(
            Prompt(name="complaint", title="Complaint", description="Asks in a round who signs it", messages=letter,
                   arguments=(Argument("about", "What went wrong", required=True),)),
        ),
        routines=(shuffle,),
        versions=(MODERN, *VERSIONS),
        extensions={APPS: {}},
        keeps={"server/discover": 3600, "tools/list": 300, "resources/list": 300, "prompts/list": 300,
               "resources/templates/list": 300, "resources/read": 10},
    )  # fmt: skip
