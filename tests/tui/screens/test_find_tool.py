"""The search over the tools of all servers."""

from __future__ import annotations

import pytest
from app import Until, opened, painted, state, tool_view
from rich.cells import cell_len

from inspector.tui.screens.find_tool import FindToolScreen
from inspector.tui.tool_search import Index, Tool


def tool(name: str, server: str = "s", about: str = "") -> Tool:
    return Tool(server, name, server, name, about)


def names(query: str, *tools: Tool) -> list[str]:
    return [found.name for found in Index(tools).search(query)]


def test_names_come_before_what_is_only_described() -> None:
    tools = (
        tool("reader", about="lists a file"), tool("my_list"), tool("blister"), tool("list"), tool("lots_in_st")
    )  # fmt: skip
    assert names("list", *tools) == ["list", "my_list", "blister", "reader"] or names("list", *tools)[:3] == [
        "list", "my_list", "blister"
    ]  # fmt: skip
    assert names("", *tools) == [one.name for one in tools]


def test_letters_may_be_scattered_in_the_name_only() -> None:
    tools = (tool("get_sum"), tool("other", about="g e t s u m"))
    assert names("gsm", *tools) == ["get_sum"]


def test_the_name_that_models_use_finds_a_tool_as_well() -> None:
    tools = (tool("read", "git"), tool("read", "files"))
    assert [one.server for one in Index(tools).search("mcp__files__read")] == ["files"]


def test_every_word_must_be_found_somewhere() -> None:
    tools = (tool("read", "git"), tool("read", "files"), tool("write", "git"))
    assert [(one.server, one.name) for one in Index(tools).search("git read")] == [("git", "read")]
    assert names("read nowhere", *tools) == []
    assert names("(.*", *tools) == []


async def test_thousands_of_tools_are_searched_at_once(until: Until) -> None:
    tools = [tool(f"tool_{number:04}", f"server-{number % 7}", f"does {number}") for number in range(2000)]
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await app.push_screen(FindToolScreen(tools))
        await until(pilot, lambda: "2,000 of 2,000" in painted(app))
        await pilot.press(*"1999")
        await until(pilot, lambda: "1 of 2,000" in painted(app) and "tool_1999" in painted(app))


async def test_chinese_is_found_and_cut_where_the_column_ends(until: Until) -> None:
    tools = [
        tool("查询订单", "商店", "按编号查询订单的状态" * 20),
        tool("refund", "商店", "为订单退款"),
        tool("time", "钟"),
    ]
    assert names("订单", *tools) == ["查询订单", "refund"]
    assert names("商店 退款", *tools) == ["refund"]
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await app.push_screen(FindToolScreen(tools))
        await until(pilot, lambda: "3 of 3" in painted(app))
        await pilot.press(*"订单")
        await until(pilot, lambda: "2 of 3" in painted(app) and "查询订单" in painted(app))
        assert {cell_len(line) for line in painted(app).splitlines()} == {80}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_enter_goes_to_the_form(size: tuple[int, int], until: Until) -> None:
    async with opened("silent", "bakery", size=size) as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("tools") is not None)
        assert state(app, "silent") == "starting"
        await pilot.press("ctrl+k")
        await until(pilot, lambda: isinstance(app.screen, FindToolScreen) and "30 of 30" in painted(app))
        await pilot.press(*"bak hello")
        await until(pilot, lambda: "1 of 30" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: (view := tool_view(app)) is not None and view.name_ == "say_hello")
        assert app.main.table.selected == "bakery"


async def test_nothing_to_find_is_said(until: Until) -> None:
    async with opened("silent") as (app, pilot):
        await pilot.press("ctrl+k")
        await until(pilot, lambda: "No server that is ready lists a tool" in painted(app))
        await pilot.press("down", "enter", "escape")
        await until(pilot, lambda: app.screen is app.main)
