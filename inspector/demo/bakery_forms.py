"""Tools of the bakery that show what schemas can ask for; most of them read back what they were given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from inspector.demo.media import icon
from inspector.serving import content
from inspector.serving.call import Call
from inspector.serving.definition import Result, Tool, ToolError

PRICES = {"croissant": 1.9, "baguette": 1.6, "rye loaf": 4.2, "cinnamon roll": 2.4, "tarte aux pommes": 18.0}

_GREETINGS = {
    "en": "Good morning, {name}! The first loaves are just out. 🥐",
    "fr": "Bonjour, {name} ! Les premiers pains sortent du four. 🥖",
    "de": "Guten Morgen, {name}! Die ersten Brote sind fertig. 🥨",
    "zh": "{name}，早上好！第一批面包刚出炉。🍞",
}


def form(required: Sequence[str], **properties: Any) -> dict[str, Any]:
    """An input schema that takes these properties and no others."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return schema if required else {key: value for key, value in schema.items() if key != "required"}


def read_back(call: Call, headline: str) -> str:
    return f"{headline}\n\n{json.dumps(call.arguments, ensure_ascii=False, indent=2)}"


async def say_hello(call: Call) -> str:
    return _GREETINGS[call.arguments.get("language", "en")].format(name=call.arguments["name"])


async def price_of(call: Call) -> Result:
    item, count = call.arguments["item"], int(call.arguments.get("count", 1))
    rebate = 0.1 if count >= 12 else 0.0
    total = round(PRICES[item] * count * (1 - rebate), 2)
    answer = {"item": item, "count": count, "total": total, "currency": "EUR", "rebate": rebate}
    return Result([content.text(json.dumps(answer))], structured=answer)


async def reserve_table(call: Call) -> str:
    return read_back(call, f"🪑 A table for {call.arguments['guests']} is yours.")


async def order_cake(call: Call) -> str:
    return read_back(call, "🎂 Your order is on the board. We bake it exactly as written:")


async def guest_profile(call: Call) -> str:
    told = [name for name, value in call.arguments.items() if value is not None]
    left_open = [name for name, value in call.arguments.items() if value is None]
    return read_back(
        call, f"Told: {', '.join(told) or 'nothing'}. Left open: {', '.join(left_open) or 'nothing'}."
    )


async def pay(call: Call) -> str:
    payment = call.arguments["payment"]
    if not isinstance(payment, dict) or payment.get("method") not in ("cash", "card", "voucher"):
        raise ToolError("We take cash, cards and vouchers: choose a `method`.")
    return read_back(call, f"💶 Paid by {payment['method']}, thank you!")


async def pack_box(call: Call) -> str:
    def lines(box: Any, depth: int) -> list[str]:
        if not isinstance(box, dict):
            return [f"{'  ' * depth}? {box!r}"]
        inside = box.get("boxes")
        items = ", ".join(map(str, box.get("items", []))) or "empty"
        own = f"{'  ' * depth}📦 {box.get('label', '(no label)')}: {items}"
        return [own, *(line for each in inside or [] for line in lines(each, depth + 1))]

    return "\n".join(lines(call.arguments["box"], 0))


async def place_tray(call: Call) -> str:
    return read_back(call, "The tray is in the oven. 🔥")


async def write_note(call: Call) -> str:
    kind = type(call.arguments["note"]).__name__
    return read_back(call, f"📝 Pinned to the wall, a Python {kind}:")


_ADDRESS = {
    "type": "object",
    "title": "Address",
    "properties": {
        "street": {"type": "string", "minLength": 1},
        "city": {"type": "string", "default": "Breadford"},
        "postcode": {"type": "string", "pattern": "^[0-9]{4,5}$", "description": "Four or five digits"},
    },
    "required": ["street", "city"],
}
_BOX = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "items": {"type": "array", "items": {"type": "string"}},
        "boxes": {
            "type": "array",
            "items": {"$ref": "#/$defs/box"},
            "description": "Boxes inside of this box",
        },
    },
    "required": ["label"],
}
_PAYMENT = {
    "discriminator": {"propertyName": "method"},
    "oneOf": [
        {
            "title": "Cash",
            "type": "object",
            "properties": {"method": {"const": "cash"}, "given": {"type": "number", "exclusiveMinimum": 0}},
            "required": ["method", "given"],
        },
        {
            "title": "Card",
            "type": "object",
            "properties": {
                "method": {"const": "card"},
                "number": {
                    "type": "string",
                    "pattern": "^[0-9 ]{12,19}$",
                    "examples": ["4242 4242 4242 4242"],
                },
                "contactless": {"type": "boolean", "default": True},
            },
            "required": ["method", "number"],
        },
        {
            "title": "Voucher",
            "type": "object",
            "properties": {"method": {"const": "voucher"}, "code": {"type": "string", "maxLength": 8}},
            "required": ["method", "code"],
        },
    ],
}

