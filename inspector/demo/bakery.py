"""A small bakery, served over stdio: everything that a server can offer, in one friendly place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TypeVar

from inspector import __version__
from inspector.demo import bakery_forms, bakery_tools, media
from inspector.demo.bakery_forms import PRICES
from inspector.demo.bakery_tools import RECIPES, counter, oven, recipe_uri
from inspector.demo.media import icon
from inspector.serving import content
from inspector.serving.call import Call
from inspector.serving.definition import (
    Argument,
    Definition,
    Prompt,
    Resource,
    RpcError,
    Template,
    Tool,
)
from inspector.serving.methods import RESOURCE_NOT_FOUND

_T = TypeVar("_T")

_OVEN = "bakery://oven"
_OVEN_PERIOD = 2.0
_CHATTER_PERIOD = 20.0
_CHATTER = ("a tray of rolls is out", "someone looks through the window", "the sourdough has been fed")
_LANGUAGES = ("Deutsch", "English", "Español", "Français", "Italiano", "Português", "中文", "日本語")
_SHELVES = {
    "window": ("croissant", "cinnamon roll"),
    "wall": ("baguette", "rye loaf"),
    "cooler": ("tarte aux pommes",),
}


async def warm_oven(call: Call) -> None:
    """The oven breathes: its resource changes all the time, and subscribers are told."""
    step = 0
    while True:
        await call.sleep(_OVEN_PERIOD)
        step += 1
        oven(call)["temperature"] = 180 + (0, 3, 7, 9, 7, 2, -3, -5)[step % 8]
        call.session.updated(_OVEN)


async def chatter(call: Call) -> None:
    """What the process says on stderr, at a civil rate."""
    call.session.say("bakery: the oven is warm, the door is open")
    step = 0
    while True:
        await call.sleep(_CHATTER_PERIOD)
        call.session.say(f"bakery: {_CHATTER[step % len(_CHATTER)]}")
        step += 1


async def read_oven(call: Call) -> str:
    return json.dumps(oven(call), indent=2)


async def read_counter(call: Call) -> str:
    return json.dumps(counter(call), indent=2)


async def read_recipe(call: Call) -> str:
    return _known(RECIPES, call.arguments["bread"], call)


async def read_shelf(call: Call) -> str:
    goods = _known(_SHELVES, call.arguments["shelf"], call)
    place = call.arguments["place"]
    if not place.isdigit() or not 1 <= int(place) <= len(goods):
        raise _not_found(call)
    return f"On the shelf by the {call.arguments['shelf']}, place {place}: {goods[int(place) - 1]}"


async def read_price(call: Call) -> str:
    price = _known(PRICES, call.arguments["item"], call)
    currency = call.arguments.get("currency", "EUR")
    return json.dumps({"item": call.arguments["item"], "price": price, "currency": currency})


async def read_photo(call: Call) -> bytes:
    return media.croissant()


def _known(table: Mapping[str, _T], key: str, call: Call) -> _T:
    if key not in table:
        raise _not_found(call)
    return table[key]


def _not_found(call: Call) -> RpcError:
    return RpcError(RESOURCE_NOT_FOUND, "Resource not found", {"uri": call.params["uri"]})


def places(typed: str, others: Mapping[str, str]) -> Iterable[str]:
    """The places of the shelf that was chosen; of the longest one where none was."""
    goods = _SHELVES.get(others.get("shelf", ""), _SHELVES["window"])
    return [place for place in map(str, range(1, len(goods) + 1)) if place.startswith(typed)]


async def plan_breakfast(call: Call) -> str:
    guests, mood = call.arguments["guests"], call.arguments.get("mood", "cheerful")
    return (
        f"Plan a {mood} breakfast for {guests} guests. Use only what is on the menu, and tell what it costs."
    )


async def describe_bread(call: Call) -> list[content.Block]:
    bread, language = call.arguments["bread"], call.arguments.get("language", "English")
    recipe = RECIPES.get(bread, f"# {bread}\n\nNobody here has written it down.\n")
    return [
        content.message("user", f"Here is how we bake our {bread}, and how it looks."),
        content.message("user", content.embedded(recipe_uri(bread), recipe, "text/markdown")),
        content.message("user", content.image(media.croissant())),
        content.message("assistant", "It looks wonderful! What shall I do with it?"),
        content.message("user", f"Describe it for our window, in {language}, in two sentences."),
    ]


_MENU = "\n".join(
    [
        "# Menu",
        "",
        "| what | price |",
        "|---|---:|",
        *(f"| {item} | {price:.2f} € |" for item, price in PRICES.items()),
    ]
)


def bakery() -> Definition:
    return Definition(
        name="bakery",
        version=__version__,
        title="The Corner Bakery",
        about={
            "description": "A demo server that shows all that a server can offer",
            "icons": [icon("🥐")],
        },
        instructions=(
            "A small bakery to try things in. Start with `say_hello`, watch `bake` at work, order a cake, "
            "subscribe to `bakery://oven`. Nothing here leaves your machine."
        ),
        tools=_in_order(),
        resources=(
            Resource(
                uri="bakery://welcome",
                name="welcome",
                title="Welcome",
                description="A word from the baker",
                mime="text/plain",
                read="Come in! The bread is warm, the coffee is hot, and nothing here costs real money.\n",
            ),
            Resource(
                uri="bakery://menu",
                name="menu",
                title="Menu",
                description="What there is and what it costs",
                mime="text/markdown",
                read=_MENU,
                size=len(_MENU.encode()),
                annotations={"audience": ["user", "assistant"], "priority": 0.9},
            ),
            Resource(
                uri="bakery://prices",
                name="prices",
                title="Prices",
                description="The same for machines",
                mime="application/json",
                read=json.dumps(PRICES, indent=2),
            ),
            Resource(uri="bakery://sign", name="sign", title="Our sign", mime="image/png", read=read_photo),
            Resource(
                uri=_OVEN,
                name="oven",
                title="The oven, live",
                description="Changes every two seconds; subscribe to hear of it",
                mime="application/json",
                read=read_oven,
            ),
            Resource(
                uri="bakery://counter",
                name="counter",
                title="On the counter",
                description="Changes when something is baked, sold or thrown away",
                mime="application/json",
                read=read_counter,
            ),
        ),
        templates=(
            Template(
                uri="bakery://recipes/{bread}",
                name="recipe",
                title="Recipes",
                description="How it is made",
                mime="text/markdown",
                read=read_recipe,
                complete={"bread": tuple(RECIPES)},
            ),
            Template(
                uri="bakery://shelves/{shelf}/{place}",
                name="shelf",
                title="Shelves",
                description="What lies where; the places depend on the shelf",
                mime="text/plain",
                read=read_shelf,
                complete={"shelf": tuple(_SHELVES), "place": places},
            ),
            Template(
                uri="bakery://prices/{item}{?currency}",
                name="price",
                title="Price of one thing",
                mime="application/json",
                read=read_price,
                complete={"item": tuple(PRICES), "currency": ("CHF", "EUR", "GBP", "USD")},
            ),
        ),
        prompts=(
            Prompt(
                name="plan_breakfast",
                title="Plan a breakfast",
                description="For any number of guests, in any mood",
                messages=plan_breakfast,
                arguments=(
                    Argument("guests", "How many come", required=True),
                    Argument("mood", "How it shall feel", complete=("cheerful", "calm", "festive", "sleepy")),
                ),
            ),
            Prompt(
                name="describe_bread",
                title="Describe a bread",
                description="A conversation of both roles, with a recipe and a picture in it",
                messages=describe_bread,
                arguments=(
                    Argument("bread", "Which one", required=True, complete=tuple(PRICES)),
                    Argument("language", "In which language", complete=_LANGUAGES),
                ),
                icons=[icon("🖋️")],
            ),
            Prompt(
                name="opening_speech",
                title="Opening speech",
                description="Needs no arguments",
                messages="Write the speech that opens a bakery: short, warm, and with one bad pun.",
            ),
        ),
        routines=(chatter, warm_oven),
        pages={"tools": 12, "resources": 4, "resourceTemplates": 2, "prompts": 2},
    )


def _in_order() -> list[Tool]:
    """What a newcomer likes to try first comes first."""
    first = ("say_hello", "bake", "order_cake", "price_of", "show_croissant", "full_breakfast")
    tools = {tool.name: tool for tool in (*bakery_forms.TOOLS, *bakery_tools.TOOLS)}
    return [tools.pop(name) for name in first] + list(tools.values())
