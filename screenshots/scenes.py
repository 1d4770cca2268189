"""What the pictures show: the app on its demo servers, brought into a state by the keys that a person would press."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from inspector.base.paths import paths
from inspector.demo import ORDERS
from inspector.policy import consent as consents
from inspector.protocol.listing import ListKind
from inspector.tui.app import InspectorApp
from inspector.tui.panes.tool import ToolView
from inspector.tui.panes.traffic import TrafficPane
from inspector.tui.screens.paired import PairedScreen
from inspector.tui.screens.pairing import PairingScreen
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.inbox.question_view import QuestionView
from inspector.workspace.connection import Connection

Scene = Callable[[InspectorApp, Pilot[Any]], Awaitable[None]]

SCENES: dict[str, Scene] = {}
"""By name, in the order of a walk through the app."""


REAL: set[str] = set()
"""Those that are played on server-everything and not on the demo."""


def scene(play: Scene) -> Scene:
    SCENES[play.__name__] = play
    return play


def real(play: Scene) -> Scene:
    REAL.add(play.__name__)
    return play


async def until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    for _ in range(1000):
        if condition():
            await pilot.pause(0.3)
            return
        await pilot.pause(0.01)
    raise TimeoutError("the scene did not come about")


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Presses them as a person does: what one opens is there before the next."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause(0.1)


def read(one: Connection) -> bool:
    """All the lists that it declares."""
    kinds: tuple[ListKind, ...] = ("tools", "resources", "templates", "prompts")
    handshake = one.handshake
    return handshake is not None and all(one.count(kind) is not None for kind in kinds if handshake.declares(kind))


async def settled(app: InspectorApp, pilot: Pilot[Any]) -> None:
    states = app.workspace.connections
    await until(pilot, lambda: all(one.state not in ("queued", "starting") for one in states.values()))
    await until(pilot, lambda: all(one.state != "ready" or read(one) for one in states.values()))
    await until(pilot, lambda: app.main.pane is not None)


async def chosen(app: InspectorApp, pilot: Pilot[Any], tool: str) -> ToolView:
    """The form of a tool has the focus."""
    await settled(app, pilot)
    await app.main.go_to("bakery", tool)
    await until(pilot, lambda: app.main.query(ToolView))
    await until(
        pilot, lambda: any(view.name_ == tool and view.has_focus_within for view in app.main.query(ToolView))
    )
    return next(view for view in app.main.query(ToolView) if view.name_ == tool)


async def called(app: InspectorApp, pilot: Pilot[Any], tool: str, *keys: str) -> None:
    await chosen(app, pilot, tool)
    await press(pilot, *keys, "f5")
    await until(pilot, lambda: any(view.call for view in app.main.query(AnswerView)))


@scene
async def overview(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "1")


@scene
async def overview_failed(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await app.main.show_server("notes")
    await press(pilot, "1")


@scene
async def overview_off(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "end", "1")


@scene
async def servers(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "s", "z")


@scene
async def tools(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "2", "slash", *"cake")


@scene
async def tool_form(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """Fields of every kind, some filled in, a list and a group unfolded."""
    view = await chosen(app, pilot, "order_cake")
    await view._form.load(
        {
            "flavour": "chocolate",
            "size": "L",
            "layers": 3,
            "toppings": ["berries", "candles"],
            "words": ["Happy birthday", "Ada"],
            "deliver_to": {"street": "3 Mill Lane", "city": "Breadford"},
        }
    )
    await press(pilot, "tab", "tab")
    await pilot.pause(0.4)


@scene
async def tool_model(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """What a model is asked for, what was rewritten for it, and what the raw schema says of it."""
    await chosen(app, pilot, "order_cake")
    await press(pilot, "f6")
    await pilot.pause(0.4)


@scene
async def tool_raw(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """The schema as served beside the one that a model sees."""
    await chosen(app, pilot, "order_cake")
    await press(pilot, "f6", "f6")


@scene
async def tool_definition(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await chosen(app, pilot, "order_cake")
    await press(pilot, "f6", "f6", "v", "v", "v")


@scene
async def tool_json(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await tool_form(app, pilot)
    await press(pilot, "f6", "f6", "f6")


@scene
async def tool_frame(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """The frame that would be sent, while it is filled in."""
    await tool_form(app, pilot)
    await press(pilot, "f2")
    await pilot.pause(0.3)


@scene
async def tools_by_size(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "2", "o")


@scene
async def call_ok(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """A tool with an enum, filled in and called."""
    await called(app, pilot, "say_hello", *"Ada", "tab", "right", "right")


@scene
async def call_history(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await called(app, pilot, "say_hello", *"Ada")
    await press(pilot, "f6", "f6", "f6", "f6")


@scene
async def traffic(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_ok(app, pilot)
    await press(pilot, "escape", "f", "z")


@scene
async def traffic_detail(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """A request and its answer joined, the answer in detail beside the list. The notes on processes are left out: they
    name folders of this machine."""
    await call_ok(app, pilot)
    await press(pilot, "escape", "f", "z", "slash", *"-kind:sys", "enter")
    await press(pilot, "end", "enter")
    await until(pilot, lambda: app.main.query_one(TrafficPane).detail_open)


@scene
async def process(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "7")
    await pilot.pause(2.2)


@scene
async def help_(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "question_mark")
    await pilot.pause(0.3)


@scene
async def palette(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "ctrl+p", *"res")
    await pilot.pause(0.5)


@scene
async def connect(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "a", *"npx -y some-server --verbose")
    await pilot.pause(0.5)


@scene
async def find_tool(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "ctrl+k", *"br")
    await pilot.pause(0.5)


@scene
async def explain(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await tool_form(app, pilot)
    await press(pilot, "f1")
    await pilot.pause(0.3)


@scene
async def call_tool_error(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await called(app, pilot, "burn_toast")


@scene
async def call_protocol_error(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await called(app, pilot, "break_the_till")


@scene
async def call_blocks(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await called(app, pilot, "full_breakfast")


@scene
async def call_running(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await chosen(app, pilot, "bake")
    await press(pilot, "f5")
    await pilot.pause(1.2)


@scene
async def copy_as(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_ok(app, pilot)
    await press(pilot, "f3")
    await pilot.pause(0.3)


@scene
async def call_diff(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_ok(app, pilot)
    await press(pilot, "left", "f5")
    await pilot.pause(0.5)
    await press(pilot, "f6", "f6", "f6", "f6", "D")
    await pilot.pause(0.6)


@scene
async def resources(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "3", "down", "enter", "f5")
    await pilot.pause(0.6)


@scene
async def resource_template(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "3", "end", "up", "enter", *"rye")
    await pilot.pause(0.6)


@scene
async def prompts(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "4", "enter", *"twelve", "f5")
    await pilot.pause(0.6)


@scene
async def traffic_filter(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_ok(app, pilot)
    await press(pilot, "escape", "f", "z", "slash", *"method:")
    await pilot.pause(0.5)


@scene
async def traffic_filter_wrong(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_ok(app, pilot)
    await press(pilot, "escape", "f", "z", "slash", *"kind:error methd:tools", "enter")
    await pilot.pause(0.5)


@scene
async def traffic_columns(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_ok(app, pilot)
    await press(pilot, "escape", "f", "z", "C")
    await pilot.pause(0.3)


@scene
async def traffic_figures(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """Charts of the calls, and requests by method and tool."""
    await settled(app, pilot)
    bakery = app.workspace.connections["bakery"]
    for number in range(12):
        await bakery.call("say_hello", {"name": "Ada"})
        await bakery.call("price_of", {"item": "baguette"})
        if number % 4 == 0:
            await bakery.call("break_the_till", {})
            await bakery.call("bake", {"bread": "rye loaf", "seconds": 1})
    await press(pilot, "f", "i")
    await until(pilot, lambda: "figures" in getattr(app.screen, "SCOPE", ""))
    await until(pilot, lambda: app.screen.query_one("#charts").display and app.screen.query_one(OptionList).option_count)
    await press(pilot, "o")


@scene
async def call_picture(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """The answer is a picture."""
    await called(app, pilot, "show_croissant")
    await press(pilot, "f7", "f7")
    await pilot.pause(2.0)


@scene
async def send_again(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """A request of the traffic, opened for changes and sent."""
    await settled(app, pilot)
    await app.workspace.connections["bakery"].call("say_hello", {"name": "Ada"})
    await press(pilot, "f", "end", "e", "f5")
    await until(pilot, lambda: app.screen.has_class("-answered"))


@scene
async def save(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await resources(app, pilot)
    await press(pilot, "w")
    await pilot.pause(0.3)


@scene
async def quit_while_running(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await call_running(app, pilot)
    await press(pilot, "escape", "q")
    await pilot.pause(0.3)


@scene
async def consent(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    refused = app.workspace.connections["attic"]
    refused.refuse(consents.refusal(refused.entry))
    await press(pilot, "s", "end", "d")
    await pilot.pause(0.5)


@scene
async def keeping(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """A server that ends at once, kept connected: it is tried again."""
    await settled(app, pilot)
    await app.main.show_server("notes")
    await press(pilot, "s", "K", "r")
    await pilot.pause(1.5)


@scene
async def mcp_command(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await press(pilot, "ctrl+p", *"/mcp re")
    await pilot.pause(0.5)


@scene
async def traffic_exchange(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await called(app, pilot, "bake", "tab", *"1")
    await press(pilot, "escape", "f", "z", "end", "enter")
    await until(pilot, lambda: app.main.query_one(TrafficPane).detail_open)
    await press(pilot, "right_square_bracket")
    await pilot.pause(0.4)


async def asked(
    app: InspectorApp, pilot: Pilot[Any], tool: str, arguments: dict[str, Any], *keys: str
) -> None:
    """A tool of server-everything was called, and what it asks is about to be answered."""
    await settled(app, pilot)
    await sent(app, pilot, tool, arguments)
    await until(pilot, lambda: app.workspace.connections["everything"].inbox.open)
    await press(pilot, "f12")
    await until(pilot, lambda: app.main.query(QuestionView))
    await press(pilot, *keys)


async def sent(app: InspectorApp, pilot: Pilot[Any], tool: str, arguments: dict[str, Any]) -> None:
    await app.main.go_to("everything", tool)
    await until(
        pilot, lambda: any(view.name_ == tool and view.has_focus_within for view in app.main.query(ToolView))
    )
    view = next(view for view in app.main.query(ToolView) if view.name_ == tool)
    if arguments:
        await view._form.load(arguments)
    await press(pilot, "f5")


@scene
@real
async def inbox_form(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await asked(app, pilot, "trigger-elicitation-request", {}, *"Ada")


@scene
@real
async def inbox_form_answered(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await asked(app, pilot, "trigger-elicitation-request", {}, *"Ada", "f5")


@scene
@real
async def inbox_sampling(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await asked(
        app, pilot, "trigger-sampling-request", {"prompt": "Name three rivers"}, *"The Nile, the Rhine"
    )


@scene
@real
async def inbox_waiting(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """The call says that it waits for an answer."""
    await settled(app, pilot)
    await sent(app, pilot, "trigger-elicitation-request", {})
    await pilot.pause(1.5)


@scene
@real
async def progress(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await sent(app, pilot, "trigger-long-running-operation", {"duration": 8, "steps": 8})
    await pilot.pause(4.2)


@scene
@real
async def task_running(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await sent(app, pilot, "simulate-research-query", {"topic": "rivers"})
    await pilot.pause(1.5)


@scene
@real
async def task_table(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await task_running(app, pilot)
    await app.main.show_tab_of("everything", "tasks")
    await pilot.pause(0.5)


async def probed(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """The findings of a server that was sent what it has to refuse."""
    await until(pilot, lambda: app.workspace.judged is not None and app.main.pane is not None)
    await until(pilot, lambda: app.workspace.connections["everything"].count("prompts"))
    await press(pilot, "alt+i", "P", "y")
    await until(pilot, lambda: app.workspace.findings.told and not app.workspace.findings.waiting)


@real
@scene
async def findings(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await probed(app, pilot)


@real
@scene
async def findings_probe(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: app.workspace.judged is not None and app.main.pane is not None)
    await until(pilot, lambda: app.workspace.connections["everything"].count("prompts"))
    await press(pilot, "alt+i", "P")


@real
@scene
async def finding_at_its_frame(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await probed(app, pilot)
    await press(pilot, "enter")


@real
@scene
async def findings_overview(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await probed(app, pilot)
    await press(pilot, "escape", "1")


def next_orders() -> Path:
    """The order desk as its next version might be: a tool more, a tool that wants more, another answer."""
    text = ORDERS.read_text(encoding="utf-8")
    cancel = "required: [orderId]}\n  annotations: {destructiveHint"
    for old, new in (
        ("version: 1.0.0}", "version: 1.1.0}"),
        ("Looks an order up", "Looks an order up, and where it is"),
        (cancel, cancel.replace("[orderId]", "[orderId, reason]")),
        ("answers:\n", "- name: OrderTrackTool\n  description: Where a parcel is\n  inputSchema: {type: object}\nanswers:\n"),
        ("leaves tomorrow", "left today"),
    ):
        assert old in text
        text = text.replace(old, new)
    path = paths().state / "orders-next.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


async def paired(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """The order desk beside its next version, at the list of tools."""
    await settled(app, pilot)
    await app.main.show_server("orders")
    await press(pilot, "s", "vertical_line")
    await until(pilot, lambda: isinstance(app.screen, PairingScreen))
    app.screen.query_one("#path", Input).value = str(next_orders())
    await press(pilot, "f5")
    await until(pilot, lambda: isinstance(app.screen, PairedScreen))
    await until(pilot, lambda: app.workspace.connections["orders-next"].count("tools") is not None)
    await press(pilot, "right_square_bracket", "n")


@scene
async def side_by_side(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await paired(app, pilot)


@scene
async def side_by_side_tool(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await paired(app, pilot)
    await press(pilot, "n", "f6")


@scene
async def side_by_side_form(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await paired(app, pilot)
    await press(pilot, "n", "enter")


@scene
async def side_by_side_answers(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await paired(app, pilot)
    await press(pilot, "enter", *"A001", "f5")
    await until(pilot, lambda: isinstance(app.screen, PairedScreen) and "answers" in app.screen.model.view)
    await pilot.pause(0.5)


@scene
async def side_by_side_with(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await app.main.show_server("post")
    await press(pilot, "s", "vertical_line")
    await until(pilot, lambda: isinstance(app.screen, PairingScreen))