TOOLS = (
    Tool(
        name="say_hello",
        title="Say hello",
        description="The shortest way to see a tool at work: tell your name, get a greeting.",
        run=say_hello,
        input=form(
            ["name"],
            name={"type": "string", "title": "Your name", "minLength": 1, "maxLength": 40},
            language={"type": "string", "enum": list(_GREETINGS), "default": "en"},
        ),
        annotations={"readOnlyHint": True, "openWorldHint": False},
        icons=[icon("👋")],
    ),
    Tool(
        name="price_of",
        title="Price of a treat",
        description="A structured answer that follows an output schema. A dozen or more is 10 % off.",
        run=price_of,
        input=form(
            ["item"],
            item={"type": "string", "enum": list(PRICES)},
            count={"type": "integer", "minimum": 1, "maximum": 500, "default": 1},
        ),
        output={
            "type": "object",
            "properties": {
                "item": {"type": "string"},
                "count": {"type": "integer"},
                "total": {"type": "number"},
                "currency": {"type": "string"},
                "rebate": {"type": "number", "description": "0.1 is ten percent"},
            },
            "required": ["item", "count", "total", "currency"],
        },
        annotations={"readOnlyHint": True, "idempotentHint": True},
        icons=[icon("🏷️")],
    ),
    Tool(
        name="reserve_table",
        title="Reserve a table",
        description="Strings with formats, patterns and lengths; numbers with bounds; a yes or no.",
        run=reserve_table,
        input=form(
            ["name", "email", "day", "guests"],
            name={"type": "string", "minLength": 2, "maxLength": 60, "description": "Whom shall we expect?"},
            email={"type": "string", "format": "email", "examples": ["ada@example.org"]},
            day={"type": "string", "format": "date", "description": "Year, month, day: 2030-05-17"},
            time={"type": "string", "format": "time", "default": "09:30:00Z"},
            website={"type": "string", "format": "uri"},
            phone={"type": "string", "pattern": r"^\+?[0-9 ]{6,20}$", "examples": ["+44 20 7946 0000"]},
            guests={"type": "integer", "minimum": 1, "maximum": 12, "description": "One table seats twelve"},
            budget={"type": "number", "minimum": 0, "exclusiveMaximum": 1000, "multipleOf": 0.5},
            window_seat={"type": "boolean", "default": True},
        ),
    ),
    Tool(
        name="order_cake",
        title="Order a cake",
        description="A large order: choices, lists, an address, a list of guests and a map of decorations.",
        run=order_cake,
        input=form(
            ["flavour", "size", "deliver_to"],
            flavour={"type": "string", "enum": ["lemon", "chocolate", "walnut", "poppy seed"]},
            size={
                "title": "Size",
                "oneOf": [
                    {"const": "S", "title": "Small, for four"},
                    {"const": "M", "title": "Medium, for ten"},
                    {"const": "L", "title": "Large, for the whole street"},
                ],
                "default": "M",
            },
            layers={"type": "integer", "enum": [1, 2, 3], "default": 2},
            toppings={
                "type": "array",
                "description": "Any number of them, each once",
                "items": {"type": "string", "enum": ["berries", "nuts", "icing", "marzipan", "candles"]},
                "uniqueItems": True,
                "maxItems": 4,
            },
            words={
                "type": "array",
                "items": {"type": "string", "maxLength": 20},
                "description": "One line each",
            },
            candle_heights={
                "type": "array",
                "items": {"type": "number", "minimum": 1, "maximum": 30},
                "minItems": 1,
            },
            deliver_to=_ADDRESS,
            guests={
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "age": {"type": "integer", "minimum": 0, "maximum": 130},
                        "vegan": {"type": "boolean", "default": False},
                    },
                    "required": ["name"],
                },
            },
            decorations={
                "type": "object",
                "description": "How many of which, by name: roses, stars ...",
                "additionalProperties": {"type": "integer", "minimum": 0},
            },
        ),
        icons=[icon("🎂")],
    ),
    Tool(
        name="guest_profile",
        title="Guest profile",
        description="Everything here may be null, spelled in the three ways that schemas know.",
        run=guest_profile,
        input=form(
            [],
            nickname={"type": ["string", "null"], "default": None},
            birthday={"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            favourite={"enum": ["sweet", "salty", None], "default": None},
            visits={"type": ["integer", "null"], "minimum": 0},
            allergies={"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
            table={"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "A number or a name"},
        ),
    ),
    Tool(
        name="pay",
        title="Pay the bill",
        description="One of three ways to pay, told apart by `method`.",
        run=pay,
        input=form(
            ["payment"], payment=_PAYMENT, tip={"type": "number", "minimum": 0, "maximum": 50, "default": 0}
        ),
        annotations={"readOnlyHint": False, "destructiveHint": False},
        icons=[icon("💶")],
    ),
    Tool(
        name="pack_box",
        title="Pack a box",
        description="Boxes may hold boxes: a schema that refers to itself.",
        run=pack_box,
        input={**form(["box"], box={"$ref": "#/$defs/box"}), "$defs": {"box": _BOX}},
    ),
    Tool(
        name="place_tray",
        title="Place a tray",
        description="A position of exactly two parts (rack and side) and settings by name.",
        run=place_tray,
        input=form(
            ["position"],
            position={
                "type": "array",
                "prefixItems": [
                    {"type": "integer", "title": "Rack", "minimum": 1, "maximum": 6},
                    {"type": "string", "title": "Side", "enum": ["left", "right"]},
                ],
                "items": False,
                "minItems": 2,
            },
            settings={"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
        ),
    ),
    Tool(
        name="write_note",
        title="Write a note",
        description="Any JSON whatever: a word, a number, a list, an object.",
        run=write_note,
        input=form(["note"], note={"description": "Any JSON value"}, details={"type": "object"}),
    ),
)
