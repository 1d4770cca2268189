"""What a client would make of an entry in its own file is what we make of it; written for another, it is the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.config.dialects import DIALECTS
from inspector.config.emit import emit
from inspector.config.forms import FORMS
from inspector.config.load import load
from inspector.config.server import Server
from inspector.config.writing import write
from tests.config.client_entries import CLIENTS, ENVIRONMENT, TOKEN, load_entry
from tests.config.test_writing import FILES


@pytest.mark.parametrize(
    ("client", "number"),
    [(client, number) for client, (_, cases) in CLIENTS.items() for number in range(len(cases))],
)
def test_entry(client: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path / "p")
    entry, wanted = CLIENTS[client][1][number]
    loaded = load_entry(client, tmp_path, entry)
    assert loaded.files[0].dialect.id == client
    server = next(one for one in loaded.servers if one.name == "s")
    project = str(tmp_path / "p")
    found = {
        "transport": server.transport, "run": [server.command, *server.args], "env": server.env, "url": server.url,
        "headers": server.headers, "on": server.enabled, "cwd": server.cwd,
        "timeouts": (server.request_timeout, server.connect_timeout),
    }  # fmt: skip
    for key, value in wanted.items():
        if key in found:
            expected = (
                json.loads(json.dumps(value).replace("<project>", project))
                if key in ("run", "cwd")
                else value
            )
            assert found[key] == expected, key
    said = {
        severity: sorted(
            {each.where for each in loaded.problems if each.server == "s" and each.severity == severity}
        )
        for severity in ("error", "warning")
    }
    assert said["error"] == sorted(wanted.get("errors", []))
    if not said["error"] or "warnings" in wanted:
        assert said["warning"] == sorted(wanted.get("warnings", []))
    assert server.enabled is wanted.get("on", True)


FULL = {
    name: value.strip() or "value-of-it"
    for name, value in {**ENVIRONMENT, "UNSET": "", "A": "", "B": "", "CLAUDE_PLUGIN_ROOT": "/plugin"}.items()
}
"""What is unset means something else to each client; what is set means the same to all."""
FIELDS = {
    "disabled": "on",
    "timeout": "timeouts",
    "type": "transport",
    "": "tools",
    "bearer_token_env_var": "headers",
}


def facts(server: Server) -> dict[str, Any]:
    entry = server.entry
    all_the_same: dict[str, Any] = {
        "on": server.enabled, "transport": server.transport,
        "timeouts": (server.request_timeout, server.connect_timeout),
        "tools": (entry.shown_tools, entry.hidden_tools, entry.approved_tools),
    }  # fmt: skip
    if server.transport != "stdio":
        return {**all_the_same, "url": server.url, "headers": server.headers}
    return {
        **all_the_same, "command": server.command, "args": server.args, "cwd": entry.cwd and server.cwd,
        # Those that an entry hands on are there by their names, where a client hands on all of them.
        "env": {
            name: value for name, value in server.env.items()
            if name not in entry.passed and FULL.get(name) != value
        },
        "unset": entry.env_unset,
    }  # fmt: skip


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_of_each_client_for_each_other(client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written for another client and read there, an entry is what it was, or it was said what is not."""
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path / "p")
    before = [load_entry(client, tmp_path, entry, FULL).servers[0] for entry, _ in CLIENTS[client][1]]
    before = [server for server in before if not server.failure]
    for number, server in enumerate(before):
        server.entry.name = f"s{number}"
    for target in FORMS:
        written = write([server.entry for server in before], DIALECTS[target])
        path = tmp_path / "out" / FILES.get(target, f"{target}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(emit(written.value, FORMS[target].language), encoding="utf-8")
        forced = None if target in FILES else DIALECTS[target]
        after = load(
            path, home=Path("/home/u"), environment=FULL, project_dir=tmp_path / "p", dialect=forced,
            inputs={"TOK": TOKEN},
        )  # fmt: skip
        assert after.files[0].dialect.id == target
        found = {server.name: server for server in after.servers}
        for server in before:
            said = [note for entry, note in written.notes if entry is server.entry]
            if any(note.severity == "error" for note in said):
                assert server.name not in found
                continue
            places = [note.where.partition(".")[0].partition("[")[0] for note in said]
            excused = {FIELDS.get(place, place) for place in places} | (
                {"unset"} if "env" in places else set()
            )
            mine, theirs = facts(server), facts(found[server.name])
            assert [key for key in mine if mine[key] != theirs.get(key) and key not in excused] == [], (
                target,
                mine,
                theirs,
            )


def test_there_are_many_of_each() -> None:
    assert sum(len(cases) for _, cases in CLIENTS.values()) > 400
