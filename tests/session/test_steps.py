"""The steps of a connection that stays for days."""

from __future__ import annotations

from inspector.session.steps import Steps


def test_what_is_done_again_and_again_is_the_first_time_and_the_latest() -> None:
    steps = Steps()
    steps.begin("handshake").end()
    for number in range(500):
        steps.begin_again("tools/list").end(str(number))
    running = steps.begin_again("tools/list")
    assert [(step.step, step.outcome) for step in steps.steps] == [
        ("handshake", "ok"),
        ("tools/list", "0"),
        ("tools/list", ""),
    ]
    other = steps.begin_again("tools/list")
    assert steps.steps[-2:] == [running, other]
    running.end("both")
    other.end("both")
    steps.begin_again("tools/list")
    assert [step.outcome for step in steps.steps if step.step == "tools/list"] == ["0", ""]


def test_the_first_steps_and_the_latest_are_kept() -> None:
    steps = Steps()
    for number in range(500):
        steps.begin(f"step {number}").end()
        steps.mark("noticed", "ok", since=0, until=1, before=f"step {number}")
    assert len(steps.steps) < 100
    assert steps.steps[1].step == "step 0" and steps.steps[-1].step == "step 499"
