"""The text of a prompt, as clients of both profiles write it."""

from __future__ import annotations

import json

import pytest

from inspector.base.errors import Failed
from inspector.lenses.solon.prompt import EDGES, Prompt, Said, remarks
from inspector.lenses.solon.saved import as_json, kept_of, prompt_of, read

ADMIN = Prompt([Said("user", "my order")], {"tenant_id": "1", "user_role": "ADMIN"}, at=1_700_000_000_000)


def test_the_text_of_3_9_to_the_letter() -> None:
    assert ADMIN.text("3.9") == (
        '{"@type":"org.noear.solon.ai.chat.prompt.PromptImpl",'
        '"attrs":{"@type":"java.util.LinkedHashMap","tenant_id":"1","user_role":"ADMIN"},'
        '"messages":[{"@type":"org.noear.solon.ai.chat.message.UserMessage","role":1,"content":"my order"}]}'
    )


def test_4_0_adds_blocks_and_a_time() -> None:
    (message,) = json.loads(ADMIN.text("4.0"))["messages"]
    assert message == {
        "@type": "org.noear.solon.ai.chat.message.UserMessage", "role": 1, "content": "my order",
        "blocks": [{"@type": "org.noear.solon.ai.chat.content.TextBlock", "text": "my order"}],
        "createdAt": 1_700_000_000_000,
    }  # fmt: skip


def test_roles_are_numbers_and_classes() -> None:
    said = [Said("system", "a"), Said("user", "b"), Said("tool", "c"), Said("assistant", "d")]
    messages = json.loads(Prompt(said).text("3.9"))["messages"]
    assert [message["role"] for message in messages] == [0, 1, 2, 3]
    assert [message["@type"].rpartition(".")[2] for message in messages] == [
        "SystemMessage", "UserMessage", "ToolMessage", "AssistantMessage",
    ]  # fmt: skip


def test_attributes_keep_their_types_and_spelling() -> None:
    attrs = json.loads(Prompt(attrs={"n": 1, "f": 2.50, "b": True, "none": None, "l": ["订单"]}).text("3.9"))[
        "attrs"
    ]
    del attrs["@type"]
    assert attrs == {"n": 1, "f": 2.5, "b": True, "none": None, "l": ["订单"]}
    assert "订单" in Prompt([Said("user", "订单")]).text("3.9")


def test_a_raw_text_stands_in_place_of_all() -> None:
    assert Prompt([Said("user", "x")], {"a": 1}, raw="{oops").text("4.0") == "{oops"


def test_what_is_written_here_needs_no_remark() -> None:
    for profile in ("3.9", "4.0"):
        assert remarks(ADMIN.text(profile)) == []


@pytest.mark.parametrize(("name", "told"), [
    ("no messages", "no message"), ("an empty list", "no message"), ("null", "no prompt"), ("no JSON", "no JSON"),
    ("a message without its class", "message 1 names no class"),
])  # fmt: skip
def test_edge_cases_say_what_servers_make_of_them(name: str, told: str) -> None:
    assert any(told in remark.message for remark in remarks(EDGES[name]))


def test_the_shortest_text_that_servers_take_needs_none() -> None:
    assert remarks(EDGES["no class names but that of the message"]) == []


def test_another_class_is_a_risk_wherever_it_stands() -> None:
    text = '{"attrs":{"x":[{"@type":"com.sun.rowset.JdbcRowSetImpl"}]},"messages":[{"@type":7}]}'
    assert [remark.message.split(":")[0] for remark in remarks(text) if remark.is_risk] == [
        "it names the class 7", "it names the class com.sun.rowset.JdbcRowSetImpl",
    ]  # fmt: skip


def test_saved_prompts_come_back_as_they_were(tmp_path) -> None:
    path = tmp_path / "prompts.yaml"
    path.write_text(
        "prompts:\n- {name: admin, text: 订单, attrs: {user_role: ADMIN, level: 3}}\n- {raw: 'null'}\n"
        "- {name: talk, messages: [{role: system, content: a}, {content: b}]}\n",
        encoding="utf-8",
    )
    prompts = read(path)
    assert [(prompt.name, prompt.raw) for prompt in prompts] == [
        ("admin", None),
        ("prompt 2", "null"),
        ("talk", None),
    ]
    assert prompts[0].attrs == {"user_role": "ADMIN", "level": 3}
    assert [said.role for said in prompts[2].messages] == ["system", "user"]
    again = [prompt_of(as_json(prompt), "") for prompt in prompts]
    assert [each.text("3.9") for each in again] == [each.text("3.9") for each in prompts]
    assert [each.name for each in kept_of({"s": [as_json(prompts[0]), 3]}, "s")] == ["admin"]


@pytest.mark.parametrize(("text", "told"), [
    ("prompts: {}", "/prompts"), ("prompts: [3]", "/prompts/0"), ("prompts: [{tex: a}]", "/prompts/0/tex"),
    ("prompts: [{messages: [{role: king, content: a}]}]", "/prompts/0/messages/0"), ("{", "1:2"),
    ("prompts: [{raw: 3}]", "/prompts/0/raw"), ("prompts: [{attrs: 3}]", "/prompts/0/attrs"),
])  # fmt: skip
def test_a_file_of_prompts_says_where_it_is_wrong(tmp_path, text: str, told: str) -> None:
    path = tmp_path / "prompts.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Failed) as failed:
        read(path)
    assert failed.value.failure.kind == "config" and told in failed.value.failure.message
