"""Requests that a server has to refuse, sent to find out whether it does. What comes back is judged by the same rules
as all traffic. No tool is called that could change anything: there is none of the name, or it says that it only
reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base.errors import Failed
from inspector.check.rules import V07
from inspector.check.talk import VERSION_KEY, items, members
from inspector.check.unreal import CURSOR, HOST, METHOD, SESSION, TOOL, URI, VERSION
from inspector.protocol.listing import LISTS, ListKind
from inspector.protocol.revisions import revision
from inspector.session.listings import Listing
from inspector.session.session import Session

_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A session, and what it listed."""

    session: Session
    lists: Mapping[ListKind, Listing]

    @property
    def modern(self) -> bool:
        return revision(self.session.version or "").era == "modern"

    def declares(self, *path: str) -> bool:
        value: Any = self.session.handshake.capabilities if self.session.handshake is not None else {}
        for name in path:
            value = members(value).get(name)
        return value is not None and value is not False

    async def ask(self, method: str, params: dict[str, Any]) -> None:
        """Whatever comes back stands in the traffic."""
        try:
            await self.session.request(method, params)
        except Failed:
            pass


Probe = Callable[[Asked], Awaitable[None]]


async def _unknown_tool(asked: Asked) -> None:
    if asked.declares("tools"):
        await asked.ask("tools/call", {"name": TOOL, "arguments": {}})


async def _bad_arguments(asked: Asked) -> None:
    """The first tool that says that it only reads, and requires something."""
    for tool in map(members, asked.lists["tools"].entries if "tools" in asked.lists else ()):
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
            await asked.session.list(kind)


async def _undeclared_subscription(asked: Asked) -> None:
    resources = asked.lists["resources"].entries if "resources" in asked.lists else []
    uri = next((uri for entry in resources if isinstance(uri := members(entry).get("uri"), str)), None)
    if uri is not None and not asked.modern and not asked.declares("resources", "subscribe"):
        await asked.ask("resources/subscribe", {"uri": uri})


async def _missing_argument(asked: Asked) -> None:
    for prompt in map(members, asked.lists["prompts"].entries if "prompts" in asked.lists else ()):
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


async def _foreign_origin(asked: Asked) -> None:
    await _with_header(asked, "Origin", f"http://{HOST}")


async def _unknown_header_version(asked: Asked) -> None:
    if not asked.modern:
        await _with_header(asked, "MCP-Protocol-Version", VERSION)


async def _unknown_session(asked: Asked) -> None:
    if not asked.modern:
        await _with_header(asked, "Mcp-Session-Id", SESSION)


async def _lying_header(asked: Asked) -> None:
    if asked.modern:
        await _with_header(asked, "Mcp-Method", METHOD)


async def _with_header(asked: Asked, name: str, value: str) -> None:
    """A harmless request over Streamable HTTP that says something else in one header. What the era would do about its
    refusal, such as a new session, is not done."""
    session, method = asked.session, "server/discover" if asked.modern else "ping"
    if session.transport.kind != "http":
        return
    headers = {**session.mirrored(method, {}), name: value}
    try:
        pending = session.dispatcher.start(method, {}, idle=_PATIENCE, total=_PATIENCE, headers=headers)
        await session.dispatcher.answer(pending)
    except Failed:
        pass


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
    (_unknown_version, ("L10",)),
    (_foreign_origin, ("H29",)),
    (_unknown_header_version, ("H23",)),
    (_unknown_session, ("H19",)),
    (_lying_header, ("H25",)),
)
"""Each with the rules that it brings about."""
PROBED = frozenset(name for _, names in PROBES for name in names)


async def probe(session: Session, lists: Mapping[ListKind, Listing], rules: frozenset[str]) -> None:
    """Sends the probes of the rules that are wanted, one after the other. Never raises Failed."""
    asked = Asked(session, lists)
    for each, names in PROBES:
        if rules.intersection(names):
            await each(asked)
