"""What is answered to a server that asks, without anybody looking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from live import odd

from inspector.base.errors import Failed
from inspector.session.inbox import Refusal
from inspector.session.responders import DENY, Profile, profile_of, read_profile
from inspector.session.session import Options

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "x"},
        "none": {"type": "null", "default": None},
        "plain": {"type": "string"},
        "odd": 5,
    },
}


def test_what_is_accepted_has_the_defaults_and_over_them_what_was_given() -> None:
    profile = profile_of({"elicitation": {"action": "accept", "content": {"plain": "p"}}}, "f")
    assert (
        profile.capabilities["elicitation"] == {"form": {}, "url": {}}
        and "sampling" not in profile.capabilities
    )
    asked = {"message": "?", "requestedSchema": FORM}
    assert profile.answer("elicitation/create", asked) == {
        "action": "accept",
        "content": {"name": "x", "none": None, "plain": "p"},
    }
    assert profile.answer("elicitation/create", {"mode": "url", "url": "https://x.test/"}) == {
        "action": "decline"
    }
    assert profile.answer("sampling/createMessage", {}) is None


@pytest.mark.parametrize("schema", [None, 5, [], {"properties": 5}, {"properties": {"a": []}}])
def test_a_schema_of_any_kind_is_no_reason_to_fail(schema: Any) -> None:
    answer = Profile(form="accept").answer("elicitation/create", {"requestedSchema": schema})
    assert answer == {"action": "accept", "content": {}}


def test_a_mode_that_was_not_declared_is_an_error() -> None:
    assert isinstance(Profile(form="accept").answer("elicitation/create", {"mode": "url"}), Refusal)
    assert isinstance(Profile(form="accept").answer("elicitation/create", {"mode": ["x"]}), Refusal)
    assert Profile().answer("elicitation/create", {}) is None and not Profile().capabilities


def test_sampling_by_text_echo_result_and_refusal() -> None:
    messages = [
        {"role": "user", "content": {"type": "text", "text": "one"}},
        {"role": "user", "content": [{"type": "text", "text": "two"}, {"type": "image"}]},
    ]
    for sampling, text in (("echo", "two"), ("canned", "canned")):
        answer = profile_of({"sampling": sampling}, "f").answer(
            "sampling/createMessage", {"messages": messages}
        )
        assert (
            isinstance(answer, dict) and answer["content"]["text"] == text and answer["role"] == "assistant"
        )
    whole = profile_of({"sampling": {"model": "m"}}, "f").answer("sampling/createMessage", {})
    assert whole == {"model": "m"}
    use = {"content": [{"type": "tool_use", "id": "a", "name": "t", "input": {}}]}
    assert profile_of({"sampling": use}, "f").capabilities["sampling"] == {"tools": {}}
    assert profile_of({"sampling": "echo"}, "f").capabilities["sampling"] == {}
    refused = DENY.answer("sampling/createMessage", {})
    assert isinstance(refused, Refusal) and refused.code == -1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "no object"), ("{", ":1:"), ('{"roots": []}', "roots is not known"),
        ('{"elicitation": "yes"}', "no answer"), ('{"elicitation": {"content": []}}', "no answer"),
        ('{"sampling": 5}', "no answer"),
    ],
)  # fmt: skip
def test_a_file_that_says_nothing_is_refused_by_name(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(text)
    with pytest.raises(Failed) as failed:
        read_profile(str(file))
    assert words in failed.value.failure.message and "answers.json" in failed.value.failure.message
    with pytest.raises(Failed):
        read_profile(str(tmp_path / "none.json"))


async def test_a_server_that_asks_is_answered_by_the_profile() -> None:
    async with odd("asks", options=Options(connect_timeout=20, responder=DENY)) as session:
        assert session.handshake is not None
        assert session.handshake.sent["capabilities"] == {
            "roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}},
            "tasks": {"list": {}, "cancel": {},
                      "requests": {"elicitation": {"create": {}}, "sampling": {"createMessage": {}}}},
        }  # fmt: skip
        answer = await session.request("tools/call", {"name": "ask", "arguments": {}})
        ping, roots, sampling, unknown = json.loads(answer.result["content"][0]["text"])
        assert (ping, roots, sampling, unknown) == ({}, {"roots": []}, -1, -32601)
