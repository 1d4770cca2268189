"""What changed: between recordings, between live listings, against what was accepted."""

from __future__ import annotations

import json
import xml.etree.ElementTree as XML
from pathlib import Path
from typing import Any

from command import PYTHON, inspect, write_config
from live import stdio

from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.store import Traffic, Writer

DRIFTING = str(Path(__file__).parent.parent / "servers" / "drifting.py")


async def record(
    path: Path,
    drift: tuple[str, ...],
    *calls: tuple[str, dict[str, Any]],
    lists: bool = True,
    responder: Profile | None = None,
) -> str:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    async with stdio(
        PYTHON, DRIFTING, *drift, traffic=traffic, options=Options(responder=responder, connect_timeout=20)
    ) as session:
        await session.connect()
        if lists:
            await session.list("tools")
        for name, arguments in calls:
            await session.request("tools/call", {"name": name, "arguments": arguments})
    traffic.close()
    return str(path)


def config(folder: Path, name: str, **servers: list[str]) -> str:
    (folder / name).mkdir(exist_ok=True)
    entries = {key: {"command": PYTHON, "args": [DRIFTING, *words]} for key, words in servers.items()}
    return write_config(folder / name, **entries)


PRICE = ("price", {"item": "rye"})


async def test_two_recordings(tmp_path: Path) -> None:
    old = await record(tmp_path / "a.mcprec", (), PRICE, PRICE, ("clock", {}))
    new = await record(tmp_path / "b.mcprec", ("price=2", "reader=clock"), PRICE, ("clock", {}))
    ran = inspect("diff", old, new, "--json")
    assert ran.code == 1
    assert {(each["name"], each["pointer"], each["breaking"]) for each in ran.json["changed"]} == {
        (name, "/annotations/readOnlyHint", True) for name in ("price", "ask", "key", "gone")
    }
    calls = {call["name"]: call for call in ran.json["calls"]}
    price, clock = calls["tools/call price"], calls["tools/call clock"]
    assert (price["different"], price["worse"], price["old"]["calls"], price["new"]["calls"]) == (
        1,
        False,
        2,
        1,
    )
    assert price["changes"] == [{"pointer": "/result/content/0/text → /price", "old": "1.50", "new": "2"}]
    assert clock["different"] == 0 and price["old"]["p50_ms"] > 0
    same = inspect("diff", old, old, "--json")
    assert same.code == 0 and not same.json["changed"] and same.json["calls"]


async def test_calls_that_fail_more_often_are_worse(tmp_path: Path) -> None:
    old = await record(tmp_path / "a.mcprec", (), PRICE, lists=False)
    lines = Path(old).read_text().replace('"content": [', '"isError": true, "content": [')
    (tmp_path / "b.mcprec").write_text(lines)
    ran = inspect("diff", old, str(tmp_path / "b.mcprec"))
    assert ran.code == 1 and "0 of 1 failed, now 1 of 1" in ran.out


async def test_a_recording_and_a_live_server(tmp_path: Path) -> None:
    old = await record(tmp_path / "a.mcprec", ())
    ran = inspect("diff", old, "--", PYTHON, DRIFTING)
    assert (ran.code, ran.out) == (0, "0 added, 0 removed, 0 changed, 0 breaking\n")


async def test_a_live_server_meets_a_client_that_can_do_what_the_one_of_then_could(tmp_path: Path) -> None:
    asks, sees = Profile(form="accept"), "needs=elicitation"
    old = await record(tmp_path / "a.mcprec", (sees,), ("ask", {}), responder=asks)
    server = ["--", PYTHON, DRIFTING, sees]
    ran = inspect("diff", old, *server)
    assert (ran.code, ran.out) == (0, "0 added, 0 removed, 0 changed, 0 breaking\n"), ran
    plain = await record(tmp_path / "b.mcprec", (sees,), ("clock", {}))
    assert inspect("diff", plain, *server).code == 0
    ran = inspect("diff", old, plain, "--json")
    assert ran.code == 1 and [entry["name"] for entry in ran.json["removed"]] == ["ask"]
    assert ran.json["warnings"] == [
        "server: the client declared other capabilities: elicitation, roots, tasks; then roots"
    ]


