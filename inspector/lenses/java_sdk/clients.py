"""The two clients, and what each would refuse, drop or never hear of: by its source (`McpAsyncClient`,
`McpClientSession`, the transports beside them), with nothing configured that a program does not have to configure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from inspector.base.text import counted
from inspector.lenses.java_sdk.binding import Bound, Each, Remark, Severity, bind
from inspector.lenses.java_sdk.records import NEW, OLD
from inspector.lenses.paicli import Rewrite
from inspector.protocol.jsonrpc import Message
from inspector.protocol.listing import LISTS, ListKind
from inspector.session.handshake import Handshake

LARGEST = 16 << 20
"""Bytes of a message that 2.0.1 reads."""
_NAMED = 5

_LIST_CHANGES = frozenset(f"notifications/{kind}/list_changed" for kind in ("tools", "resources", "prompts"))


class Seen(NamedTuple):
    """One thing that a client makes of a server: an error is what it cannot do, a warning what it loses, an info what
    is good to know. The text holds foreign names."""

    severity: Severity
    text: str


@dataclass(frozen=True, slots=True)
class JavaSdk:
    """`versions` are those that it takes over each transport that it has; it asks for the last. `handled` are the
    notifications that reach anybody, `answered` the requests that are answered whatever the program is. `gated` are
    the capabilities without which it refuses by itself."""

    version: str
    records: Mapping[str, Any]
    versions: Mapping[str, Sequence[str]]
    handled: frozenset[str]
    answered: frozenset[str]
    configurable: frozenset[str]
    gated: frozenset[str]
    all_pages: bool
    largest: int | None = None

    @property
    def name(self) -> str:
        return f"Java SDK {self.version}"

    def entry(self, kind: ListKind, entry: Any) -> Bound:
        """An entry of a list. One that is refused takes the whole list with it."""
        listed = LISTS[kind]
        entries = self.records[listed.method].members[listed.member]
        assert isinstance(entries, Each)
        return bind(entry, entries.of)

    def result(self, method: str, result: Any) -> Bound | None:
        """The answer to one of our requests; None for a method that it does not have, or takes any answer to."""
        record = self.records.get(method)
        return bind(result, record) if record is not None else None


_BOTH = ("2024-11-05",)
_LATER = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

V0_10 = JavaSdk(
    "0.10.0",
    OLD,
    {"stdio": _BOTH, "sse": _BOTH},
    handled=_LIST_CHANGES | {"notifications/message"},
    answered=frozenset(),
    configurable=frozenset({"roots/list", "sampling/createMessage"}),
    gated=frozenset({"tools", "resources"}),
    all_pages=False,
)
V2 = JavaSdk(
    "2.0.1",
    NEW,
    {"stdio": _LATER, "http": _LATER, "sse": _BOTH},
    handled=_LIST_CHANGES
    | {"notifications/message", "notifications/progress", "notifications/resources/updated",
       "notifications/elicitation/complete"},
    answered=frozenset({"ping"}),
    configurable=frozenset({"roots/list", "sampling/createMessage", "elicitation/create"}),
    gated=frozenset({"tools", "resources", "logging"}),
    all_pages=True,
    largest=LARGEST,
)  # fmt: skip
CLIENTS = (V0_10, V2)


_GRAVEST: Sequence[Severity] = ("error", "warning", "info")


def server(
    client: JavaSdk, handshake: Handshake, transport: str, lists: Iterable[Iterable[Seen]]
) -> list[Seen]:
    """All that it makes of a server, the gravest first; `lists` are what becomes of each list (`listing`), which are
    not looked at where it would not connect."""
    found = connecting(client, handshake, transport)
    if not any(each.severity == "error" for each in found):
        found += [*gates(client, handshake), *(each for seen in lists for each in seen)]
    found.sort(key=lambda each: _GRAVEST.index(each.severity))
    return found


def connecting(client: JavaSdk, handshake: Handshake, transport: str) -> list[Seen]:
    """Whether it would get as far as a session; nothing where it would."""
    takes = client.versions.get(transport)
    if takes is None:
        return [Seen("error", f"would not connect: it has no {_called(transport)}")]
    if handshake.era == "modern":
        named = _supported(handshake)
        if any(version in takes for version in named):
            return []
        return [
            Seen("error", f"would not connect, by what the server names: it begins with initialize in {takes[-1]},"
                          f" and the server knows {', '.join(named) or handshake.version}")
        ]  # fmt: skip
    if refused := bind(handshake.result, client.records["initialize"]).refused:
        return [
            Seen("error", f"would not connect: it cannot read the answer to initialize: {said(refused[0])}")
        ]
    asked = handshake.sent.get("protocolVersion")
    if handshake.version in takes:
        return []
    if asked == takes[-1]:
        only = "nothing else" if len(takes) == 1 else f"{takes[0]} to {takes[-1]}"
        return [
            Seen("error", f"would not connect: it asks for {asked} and takes {only}, and the server answers"
                          f" {handshake.version}")
        ]  # fmt: skip
    return [
        Seen("warning", f"connects only where the server takes {takes[-1]}, and this session agreed on"
                        f" {handshake.version}: --protocol {takes[-1]} tries that")
    ]  # fmt: skip


def gates(client: JavaSdk, handshake: Handshake) -> list[Seen]:
    """What it asks for, and what it refuses by itself, where a capability was not declared."""
    capabilities = handshake.capabilities
    if "capabilities" not in handshake.result and not client.all_pages:
        return [
            Seen("error", "fails at every call of a tool or resource: there are no capabilities to look into")
        ]
    missing = [
        name
        for name in ("tools", "resources", "prompts", "completions", "logging")
        if capabilities.get(name) is None
    ]
    shut = [name for name in missing if name in client.gated]
    open_ = [name for name in missing if name not in client.gated]
    found = []
    if shut:
        found.append(Seen("info", f"refuses by itself to ask for {_and(shut)}: not declared"))
    if open_:
        found.append(Seen("info", f"asks for {_and(open_)} all the same, though not declared"))
    resources = capabilities.get("resources")
    if isinstance(resources, dict) and resources.get("subscribe") and _UPDATED not in client.handled:
        found.append(
            Seen("warning", f"subscribes, and has no handler for {_UPDATED}: it never hears of a change")
        )
    return found


_UPDATED = "notifications/resources/updated"


def listing(client: JavaSdk, kind: ListKind, entries: Sequence[Any], pages: int) -> list[Seen]:
    """What becomes of a list."""
    bound = [client.entry(kind, entry) for entry in entries]
    found = []
    broken = [
        f"{_name(kind, entry, place)} ({said(one.refused[0])})"
        for place, (entry, one) in enumerate(zip(entries, bound, strict=True))
        if one.refused
    ]
    method = LISTS[kind].method
    if broken:
        found.append(Seen("error", f"cannot read {method} at all, because of {_some(broken)}"))
    lost: dict[str, list[str]] = {}
    for place, (entry, one) in enumerate(zip(entries, bound, strict=True)):
        for remark in one.remarks:
            if remark.severity == "warning":
                lost.setdefault(remark.pointer.removeprefix("/"), []).append(_name(kind, entry, place))
    for member, names in lost.items():
        found.append(Seen("warning", f"drops {member} of {_some(list(dict.fromkeys(names)))}"))
    if pages > 1 and not client.all_pages:
        found.append(
            Seen("warning", f"reads the first of {pages} pages of {method} where a program asks for no more")
        )
    return found


def tool_report(tool: Any) -> list[Rewrite]:
    """What becomes of one tool in each of the clients, at its places in the entry."""
    return [
        Rewrite(remark.pointer, client.name, remark.severity, remark.message)
        for client in CLIENTS
        for remark in client.entry("tools", tool).remarks
    ]


def notification(client: JavaSdk, method: str, params: Any) -> list[Seen]:
    """What becomes of a notification of the server."""
    if method not in client.handled:
        return [Seen("info", f"has no handler for {method}, and logs that")]
    bound = client.result(method, params)
    if bound is not None and bound.refused:
        return [Seen("error", f"cannot read it, and logs that: {said(bound.refused[0])}")]
    return []


def request(client: JavaSdk, method: str, params: Any) -> list[Seen]:
    """What the server gets for a request of its own."""
    if method in client.answered:
        return []
    if method not in client.configurable:
        return [Seen("warning", f"answers -32601: Method not found: {method}")]
    bound = client.result(method, params)
    if bound is not None and bound.refused:
        return [Seen("error", f"answers -32603, since it cannot read the request: {said(bound.refused[0])}")]
    if method == "roots/list":
        return [Seen("info", "answers -32601: Roots not supported, unless the program was given roots")]
    return [Seen("info", f"answers -32601: Method not found: {method}, unless the program has a handler")]


def answer(client: JavaSdk, method: str, result: Any) -> list[Seen]:
    """What becomes of the result of a request."""
    bound = client.result(method, result)
    if bound is None:
        return []
    if bound.refused:
        return [Seen("error", f"cannot read this answer, and the call fails: {said(bound.refused[0])}")]
    lost = [remark.pointer.removeprefix("/") for remark in bound.remarks if remark.severity == "warning"]
    return [Seen("warning", f"reads it without {_some(lost)}")] if lost else []


def made_of(client: JavaSdk, message: Message, method: str | None, size: int) -> list[Seen]:
    """What becomes of a message of the server, of so many bytes. `method` is its own, or that which it answers."""
    if client.largest is not None and size > client.largest:
        return [Seen("error", "refuses the message: it has more than 16 MiB")]
    if method is None or not message.readable:
        return []
    if message.kind == "response":
        return answer(client, method, message.value["result"])
    if message.kind in ("request", "notification"):
        told = request if message.kind == "request" else notification
        return told(client, method, message.value.get("params"))
    return []


def said(remark: Remark) -> str:
    """The place and what is wrong there, foreign."""
    return f"{remark.pointer.removeprefix('/') or 'it'} {remark.message}"


def _supported(handshake: Handshake) -> list[str]:
    named = handshake.result.get("supportedVersions")
    return [version for version in named if isinstance(version, str)] if isinstance(named, list) else []


def _called(transport: str) -> str:
    return "Streamable HTTP, only stdio and HTTP+SSE" if transport == "http" else transport


def _name(kind: ListKind, entry: Any, place: int) -> str:
    name = entry.get(LISTS[kind].key) if isinstance(entry, dict) else None
    return name if isinstance(name, str) and name else f"entry {place}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {counted(more, 'other')}" if more > 0 else "")


def _and(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
