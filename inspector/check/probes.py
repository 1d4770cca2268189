"""Requests that a server has to refuse, sent to find out whether it does. What comes back is judged by the same rules
as all traffic. No tool is called that could change anything: there is none of the name, or it says that it only
reads."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from inspector.base import numbers
from inspector.base.errors import Failed, fail
from inspector.check.rules import LEGACY, V03, V07
from inspector.check.talk import VERSION_KEY, items, members
from inspector.check.unreal import CURSOR, HOST, METHOD, PROBING, SESSION, TOOL, URI, VERSION
from inspector.protocol.extensions import TASKS
from inspector.protocol.jsonrpc import encode
from inspector.protocol.listing import LISTS, ListKind
from inspector.protocol.revisions import revision
from inspector.session.listings import Listing
from inspector.session.session import Session
from inspector.transports.stdio import StdioTransport

if TYPE_CHECKING:
    from inspector.transports.http import HttpTransport

_PATIENCE, _GRACE, _TIME_TO_END = 10.0, 0.5, 5.0
"""Seconds for an answer, for what comes behind another, and for a process to end by itself."""
_TRIED = 8


Beside = Callable[[str], AbstractAsyncContextManager[Session]]
"""Opens one more session with the server, in an era or version, and closes it behind the block. Raises Failed."""


@dataclass(slots=True)
class Asked:
    """A session, what it listed, and the way to another one."""

    session: Session
    lists: Mapping[ListKind, Listing]
    beside: Beside | None = None
    sent: int = 0

    @property
    def modern(self) -> bool:
        return revision(self.session.version or "").era == "modern"

    def declares(self, *path: str) -> bool:
        value: Any = self.session.handshake.capabilities if self.session.handshake is not None else {}
        for name in path:
            value = members(value).get(name)
        return value is not None and value is not False

    def entries(self, kind: ListKind) -> Iterator[Mapping[str, Any]]:
        listing = self.lists.get(kind)
        return map(members, listing.entries if listing is not None else ())

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Whatever comes back stands in the traffic; gives the result, None where there is none."""
        session = self.session
        try:
            headers = session.mirrored(method, params)
            pending = session.dispatcher.start(
                method, params, idle=_PATIENCE, total=_PATIENCE, headers=headers
            )
            return (await session.dispatcher.answer(pending)).result
        except Failed:
            return None

    def message(self, method: str, params: Mapping[str, Any], *, stamped: bool = True) -> dict[str, Any]:
        """A request as it is written, without its version if it is not `stamped`."""
        self.sent += 1
        stamp = {"_meta": dict(self.session.dispatcher.meta)} if stamped and self.modern else {}
        return {
            "jsonrpc": "2.0",
            "id": f"{PROBING}-{self.sent}",
            "method": method,
            "params": {**params, **stamp},
        }

    async def post(
        self, message: Any, headers: Mapping[str, str | None] | None = None, verb: str = "POST"
    ) -> None:
        """Over Streamable HTTP, with other headers than those that are due; nothing over any other transport."""
        web = _web(self.session)
        if web is not None:
            due = {}
            if isinstance(message, dict):
                with suppress(Failed):
                    due = self.session.mirrored(message["method"], message["params"])
            await web.probe(verb, encode(message) if message else b"", {**due, **(headers or {})})

    async def write(self, message: Any) -> None:
        """A line as no client writes it; what follows it is waited for."""
        with suppress(Failed):
            self.session.transport.send(encode(message))
            await self.ask("server/discover" if self.modern else "ping", {})
            await asyncio.sleep(_GRACE)

    async def list_again(self, kind: ListKind) -> None:
        await self.session.list(kind)


@dataclass(slots=True)
class Planned(Asked):
    """Sends nothing: what would be sent is told, a line each, with names of the server in it."""

    told: list[str] = field(default_factory=list)

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.told.append(_line(method, params))

    async def post(
        self, message: Any, headers: Mapping[str, str | None] | None = None, verb: str = "POST"
    ) -> None:
        if _web(self.session) is not None:
            said = " ".join(filter(None, (verb, members(message).get("method"))))
            other = [
                f"{name}: {value}" if value is not None else f"no {name}"
                for name, value in (headers or {}).items()
            ]
            self.told.append(f"{said} with {', '.join(other)}" if other else said)

    async def write(self, message: Any) -> None:
        several = message if isinstance(message, list) else [message]
        self.told.append(f"{' and '.join(each['method'] for each in several)}, as no client writes it")

    async def list_again(self, kind: ListKind) -> None:
        self.told.append(f"{LISTS[kind].method} once more, every page")

    def opened(self, version: str) -> AbstractAsyncContextManager[Session]:
        """In the place of `beside`. Raises Failed."""
        self.told.append(f"one more connection is opened and closed ({version})")
        raise fail("cancelled", "nothing is opened")


def _line(method: str, params: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in params.items() if name != "arguments" or value}
    return f"{method} {numbers.dumps(shown)}" if shown else method