def test_two_configs_by_name_and_what_cannot_be_reached(tmp_path: Path) -> None:
    old = config(tmp_path, "old", one=[], two=[], three=[])
    new = config(tmp_path, "new", one=["reader=price,clock,ask,key"], two=[])
    ran = inspect("diff", old, new, "--format", "junit")
    suite = XML.fromstring(ran.out)
    assert ran.code == 1 and [case.get("name") for case in suite.iter("testcase")] == ["tool gone"]
    assert "only in " in ran.err and "three" in ran.err
    chosen = inspect("diff", old, new, "-s", "two", "--json")
    assert chosen.code == 0, chosen.out
    (tmp_path / "new" / "servers.json").write_text(
        '{"mcpServers": {"one": {"command": "no-such-program-here"}}}'
    )
    lost = inspect("diff", old, new, "-s", "one", "--json")
    assert lost.code == 3 and lost.json["errors"][0]["error"]["kind"] == "not_found"


def test_a_baseline_is_accepted_and_drift_is_told(tmp_path: Path) -> None:
    file = config(tmp_path, "c", shop=[])
    none = inspect("baseline", file, "--json")
    assert none.code == 2 and "--accept" in none.json["error"]["hint"]
    accepted = inspect("baseline", file, "--accept", "--json")
    assert accepted.code == 0 and accepted.json["accepted"]["shop"]["tools"] == 5
    assert inspect("baseline", file).code == 0
    config(tmp_path, "c", shop=["reader=price"])
    drift = inspect("baseline", file, "--json")
    assert (
        drift.code == 1 and len(drift.json["changed"]) == 4 and drift.json["changed"][0]["breaking"] is True
    )
    assert inspect("baseline", file, "--accept").code == 0 and inspect("baseline", file).code == 0


def test_a_baseline_may_be_a_file_of_a_repository(tmp_path: Path) -> None:
    mine = str(tmp_path / "tools.json")
    behind = ["--", PYTHON, DRIFTING]
    assert inspect("baseline", "--file", mine, "--accept", *behind).code == 0
    kept = json.loads(Path(mine).read_text())
    assert (
        kept["format"] == "mcp-inspect/baseline" and len(next(iter(kept["servers"].values()))["tools"]) == 5
    )
    assert inspect("baseline", "--file", mine, *behind).code == 0
    assert inspect("baseline", "--file", mine, *behind, "reader=").code == 1
    for text, code, said in (
        ("{}", 2, "is no baseline"), ('{"format": "mcp-inspect/baseline", "version": 2}', 2, "version 2"),
        ("[" * 100_000, 2, "is no baseline"),
    ):  # fmt: skip
        Path(mine).write_text(text)
        ran = inspect("baseline", "--file", mine, *behind)
        assert said in ran.err and ran.code == code, ran.err


def test_a_baseline_keeps_numbers_as_they_are_spelled_and_is_json(tmp_path: Path) -> None:
    """Also those beyond a double, which Python would write as words that are no JSON."""
    schema = '{"type": "object", "maximum": 1e999, "multipleOf": 1.50, "title": "\u202e"}'
    listed = f'[{{"name": "t", "inputSchema": {schema}}}]'
    (tmp_path / "d.json").write_text(f'{{"definition": 1, "tools": {listed}}}')
    mine, behind = (
        str(tmp_path / "tools.json"),
        [PYTHON, "-m", "inspector", "serve", str(tmp_path / "d.json")],
    )
    assert inspect("baseline", "--file", mine, "--accept", "--", *behind).code == 0
    text = Path(mine).read_text()
    assert '"maximum": 1e999' in text and '"multipleOf": 1.50' in text and '"title": "\\u202e"' in text
    assert inspect("baseline", "--file", mine, "--", *behind).code == 0


async def test_a_server_is_chosen_where_there_are_several(tmp_path: Path) -> None:
    old = config(tmp_path, "old", one=[], two=["reader="])
    behind = ["--", PYTHON, DRIFTING]
    assert inspect("diff", old, "-s", "one", *behind).code == 0
    assert inspect("diff", old, "-s", "two", *behind).code == 1
    refused = inspect("diff", old, "-s", "one", "--record", str(tmp_path / "x.mcprec"), *behind)
    assert refused.code == 2 and "record each by itself" in refused.err


