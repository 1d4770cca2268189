"""What tools and resources say of pages, whatever they say, and the policy that is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.protocol.apps import ToolPage, is_app, is_source, needs_of, page_of, policy


@pytest.mark.parametrize(
    ("mime", "expected"),
    [
        ("text/html;profile=mcp-app", True),
        ('Text/HTML ; profile="mcp-app"', True),
        ("text/html", False),
        ("text/html;profile=mcp-app2", False),
        ("text/html;profile=mcp-app\n", True),
        (None, False),
        (7, False),
    ],
)
def test_a_page_is_known_by_its_media_type(mime: Any, expected: bool) -> None:
    assert is_app(mime) is expected


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"ui": {"resourceUri": "ui://a", "visibility": ["app", 3]}}, ToolPage("ui://a", ("app",))),
        ({"ui/resourceUri": "ui://b"}, ToolPage("ui://b", older=True)),
        ({"ui": {"resourceUri": "ui://a"}, "ui/resourceUri": "ui://a"}, ToolPage("ui://a")),
        ({"ui": {"visibility": ["model"]}}, ToolPage(None, ("model",))),
        ({"ui": {"resourceUri": 5}}, None),
        ({"ui": "ui://a"}, None),
        ({"other": 1}, None),
        (None, None),
    ],
)
def test_a_tool_names_its_page_in_either_spelling(meta: Any, expected: ToolPage | None) -> None:
    assert page_of({"name": "t", "_meta": meta}) == expected


def test_what_was_read_comes_before_what_was_listed() -> None:
    listed, read = {"ui": {"domain": "listed"}}, {"ui": {"domain": "read", "prefersBorder": False}}
    needs = needs_of(read, listed)
    assert needs is not None and needs.domain == "read" and needs.border is False
    assert needs_of(None, listed) == needs_of({"ui": {}}, listed) != needs
    assert needs_of(None, {"ui": 3}, [1]) is None


@pytest.mark.parametrize(
    "odd", ["*", "'self'", "a b", "a;b", "https://x\n", "javascript:", "https://a/b", "", "x" * 400]
)
def test_only_origins_go_into_a_policy(odd: str) -> None:
    assert not is_source(odd)
    needs = needs_of(
        {"ui": {"csp": {"connectDomains": [odd], "resourceDomains": [odd, "https://good.example"]}}}
    )
    made = policy(needs)
    assert "connect-src 'none';" in made and "script-src 'unsafe-inline' https://good.example;" in made
    assert made.startswith("sandbox allow-scripts allow-forms; default-src 'none';")


def test_a_page_reaches_what_it_declares_and_no_more() -> None:
    needs = needs_of({"ui": {"csp": {
        "connectDomains": ["https://api.example", "wss://live.example:*"], "frameDomains": ["https://*.frames.example"],
    }}})  # fmt: skip
    rules = dict(rule.split(" ", 1) for rule in policy(needs).split("; "))
    assert rules["connect-src"] == "https://api.example wss://live.example:*"
    assert rules["frame-src"] == "https://*.frames.example" and rules["base-uri"] == "'none'"
    nothing = dict(rule.split(" ", 1) for rule in policy(None).split("; "))
    assert nothing["connect-src"] == nothing["frame-src"] == "'none'" and "http" not in policy(None)
    assert "allow-same-origin" not in nothing["sandbox"]
