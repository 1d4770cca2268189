"""The remote skill of Solon AI that a server offers, as far as it was looked at over its connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.base.errors import Failed, Failure
from inspector.lenses.solon.activation import Activation, Ask, Step, activate, ask_once
from inspector.lenses.solon.clients import CLIENTS, Client, Told
from inspector.lenses.solon.metadata import Metadata, metadata_of
from inspector.lenses.solon.offer import Offer, offered
from inspector.lenses.solon.verdicts import listed_by
from inspector.protocol.listing import ListKind
from inspector.protocol.solon import SKILL, TALENT
from inspector.session.answer import Answer
from inspector.workspace.connection import Connection


@dataclass(slots=True)
class Opening:
    """The metadata as it was read once: from where, when (seconds since the epoch), with what outcome. `failure` is why
    there is no answer."""

    uri: str
    metadata: Metadata
    step: Step
    at: float

    @property
    def failure(self) -> Failure | None:
        return self.step.failure


class SolonSkill:
    """`opening` is None as long as nobody has read the metadata."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._looked_at: tuple[Sequence[Any], Sequence[Any]] = ((), ())
        self._offer: Offer | None = None
        self.opening: Opening | None = None

    @property
    def tools(self) -> Sequence[Any]:
        """The tools as they were last listed."""
        return self._entries("tools")

    @property
    def offer(self) -> Offer | None:
        """By the lists as they were last read; None where nothing looks like a skill. Cheap to ask again."""
        lists = self.tools, self._entries("resources")
        if lists[0] is not self._looked_at[0] or lists[1] is not self._looked_at[1]:
            self._looked_at, self._offer = lists, offered(*lists)
        return self._offer

    def _entries(self, kind: ListKind) -> Sequence[Any]:
        catalog = self._connection.catalog
        listing = catalog.listings.get(kind) if catalog is not None else None
        return listing.entries if listing is not None else ()

    async def open(self, client: Client | None = None) -> Opening:
        """Reads the metadata where `client` does; else where it is listed; else at both places, as nothing says that a
        resource must be listed. Never raises Failed."""
        offer = self.offer
        uris = (
            (client.uri,)
            if client is not None
            else offer.uris
            if offer is not None and offer.uris
            else (SKILL, TALENT)
        )
        for uri in uris:
            self.opening = await self._read(uri)
            if self.opening.failure is None or self.opening.failure.kind != "rpc":
                break
        assert self.opening is not None
        return self.opening

    async def _read(self, uri: str) -> Opening:
        try:
            answer = await self._connection.request("resources/read", {"uri": uri})
        except Failed as failed:
            step = Step("metadata", failed.failure.message, Told(None), failed.failure, stops=True)
            return Opening(uri, Metadata(), step, time.time())
        failure = answer.failure
        metadata = Metadata() if failure is not None else metadata_of(answer.result)
        wrong = failure.message if failure is not None else metadata.problem
        told = Told(metadata.text, thrown=metadata.problem)
        outcome = (
            f"no client can make a skill of it: {wrong}"
            if wrong
            else f"the skill {metadata.name or 'without a name'}"
        )
        step = Step("metadata", outcome, told, failure, answer.seconds, answer.row, stops=bool(wrong))
        return Opening(uri, metadata, step, time.time())

    def _call(self, approver: str) -> Ask:
        """Makes one call as a client makes it. Raises Failed."""

        async def call(tool: str, arguments: dict[str, Any]) -> Answer:
            params = {"name": tool, "arguments": arguments}
            return await self._connection.request("tools/call", params, approver=approver)

        return call

    async def activate(
        self,
        client: Client,
        text: str,
        stepped: Callable[[Activation], None] = lambda activation: None,
        *,
        approver: str = "",
    ) -> Activation:
        """The chain about one prompt; see `activation.activate`. `approver` has allowed its calls, else each is asked
        about."""
        return await activate(self._call(approver), client, text, stepped)

    async def ask_once(self, client: Client, text: str, tool: str, *, approver: str = "") -> Activation:
        """One question by itself; see `activation.ask_once`."""
        return await ask_once(self._call(approver), client, text, tool)


def readings(activation: Activation) -> dict[str, str]:
    """How every client reads the last answer to `getToolsMcp`; empty where there is none."""
    told = activation.told_tools
    return {} if told is None else {name: listed_by(client, told).state for name, client in CLIENTS.items()}
