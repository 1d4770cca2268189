"""A replay from inside the app: of what was sent, and of recordings that say something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app import Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
from inspector.tui.app import InspectorApp
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.screens.frame import FrameScreen
from inspector.tui.screens.replay import ReplayScreen
from inspector.tui.screens.rules import RulesScreen
from inspector.tui.screens.save import SaveScreen
from inspector.tui.screens.source import SourceScreen
from inspector.tui.widgets.replay.step_list import StepList


def replay(app: InspectorApp) -> ReplayScreen:
    assert isinstance(app.screen, ReplayScreen), app.screen
    return app.screen


async def _settled(app: InspectorApp, pilot: Pilot[Any], until: Until) -> None:
    await until(pilot, lambda: app.main.traffic_pane is not None)
    await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)


async def _call(app: InspectorApp, *items: str) -> None:
    for item in items:
        await app.workspace.connections["bakery"].request(
            "tools/call", {"name": "price_of", "arguments": {"item": item}}
        )


async def _open(app: InspectorApp, pilot: Pilot[Any], until: Until) -> ReplayScreen:
    await pilot.press("alt+r")
    await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and app.screen.model.plan is not None)
    return replay(app)


async def _sent(app: InspectorApp, pilot: Pilot[Any], until: Until) -> None:
    await pilot.press("f5")
    await until(
        pilot,
        lambda: (
            isinstance(app.screen, ConfirmScreen)
            or (isinstance(app.screen, ReplayScreen) and app.screen.model.run is not None)
        ),
    )
    if isinstance(app.screen, ConfirmScreen):
        await pilot.press("y")
    await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and app.screen.model.run is not None)


def _recording(app: InspectorApp, path: Path, *changes: tuple[bytes, bytes]) -> Path:
    """What has been said so far, as a recording in which something else was said."""
    data = b"".join(export("jsonl", Source(app.workspace.traffic, range(len(app.workspace.traffic)))))
    for old, new in changes:
        assert old in data
        data = data.replace(old, new)
    path.write_bytes(data)
    return path


async def test_what_is_marked_is_sent_again_and_is_the_same(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await _settled(app, pilot, until)
        await _call(app, "rye", "spelt")
        pane = app.main.traffic_pane
        assert pane is not None
        await pilot.press("f")
        pane.filter_by("tool:price_of kind:request")
        await until(pilot, lambda: pane.frames.shown == 2)
        pane.frames.focus()
        await pilot.press("home", "m")
        screen = await _open(app, pilot, until)
        assert screen.model.frames is not None and screen.model.frames.title == "the marked rows"
        plan = screen.model.plan
        assert plan is not None and [step.title for step in plan.steps] == ["tools/call price_of"]
        await _sent(app, pilot, until)
        await until(pilot, lambda: "it answers as it did then" in painted(app) and "= 1 same" in painted(app))
        outcome = screen.model.outcome(0)
        assert outcome is not None and len(outcome.rows) == 2
        await pilot.press("f")
        await until(pilot, lambda: app.screen is app.main and pane.detail_open)
        sent = json.loads(app.workspace.traffic.raw(outcome.rows[0]))
        assert pane.detail.number == outcome.rows[0] and sent["params"]["arguments"] == {"item": "rye"}
        await pilot.press("alt+r")
        await until(pilot, lambda: "= 1 same" in painted(app))


async def test_a_recording_that_says_something_else(until: Until, tmp_path: Path) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await _settled(app, pilot, until)
        await _call(app, "rye")
        rye = app.workspace.traffic.raw(app.workspace.traffic.end - 1)
        price = json.loads(rye)["result"]["content"][0]["text"]
        path = _recording(app, tmp_path / "then.mcprec", (price.encode(), b"Rye was for free"))
        screen = await _open(app, pilot, until)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, SourceScreen))
        app.screen.query_one(Input).value = str(tmp_path / "nothing.mcprec")
        await pilot.press("f5")
        await until(pilot, lambda: "No such file" in painted(app))
        app.screen.query_one(Input).value = str(path)
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen and "then.mcprec" in painted(app))
        await _sent(app, pilot, until)
        await until(pilot, lambda: not screen.model.running and "≠ 1 different" in painted(app))
        await until(
            pilot, lambda: "Rye was for free" in painted(app) and "/result/content/0/text" in painted(app)
        )

        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen) and "Rye was for free" in painted(app))
        await pilot.press("escape", "b")
        await until(pilot, lambda: isinstance(app.screen, FrameScreen))
        await until(pilot, lambda: "price_of" in painted(app))
        await pilot.press("o")
        await until(pilot, lambda: "Rye was for free" in painted(app))
        await pilot.press("q")
        await until(pilot, lambda: app.screen is screen)

        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        report = tmp_path / "report.json"
        app.screen.query_one(Input).value = str(report)
        await pilot.press("enter")
        await until(pilot, lambda: report.exists() and app.screen is screen)
        written = json.loads(report.read_text())
        assert (written["different"], written["missing"]) == (1, 0)
        assert written["differences"][0]["recorded"] == "Rye was for free"
        await pilot.press("W")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        junit = tmp_path / "report.xml"
        app.screen.query_one(Input).value = str(junit)
        await pilot.press("enter")
        await until(pilot, lambda: junit.exists() and app.screen is screen)
        assert "Rye was for free" in junit.read_text()

        await pilot.press("d")
        await until(pilot, lambda: "1 rule" in painted(app) and "it answers as it did then" in painted(app))


async def test_rules_are_edited_and_what_was_answered_is_compared_anew(until: Until, tmp_path: Path) -> None:
    async with opened("bakery") as (app, pilot):
        await _settled(app, pilot, until)
        await _call(app, "rye")
        price = json.loads(app.workspace.traffic.raw(app.workspace.traffic.end - 1))["result"]["content"][0][
            "text"
        ]
        path = _recording(app, tmp_path / "then.mcprec", (price.encode(), b"Rye was for free"))
        screen = await _open(app, pilot, until)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, SourceScreen))
        app.screen.query_one(Input).value = str(path)
        app.screen.query(Input).last().value = "kind:nothing"
        await pilot.press("f5")
        await until(pilot, lambda: "filter, column" in painted(app))
        app.screen.query(Input).last().value = "tool:price_of"
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen and "then.mcprec, tool:price_of" in painted(app))
        assert screen.model.plan is not None and len(screen.model.plan.steps) == 1
        await _sent(app, pilot, until)
        await until(pilot, lambda: not screen.model.running and "≠ 1 different" in painted(app))
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        app.screen.query_one(TextArea).text = "("
        await pilot.press("f5")
        await until(pilot, lambda: "is no pattern" in painted(app))
        app.screen.query_one(TextArea).text = "^.*$"
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen and "it answers as it did then" in painted(app))


async def test_step_by_step_one_is_left_out_and_the_rest_stopped(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await _settled(app, pilot, until)
        await _call(app, "rye", "spelt", "rolls")
        pane = app.main.traffic_pane
        assert pane is not None
        pane.filter_by("tool:price_of")
        await until(pilot, lambda: pane.frames.shown == 6)
        screen = await _open(app, pilot, until)
        assert screen.model.plan is not None and len(screen.model.plan.steps) == 3
        await pilot.press("p", "p")
        await _sent(app, pilot, until)
        await until(pilot, lambda: "0 of 3" in painted(app) and "sends the next" in painted(app))
        await pilot.press("space")
        await until(pilot, lambda: "1 of 3" in painted(app) and "sends the next" in painted(app))
        await pilot.press("x")
        await until(pilot, lambda: "2 of 3" in painted(app) and "sends the next" in painted(app))
        await pilot.press("f8")
        await until(pilot, lambda: not screen.model.running and "2 skipped" in painted(app))
        assert [outcome.verdict for outcome in screen.model.report.outcomes] == ["same", "skipped", "skipped"]
        assert [outcome.reason for outcome in screen.model.report.outcomes][1:] == [
            "left out by hand",
            "the replay was stopped",
        ]


async def test_only_what_is_chosen_is_sent_and_without_a_yes_nothing(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await _settled(app, pilot, until)
        connection = app.workspace.connections["bakery"]
        await connection.request("tools/call", {"name": "sell", "arguments": {}})
        await _call(app, "rye")
        screen = await _open(app, pilot, until)
        await pilot.press("a", "end")
        await until(pilot, lambda: "0 of " in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: any("nothing is chosen" in one.message for one in app._notifications))
        plan = screen.model.plan
        assert plan is not None
        for place, step in enumerate(plan.steps):
            if step.tool:
                screen.query_one(StepList).cursor = place
                await pilot.press("space")
                await until(pilot, lambda place=place: place in screen.model.chosen)
        assert [plan.steps[place].tool for place in sorted(screen.model.chosen)] == ["sell", "price_of"]
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and "sell" in painted(app))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is screen)
        assert screen.model.run is None


async def test_a_replay_goes_on_while_one_looks_elsewhere_and_says_when_it_is_over(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await _settled(app, pilot, until)
        await _call(app, "rye", "spelt")
        pane = app.main.traffic_pane
        assert pane is not None
        pane.filter_by("tool:price_of")
        await until(pilot, lambda: pane.frames.shown == 4)
        screen = await _open(app, pilot, until)
        for pace in ("recorded", "step"):
            await pilot.press("p")
            await until(pilot, lambda pace=pace: screen.model.pace == pace)
        await _sent(app, pilot, until)
        await until(pilot, lambda: screen.model.run is not None and screen.model.run.waits)
        await until(pilot, lambda: "of 2" in painted(app) and "sends the next" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        run = screen.model.run
        assert run is not None
        for count in (1, 2):
            await until(pilot, lambda: run.waits)
            run.go()
            await until(pilot, lambda count=count: len(run.outcomes) == count)
        told = lambda: [one.message for one in app._notifications if one.title == "The replay is over"]  # noqa: E731
        await until(pilot, lambda: bool(told()))
        assert len(told()) == 1 and "2 same" in told()[0]
        await pilot.press("alt+r")
        await until(pilot, lambda: "= 2 same" in painted(app))


async def test_what_a_recording_says_is_shown_and_not_obeyed(until: Until, tmp_path: Path) -> None:
    name = "\x1b]52;c;aGk=\x07[@click=app.quit]x[/]"
    frames: list[tuple[str, Any]] = [
        (
            "send",
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}},
        ),
        (
            "recv",
            {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "\x1b[31m[/nope]"}]}},
        ),
        ("send", {"jsonrpc": "2.0", "id": 2, "method": "\x1b[2J[b]", "params": [1]}),
    ]
    path = tmp_path / "hostile.jsonl"
    path.write_text(
        "".join(
            json.dumps({"t": place / 10, "dir": way, "msg": json.dumps(message)}) + "\n"
            for place, (way, message) in enumerate(frames)
        )
    )
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await _settled(app, pilot, until)
        screen = await _open(app, pilot, until)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, SourceScreen))
        app.screen.query_one(Input).value = str(path)
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen and "the recording has no answer" in painted(app))
        assert "[@click=app.quit]x[/]" in painted(app) and "\\u001b[2J[b]" in painted(app)
        await _sent(app, pilot, until)
        await until(pilot, lambda: "≠ 1 different" in painted(app) and "\\u001b[31m[/nope]" in painted(app))
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, DiffScreen) and "\\u001b[31m[/nope]" in painted(app)
        )
        await pilot.press("escape", "y")
        await until(pilot, lambda: app.screen is screen)


async def test_the_rules_are_told_in_full_on_eighty_columns(until: Until) -> None:
    async with opened(size=(80, 24)) as (app, pilot):
        app.push_screen(RulesScreen("", False, lambda rules, exact: None))
        await until(pilot, lambda: "durations, UUIDs, cursors, ids of tasks" in painted(app))
