"""How often and how fast, as the app shows it, and the filter that comes of it."""

from __future__ import annotations

from app import Until, opened, painted, state

from inspector.traffic.query import compile
from inspector.traffic.stats import Calls
from inspector.traffic.store import Traffic
from inspector.traffic.views import View
from inspector.tui.app import InspectorApp
from inspector.tui.screens.figures import FiguresScreen, _filter


async def test_requests_are_counted_sorted_and_filtered_by(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        connection = app.workspace.connections["bakery"]
        await until(
            pilot, lambda: app.main.traffic_pane is not None and connection.count("prompts") is not None
        )
        for _ in range(5):
            await connection.call("say_hello", {"name": "Ada"})
        await connection.call("break_the_till", {})
        pane = app.main.traffic_pane
        assert pane is not None
        await pilot.press("f", "i")
        await until(
            pilot, lambda: isinstance(app.screen, FiguresScreen) and "most frequent first" in painted(app)
        )
        (often,) = [
            line for line in painted(app).splitlines() if line.strip().startswith("tools/call say_hello")
        ]
        assert often.split("say_hello")[1].split()[0] == "5"
        whole = next(line for line in painted(app).splitlines() if line.strip().startswith("all requests"))
        assert int(whole.split()[2]) > 6 and int(whole.split()[3]) >= 1
        assert "how many answers took up to" in painted(app) and "requests per " in painted(app)
        # What is called while it is open is counted too, and what is highlighted stays so.
        await pilot.press("j")
        await connection.call("say_hello", {"name": "Ada"})
        await until(
            pilot, lambda: line_of(app, "tools/call say_hello").split("say_hello")[1].split()[0] == "6"
        )
        await pilot.press("o", "o")
        await until(pilot, lambda: "most failures first" in painted(app))
        await pilot.press("home", "j")
        first = "tools/call break_the_till"
        broken = line_of(app, first)
        assert broken.split("break_the_till")[1].split()[:2] == ["1", "1"]
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main and pane.frames.shown < len(app.workspace.traffic))
        assert pane.frames.shown == 1
        await pilot.press("i", "escape")
        await until(pilot, lambda: app.screen is app.main)
        assert pane.frames.shown == 1 and state(app, "bakery") == "ready"
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, FiguresScreen) and "all requests" in painted(app))
        await pilot.press("s")
        await until(pilot, lambda: "Figures  bakery · " in painted(app))
        await pilot.press("w")
        await until(pilot, lambda: app.screen is app.main and pane.detail_open)
        assert (
            pane.detail.number is not None and app.workspace.traffic.row(pane.detail.number).took is not None
        )


def line_of(app: InspectorApp, start: str) -> str:
    return next(line for line in painted(app).splitlines() if line.strip().startswith(start))


def test_the_filter_finds_what_was_counted_whatever_the_names_are() -> None:
    traffic = Traffic.in_memory()
    for label, tool in (("plain", "echo"), ("my server", "a | b"), ("x", "-n (1)"), ("y", "é☂")):
        log = traffic.session(label)
        name = tool.encode()
        log.sent(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s"}}' % name)
    traffic.advance()
    for label, tool in (("plain", "echo"), ("my server", "a | b"), ("x", "-n (1)"), ("y", "é☂")):
        view = View(traffic, compile(_filter(Calls(label, "tools/call", tool))))
        view.extend()
        assert len(view) == 1 and traffic.row(view[0]).target == tool
