"""What `--fault` means, message by message."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import AsyncIterator
from typing import Any

import pytest

from inspector.base.errors import Failed
from inspector.faults.bodies import spoiled
from inspector.faults.injector import Exchange, Injector, Step
from inspector.faults.kinds import KINDS, parse
from inspector.faults.lines import Lines

ASK = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}'
ANSWER = b'{"jsonrpc":"2.0","id":7,"result":{"content":[]}}'
TOLD = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}'


def injector(*words: str) -> Injector:
    made = Injector(parse(words))
    made.asked(ASK)
    return made


def read(steps: list[Step]) -> Any:
    (step,) = steps
    return json.loads(step.data)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_understood_alone_and_with_all_its_options(kind: str) -> None:
    own = ",".join(f"{name}={503 if name == 'code' else 1}" for name in KINDS[kind].options)
    (plain,) = parse([kind])
    (full,) = parse([f"{kind}:{own}{',' if own else ''}method=tools/*,nth=2,p=0.5,seed=9"])
    assert (plain.kind, plain.method, plain.nth, plain.p) == (kind, "*", 0, 1.0)
    assert (full.method, full.nth, full.p, full.seed) == ("tools/*", 2, 0.5, 9)


@pytest.mark.parametrize(
    "word",
    ["", "no-such", "delay:ms", "delay:ms=x", "delay:code=1", "drop:p=2", "drop:nth=-1", "status:code=99"],
)
def test_what_cannot_be_meant_is_refused(word: str) -> None:
    with pytest.raises(Failed) as refused:
        parse([word])
    assert refused.value.failure.kind == "config" and refused.value.failure.hint


def test_without_a_fault_every_message_is_the_same_bytes() -> None:
    odd = b' {"id" : 7 , "result":{}} \r'
    assert injector("drop:method=prompts/get").sent(odd) == [Step(odd)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("delay:ms=250", [Step(ANSWER, 0.25)]),
        ("drop", []),
        ("duplicate", [Step(ANSWER), Step(ANSWER)]),
        ("invalid-json", [Step(ANSWER[:-1])]),
        ("noise:text=hello", [Step(b"hello"), Step(ANSWER)]),
        ("exit:code=3", [Step(exit=3)]),
    ],
)
def test_what_is_written_in_place_of_a_message(word: str, expected: list[Step]) -> None:
    assert injector(word).sent(ANSWER) == expected


def test_a_partial_line_is_whole_in_the_end() -> None:
    first, second = injector("partial-line:ms=20").sent(ANSWER)
    assert first.data + second.data == ANSWER and not first.ends and second.ends and second.wait == 0.02


def test_ids_go_wrong() -> None:
    assert read(injector("wrong-id").sent(ANSWER))["id"] not in (7, "7")
    assert read(injector("id-type").sent(ANSWER))["id"] == "7"
    assert read(injector("id-type").sent(b'{"id":"8","result":{}}'))["id"] == 8
    assert read(injector("wrong-id").sent(TOLD)) == json.loads(TOLD)


def test_only_what_goes_wrong_is_other_than_it_was() -> None:
    """Numbers stay as they are spelled, also those beyond a double."""
    (step,) = injector("wrong-id").sent(b'{"jsonrpc":"2.0","id":7,"result":{"a":1e999,"b":1.50,"c":-0}}')
    assert step.data == b'{"jsonrpc":"2.0","id":1000007,"result":{"a":1e999,"b":1.50,"c":-0}}'
    (step,) = injector("huge:bytes=3").sent(b'{"jsonrpc":"2.0","id":7,"result":{"a":-1e999}}')
    assert step.data == b'{"jsonrpc":"2.0","id":7,"result":{"a":-1e999,"_meta":{"padding":"xxx"}}}'


def test_huge_pads_and_stays_valid() -> None:
    (step,) = injector("huge:bytes=5000").sent(ANSWER)
    assert len(step.data) > 5000 and json.loads(step.data)["result"]["content"] == []


def test_reorder_swaps_with_the_next_and_keeps_nothing_for_ever() -> None:
    written: queue.Queue[bytes] = queue.Queue()
    way = Lines(injector("reorder:nth=1,ms=600000"), written.put)
    way(ANSWER)
    way(TOLD)
    assert [written.get_nowait() for _ in range(2)] == [TOLD + b"\n", ANSWER + b"\n"]
    way = Lines(injector("reorder:ms=600000"), written.put)
    way(ANSWER)
    assert written.empty()
    way.finish()
    assert written.get_nowait() == ANSWER + b"\n"
    # Where none follows it is let go by itself.
    Lines(injector("reorder:ms=1"), written.put)(ANSWER)
    assert written.get(timeout=30) == ANSWER + b"\n"


def test_a_status_says_what_it_is_told_to() -> None:
    wrong = injector("status:code=500,text=handler failed").exchange(ASK)
    assert (wrong.status, wrong.text) == (500, "handler failed")
    assert injector("status").exchange(ASK).text


async def test_reorder_on_an_event_stream_stays_on_it() -> None:
    events = [b"data: " + each + b"\n\n" for each in (ANSWER, TOLD)]

    async def stream(*parts: bytes, ended: asyncio.Event | None = None) -> AsyncIterator[bytes]:
        for part in parts:
            yield part
        if ended is not None:
            await ended.wait()

    made = injector("reorder:nth=1,ms=600000")
    body = spoiled(stream(*events), made, Exchange(), "text/event-stream")
    assert b"".join([part async for part in body]) == events[1] + events[0]
    # An open stream on which nothing follows.
    made, ended = injector("reorder:ms=1"), asyncio.Event()
    body = spoiled(stream(events[0], ended=ended), made, Exchange(), "text/event-stream")
    assert await anext(body) == events[0]
    ended.set()
    assert [part async for part in body] == []


def test_the_method_of_an_answer_is_that_of_its_request() -> None:
    made = injector("drop:method=tools/call")
    assert made.sent(TOLD) == [Step(TOLD)]
    assert made.sent(b'{"id":"7","result":{}}') == [Step(b'{"id":"7","result":{}}')]
    assert made.sent(ANSWER) == []


def test_nth_and_chance_choose_the_same_ones_every_time() -> None:
    made = injector("drop:nth=3")
    assert [bool(made.sent(TOLD)) for _ in range(5)] == [True, True, False, True, True]
    chosen = [
        [bool(injector_.sent(TOLD)) for _ in range(50)] for injector_ in (injector("drop:p=0.5,seed=4"),) * 1
    ]
    again = injector("drop:p=0.5,seed=4")
    assert chosen[0] == [bool(again.sent(TOLD)) for _ in range(50)]
    assert 5 < sum(chosen[0]) < 45


def test_exchanges_go_wrong_by_the_method_of_their_request() -> None:
    made = injector(
        "status:code=429,method=tools/call", "broken-sse:method=GET", "content-type:type=text/html,nth=2"
    )
    first, second = made.exchange(ASK), made.exchange(b"", "GET")
    assert (first.status, first.breaks, first.content_type) == (429, False, None)
    assert (second.status, second.breaks, second.content_type) == (None, True, "text/html")


@pytest.mark.parametrize("frame", [b"", b"\xff", b"[]", b"7", b'[{"id":7}]', b"[" * 100_000])
def test_no_message_breaks_the_injector(frame: bytes) -> None:
    made = injector(*(kind for kind in KINDS if KINDS[kind].where == "message" and kind != "reorder"))
    made.asked(frame)
    assert isinstance(made.sent(frame), list)
    made.exchange(frame)
