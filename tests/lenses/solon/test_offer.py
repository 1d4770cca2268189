"""What of a remote skill a server offers, and which of its tools a client hides."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.lenses.solon.clients import CLIENTS
from inspector.lenses.solon.offer import has_gateway, is_hidden, is_management, offered, remark
from inspector.protocol.solon import FORBIDDEN, GATEWAY, MANAGEMENT, SKILL, TALENT

FOUR = [{"name": name, "_meta": {"hide": 1}} for name in MANAGEMENT]


def test_a_resource_and_four_tools_are_a_skill() -> None:
    for uri, client in ((SKILL, "3.9.3"), (TALENT, "4.0")):
        offer = offered([*FOUR, {"name": "query"}], [{"uri": "x://y"}, {"uri": uri}])
        assert offer is not None and offer.complete and offer.uris == (uri,)
        assert offer.client is CLIENTS[client]
    both = offered(FOUR, [{"uri": TALENT}, {"uri": SKILL}])
    assert both is not None and both.uris == (SKILL, TALENT) and both.client.uri == SKILL


def test_a_part_of_it_is_an_incomplete_skill_and_says_what_is_missing() -> None:
    without_one = offered(FOUR[:3], [{"uri": SKILL}])
    assert without_one is not None and without_one.missing == ("the tool getToolsMcp",)
    without_resource = offered(FOUR, [])
    assert without_resource is not None and without_resource.missing == (f"the resource {SKILL} or {TALENT}",)
    only_resource = offered([], [{"uri": TALENT}])
    assert only_resource is not None and len(only_resource.missing) == 4


def test_other_servers_are_none() -> None:
    assert offered([{"name": "query"}], [{"uri": "skill://something/else"}]) is None
    assert offered([None, "isSupportedMcp", {"name": ["isSupportedMcp"]}], [3, {"uri": [SKILL]}]) is None


@pytest.mark.parametrize("value", [1, 0, False, None, "", {}])
def test_the_key_hides_whatever_its_value(value: Any) -> None:
    tool = {"name": "x", "_meta": {"hide": value}}
    assert is_hidden(tool)
    assert ("so this hides too" in remark(tool)) == (not value)


@pytest.mark.parametrize("tool", [{"name": "x"}, {"name": "x", "_meta": {"user_role": "ADMIN"}}, {"_meta": {}},
                                  {"_meta": None}, {"_meta": ["hide"]}, {"hide": 1}, "hide", None])  # fmt: skip
def test_without_the_key_a_tool_is_visible(tool: Any) -> None:
    assert not is_hidden(tool) and remark(tool) == ""


def test_management_without_the_marker_is_told() -> None:
    assert "without the marker" in remark({"name": "getToolsMcp", "_meta": {}})
    assert "no marker" in remark({"name": "other", "description": f" {FORBIDDEN} "})


def test_the_metadata_is_known_by_its_uri_since_its_marker_gets_lost() -> None:
    assert is_management(SKILL) and is_management(TALENT) and not is_management("skill://other")


def test_the_three_tools_of_a_gateway_are_known() -> None:
    tools = [{"name": name} for name in GATEWAY]
    assert has_gateway([*tools, {"name": "x"}]) and not has_gateway(tools[1:])