async def test_what_has_nothing_in_common_is_refused(tmp_path: Path) -> None:
    old = config(tmp_path, "old", one=[], two=[])
    new = config(tmp_path, "new", three=[], four=[])
    ran = inspect("diff", old, new)
    assert ran.code == 2 and "no server is in both: one, two; three, four" in ran.err
    recording = await record(tmp_path / "a.mcprec", ())
    wrong = inspect("diff", recording, new, "-s", "no")
    assert wrong.code == 2 and "no server no in" in wrong.err
    for words in (("diff",), ("diff", "a"), ("diff", "a", "b", "c")):
        assert inspect(*words).code == 2


async def test_definition_files_are_compared_as_what_they_list(tmp_path: Path) -> None:
    """Against each other, a live server and a recording."""
    then, now = str(tmp_path / "then.json"), str(tmp_path / "now.json")
    for path, drift in ((then, ()), (now, ("reader=clock",))):
        frozen = inspect("freeze", "-o", path, "--", PYTHON, DRIFTING, *drift)
        assert frozen.code == 0, frozen.err
    recorded = await record(tmp_path / "a.mcprec", ("reader=clock",))
    changed = {"price", "ask", "key", "gone"}
    for sides in ((then, now), (then, recorded), (then, "--", PYTHON, DRIFTING, "reader=clock")):
        ran = inspect("diff", "--json", *sides)
        assert ran.code == 1, ran.err
        assert {each["name"] for each in ran.json["changed"]} == changed
        assert not ran.json["added"] and not ran.json["removed"]
    assert inspect("diff", then, then).code == 0
    same = inspect("diff", now, "--", PYTHON, DRIFTING, "reader=clock")
    assert same.code == 0, same.out


def test_a_definition_file_that_is_wrong_says_where(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"definition": 1, "tools": 7}')
    ran = inspect("diff", str(tmp_path / "a.json"), str(tmp_path / "a.json"))
    assert ran.code == 2 and "/tools is no list" in ran.err


def test_two_documents_are_not_asked_for_at_once(tmp_path: Path) -> None:
    for words in (("check", "x.json", "--format", "sarif"), ("diff", "a", "b", "--format", "junit")):
        ran = inspect(*words, "--json")
        assert ran.code == 2 and "two documents" in ran.json["error"]["message"]


def test_a_command_is_not_offered_where_it_is_refused() -> None:
    for verb in ("auth", "serve"):
        assert "-- COMMAND" not in inspect(verb, "--help").out
    assert "-- COMMAND" in inspect("tools", "--help").out


def test_calls_are_made_at_both_sides_and_compared(tmp_path: Path) -> None:
    old = config(tmp_path, "a", shop=["price=1"])
    new = config(tmp_path, "b", shop=["price=2", "gone=gone"])
    ran = inspect(
        "diff", old, new, "--call", "price item='rye bread'", "--call", "clock", "--call", "gone", "--json"
    )
    assert ran.code == 1
    calls = {call["name"]: call for call in ran.json["calls"]}
    price, clock, gone = (calls[f"tools/call {name}"] for name in ("price", "clock", "gone"))
    assert [(each["old"], each["new"]) for each in price["changes"]] == [("1", "2")]
    assert (price["different"], price["old"]["calls"], price["old"]["errors"]) == (1, 1, 0)
    assert (clock["different"], clock["worse"], clock["changes"]) == (0, False, [])
    assert gone["worse"] and gone["new"] == {"calls": 1, "errors": 1, "p50_ms": None}
    assert any("shop: tools/call gone: " in warning for warning in ran.json["warnings"])
    same = inspect("diff", old, old, "--call", "price item=rye", "--call", "clock")
    assert same.code == 0 and "0 of 2 calls differ" in same.out


def test_a_call_that_cannot_be_made_is_told_before_anything_is_started(tmp_path: Path) -> None:
    live = config(tmp_path, "a", shop=[])
    held = tmp_path / "shop.yaml"
    held.write_text("definition: 1\nserver: {name: shop}\n")
    for words in (
        ("diff", str(held), live, "--call", "price"),
        ("diff", live, live, "--call", "price rye"),
        ("diff", live, live, "--call", "price 'rye"),
        ("diff", live, live, "--call", ""),
    ):
        ran = inspect(*words)
        assert ran.code == 2 and ("--call" in ran.err or "NAME=VALUE" in ran.err)
