"""A bug of ours on the command line: a sentence with reason and report, no secret, no traceback, exit code 70."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import Ran, inspect, odd_entry, write_config

SECRET = "s3cr3t-v4lue-0123456789"
BUG = f"""
def bug(*_, **__):
    raise LookupError("a bug of ours, with \\x1b[31m and " + {SECRET!r})

async def late_bug(*_, **__):
    bug()
"""
FAULTS = {
    "words": "import inspector.cli.arguments as m; m.parse = bug",
    "a config": "import inspector.config.load as m; m.load = bug",
    "a verb": "import inspector.cli.verbs.lists as m; m.run = late_bug",
    "a connection": "import inspector.workspace.connection as m; m.Connection._connect = late_bug",
}
BESIDE = {
    "closing": "import inspector.workspace.connection as m; m.Connection.stop = late_bug",
    "a callback": """
import inspector.cli.verbs.lists as m
def run(*words, run=m.run):
    import asyncio
    asyncio.get_running_loop().call_soon(bug)
    return run(*words)
m.run = run
""",
    "a thread": """
import inspector.cli.verbs.lists as m
def run(*words, run=m.run):
    import threading
    thread = threading.Thread(target=bug)
    thread.start()
    thread.join()
    return run(*words)
m.run = run
""",
}


def told(ran: Ran) -> Path:
    """The report, as stderr names it."""
    assert "mcp-inspect itself failed: LookupError" in ran.err
    for text in (ran.out, ran.err):
        assert "Traceback" not in text and "\x1b" not in text
    found = re.search(r"details are in (\S+\.txt)", ran.err)
    assert found is not None
    report = Path(found.group(1))
    assert report.stat().st_mode & 0o077 == 0 and "Traceback" in report.read_text()
    return report


@pytest.mark.parametrize("where", FAULTS)
def test_a_bug_is_a_failure_of_its_own_kind(where: str, tmp_path: Path) -> None:
    ran = inspect(
        "tools", write_config(tmp_path, odd=odd_entry()), "-s", "odd", "--json", patch=BUG + FAULTS[where]
    )
    told(ran)
    assert ran.code == 70 and ran.json["error"]["kind"] == "internal"


@pytest.mark.parametrize("where", BESIDE)
def test_a_bug_beside_the_answer_costs_the_answer_nothing(where: str, tmp_path: Path) -> None:
    ran = inspect(
        "tools", write_config(tmp_path, odd=odd_entry()), "-s", "odd", "--json", patch=BUG + BESIDE[where]
    )
    told(ran)
    assert ran.code == 70 and ran.json["tools"]


def test_neither_the_report_nor_the_sentence_holds_a_secret(tmp_path: Path) -> None:
    config = write_config(tmp_path, odd={**odd_entry(), "env": {"TOKEN": "${KEY}"}})
    ran = inspect("tools", config, "-s", "odd", "--json", patch=BUG + BESIDE["closing"], KEY=SECRET)
    assert SECRET not in ran.out + ran.err + told(ran).read_text()
