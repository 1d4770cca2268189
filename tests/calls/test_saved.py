"""Files of saved calls: what is read, and what is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.base.errors import Failed
from inspector.calls.saved import read

WHOLE = """
target: servers.json
server: shop
calls:
  - name: the price of rye
    tool: price
    arguments: {item: rye, day: 2026-01-02, n: 1.50}
    expect:
      at:
        /content/0/text/price: {matches: '^1'}
        /content/0/text: {a: 1}
      within_ms: 500
  - read: file:///a
    server: files
    expect: {error: -32002}
  - prompt: greet
    arguments: {who: Ada}
  - method: ping
    expect: {ok: false}
"""


def test_a_whole_file(tmp_path: Path) -> None:
    (tmp_path / "calls.yaml").write_text(WHOLE)
    saved = read(tmp_path / "calls.yaml")
    assert saved.target == str(tmp_path / "servers.json")
    price, file, prompt, ping = saved.calls
    assert (price.name, price.tool, price.server) == ("the price of rye", "price", "shop")
    assert price.params == {"name": "price", "arguments": {"item": "rye", "day": "2026-01-02", "n": 1.5}}
    assert price.expect.within == 0.5 and price.expect.at["/content/0/text"].equals == {"a": 1}
    assert (file.method, file.params, file.server, file.expect.error) == (
        "resources/read", {"uri": "file:///a"}, "files", -32002,
    )  # fmt: skip
    assert (prompt.name, prompt.params) == (
        "prompts/get greet",
        {"name": "greet", "arguments": {"who": "Ada"}},
    )
    assert (ping.name, ping.params, ping.expect.error) == ("ping", None, True)


def test_words_are_read_as_json_would(tmp_path: Path) -> None:
    words = "a: no, b: 12:30, c: 010, d: 1e3, e: -5, f: true, g: null, h: 'x', i: 0x1F, j: 2026-01-02, k: .5, l: ~"
    (tmp_path / "c.yaml").write_text(f"calls: [{{tool: t, arguments: {{{words}, m: }}}}]")
    (call,) = read(tmp_path / "c.yaml").calls
    assert (call.params or {})["arguments"] == {
        "a": "no", "b": "12:30", "c": "010", "d": 1000.0, "e": -5, "f": True, "g": None, "h": "x", "i": "0x1F",
        "j": "2026-01-02", "k": ".5", "l": None, "m": None,
    }  # fmt: skip


def test_json_is_yaml_too(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"calls": [{"tool": "t"}], "target": "https://a.test/mcp"}')
    saved = read(tmp_path / "c.json")
    assert saved.target == "https://a.test/mcp" and saved.calls[0].params == {"name": "t", "arguments": {}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("calls: [", ":1:9"), ("[]", "is no object"), ("calls: []", "/calls is no list"), ("call: 1", "'call'"),
        ("calls: [{}]", "/calls/0 says not what is called"), ("calls: [{tool: a, read: b}]", "several things"),
        ("calls: [{tool: 1}]", "/calls/0/tool is no text"),
        ("calls: [{read: a, arguments: {}}]", "does not go with read"),
        ("calls: [{tool: a, arguments: [1]}]", "/calls/0/arguments is no object"),
        ("calls: [{tool: a, expect: {at: {x: 1}}}]", "x is no JSON Pointer"),
        ("calls: [{tool: a, expect: {at: {/x: {matches: '('}}}}]", "no pattern"),
        ("calls: [{tool: a, expect: {ok: 1}}]", "/expect/ok"),
        ("calls: [{tool: a, expect: {error: x}}]", "/expect/error"),
        ("calls: [{tool: a, expect: {within_ms: -1}}]", "/expect/within_ms"),
        ("calls: [{tool: a}, {tool: a}]", "two calls"),
        ("calls: [{tool: a, arguments: {1: 2}}]", "no text"), ("a: &a [x]\ncalls: [*a]", "references"),
        ("calls: [{tool: a, arguments: {x: !!binary aGk=}}]", "holds a bytes"), ("\x00", "neither YAML nor JSON"),
        ("calls: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "c.yaml").write_text(text)
    with pytest.raises(Failed) as refused:
        read(tmp_path / "c.yaml")
    failure = refused.value.failure
    assert failure.kind == "config" and said in failure.message and failure.hint


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Failed) as refused:
        read(tmp_path / "no.yaml")
    assert refused.value.failure.kind == "io"
    (tmp_path / "deep.yaml").write_text("[" * 100_000)
    with pytest.raises(Failed):
        read(tmp_path / "deep.yaml")
