"""Tools of the bakery that show what a server can do while it works, and all that an answer may hold."""

from __future__ import annotations

import json
from typing import Any

from inspector.demo import media
from inspector.demo.bakery_forms import PRICES, form
from inspector.demo.media import icon
from inspector.serving import content
from inspector.serving.call import LEVELS, Call
from inspector.serving.definition import Json, Result, RpcError, Tool, ToolError


def _recipe(bread: str, *steps: str) -> str:
    numbered = "".join(f"{number}. {step}.\n" for number, step in enumerate(steps, 1))
    return f"# {bread.capitalize()}\n\n{numbered}"


RECIPES = {
    bread: _recipe(bread, *steps)
    for bread, *steps in (
        ("croissant", "Fold butter into the dough, three times", "Rest it overnight", "Bake at 200 °C"),
        ("baguette", "Mix flour, water, salt, a little yeast", "Wait four hours", "Bake with steam"),
        ("rye loaf", "Feed the sourdough", "Add rye and caraway", "Bake slowly, eat tomorrow"),
        ("cinnamon roll", "Roll out, butter, sugar, cinnamon", "Roll up, slice", "Bake 15 minutes"),
    )
}
BROKEN_TILL = -32010


def recipe_uri(bread: str) -> str:
    return "bakery://recipes/" + bread.replace(" ", "%20")


def counter(call: Call) -> dict[str, int]:
    """What lies on the counter of this session."""
    stock: dict[str, int] = call.session.memory.setdefault("counter", dict.fromkeys(PRICES, 12))
    return stock


def oven(call: Call) -> dict[str, Any]:
    """The state of the oven of this session."""
    state: dict[str, Any] = call.session.memory.setdefault(
        "oven", {"temperature": 180, "light": True, "baking": None}
    )
    return state


async def check_oven(call: Call) -> str:
    state = oven(call)
    busy = f"baking {state['baking']}" if state["baking"] else "free"
    return f"The oven is at {state['temperature']} °C and {busy}."


async def bake(call: Call) -> str:
    bread, seconds = call.arguments["bread"], float(call.arguments.get("seconds", 5))
    steps = 10
    state = oven(call)
    state["baking"] = bread
    call.session.updated("bakery://oven")
    call.session.say(f"bakery: {bread} goes into the oven")
    try:
        for step in range(steps):
            call.progress(step, steps, f"{bread}: {step * 10} % golden")
            await call.sleep(seconds / steps)
        call.progress(steps, steps, f"{bread}: done")
    finally:
        state["baking"] = None
        call.session.updated("bakery://oven")
    counter(call)[bread] += 6
    call.session.updated("bakery://counter")
    return f"🔔 Six more of {bread} are on the counter, after {seconds:g} seconds."


async def sell(call: Call) -> str:
    item, stock = call.arguments["item"], counter(call)
    if not stock[item]:
        raise ToolError(f"Sold out: there is no {item} left. Call `bake` first.")
    stock[item] -= 1
    call.session.updated("bakery://counter")
    return f"One {item}, {PRICES[item]:.2f} €. {stock[item]} left."


async def throw_away_leftovers(call: Call) -> str:
    stock = counter(call)
    thrown = sum(stock.values())
    for item in stock:
        stock[item] = 0
    call.session.updated("bakery://counter")
    return f"{thrown} pieces went to the pigs. The counter is empty."


async def tell_news(call: Call) -> str:
    news: dict[str, Any] = {
        "debug": {"flour_kg": 41.5, "yeast_g": 320},
        "info": "The second batch is rising.",
        "notice": "The street is closed for the market on Saturday.",
        "warning": "Only two eggs left.",
        "error": "The mixer has stopped.",
        "critical": "The oven does not close.",
        "alert": {"who": "everybody", "what": "smoke in the back room"},
        "emergency": "Out! All of you, out!",
    }
    for level in LEVELS:
        call.log(level, news[level], logger="bakery.news")
    return f"Told the news at all {len(LEVELS)} levels; you see those from `{call.session.level}` on."


async def burn_toast(call: Call) -> str:
    raise ToolError("🔥 The toast is black. This is how a tool says that it failed: a result with isError.")


async def break_the_till(call: Call) -> str:
    raise RpcError(
        BROKEN_TILL, "The till is broken: this is a JSON-RPC error", {"drawer": "stuck", "lost": 3.5}
    )


async def show_croissant(call: Call) -> Json:
    return content.image(media.croissant())


async def ring_doorbell(call: Call) -> Json:
    return content.audio(media.chime())


