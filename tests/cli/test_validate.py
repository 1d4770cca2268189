"""`call --validate`: nothing is sent that the schema of the tool does not take."""

from __future__ import annotations

import sys
from pathlib import Path

from command import inspect

_BAKERY = ["--", sys.executable, "-m", "inspector.demo", "stdio", "bakery"]

_LIAR = """
import json, sys
tool = {"name": "count", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
results = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                          "serverInfo": {"name": "liar", "version": "1"}},
           "tools/list": {"tools": [tool]},
           "tools/call": {"content": [], "structuredContent": {"n": "many"}}}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]}), flush=True)
"""


def test_what_does_not_fit_is_named_and_not_sent(tmp_path: Path) -> None:
    recording = tmp_path / "r.mcprec"
    words = ["call", "price_of", "item=stone", "count:=0", "--validate", "--json", "--record", str(recording)]
    ran = inspect(*words, *_BAKERY)
    assert ran.code == 2 and ran.json["error"]["kind"] == "config" and ran.json["result"] is None
    assert "/item" in ran.json["error"]["message"] and "/count" in ran.json["error"]["message"]
    assert "tools/call" not in inspect("log", str(recording)).out
    again = inspect("call", "price_of", "item=stone", "--validate", "--repeat", "3", *_BAKERY)
    assert again.code == 2 and "nothing was sent" in again.err


def test_what_fits_is_called_and_the_answer_is_held_against_its_schema() -> None:
    ran = inspect("call", "price_of", "item=croissant", "count:=2", "--validate", "--json", *_BAKERY)
    assert ran.code == 0 and ran.json["warnings"] == []
    liar = inspect(
        "call", "count", "--validate", "--json", "--protocol", "legacy", "--", sys.executable, "-c", _LIAR
    )
    assert liar.code == 0 and liar.json["result"]["structuredContent"] == {"n": "many"}
    (warning,) = liar.json["warnings"]
    assert "/n" in warning and "output schema" in warning


def test_a_tool_that_is_not_listed_cannot_be_checked() -> None:
    ran = inspect("call", "nothing_there", "--validate", *_BAKERY)
    assert ran.code == 2 and "lists no tool nothing_there" in ran.err
