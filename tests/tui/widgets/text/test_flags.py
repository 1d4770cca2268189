"""Places in JSON that something is wrong with."""

from __future__ import annotations

from inspector.tui.widgets.text.json_lines import JsonLines
from inspector.tui.widgets.text.json_view import JsonView

TEXT = '{"result":{"tools":[{"name":"a"},{"name":"b","deep":{"x":{"y":1}}}]},"text":"{\\"tools\\":1}"}'


def test_of_a_path_as_much_counts_as_there_is() -> None:
    lines = JsonLines(TEXT)
    assert lines.nearest(["result", "tools", "1", "name"]) == ("result", "tools", "1", "name")
    assert lines.nearest(["result", "tools", "0", "inputSchema"]) == ("result", "tools", "0")
    assert lines.nearest(["nothing"]) == lines.nearest([]) == ()
    assert lines.nearest(["result", "tools", "7"]) == ("result", "tools")


async def test_marks_are_gone_round_by_key_and_leave_with_the_text(stage, lines) -> None:
    view = JsonView(TEXT)
    async with stage(view).run_test(size=(80, 30)) as pilot:
        view.load(TEXT)
        view.flag(
            {("result", "tools", "1", "deep", "x", "y"): ("error", "E1 bad"), ("result",): ("info", "I1 odd")}
        )
        await pilot.pause()
        assert view.go_to_flag() and view.pointer == "$.result"
        assert view.go_to_flag() and view.pointer == "$.result.tools[1].deep.x.y"
        assert view.go_to_flag() and view.pointer == "$.result"
        await pilot.pause()
        shown = lines(view)
        assert any("• I1 odd" in line for line in shown) and any("✗ E1 bad" in line for line in shown)
        view.action_fold_all()
        await pilot.pause()
        assert any("I1" in line for line in lines(view))
        view.load(TEXT)
        assert not view.go_to_flag()


async def test_what_is_said_of_a_place_stays_text(stage, lines) -> None:
    view = JsonView()
    async with stage(view).run_test(size=(80, 10)) as pilot:
        view.load('{"a":1}')
        view.flag({("a",): ("warning", "W1 \x1b]0;x\x07 \u202e [red]x[/]"), ("b",): ("error", "E1 missing")})
        await pilot.pause()
        shown = "\n".join(lines(view))
        assert "[red]" in shown and "✗ E1 missing" in shown and not {"\x1b", "\x07", "\u202e"} & set(shown)
        view.load("no json")
        view.flag({("a",): ("error", "E1 x")})
        assert not view.go_to_flag()
