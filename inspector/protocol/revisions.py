"""What differs between the revisions of the protocol, as data (spec: the five published versions)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Era = Literal["legacy", "modern"]


@dataclass(frozen=True, slots=True)
class Revision:
    """One published version and the rules in which it differs from others.

    `version_header`: HTTP requests after the handshake carry `MCP-Protocol-Version`. `batches`: arrays of
    messages are allowed. `http`: it defines Streamable HTTP. `elicits`: a client may declare elicitation. `detailed`:
    elicitation says its modes, sampling whether it takes tools, and there are extensions. `tasks`:
    both sides may make tasks of requests.
    """

    version: str
    era: Era
    http: bool
    version_header: bool
    batches: bool = False
    elicits: bool = True
    detailed: bool = True
    tasks: bool = False


REVISIONS: dict[str, Revision] = {
    revision.version: revision
    for revision in (
        Revision("2024-11-05", "legacy", http=False, version_header=False, elicits=False, detailed=False),
        Revision(
            "2025-03-26",
            "legacy",
            http=True,
            version_header=False,
            batches=True,
            elicits=False,
            detailed=False,
        ),
        Revision("2025-06-18", "legacy", http=True, version_header=True, detailed=False),
        Revision("2025-11-25", "legacy", http=True, version_header=True, tasks=True),
        Revision("2026-07-28", "modern", http=True, version_header=True),
    )
}
PROTOCOLS = ("auto", "legacy", "modern", *REVISIONS)
"""What may be asked for: an era, or one of its versions to insist on."""
PREFIX = "io.modelcontextprotocol/"
"""How the protocol's own names begin: of extensions, and of keys in `_meta`."""
LATEST_LEGACY = "2025-11-25"
LATEST_MODERN = "2026-07-28"


def revision(version: str) -> Revision:
    """The rules for a version as a server named it; an unknown one is treated as the newest legacy version."""
    return REVISIONS.get(version) or Revision(version, "legacy", http=True, version_header=True, tasks=True)
