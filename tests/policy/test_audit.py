"""The audit trail as a file: what stands in it, and how it is read."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.errors import Failure
from inspector.base.secrets import Secrets
from inspector.policy import audit
from inspector.policy.audit import Audit, Called
from inspector.protocol import jsonrpc
from inspector.session.answer import Answer

_DAY = 86_400.0
_RESULT = b'{"content": [ {"type":"text","text":"2.50"} ]}'


def _answer(raw: bytes) -> Answer:
    return Answer(raw, jsonrpc.read(raw), 1, 0, 0.5)


def _answered(raw: bytes, task: str = "") -> Called:
    return Called("s", "t", {}, 0, "person", answer=_answer(raw), task=task)


def _written(folder: Path, *calls: Called, secrets: Secrets | None = None) -> audit.Trail:
    told: list[str] = []

    async def take() -> None:
        book = Audit(secrets or Secrets(), "person", folder=folder, on_problem=told.append)
        for call in calls:
            book.take(call)
        book.flush()

    asyncio.run(take())
    assert told == []
    return audit.trail(folder)


def test_a_call_is_one_line_with_the_digest_of_its_result(tmp_path: Path) -> None:
    answer = _answer(b'{"jsonrpc":"2.0","id":7,"result":' + _RESULT + b"}")
    call = Called("bakery", "price_of", {"item": "rye"}, 0.25, "person", 0.5, answer)
    (record,) = _written(tmp_path / "trail", call).newest()
    assert record == {
        "time": "1970-01-01T00:00:00.250Z",
        "server": "bakery",
        "tool": "price_of",
        "arguments": {"item": "rye"},
        "outcome": "ok",
        "approver": "person",
        "duration_ms": 500.0,
        "size": len(_RESULT),
        "sha256": hashlib.sha256(_RESULT).hexdigest(),
    }
    path = tmp_path / "trail" / "1970-01-01.jsonl"
    assert path.read_bytes().count(b"\n") == 1
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        (_answered(b'{"jsonrpc":"2.0","id":1,"result":{"isError":true}}'), "tool_error"),
        (_answered(b'{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'), "rpc"),
        (Called("s", "t", {}, 0, "person", failure=Failure(kind="timeout", message="late")), "timeout"),
        (Called("s", "t", {}, 0, "person", reason="too dangerous"), "denied"),
        (_answered(b'{"jsonrpc":"2.0","id":1,"result":{}}', task="7"), "task"),
        (_answered(b"nonsense"), "protocol"),
    ],
)
def test_the_outcome_is_the_true_one(call: Called, outcome: str, tmp_path: Path) -> None:
    (record,) = _written(tmp_path, call).newest()
    assert record["outcome"] == outcome
    assert record.get("reason", "") == call.reason and record.get("task", "") == call.task


def test_secrets_are_masked_by_value_and_by_name_also_where_the_arguments_are_cut(tmp_path: Path) -> None:
    secrets = Secrets(["opensesame-12345"])
    long = {"token": "abcdefgh-ijkl", "note": "opensesame-12345" * 400, "n": 12345678901234567890}
    short = {"inner": '{"password":"hunter2hunter2"}', "said": "it is opensesame-12345"}
    _written(
        tmp_path,
        Called("s", "t", long, 0, "person", reason="opensesame-12345"),
        Called("s", "t", short, 0, "person"),
        secrets=secrets,
    )
    text = (tmp_path / "1970-01-01.jsonl").read_text()
    for secret in ("opensesame", "abcdefgh-ijkl", "hunter2hunter2"):
        assert secret not in text
    newest, oldest = audit.trail(tmp_path).newest()
    assert newest["arguments"]["said"] == "it is ***"
    assert isinstance(oldest["arguments"], str) and len(oldest["arguments"]) == audit.LONGEST + 1
    assert oldest["argumentsLength"] > audit.LONGEST


def test_the_newest_come_first_over_days_and_blocks_and_lines_of_others_are_counted(tmp_path: Path) -> None:
    calls = [
        Called("s", f"tool{n}", {"pad": "x" * 900}, day * _DAY, "person")
        for day in range(2)
        for n in range(200)
    ]
    trail = _written(tmp_path, *calls)
    with (tmp_path / "1970-01-01.jsonl").open("ab") as file:
        file.write(b'\xff\xfe\n[1]\n{"cut": ')
    names = [(record["time"][:10], record["tool"]) for record in trail.newest()]
    assert names == [
        (f"1970-01-0{day + 1}", f"tool{n}") for day in reversed(range(2)) for n in reversed(range(200))
    ]
    assert trail.unread == 3


def test_what_cannot_be_written_is_told_once_and_fails_no_call(tmp_path: Path) -> None:
    (tmp_path / "trail").write_text("a file where the folder should be")
    told: list[str] = []

    async def take() -> None:
        book = Audit(Secrets(), "person", folder=tmp_path / "trail", on_problem=told.append)
        for _ in range(3):
            book.take(Called("s", "t", {}, 0, "person"))
            await asyncio.sleep(0)

    asyncio.run(take())
    assert len(told) == 1 and "not written to the audit trail" in told[0] and str(tmp_path) in told[0]


def test_words_are_looked_for_everywhere_and_behind_a_name_in_one_member() -> None:
    record = {"server": "bakery", "tool": "price_of", "arguments": {"item": "Rye"}, "outcome": "ok"}
    assert audit.matches(record, []) and audit.matches(record, ["RYE", "tool=price"])
    assert not audit.matches(record, ["tool=bakery"]) and not audit.matches(record, ["rye", "wheat"])
    assert not audit.matches(record, ["a=b"])


@given(
    st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda each: st.lists(each, max_size=3),
        ),
        max_size=4,
    )
)
def test_any_arguments_make_one_line_that_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, arguments: object
) -> None:
    folder = tmp_path_factory.mktemp("trail")
    _written(folder, Called("s", "t", arguments, 0, "person"))
    (line,) = (folder / "1970-01-01.jsonl").read_bytes().splitlines()
    assert json.loads(line)["tool"] == "t"
