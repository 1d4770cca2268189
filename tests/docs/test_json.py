"""The members that docs/reference/json.md names are those that the verbs print."""

from __future__ import annotations

import json
import re

import pytest
from documents import ROOT
from reader import Reader

_ROWS = dict(
    re.findall(
        r"^\| (`[^|]+`) \| (.+) \|$",
        (ROOT / "docs" / "reference" / "json.md")
        .read_text()
        .split("## Documents")[1]
        .split("## Failures")[0],
        re.M,
    )
)
CALL = ["server", "result", "duration_ms", "error", "warnings"]
COMMANDS = {
    "`config`": ("config mcp.json", []),
    "`status`": ("status mcp.json", []),
    "`tools`": ("tools mcp.json -s shop", []),
    "`call`": ("call mcp.json price_of item=croissant", []),
    "`call --repeat`": ("call mcp.json price_of item=croissant --repeat 2", ["tool", *CALL]),
    "`read`": ("read mcp.json bakery://menu", CALL),
    "`prompt`": ("prompt mcp.json plan_breakfast guests=4", CALL),
    "`complete`": ("complete mcp.json prompt:describe_bread bread b", CALL),
    "`request`": ("request mcp.json ping", CALL),
    "`form`": ("form mcp.json price_of", []),
    "`form --fill`": ("form mcp.json price_of --fill {}", []),
    "`schema`": ("schema mcp.json price_of", []),
    "`schema --view diff`": ("schema mcp.json pay --view diff", []),
    "`check`": ("check mcp.json", []),
    "`run`": ("run calls.yaml", []),
    "`replay`": ("replay session.mcprec mcp.json", []),
    "`diff`, `baseline`": ("diff session.mcprec session.mcprec", []),
    "`auth --show`": ("auth http://127.0.0.1:9/mcp --show", []),
    "`skill`": ("skill demo -s orders hello", []),
    "`audit`": ("audit", []),
}
"""By row: a command, and the members that the row leaves to that of `call`."""
_WHERE_NEEDED = {"`check`": {"errors"}}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What each command printed."""
    with Reader(tmp_path_factory.mktemp("reader")) as reader:
        return {
            row: json.loads(reader.prints(f"mcp-inspect {command} --json"))
            for row, (command, _) in COMMANDS.items()
        }


def test_every_document_is_told() -> None:
    untold = {row for row in _ROWS if row not in COMMANDS} - {"`paths`", "`log`"}
    assert untold == set() and set(COMMANDS) <= set(_ROWS)


@pytest.mark.parametrize("row", COMMANDS)
def test_members_are_those_that_are_printed(row: str, printed: dict[str, object]) -> None:
    document = printed[row]
    assert isinstance(document, dict)
    told = (
        re.sub(r"\([^)]*\)", "", _ROWS[row].split(". ")[0])
        .replace("in place of `tool`", "")
        .replace("as `call`", "")
    )
    members = set(re.findall(r"`([\w]+)`", told)) | set(COMMANDS[row][1])
    if row == "`status`":
        assert set(document) == {"servers"}
        document, members = document["servers"][0], members - {"servers"}
    assert members - _WHERE_NEEDED.get(row, set()) == set(document)