async def print_receipt(call: Call) -> Json:
    sold = call.arguments.get("item", "croissant")
    price = f"{PRICES[sold]:>7.2f}"
    receipt = f"{'BAKERY':^28}\n\n1 x {sold:<17}{price}\n{'-' * 28}\n{'Total EUR':<21}{price}\n"
    return content.embedded("bakery://receipts/latest", receipt, "text/plain")


async def find_recipes(call: Call) -> list[content.Block]:
    word = call.arguments.get("word", "").casefold()
    found = [bread for bread in RECIPES if word in bread]
    links = [content.link(recipe_uri(each), each, "text/markdown", title=each.capitalize()) for each in found]
    return [content.text(f"{len(found)} of {len(RECIPES)} recipes have `{word}` in their name."), *links]


async def full_breakfast(call: Call) -> list[content.Block]:
    return [
        content.text(
            "Every kind of content on one plate. This line is for you.", annotations={"audience": ["user"]}
        ),
        content.text(
            "This one is for the model only.", annotations={"audience": ["assistant"], "priority": 0.2}
        ),
        content.image(media.croissant()),
        content.audio(media.chime()),
        content.link("bakery://menu", "menu", "text/markdown", description="What else there is"),
        content.embedded("bakery://notes/chef", "Do **not** forget the jam.", "text/markdown"),
        content.embedded("bakery://sign", media.croissant(), "image/png"),
    ]


