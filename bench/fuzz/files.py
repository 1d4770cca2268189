"""Files of others and of ours: configs, recordings, definitions, saved calls."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.fuzz.given import chance_of, or_none
from inspector.base.errors import Failed
from inspector.base.jsonptr import tokens
from inspector.base.secrets import Secrets
from inspector.calls import saved, writing
from inspector.check.checking import Checking, wanted
from inspector.config import kept, load
from inspector.config.discover import LOCATIONS
from inspector.config.pasted import understand
from inspector.protocol import jsonrpc
from inspector.replay.plan import plans
from inspector.serving import script, written
from inspector.serving.engine import Session
from inspector.traffic import query
from inspector.traffic.exports import FORMATS, export
from inspector.traffic.exports.source import Source
from inspector.traffic.redact import Redaction
from inspector.traffic.show import json_lines, text_lines
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

_AROUND = {"HOME": "/home/me", "API_KEY": "a-secret-of-ours", "EMPTY": ""}
_OWN = ("config", "servers.json")


@contextmanager
def _file(data: bytes, *names: str) -> Iterator[Path]:
    """A file of that content in a folder of its own, which is the home of everything of ours meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, *names)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        before = os.environ.get("MCP_INSPECT_HOME")
        os.environ["MCP_INSPECT_HOME"] = folder
        try:
            yield path
        finally:
            if before is None:
                del os.environ["MCP_INSPECT_HOME"]
            else:
                os.environ["MCP_INSPECT_HOME"] = before


def config(data: bytes) -> None:
    chance = chance_of(data)
    ending = chance.choice([*(place.ending for place in LOCATIONS), ("mcp.json",), ("x.yaml",), _OWN])
    with _file(data, *ending) as path:
        home = Path(path.parents[len(ending) - 1])
        loaded = load.load(
            chance.choice((path, path, home)),
            environment=_AROUND,
            home=home,
            inputs={"key": "an-answer-of-mine"},
        )
        said = json.dumps(loaded.as_json(), ensure_ascii=False)
        secrets = Secrets()
        for server in loaded.servers:
            server.teach(secrets)
            server.failure  # noqa: B018
            server.warnings  # noqa: B018
            server.as_json(reveal=True)
        assert secrets.mask(said) == said or _AROUND["API_KEY"] not in said, (
            "a secret of the environment is told"
        )
        for problem in loaded.problems:
            assert problem.message
        if ending == _OWN:
            _keep(path)


def _keep(path: Path) -> None:
    """A server is kept in a file and forgotten: it is there, then it is not, and the others stay."""
    before = load.load(path, environment={})
    try:
        name = kept.keep("mine", {"command": "x", "args": ["é"]})
    except Failed:
        return
    during = {entry.name for entry in load.load(path, environment={}).entries}
    assert name in during
    kept.forget(name)
    after = load.load(path, environment={})
    assert [entry.name for entry in after.entries] == [entry.name for entry in before.entries]


def pasted(data: bytes) -> None:
    found = understand(data.decode("utf-8", "surrogateescape"), _AROUND)
    assert not (found.broken and found.entries)
    for entry in found.entries:
        entry.resolve(_AROUND).failure  # noqa: B018


def recording(data: bytes) -> None:
    with _file(data, "some.mcprec") as path:
        traffic = or_none(lambda: Traffic.open_recording(path), Failed)
        if traffic is None:
            return
        try:
            traffic.advance()
            _look_at(traffic, data)
        finally:
            traffic.close()


imported = recording
_QUERIES = ("", "kind:request", "ms>1 or size>10", "tool:*", "/a+/", "dir:s2c note:*", "not id:1 hello")


def _look_at(traffic: Traffic, data: bytes) -> None:
    """All that is done with a recording without a server."""
    chance = chance_of(data)
    numbers = range(traffic.first, traffic.end)
    for number in numbers:
        row = traffic.row(number)
        traffic.raw(number)
        traffic.line(number)
        traffic.linked(number)
        traffic.exchange(number)
        assert row.number == number
    for folded in (False, True):
        view = View(traffic, query.compile(chance.choice(_QUERIES)), folded=folded)
        view.extend()
        assert all(number in numbers for number in view)
    text = "".join(text_lines(traffic, numbers))
    assert not any(char in text for char in "\x1b\x07\x9b"), "a control character is printed"
    for line in json_lines(traffic, numbers):
        assert b"\n" not in line
    redaction = Redaction(Secrets(["a-secret-of-ours"])) if chance.random() < 0.7 else None
    name = chance.choice(list(FORMATS))
    made = b"".join(export(name, Source(traffic, list(numbers), redaction=redaction)))
    if name == "har":
        json.loads(made)
    if redaction is not None:
        assert b"a-secret-of-ours" not in made, f"a secret is exported as {name}"
    checking = Checking(traffic, wanted())
    checking.finish()
    assert not checking.broken, checking.broken
    plans(traffic)
    or_none(lambda: script.read(traffic), Failed)


def definition(data: bytes) -> None:
    with _file(data, chance_of(data).choice(("some.yaml", "some.json"))) as path:
        or_none(lambda: written.is_definition(path), Failed)
        found = or_none(lambda: written.read(path), Failed)
        if found is None:
            return
        clock = [0.0]
        session = Session(found, clock=lambda: clock[0])
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"},
        }
        frames = session.feed(jsonrpc.request(1, "initialize", hello))
        frames += session.feed(jsonrpc.notification("notifications/initialized"))
        named = {
            "name": chance_of(data).choice([*(tool.name for tool in found.tools), "t"]),
            "arguments": {"a": "1"},
        }
        uris = [*(resource.uri for resource in found.resources), "a://b"]
        asked = [("tools/list", {}), ("resources/list", {}), ("resources/templates/list", {}), ("prompts/list", {}),
                 ("tools/call", named), ("resources/read", {"uri": uris[0]}), ("prompts/get", named)]  # fmt: skip
        for id_, (method, params) in enumerate(asked, 2):
            frames += session.feed(jsonrpc.request(id_, method, params))
        for _ in range(50):
            if (due := session.wake()) is None:
                break
            clock[0] = max(due, clock[0])
            frames += session.tick()
        session.close()
        read = [jsonrpc.read(frame.raw) for frame in frames]
        assert all(message.readable for message in read), "what is sent cannot be read"
        assert read[0].kind == "response", "the handshake of a sound definition fails"


def calls(data: bytes) -> None:
    path = Path(chance_of(data).choice(("some.yaml", "some.json")))
    found = or_none(lambda: saved.parse(path, data), Failed)
    if found is None:
        return
    for call in found.calls:
        assert isinstance(call.expect.told, list)
        for answer in (
            {"result": {"content": [{"type": "text", "text": '{"a": 1}'}]}},
            {"error": {"code": -1}},
            None,
        ):
            call.expect.failures(answer, 1.0)
        for pointer in call.expect.at:
            tokens(pointer)
    with _file(data, path.name) as there:
        names = writing.names(there)
        entry = writing.entry_text({"name": writing.free_name("mine", names), "tool": "echo"})
        more = or_none(lambda: writing.added(there, entry), Failed)
        if more is not None:
            again = saved.parse(there, more)
            assert [call.name for call in again.calls[:-1]] == [call.name for call in found.calls]