def _web(session: Session) -> HttpTransport | None:
    if session.transport.kind != "http":
        return None
    from inspector.transports.http import HttpTransport

    chosen = getattr(session.transport, "chosen", session.transport)
    return chosen if isinstance(chosen, HttpTransport) else None


Probe = Callable[[Asked], Awaitable[None]]


async def _unknown_tool(asked: Asked) -> None:
    if asked.declares("tools"):
        await asked.ask("tools/call", {"name": TOOL, "arguments": {}})


async def _bad_arguments(asked: Asked) -> None:
    """The first tool that says that it only reads, and requires something."""
    for tool in asked.entries("tools"):
        reads = members(tool.get("annotations")).get("readOnlyHint") is True
        if (
            reads
            and items(members(tool.get("inputSchema")).get("required"))
            and isinstance(tool.get("name"), str)
        ):
            await asked.ask("tools/call", {"name": tool["name"], "arguments": {}})
            return


async def _unknown_resource(asked: Asked) -> None:
    if asked.declares("resources"):
        await asked.ask("resources/read", {"uri": URI})


async def _bad_cursors(asked: Asked) -> None:
    for kind, listing in asked.lists.items():
        if listing.failure is None:
            await asked.ask(LISTS[kind].method, {"cursor": CURSOR})


async def _undeclared_lists(asked: Asked) -> None:
    for catalogued in LISTS.values():
        if not asked.declares(catalogued.capability):
            await asked.ask(catalogued.method, {})


async def _lists_again(asked: Asked) -> None:
    for kind, listing in asked.lists.items():
        if listing.failure is None:
            await asked.list_again(kind)


async def _undeclared_subscription(asked: Asked) -> None:
    uri = next(
        (uri for entry in asked.entries("resources") if isinstance(uri := entry.get("uri"), str)), None
    )
    if uri is not None and not asked.modern and not asked.declares("resources", "subscribe"):
        await asked.ask("resources/subscribe", {"uri": uri})


async def _missing_argument(asked: Asked) -> None:
    for prompt in asked.entries("prompts"):
        required = any(members(each).get("required") is True for each in items(prompt.get("arguments")))
        if required and isinstance(prompt.get("name"), str):
            await asked.ask("prompts/get", {"name": prompt["name"]})
            return


async def _unknown_method(asked: Asked) -> None:
    await asked.ask(METHOD, {})


async def _removed_method(asked: Asked) -> None:
    if asked.modern:
        await asked.ask("ping", {})


async def _unknown_version(asked: Asked) -> None:
    if asked.session.version == V07:
        await asked.ask("tools/list", {"_meta": {VERSION_KEY: VERSION}})


async def _bare_request(asked: Asked) -> None:
    """Without its version, which every request must have."""
    message = asked.message("tools/list", {}, stamped=False)
    if asked.modern and _web(asked.session) is not None:
        await asked.post(message)
    elif asked.modern and asked.session.transport.kind == "stdio":
        await asked.write(message)


async def _batch(asked: Asked) -> None:
    if asked.session.version == V03:
        batch = [asked.message("ping", {}), asked.message("ping", {})]
        await (asked.write(batch) if asked.session.transport.kind == "stdio" else asked.post(batch))


async def _second_connection(asked: Asked) -> None:
    """Beside the first one, which goes on meanwhile; a process is given time to end by itself."""
    if asked.beside is None:
        return
    with suppress(Failed):
        async with asked.beside(asked.session.version or "auto") as other:
            await other.lists()
            if asked.declares("tools"):
                await asked.session.list("tools")
            if isinstance(other.transport, StdioTransport):
                await other.transport.close(_TIME_TO_END)


async def _other_versions(asked: Asked) -> None:
    """`initialize`, in each of the versions that the server says it has, or in the newest that had it."""
    if asked.beside is None or not asked.modern or asked.session.handshake is None:
        return
    spoken = items(asked.session.handshake.result.get("supportedVersions"))
    for version in [each for each in LEGACY if each in spoken] or [LEGACY[-1]]:
        with suppress(Failed):
            async with asked.beside(version):
                pass


async def _questions(asked: Asked) -> None:
    """The first that asks for input among what only reads and needs no argument: it is asked again with less than it
    wants, with more, and with a state that it did not give."""
    for method, params in islice(_harmless(asked), _TRIED) if asked.modern else ():
        result = members(await asked.ask(method, params))
        if result.get("resultType") != "input_required":
            continue
        asked_for, state = members(result.get("inputRequests")), result.get("requestState")
        held = {} if state is None else {"requestState": state}
        declined = {key: {"action": "decline"} for key in asked_for}
        marked = {**params, "_meta": {PROBING: True}}
        if asked_for:
            await asked.ask(method, {**marked, **held, "inputResponses": {}})
        await asked.ask(
            method, {**marked, **held, "inputResponses": {**declined, PROBING: {"action": "decline"}}}
        )
        if isinstance(state, str):
            changed = {"requestState": f"{PROBING}{state}"}
            await asked.ask(method, {**marked, **changed, "inputResponses": declined})
        return