async def sift_flour(call: Call) -> str:
    size = int(call.arguments.get("kilobytes", 256)) * 1024
    line = "flour, fine as dust, falls and falls; grain {:07d}\n"
    lines = "".join(line.format(number) for number in range(size // len(line.format(0)) + 1))
    return lines[:size]


async def weigh_dough(call: Call) -> Result:
    return Result(
        [content.text(json.dumps({"grams": 512, "scales": "new"}))],
        structured={"grams": "about half a kilo", "scales": "old"},
    )


async def breads_of_the_world(call: Call) -> Result:
    breads = {
        "France": "baguette 🥖",
        "Deutschland": "Brötchen, Käsestange, Weißbrot",
        "日本": "メロンパン",
        "中国": "馒头、油条 🫓",
        "한국": "소보로빵",
        "مصر": "عيش بلدي",
        "ישראל": "חלה",
        "Россия": "бородинский хлеб",
        "भारत": "नान और रोटी",
        "Ελλάδα": "κουλούρι",
        "ไทย": "ขนมปังสังขยา",
        "everywhere": "👩🏽‍🍳👨‍👩‍👧‍👦 🏳️‍🌈 Z̈a̎l̈gö, naïve, ﬁne, 𝔟𝔯𝔢𝔞𝔡",
    }
    text = "\n".join(f"{country}: {bread}" for country, bread in breads.items())
    return Result([content.text(text)], structured={"breads": breads})


CELLAR = Tool(
    name="fetch_from_cellar",
    title="Fetch from the cellar",
    description="Was not here before: `open_cellar` brought it, `close_cellar` takes it away.",
    run="🫙 A jar of quince jelly, from last autumn.",
)


async def open_cellar(call: Call) -> str:
    call.session.add(CELLAR)
    return "The cellar is open: there is a new tool, `fetch_from_cellar`."


async def close_cellar(call: Call) -> str:
    call.session.remove(CELLAR)
    return "The cellar is closed again."


async def ask_guest(call: Call) -> str:
    action, answer = await call.elicit(
        "How was your breakfast?",
        {
            "type": "object",
            "properties": {
                "stars": {"type": "integer", "title": "Stars", "minimum": 1, "maximum": 5},
                "best": {"type": "string", "title": "Best of all", "enum": ["bread", "coffee", "company"]},
                "comment": {"type": "string", "title": "Anything else?", "maxLength": 200},
                "again": {"type": "boolean", "title": "Will you come again?", "default": True},
            },
            "required": ["stars"],
        },
    )
    return f"The guest chose to {action}. {json.dumps(answer, ensure_ascii=False) if answer else ''}".rstrip()


async def ask_the_chef(call: Call) -> str:
    question = call.arguments.get("question", "What goes well with rye bread?")
    answer = await call.sample(question, systemPrompt="You are a friendly baker. Answer in one sentence.")
    said = answer.get("content")
    return str(said.get("text", said) if isinstance(said, dict) else said)


async def look_around(call: Call) -> str:
    roots = await call.roots()
    names = [f"- {each.get('name') or '(no name)'}: {each.get('uri')}" for each in roots]
    return "\n".join([f"Folders that your client shows me: {len(roots)}.", *names])


async def wave(call: Call) -> str:
    return f"👋 Your client waved back after {await call.ping() * 1000:.1f} ms."


_ITEM = {"type": "string", "enum": list(PRICES), "default": "croissant"}
_READ = {"readOnlyHint": True, "openWorldHint": False}

TOOLS = (
    Tool(
        name="bake",
        title="Bake",
        description="Takes its time and tells how far it is. Cancel it if you cannot wait.",
        run=bake,
        input=form(
            ["bread"],
            bread={"type": "string", "enum": list(PRICES), "default": "baguette"},
            seconds={"type": "number", "minimum": 0, "maximum": 300, "default": 5},
        ),
        annotations={"readOnlyHint": False, "destructiveHint": False},
        icons=[icon("🔥")],
    ),
    Tool(
        name="check_oven",
        title="Check the oven",
        description="Asks for nothing.",
        run=check_oven,
        annotations=_READ,
    ),
    Tool(
        name="sell",
        title="Sell one piece",
        description="Takes a piece off the counter: subscribers of `bakery://counter` hear of it.",
        run=sell,
        input=form(["item"], item=_ITEM),
        annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False},
    ),
    Tool(
        name="throw_away_leftovers",
        title="Throw away leftovers",
        description="Empties the counter. Says of itself that it destroys something.",
        run=throw_away_leftovers,
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
        icons=[icon("🗑️")],
    ),
    Tool(
        name="tell_news",
        title="Tell the news",
        description="Log messages at all eight levels.",
        run=tell_news,
    ),
    Tool(
        name="burn_toast", title="Burn the toast", description="Fails: a result with isError.", run=burn_toast
    ),
    Tool(
        name="break_the_till",
        title="Break the till",
        description="Fails in the other way: a JSON-RPC error in place of a result.",
        run=break_the_till,
    ),
    Tool(
        name="show_croissant",
        title="Show a croissant",
        description="A picture.",
        run=show_croissant,
        annotations=_READ,
        icons=[icon("🥐")],
    ),
    Tool(
        name="ring_doorbell",
        title="Ring the doorbell",
        description="A sound.",
        run=ring_doorbell,
        annotations=_READ,
        icons=[icon("🔔")],
    ),
    Tool(
        name="print_receipt",
        title="Print a receipt",
        description="A resource inside of the answer.",
        run=print_receipt,
        input=form([], item=_ITEM),
    ),
    Tool(
        name="find_recipes",
        title="Find recipes",
        description="Links to resources that can be read.",
        run=find_recipes,
        input=form([], word={"type": "string", "default": ""}),
        annotations=_READ,
    ),
    Tool(
        name="full_breakfast",
        title="The full breakfast",
        description="Every kind of content in one answer, some of it for the user, some for the model.",
        run=full_breakfast,
        annotations=_READ,
        icons=[icon("🍳")],
    ),
    Tool(
        name="sift_flour",
        title="Sift flour",
        description="A big answer, as big as you like.",
        run=sift_flour,
        input=form([], kilobytes={"type": "integer", "minimum": 1, "maximum": 16384, "default": 256}),
        annotations=_READ,
    ),
    Tool(
        name="weigh_dough",
        title="Weigh the dough",
        description="Breaks its promise: the answer does not fit the output schema, and its text says otherwise.",
        run=weigh_dough,
        output={
            "type": "object",
            "properties": {"grams": {"type": "integer", "minimum": 0}, "scales": {"type": "string"}},
            "required": ["grams"],
        },
        annotations=_READ,
    ),
    Tool(
        name="breads_of_the_world",
        title="Breads of the world 🌍",
        description="Many scripts, some from right to left, and emoji of several parts.",
        run=breads_of_the_world,
        annotations=_READ,
    ),
    Tool(
        name="open_cellar", title="Open the cellar", description="Adds a tool to the list.", run=open_cellar
    ),
    Tool(name="close_cellar", title="Close the cellar", description="Takes it away again.", run=close_cellar),
    Tool(
        name="ask_guest",
        title="Ask the guest",
        description="Asks you something in return (elicitation).",
        run=ask_guest,
        icons=[icon("💬")],
    ),
    Tool(
        name="ask_the_chef",
        title="Ask the chef",
        description="Asks the model behind your client (sampling).",
        run=ask_the_chef,
        input=form([], question={"type": "string", "default": "What goes well with rye bread?"}),
    ),
    Tool(
        name="look_around",
        title="Look around",
        description="Asks your client which folders it works in (roots).",
        run=look_around,
        annotations=_READ,
    ),
    Tool(name="wave", title="Wave", description="Pings your client and tells how long it took.", run=wave),
)
