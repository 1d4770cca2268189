"""Remote skills of Solon AI from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect, odd, write_config

from inspector.demo import ORDERS

SAID = "这个订单：A001，请查询订单详情。"
FOUR = ("isSupportedMcp", "onAttachMcp", "getInstructionMcp", "getToolsMcp")


def orders(folder: Path, **changes: Any) -> list[str]:
    """What stands behind `--` for the bundled skill; `changes` are members of its definition."""
    text = ORDERS.read_text(encoding="utf-8")
    for name, value in changes.items():
        text = text.replace("skill:\n", f"skill:\n  {name}: {json.dumps(value)}\n")
        if name == "version":
            text = text.replace("  version: 3.9.0\n", "")
    path = folder / "orders.yaml"
    path.write_text(text, encoding="utf-8")
    return ["--", PYTHON, "-m", "inspector", "serve", str(path)]


def plain(folder: Path, **answers: Any) -> list[str]:
    """A server with a resource and four tools that give these results, whatever they are asked."""
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in (*FOUR, "query")]
    usual = {
        "isSupportedMcp": "true",
        "onAttachMcp": "",
        "getInstructionMcp": "be kind",
        "getToolsMcp": "null",
    }
    metadata = answers.pop(
        "metadata", {"contents": [{"uri": "skill://metadataMcp", "text": '{"name":"plain"}'}]}
    )
    given: list[dict[str, Any]] = [{"resource": "skill://metadataMcp", "result": metadata}]
    for name, told in (usual | answers).items():
        given.append({"tool": name, **({"text": told} if isinstance(told, str) else told)})
    listed = {"resources": [{"uri": "skill://metadataMcp", "name": "m"}], "tools": tools, "answers": given}
    path = folder / "plain.json"
    path.write_text(json.dumps({"definition": 1, **listed}), encoding="utf-8")
    return ["--", PYTHON, "-m", "inspector", "serve", str(path)]


def test_a_user_gets_one_tool_an_admin_two_and_all_gets_all(tmp_path: Path) -> None:
    behind = orders(tmp_path)
    for words, state, names in (
        ((), "some", ["OrderQueryTool"]),
        (("user_role=ADMIN",), "some", ["OrderQueryTool", "OrderCancelTool"]),
        (("tool=all",), "all", ["OrderQueryTool", "OrderCancelTool"]),
    ):
        ran = inspect("skill", SAID, "tenant_id=1", *words, "--json", *behind)
        assert ran.code == 0, ran.err
        assert ran.json["metadata"]["name"] == "OrderManager" and ran.json["supported"] is True
        assert (ran.json["tools"]["state"], ran.json["tools"]["names"]) == (state, names)
        assert ran.json["tools"]["hidden"] == list(FOUR) and ran.json["error"] is None
        assert [step["step"] for step in ran.json["steps"]] == ["metadata", *FOUR, "getToolsMcp"]
        assert "tenant 1" in ran.json["instruction"]


def test_a_prompt_that_the_skill_does_not_take_is_no_failure(tmp_path: Path) -> None:
    behind = orders(tmp_path)
    for words in ((SAID,), ("hello", "tenant_id=1"), ()):
        ran = inspect("skill", *words, "--json", *behind)
        assert (ran.code, ran.json["supported"], ran.json["tools"]) == (0, False, None), ran.err
        assert ran.json["verdict"] == "INACTIVE" and ran.json["instruction"] is None
        assert [step["step"] for step in ran.json["steps"]] == ["metadata", "isSupportedMcp"]


@pytest.mark.parametrize(("version", "states"), [
    ("3.9.0", {"3.9.0": "all", "3.9.3": "all", "4.0": "all"}),
    ("3.9.3", {"3.9.0": "unreadable", "3.9.3": "unreadable", "4.0": "all"}),
])  # fmt: skip
def test_each_client_reads_a_null_in_its_own_way(
    tmp_path: Path, version: str, states: dict[str, str]
) -> None:
    behind = orders(tmp_path, version=version)
    for client in ("3.9.0", "3.9.3"):
        ran = inspect("skill", SAID, "tenant_id=1", "tool=all", "--client", client, "--json", *behind)
        assert ran.json["tools"]["state"] == states[client] and ran.json["tools"]["readings"] == states
        assert ran.code == (1 if states[client] == "unreadable" else 0)
        assert bool(ran.json["tools"]["names"]) == (states[client] == "all")


def test_a_client_that_looks_elsewhere_is_told_where_the_skill_is(tmp_path: Path) -> None:
    ran = inspect("skill", SAID, "--client", "4.0", *orders(tmp_path))
    assert ran.code == 4
    assert "talent://metadataMcp is not listed, but skill://metadataMcp" in ran.err
    assert "without --client" in ran.err


def test_a_client_of_4_0_reads_its_own_uri_and_sends_its_own_form(tmp_path: Path) -> None:
    behind = orders(tmp_path, version="4.0")
    ran = inspect(
        "skill", SAID, "tenant_id=1", "tool=all", "--json", "--record", str(tmp_path / "r.mcprec"), *behind
    )
    assert (ran.code, ran.json["client"], ran.json["uri"]) == (0, "4.0", "talent://metadataMcp")
    assert ran.json["tools"]["state"] == "all"
    sent = inspect("log", str(tmp_path / "r.mcprec"), "tool:isSupportedMcp dir:out", "--json").out
    assert "createdAt" in sent and "TextBlock" in sent
    old = inspect("skill", SAID, "--client", "3.9.3", "--json", *behind)
    assert old.code == 4 and "skill://metadataMcp" not in json.dumps(old.json["metadata"])
    assert old.json["error"]["kind"] == "rpc" and old.json["steps"][0]["stops"]


@pytest.mark.parametrize(("answers", "code", "supported", "state"), [
    ({"isSupportedMcp": " true"}, 0, False, None),
    ({"isSupportedMcp": {"text": "true", "isError": True}}, 1, False, None),
    ({"isSupportedMcp": {"error": {"code": -32603, "message": "no"}}}, 4, False, None),
    ({"onAttachMcp": {"text": "boom", "isError": True}}, 1, True, "all"),
    ({"onAttachMcp": {"error": {"code": -32603, "message": "no"}}}, 4, True, None),
    ({"getToolsMcp": "[]"}, 0, True, "none"),
    ({"getToolsMcp": '["nobody", "query", 3]'}, 0, True, "some"),
    ({"getToolsMcp": "not json"}, 1, True, "unreadable"),
    ({"getToolsMcp": {"text": "boom", "isError": True}}, 1, True, "unreadable"),
])  # fmt: skip
def test_verdicts_and_exit_codes(
    tmp_path: Path, answers: dict[str, Any], code: int, supported: bool, state: str | None
) -> None:
    ran = inspect("skill", "x", "--json", *plain(tmp_path, **answers))
    assert ran.code == code and ran.json["supported"] is supported, ran.err
    assert (ran.json["tools"] or {}).get("state") == state
    if state == "some":
        assert ran.json["tools"]["names"] == ["query"] and ran.json["tools"]["unknown"] == ["nobody", "3"]
        assert any("nobody" in warning for warning in ran.json["warnings"])


@pytest.mark.parametrize("result", [
    {"contents": []}, {"contents": [{"uri": "skill://metadataMcp", "text": "[]"}]},
    {"contents": [{"uri": "skill://metadataMcp", "blob": "e30="}]},
])  # fmt: skip
def test_metadata_that_no_client_can_use_ends_it(tmp_path: Path, result: dict[str, Any]) -> None:
    ran = inspect("skill", "x", "--json", *plain(tmp_path, metadata=result))
    assert (ran.code, ran.json["metadata"], ran.json["supported"]) == (1, None, None)
    (step,) = ran.json["steps"]
    assert step["stops"] and "no client can make a skill of it" in step["outcome"]
    assert "no client can make a skill of it" in inspect("skill", "x", *plain(tmp_path, metadata=result)).out


def test_a_server_without_a_skill_says_so_and_a_list_keeps_its_place(tmp_path: Path) -> None:
    ran = inspect("skill", "x", "--json", *odd())
    error = ran.json["error"]
    assert (
        ran.code == 4
        and error["message"].startswith("this is no remote skill")
        and ran.json["supported"] is None
    )
    _, command, *arguments = orders(tmp_path)
    config = write_config(
        tmp_path, orders={"command": command, "args": arguments}, gone={"command": "no-such-program-here"}
    )
    ran = inspect("skill", config, SAID, "tenant_id=1", "--json")
    assert [each["server"] for each in ran.json] == ["orders", "gone"] and ran.code == 3
    assert ran.json[0]["supported"] is True and ran.json[1]["error"]["kind"] == "not_found"


def test_an_incomplete_skill_says_what_is_missing(tmp_path: Path) -> None:
    behind = plain(tmp_path)
    path = Path(behind[-1])
    definition = json.loads(path.read_text(encoding="utf-8"))
    definition["tools"].pop(3)
    path.write_text(json.dumps(definition), encoding="utf-8")
    ran = inspect("skill", "x", "--json", *behind)
    assert ran.json["missing"] == ["the tool getToolsMcp"] and ran.code == 4
    assert "the tool getToolsMcp" in ran.json["warnings"][0]


def test_all_prompts_of_a_file_stand_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "prompts.yaml"
    file.write_text(
        f"prompts:\n- {{name: guest, text: {SAID}}}\n- {{name: admin, text: {SAID}, attrs: {{tenant_id: 1, user_role:"
        f" ADMIN}}}}\n- {{name: nothing, raw: 'null'}}\n",
        encoding="utf-8",
    )
    ran = inspect("skill", "--prompts", str(file), "--json", *orders(tmp_path))
    assert ran.code == 1, ran.err
    assert [(each["name"], each["verdict"]) for each in ran.json["prompts"]] == [
        ("guest", "INACTIVE"), ("admin", "ACTIVE"), ("nothing", "INACTIVE (error)"),
    ]  # fmt: skip
    shown = inspect("skill", "--prompts", str(file), *orders(tmp_path))
    assert "OrderQueryTool, OrderCancelTool" in shown.out and "guest" in shown.out
    taken = inspect("skill", "--prompts", str(file), "-o", str(file), *orders(tmp_path))
    assert taken.code == 2 and "prompts:" in file.read_text(encoding="utf-8")


def test_prompts_that_the_app_keeps_are_asked_about(tmp_path: Path) -> None:
    _, command, *arguments = orders(tmp_path)
    config = write_config(tmp_path, orders={"command": command, "args": arguments})
    home = {"MCP_INSPECT_HOME": str(tmp_path / "home")}
    none = inspect("skill", config, "-s", "orders", "--saved", "--json", **home)
    assert none.code == 2 and "keeps no prompts" in none.json["error"]["message"]
    prompts = [{"name": "user", "messages": [{"role": "user", "content": SAID}], "attrs": {"tenant_id": "1"}}]
    folder = tmp_path / "home" / "config"
    folder.mkdir(parents=True)
    (folder / "skill-prompts.json").write_text(json.dumps({"orders": prompts}), encoding="utf-8")
    ran = inspect("skill", config, "-s", "orders", "--saved", "--json", **home)
    assert ran.code == 0, ran.err
    assert [(each["name"], each["tools"]["names"]) for each in ran.json["prompts"]] == [
        ("user", ["OrderQueryTool"])
    ]


def test_a_raw_text_goes_out_as_it_is_and_other_classes_need_a_yes(tmp_path: Path) -> None:
    behind = orders(tmp_path)
    raw = f'{{"attrs":{{"tenant_id":"1"}},"messages":[{{"@type":"x.UserMessage","content":"{SAID}"}}]}}'
    refused = inspect("skill", "--raw", raw, "--json", *behind)
    assert refused.code == 2 and "x.UserMessage" in refused.json["error"]["message"]
    ran = inspect("skill", "--raw", raw, "--yes", "--json", *behind)
    assert ran.code == 0 and ran.json["tools"]["names"] == ["OrderQueryTool"]
    both = inspect("skill", "text", "--raw", raw, *behind)
    assert both.code == 2 and "leave out TEXT" in both.err


def test_the_page_for_people_has_the_chain_and_the_table(tmp_path: Path) -> None:
    ran = inspect("skill", SAID, "tenant_id=1", *orders(tmp_path))
    assert ran.code == 0 and "as a client of 3.9.3 sees it" in ran.out
    lines = ran.out.splitlines()
    (row,) = [line.split() for line in lines if line.startswith("OrderCancelTool")]
    assert row[1:] == ["no", "no", "no"]
    assert any(
        line.startswith("isSupportedMcp") and "hidden by its marker, hide: 1" in line for line in lines
    )
