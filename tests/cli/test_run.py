"""Saved calls from the command line."""

from __future__ import annotations

import json
import xml.etree.ElementTree as XML
from pathlib import Path

from command import PYTHON, inspect, write_config

DRIFTING = str(Path(__file__).parent.parent / "servers" / "drifting.py")
WORKS = str(Path(__file__).parent.parent / "servers" / "works.py")
BEHIND = ["--", PYTHON, DRIFTING]
CALLS = """
calls:
  - name: rye
    tool: price
    arguments: {item: rye}
    expect: {at: {/content/0/text/price: '1.50'}}
  - tool: clock
    expect: {at: {/content/0/text/at: {matches: '^20'}, /content/0/text/id: {exists: true}}}
  - name: none
    method: no/such
    expect: {error: -32601}
"""


def saved(folder: Path, text: str = CALLS) -> str:
    path = folder / "calls.yaml"
    path.write_text(text)
    return str(path)


def test_all_is_as_expected(tmp_path: Path) -> None:
    ran = inspect("run", saved(tmp_path), "--json", *BEHIND)
    assert ran.code == 0, ran.err
    assert (ran.json["passed"], ran.json["failed"]) == (3, 0)
    assert [call["name"] for call in ran.json["calls"]] == ["rye", "tools/call clock", "none"]
    assert all(
        call["ok"] and call["failures"] == [] and call["duration_ms"] > 0 for call in ran.json["calls"]
    )


def test_what_is_not_is_told(tmp_path: Path) -> None:
    file = saved(tmp_path)
    ran = inspect("run", file, *BEHIND, "price=2")
    assert ran.code == 1
    assert "✗ rye" in ran.out and '/content/0/text/price is "2", expected "1.50"' in ran.out
    assert ran.out.endswith("2 passed, 1 failed\n")
    suite = XML.fromstring(inspect("run", file, "--format", "junit", *BEHIND, "price=2").out.encode())
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    report = tmp_path / "report.xml"
    ran = inspect("run", file, "--format", "junit", "-o", str(report), *BEHIND, "price=2")
    assert (ran.code, ran.out, ran.err) == (1, "", "2 passed, 1 failed\n") and report.exists()


def test_tools_that_may_change_something_need_a_yes(tmp_path: Path) -> None:
    file = saved(tmp_path)
    ran = inspect("run", file, "--json", *BEHIND, "reader=clock")
    assert ran.code == 2 and "price" in ran.json["error"]["message"]
    assert inspect("run", file, "--yes", *BEHIND, "reader=clock").code == 0


def test_the_file_names_its_target_and_servers(tmp_path: Path) -> None:
    entry = {"command": PYTHON, "args": [DRIFTING]}
    write_config(tmp_path, one=entry, two={"command": PYTHON, "args": [DRIFTING, "price=2"]})
    text = """
target: servers.json
calls:
  - {name: a, server: one, tool: price, expect: {at: {/content/0/text/price: '1.50'}}}
  - {name: b, server: two, tool: price, expect: {at: {/content/0/text/price: '2'}}}
"""
    ran = inspect("run", saved(tmp_path, text), "--json", cwd=tmp_path.parent)
    assert ran.code == 0, ran.err
    assert [call["server"] for call in ran.json["calls"]] == ["one", "two"]
    lost = inspect("run", saved(tmp_path, text.replace("server: two", "server: three")), "--json")
    assert lost.code == 2 and "no server three for b" in lost.json["error"]["message"]
    unnamed = inspect("run", saved(tmp_path, text.replace("server: two, ", "")), "--json")
    assert unnamed.code == 2 and "names no server" in unnamed.json["error"]["message"]


def test_a_call_that_becomes_a_task_counts_by_its_end(tmp_path: Path) -> None:
    text = "calls: [{tool: fails, expect: {error: -32099}}, {tool: fails, name: good}]"
    ran = inspect("run", saved(tmp_path, text), "--yes", "--json", "--", PYTHON, WORKS)
    assert ran.code == 1 and [call["ok"] for call in ran.json["calls"]] == [True, False]


def test_no_connection_and_no_answer(tmp_path: Path) -> None:
    file = saved(tmp_path)
    ran = inspect("run", file, "--json", "--", "no-such-program-here")
    assert (ran.code, ran.json["failed"], ran.json["error"]["kind"]) == (3, 3, "not_found")
    gone = inspect("run", file, "--json", *BEHIND, "gone=price")
    assert gone.code == 1 and gone.json["calls"][0]["error"]["kind"] == "exited"
    broken = inspect("run", saved(tmp_path, "calls: 1"), "--json", *BEHIND)
    assert broken.code == 2 and json.loads(broken.out)["error"]["kind"] == "config"


def test_variables_are_put_in_when_a_call_is_made_and_masked(tmp_path: Path) -> None:
    text = """
calls:
  - name: key
    tool: key
    arguments: {api_key: '${SHOP_KEY}'}
    expect: {at: {/content/0/text: the key has 14 letters}}
  - name: echoed
    tool: price
    arguments: {item: ['a ${SHOP_KEY}', '${NONE_SUCH:-rye}', '$${SHOP_KEY}', '${a b}']}
    expect:
      at:
        /content/0/text/item/0: x
        /content/0/text/item/1: rye
        /content/0/text/item/2: '${SHOP_KEY}'
        /content/0/text/item/3: '${a b}'
"""
    ran = inspect("run", saved(tmp_path, text), "--json", *BEHIND, SHOP_KEY="s3cret-value-1")
    key, echoed = ran.json["calls"]
    assert key["ok"], key
    assert echoed["failures"] == ['/content/0/text/item/0 is "a ***", expected "x"']
    assert "s3cret" not in ran.out + ran.err
    unset = inspect("run", saved(tmp_path, text), *BEHIND)
    assert unset.code == 1 and "key: the variable SHOP_KEY is not set" in unset.out
    often = inspect("run", saved(tmp_path, text), "--repeat", "20", "--concurrency", "4", *BEHIND)
    assert "✗ key\n    key: the variable SHOP_KEY is not set" in often.out and "4 runs" not in often.out


def test_calls_are_made_several_times_at_once(tmp_path: Path) -> None:
    ran = inspect("run", saved(tmp_path), "--json", "--repeat", "20", "--concurrency", "4", *BEHIND)
    assert ran.code == 0, ran.err
    for call in ran.json["calls"]:
        assert (call["runs"], call["failed"]) == (20, 0)
        assert 0 < call["p50_ms"] <= call["p95_ms"] <= call["p99_ms"]
    wrong = inspect("run", saved(tmp_path), "--repeat", "3", *BEHIND, "price=2")
    assert wrong.code == 1 and "✗ rye  3 runs, 3 not as expected, p50 " in wrong.out
    assert wrong.out.count("expected") == 2
    gone = inspect("run", saved(tmp_path), "--json", "--repeat", "50", *BEHIND, "gone=price")
    assert gone.code != 0 and gone.json["calls"][0]["failures"]
