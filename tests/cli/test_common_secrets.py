"""What variables of a common name hold, and the password of a URL in any, is in no recording and no export."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import PYTHON, inspect, write_config

TELLS = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    told = " ".join(f"{name}={value}" for name, value in os.environ.items() if value.startswith(("Kq83", "db://")))
    result = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                       "serverInfo": {"name": "tells", "version": "1"}},
        "tools/call": {"content": [{"type": "text", "text": told}]},
    }
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] in result:
        answer["result"] = result[asked["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
    print(told, file=sys.stderr, flush=True)
"""
NAMES = ("PGPASSWORD", "DB_PASS", "DBPASS", "SESSION_ID", "WEBHOOK_URL", "PIN", "SIGNING_SALT")
VALUES = {name: f"Kq83-{place}-zvT1" for place, name in enumerate(NAMES)}
ALL = VALUES | {"DATABASE_URL": "db://bob:Kq83-u-zvT1@db.test/notes"}


@pytest.mark.parametrize("given", ["--env", "config", "tap"])
def test_they_are_masked(given: str, tmp_path: Path) -> None:
    server = tmp_path / "tells.py"
    server.write_text(TELLS)
    recording = str(tmp_path / "r.mcprec")
    behind = ["--", PYTHON, str(server)]
    if given == "--env":
        options = [word for name, value in ALL.items() for word in ("--env", f"{name}={value}")]
        ran = inspect("call", "go", *options, "--record", recording, *behind)
    elif given == "config":
        entry = {"command": PYTHON, "args": [str(server)], "env": ALL}
        ran = inspect("call", write_config(tmp_path, tells=entry), "go", "--record", recording)
    else:
        lines = [
            {
                "id": 1,
                "method": "initialize",
                "params": {"protocolVersion": "2025-11-25", "capabilities": {}},
            },
            {"id": 2, "method": "tools/call", "params": {"name": "go"}},
        ]
        said = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
        ran = inspect("tap", "-o", recording, *behind, stdin=said, **ALL)
    assert ran.code == 0, ran.err
    kept = Path(recording).read_text()
    assert "PGPASSWORD=***" in kept and "Kq83" not in kept
    for to in ("jsonl", "text", "har", "html", "otlp"):
        assert "Kq83" not in inspect("export", recording, "kind:all", "--to", to).out, to


def test_a_config_is_shown_without_them(tmp_path: Path) -> None:
    file = write_config(tmp_path, tells={"command": sys.executable, "env": ALL})
    for form in ((), ("--json",)):
        ran = inspect("config", file, *form)
        assert "Kq83" not in ran.out + ran.err
    assert (
        inspect("config", file, "--json").json["servers"][0]["env"]["DATABASE_URL"]
        == "db://***@db.test/notes"
    )


def test_what_is_too_short_to_be_looked_for_is_told_once(tmp_path: Path) -> None:
    server = tmp_path / "tells.py"
    server.write_text(TELLS)
    words = ["call", "go", "--env", "PIN=4711", "--env", "MODE=fast", "--record", str(tmp_path / "r.mcprec")]
    ran = inspect(*words, "--", PYTHON, str(server))
    assert ran.code == 0 and ran.err.count("too short to be masked") == 1 and "MODE" not in ran.err
    assert "the values of PIN\n" in ran.err and "4711" not in ran.err