def _harmless(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    for tool in asked.entries("tools"):
        reads = members(tool.get("annotations")).get("readOnlyHint") is True
        if (
            reads
            and isinstance(tool.get("name"), str)
            and not items(members(tool.get("inputSchema")).get("required"))
        ):
            yield "tools/call", {"name": tool["name"], "arguments": {}}
    for prompt in asked.entries("prompts"):
        if isinstance(prompt.get("name"), str) and not items(prompt.get("arguments")):
            yield "prompts/get", {"name": prompt["name"]}


async def _removed_tasks(asked: Asked) -> None:
    if asked.modern and asked.declares("extensions", TASKS):
        await asked.ask("tasks/list", {})


def _plain(asked: Asked) -> dict[str, Any]:
    return asked.message("server/discover" if asked.modern else "ping", {})


async def _foreign_origin(asked: Asked) -> None:
    await asked.post(_plain(asked), {"Origin": f"http://{HOST}"})


async def _unknown_header_version(asked: Asked) -> None:
    if not asked.modern:
        await asked.post(_plain(asked), {"MCP-Protocol-Version": VERSION})


async def _no_header_version(asked: Asked) -> None:
    if asked.modern:
        await asked.post(_plain(asked), {"MCP-Protocol-Version": None})


async def _sessions(asked: Asked) -> None:
    """One that nobody gave, none at all, and one that was ended."""
    web = _web(asked.session)
    if asked.modern or web is None or web.session_id is None:
        return
    await asked.post(_plain(asked), {"Mcp-Session-Id": SESSION})
    await asked.post(_plain(asked), {"Mcp-Session-Id": None})
    if asked.beside is not None:
        with suppress(Failed):
            async with asked.beside(asked.session.version or "auto") as other:
                ended = Asked(other, {})
                await ended.post(None, verb="DELETE")
                await ended.post(asked.message("ping", {}))


async def _lying_header(asked: Asked) -> None:
    if asked.modern:
        await asked.post(_plain(asked), {"Mcp-Method": METHOD})


async def _encoded_header(asked: Asked) -> None:
    named = {"tools": ("tools/call", "name", TOOL), "prompts": ("prompts/get", "name", TOOL)}
    for capability, (method, member, name) in named.items():
        if asked.modern and asked.declares(capability):
            sentinel = f"=?base64?{b64encode(name.encode()).decode()}?="
            await asked.post(asked.message(method, {member: name}), {"Mcp-Name": sentinel})
            return


async def _other_verbs(asked: Asked) -> None:
    """Those that 2026-07-28 does not have."""
    if asked.modern:
        await asked.post(None, {"Accept": "text/event-stream", "Content-Type": None}, "GET")
        await asked.post(None, {"Content-Type": None}, "DELETE")


PROBES: tuple[tuple[Probe, tuple[str, ...]], ...] = (
    (_lists_again, ("R15", "T21")),
    (_undeclared_lists, ("T22",)),
    (_bad_cursors, ("R13",)),
    (_unknown_tool, ("T18",)),
    (_bad_arguments, ("T19",)),
    (_unknown_resource, ("R03",)),
    (_missing_argument, ("R08",)),
    (_undeclared_subscription, ("R05",)),
    (_unknown_method, ("H27", "J30")),
    (_removed_method, ("J24",)),
    (_removed_tasks, ("K05",)),
    (_questions, ("M05", "M06")),
    (_unknown_version, ("L10",)),
    (_bare_request, ("L14",)),
    (_batch, ("J08",)),
    (_other_versions, ("L02", "L11", "L12")),
    (_second_connection, ("L13", "L17")),
    (_foreign_origin, ("H29",)),
    (_unknown_header_version, ("H23",)),
    (_sessions, ("H19", "H20", "H21")),
    (_no_header_version, ("H24",)),
    (_lying_header, ("H25",)),
    (_encoded_header, ("H26",)),
    (_other_verbs, ("H07",)),
)
"""Each with the rules that it brings about."""
PROBED = frozenset(name for _, names in PROBES for name in names)


async def probe(
    session: Session, lists: Mapping[ListKind, Listing], rules: frozenset[str], beside: Beside | None = None
) -> None:
    """Sends the probes of the rules that are wanted, one after the other; without `beside` those that need a session of
    their own are left out. Never raises Failed."""
    await _all(Asked(session, lists, beside), rules)


async def planned(session: Session, lists: Mapping[ListKind, Listing], rules: frozenset[str]) -> list[str]:
    """What `probe` would send, a line each, with names of the server in it, as far as that does not depend on the
    answers; sends nothing."""
    plan = Planned(session, lists)
    plan.beside = plan.opened
    await _all(plan, rules)
    return plan.told


async def _all(asked: Asked, rules: frozenset[str]) -> None:
    for each, names in PROBES:
        if rules.intersection(names):
            await each(asked)
