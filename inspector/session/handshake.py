"""How a conversation was opened: what was sent, what came back, what that declares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from inspector.protocol.extensions import Extension, extensions
from inspector.protocol.listing import LISTS, ListKind
from inspector.protocol.revisions import PREFIX, Era

SERVER_INFO, _OURS = f"{PREFIX}serverInfo", f"{PREFIX}clientCapabilities"


@dataclass(slots=True)
class Handshake:
    """What was sent and what came back in the opening: params and result of `initialize`, or, in the modern era, of
    `server/discover`. `declared` is False where the server was never heard on what it offers."""

    sent: dict[str, Any]
    version: str
    result: dict[str, Any] = field(default_factory=dict)
    era: Era = "legacy"
    declared: bool = True

    @property
    def capabilities(self) -> dict[str, Any]:
        value = self.result.get("capabilities")
        return value if isinstance(value, dict) else {}

    @property
    def extensions(self) -> list[Extension]:
        """Those that either side declared."""
        ours = self.sent.get("capabilities") if self.era == "legacy" else self.sent["_meta"].get(_OURS)
        return extensions(ours if isinstance(ours, dict) else {}, self.capabilities)

    @property
    def server_info(self) -> Any:
        meta = self.result.get("_meta")
        if self.era == "modern" and isinstance(meta, dict) and SERVER_INFO in meta:
            return meta[SERVER_INFO]
        return self.result.get("serverInfo")

    @property
    def instructions(self) -> str | None:
        value = self.result.get("instructions")
        return value if isinstance(value, str) else None

    def declares(self, kind: ListKind) -> bool:
        """Where nothing could be declared, everything may be there."""
        return not self.declared or LISTS[kind].capability in self.capabilities
