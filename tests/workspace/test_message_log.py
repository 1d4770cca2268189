"""Log messages of a server, and how many of them are kept."""

from __future__ import annotations

import pytest

from inspector.workspace import message_log
from inspector.workspace.message_log import MessageLog


def test_the_newest_are_kept_and_all_are_counted() -> None:
    log = MessageLog()
    for number in range(3000):
        log.take({"level": "info", "logger": "l", "data": {"n": number}})
    assert log.count == 3000 and log.levels["info"] == 3000 and log.loggers["l"] == 3000
    assert len(log.messages) < 3000 and log.messages[-1].data == {"n": 2999}


@pytest.mark.parametrize("data", ["x" * 1000, ["x" * 990]])
def test_large_messages_are_fewer_and_one_always_stays(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_log, "_HELD", 10_000)
    log = MessageLog()
    for _ in range(100):
        log.take({"data": data})
    assert 1 <= len(log.messages) <= 10 and log.count == 100
    log.take({"data": "y" * 100_000})
    assert [message.size for message in log.messages] == [100_000]
    log.take("no object")
    assert [message.data for message in log.messages] == ["no object"]
