"""A row of tabs: all of it where there is room, and marks at the ends where there is not."""

from __future__ import annotations

import pytest

from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip

TABS = [Tab(word.lower(), word, "3") for word in ("Overview", "Tools", "Resources", "Prompts", "Process")]


@pytest.mark.parametrize("active", [tab.id for tab in TABS])
@pytest.mark.parametrize("width", [4, 12, 20, 30, 44])
async def test_the_active_tab_is_seen_whole_and_the_others_are_a_click_away(stage, width, active) -> None:
    strip = TabStrip(TABS)
    async with stage(strip).run_test(size=(width, 3)) as pilot:
        strip.active = active
        await pilot.pause()
        line = strip.render().plain
        label = next(tab.label for tab in TABS if tab.id == active)
        assert label in line and len(line) <= max(width, len(label) + 4)
        seen = [tab.label for tab in TABS if tab.label in line]
        assert line.startswith("‹") == (TABS[0].label not in seen)
        assert line.endswith("›") == (TABS[-1].label not in seen)


async def test_a_click_on_a_mark_brings_the_next_tab(stage) -> None:
    wanted: list[str] = []

    class Listening(stage):  # type: ignore[misc]
        def on_tab_strip_chosen(self, event: TabStrip.Chosen) -> None:
            wanted.append(event.tab)

    strip = TabStrip(TABS)
    async with Listening(strip).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        line = strip.render().plain
        await pilot.click(strip, offset=(len(line) - 1, 0))
        strip.active = "process"
        await pilot.pause()
        await pilot.click(strip, offset=(0, 0))
        await pilot.pause()
        assert wanted == ["resources", "resources"]


@pytest.mark.parametrize("urgent", [False, True])
async def test_a_mark_tells_that_an_urgent_tab_is_hidden(stage, urgent: bool) -> None:
    strip = TabStrip([*TABS, Tab("inbox", "Inbox", "? 1", urgent=urgent)])
    async with stage(strip).run_test(size=(20, 3)) as pilot:
        await pilot.pause()
        styles = {str(span.style) for span in strip.render().spans if span.end == len(strip.render().plain)}
        assert styles == {"bold $text-warning" if urgent else "$text-accent"}
