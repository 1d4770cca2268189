"""A recorded session against a live server: only what must differ differs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as XML
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect, write_config
from live import stdio

from inspector.base.errors import Failed
from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.store import Traffic, Writer

DRIFTING = str(Path(__file__).parent.parent / "servers" / "drifting.py")
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("price", {"item": "rye", "weight": 1}), ("clock", {}), ("ask", {}), ("gone", {}),
]  # fmt: skip


async def record(path: Path, *calls: tuple[str, dict[str, Any]], lists: bool = True) -> str:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    answers = Profile(form="accept", content={"size": "large"})
    options = Options(responder=answers, connect_timeout=20)
    async with stdio(PYTHON, DRIFTING, traffic=traffic, options=options) as session:
        await session.connect()
        if lists:
            await session.list("tools")
        for name, arguments in calls or CALLS:
            await session.request("tools/call", {"name": name, "arguments": arguments})
    traffic.close()
    return str(path)


def live(*drift: str) -> list[str]:
    return ["--", PYTHON, DRIFTING, *drift]


async def test_the_same_server_answers_the_same_but_for_times_ids_and_cursors(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec")
    ran = inspect("replay", file, "--json", *live("page=b"))
    assert ran.code == 0, ran.err
    assert ran.json == {
        "requests": 6, "same": 6, "different": 0, "missing": 0, "skipped": 0, "differences": [], "warnings": [],
    }  # fmt: skip
    exact = inspect("replay", file, "--json", "--exact", *live("page=b"))
    assert exact.code == 1
    wrong = {(each["method"], each["pointer"]) for each in exact.json["differences"]}
    assert ("tools/list", "/result/nextCursor") in wrong
    assert ("tools/call", "/result/content/0/text → /id") in wrong


async def test_what_differs_is_told_with_its_place(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec")
    ran = inspect("replay", file, "--json", *live("price=1.75"))
    assert (ran.code, ran.json["same"], ran.json["different"]) == (1, 5, 1)
    (change,) = ran.json["differences"]
    assert change.pop("seq") > 0
    assert change == {
        "method": "tools/call", "pointer": "/result/content/0/text → /price", "recorded": "1.50", "live": "1.75",
    }  # fmt: skip
    told = inspect("replay", file, *live("price=1.75"))
    assert '/result/content/0/text → /price  then "1.50"  now "1.75"' in told.out
    assert told.out.endswith("6 requests: 5 same, 1 different, 0 missing, 0 skipped\n")
    passed = (
        ("--ignore", "/result/content/*/text/price"),
        ("--ignore", "/**/price"),
        ("--ignore-text", "[0-9.]+"),
    )
    for rule in passed:
        assert inspect("replay", file, *rule, *live("price=1.75")).code == 0, rule


async def test_it_is_told_as_junit_too(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec")
    ran = inspect("replay", file, "--format", "junit", *live("price=\x1b[31m"))
    suite = XML.fromstring(ran.out.encode())
    assert ran.code == 1 and (suite.get("tests"), suite.get("failures")) == ("6", "1")
    (failure,) = suite.iter("failure")
    assert "\\u001b[31m" in str(failure.text) and "\x1b" not in ran.out


async def test_questions_are_answered_as_they_were(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec", ("ask", {}), ("ask", {}))
    ran = inspect("replay", file, "--json", "--filter", "method:tools/call", *live("ask=Another question?"))
    assert (ran.code, ran.json["requests"], ran.json["same"]) == (0, 2, 2)


async def test_a_question_that_was_never_asked_is_refused_and_told(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec", ("ask", {}), lists=False)
    lines = Path(file).read_text().splitlines()
    asked = [at for at, line in enumerate(lines) if '"id":"q"' in line]
    Path(file).write_text("\n".join(line for at, line in enumerate(lines) if at not in asked) + "\n")
    ran = inspect("replay", file, "--json", *live())
    assert (ran.code, ran.json["different"]) == (1, 1)
    assert ran.json["warnings"] == ["python asked what the recording has no answer to: elicitation/create"]


async def test_tools_that_may_change_something_need_a_yes(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec")
    behind = live("reader=clock,ask,gone")
    ran = inspect("replay", file, "--json", *behind)
    assert ran.code == 2 and ran.json["error"]["kind"] == "config"
    assert "price" in ran.json["error"]["message"] and "--yes" in ran.json["error"]["hint"]
    assert "clock" not in ran.json["error"]["message"]
    assert inspect("replay", file, "--yes", *behind).code in (0, 1)


async def test_a_tool_that_the_server_does_not_list_is_named_as_such(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec", ("no_such", {}), ("price", {}), ("clock", {}))
    ran = inspect("replay", file, "--json", *live("reader=clock"))
    error = ran.json["error"]
    assert ran.code == 2 and "correct the name" in error["hint"]
    assert error["message"].endswith(
        "the server lists no such tool: no_such; tools that are not marked as reading only will be called: price"
    )
    ran = inspect("replay", file, "--json", "--filter", "tool:no_such", *live())
    assert ran.json["error"]["message"].endswith("the server lists no such tool: no_such")


async def test_calls_of_one_tool_are_told_apart_by_their_arguments(tmp_path: Path) -> None:
    file = await record(
        tmp_path / "a.mcprec", ("price", {"item": "rye"}), ("price", {"item": "oats"}), ("clock", {})
    )
    told = inspect("replay", file, "-v", *live()).out
    assert 'tools/call price {"item": "rye"}' in told and 'tools/call price {"item": "oats"}' in told
    assert "tools/call clock  " in told
    suite = XML.fromstring(inspect("replay", file, "--format", "junit", *live()).out.encode())
    names = [str(case.get("name")).partition(" ")[2] for case in suite.iter("testcase")]
    assert 'tools/call price {"item": "rye"}' in names


async def test_a_server_that_ends_leaves_the_rest_missing(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec", ("price", {}), ("gone", {}), ("clock", {}))
    ran = inspect("replay", file, "--json", *live("gone=gone"))
    assert (ran.code, ran.json["same"], ran.json["missing"]) == (3, 3, 2)
    missing = ran.json["differences"][0]
    assert missing["live"] is None and missing["error"]["kind"] == "exited"
    assert missing["recorded"]["result"]["content"][0]["text"] == "here still"


async def test_a_server_that_does_not_start_is_told_and_everything_is_missing(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec")
    ran = inspect("replay", file, "--json", "--", "no-such-program-here")
    assert (ran.code, ran.json["missing"], ran.json["error"]["kind"]) == (3, 6, "not_found")


async def test_masked_values_come_from_the_target_or_cost_the_request(tmp_path: Path) -> None:
    file = await record(
        tmp_path / "a.mcprec", ("key", {"api_key": "sk-12345678"}), ("price", {}), lists=False
    )
    assert "sk-12345678" not in Path(file).read_text()
    ran = inspect("replay", file, "--json", *live())
    assert (ran.code, ran.json["same"], ran.json["skipped"]) == (0, 1, 1)
    ran = inspect(
        "replay", file, "--filter", "tool:key", "-o", str(tmp_path / "r.xml"), "--format", "junit", *live()
    )
    assert ran.code == 2 and "nothing was sent, so nothing was compared: 1 request skipped" in ran.err
    assert "1 request: 0 same, 0 different, 0 missing, 1 skipped\n" in ran.err and ran.out == ""
    ran = inspect("replay", file, "--filter", "tool:key", "--json", *live())
    assert (ran.code, ran.json["skipped"], ran.json["error"]["kind"]) == (2, 1, "config")
    ran = inspect("replay", file, "--json", "--env", "API_KEY=sk-87654321", *live())
    assert (ran.code, ran.json["same"], ran.json["skipped"]) == (0, 2, 0)


async def test_servers_of_a_config_get_what_was_sent_to_their_name(tmp_path: Path) -> None:
    file = await record(tmp_path / "a.mcprec")
    entry = {"command": PYTHON, "args": [DRIFTING]}
    config = write_config(tmp_path, server=entry, other=entry)
    assert inspect("replay", file, config).code == 0
    other = write_config(tmp_path, one=entry, two=entry)
    ran = inspect("replay", file, other, "--json")
    assert ran.code == 2 and "it holds server; the target has one, two" in ran.json["error"]["message"]
    assert inspect("replay", file, other, "-s", "two").code == 0


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "e.mcprec"
    with pytest.raises(Failed):
        Traffic.open_recording(tmp_path / "nothing")
    traffic = Traffic.in_memory()
    traffic.attach(Writer(empty))
    traffic.close()
    for words, said in (
        (("replay",), "replay needs RECORDING"), (("replay", str(tmp_path / "no")), "cannot read"),
        (("replay", str(empty)), "holds no request"), (("replay", str(empty), "--ignore", "x"), "no JSON Pointer"),
        (("replay", str(empty), "--ignore-text", "("), "no pattern"),
        (("replay", str(empty), "--filter", "("), "filter"), (("replay", "a", "b", "c"), "one operand too many"),
    ):  # fmt: skip
        ran = inspect(*words, *([] if "c" in words else live()))
        assert ran.code == 2 and said in ran.err, (words, ran.err)
    assert (
        json.loads(inspect("replay", str(empty), "--format", "json", *live()).out)["error"]["kind"]
        == "config"
    )
