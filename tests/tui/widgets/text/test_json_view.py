from __future__ import annotations

import json

from inspector.base.secrets import Secrets
from inspector.tui import guard
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.text.text_view import TextView

TEXT = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1.50,
        "result": {
            "content": [{"type": "text", "text": "line one\nline two\x1b]52;c;aGk=\x07"}],
            "big": list(range(40)),
        },
    }
)


async def test_it_shows_the_first_levels_and_folds_what_is_long(stage, lines) -> None:
    view = JsonView(TEXT)
    async with stage(view).run_test(size=(100, 30)):
        shown = lines(view)
        assert shown[0].strip() == "▾ {"
        assert '    "id": 1.5,' in shown
        assert any("line one\\nline two\\u001b]52;c;aGk=\\u0007" in line for line in shown)


async def test_keys_open_close_and_tell_the_pointer(stage) -> None:
    view = JsonView(json.dumps({"a": {"b": [1, 2]}, "c": 3}))
    async with stage(view).run_test(size=(60, 30)) as pilot:
        view.focus()
        await pilot.press("down")
        assert view.pointer == "$.a"
        count = view.line_count()
        await pilot.press("left")
        assert view.line_count() < count
        await pilot.press("enter", "down")
        assert view.pointer == "$.a.b"
        await pilot.press("right", "down", "down", "left")
        assert view.pointer == "$.a.b"
        await pilot.press("left", "left", "left", "left")
        assert view.pointer == "$"
        await pilot.press("W", "E")
        assert view.line_count() == 9
        await pilot.press("minus")
        assert view.line_count() == 6
        await pilot.press("plus")
        assert view.line_count() == 9
        await pilot.press("end")
        assert view.pointer == "$"


async def test_a_long_string_is_cut_and_opens_by_enter(stage, lines) -> None:
    view = JsonView(json.dumps({"text": "word " * 2000}))
    async with stage(view).run_test(size=(50, 20)) as pilot:
        assert lines(view)[1].endswith("9.8 KiB ⏎")
        view.focus()
        await pilot.press("down", "enter")
        assert view.line_count() > 200
        assert lines(view)[2].strip(" │").startswith("word word word")
        await pilot.press("enter")
        assert view.line_count() == 3


async def test_values_paths_and_subtrees_are_copied_with_secrets_masked(stage) -> None:
    guard.keep(Secrets(["s3cret-value-1"]))
    view = JsonView(json.dumps({"a": {"key": "s3cret-value-1\n"}}))
    app = stage(view)
    async with app.run_test() as pilot:
        view.focus()
        await pilot.press("down", "J", "down", "c", "J", "P")
        await pilot.pause()
        assert app.copied == [
            ("$.a", '{"key": "***\\n"}'),
            ("$.a.key", "***\n"),
            ("$.a.key", '"***\\n"'),
            ("path", "$.a.key"),
        ]
        assert view.copy_offer() == ("JSON", '{"a": {"key": "***\\n"}}')


async def test_no_part_of_a_secret_stays_where_a_string_is_cut(stage, lines) -> None:
    secret = "abcdefghijklmnopqrstuvwxyz0123456789"
    guard.keep(Secrets([secret]))
    view = JsonView(json.dumps({"text": "x" * 9 + secret + "y" * 5000, "folded": [["z" * 9 + secret] * 300]}))
    async with stage(view).run_test(size=(52, 10)) as pilot:
        view.focus()
        await pilot.press("minus")
        assert "abcd" not in "".join(lines(view))
        guard.reveal(True)
        assert "abcd" in "".join(lines(view))


async def test_what_was_opened_while_secrets_were_shown_is_hidden_again(stage, lines, until) -> None:
    guard.keep(Secrets(["s3cret-value-1"]))
    views = JsonView(json.dumps({"text": "one\ns3cret-value-1"})), TextView(b"one\ns3cret-value-1")
    async with stage(*views).run_test(size=(52, 20)) as pilot:
        guard.reveal(True)
        for view in views:
            view.repaint()
        await until(pilot, lambda: all("s3cret-value-1" in "".join(lines(view)) for view in views))
        views[0].focus()
        await pilot.press("down", "enter")
        guard.reveal(False)
        for view in views:
            view.repaint()
        await until(pilot, lambda: not any("s3cret" in "".join(lines(view)) for view in views))


async def test_search_goes_from_hit_to_hit_and_round(stage, until) -> None:
    view = JsonView(json.dumps({"list": [{"n": i, "name": f"tool {i}"} for i in range(500)]}))
    async with stage(view).run_test(size=(60, 20)) as pilot:
        view.focus()
        view.search("tool 49")
        assert view.pointer == "$.list[49].name"
        await pilot.press("n")
        assert view.pointer == "$.list[490].name"
        await pilot.press("N")
        assert view.pointer == "$.list[49].name"
        await pilot.press("N")
        assert view.pointer == "$.list[499].name"


async def test_noise_is_shown_as_text(stage, lines) -> None:
    view = JsonView("Starting \x1b[31mserver\x1b[0m [/bold]\non port 8080")
    async with stage(view).run_test(size=(60, 5)):
        assert lines(view)[:2] == ["Starting \\u001b[31mserver\\u001b[0m [/bold]", "on port 8080"]
        assert not view.is_json


async def test_bytes_that_are_not_utf8_are_hex(stage, lines) -> None:
    view = TextView(b"\x00\xff\x1b[2JABC")
    async with stage(view).run_test(size=(100, 5)) as pilot:
        await pilot.pause()
        (line,) = [line for line in lines(view) if line]
        assert line.startswith("0000  00 ff 1b 5b 32 4a 41 42  43")
        assert line.endswith("···[2JABC")


async def test_text_is_wrapped_in_full(stage, lines) -> None:
    view = TextView("{日本語 \x9b}".encode() * 40)
    async with stage(view).run_test(size=(20, 40)) as pilot:
        await pilot.pause()
        assert "".join(lines(view)).replace(" ", "") == "{日本語\\u009b}" * 40
        view.load(b"other")
        assert lines(view)[0] == "other"
