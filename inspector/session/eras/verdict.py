"""What a server speaks, judged by how it takes `server/discover`: the decision table, without any I/O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from inspector.base.errors import Failure
from inspector.base.patterns import pattern
from inspector.base.text import clip
from inspector.protocol.jsonrpc import HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION
from inspector.protocol.revisions import LATEST_LEGACY, LATEST_MODERN, REVISIONS, Era
from inspector.session.answer import Answer
from inspector.transports.statuses import FROM_GATEWAYS

DISCOVER = "server/discover"
NO_VERSIONS = "without a list of versions"
_DATE = pattern(r"\d{4}-\d\d-\d\d")
_NO_EVIDENCE = ("auth", "timeout", "dns", "refused", "tls", "proxy", "redirect", "config", "cancelled")
_OVERRIDE = "an older server may fail on what it does not know: --protocol legacy asks without the probe"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which era is spoken, and on what evidence. `how`: `asked` by a probe, `remembered` from an earlier start, or
    `told` by the user or by the transport. `again` asks for `server/discover` once more, at `version`."""

    era: Era
    version: str
    evidence: str
    how: Literal["asked", "remembered", "told"] = "asked"
    again: bool = False

    def __str__(self) -> str:
        known = {"asked": "", "remembered": "as found before: ", "told": ""}[self.how]
        return f"{self.era}: {known}{self.evidence}"


def judge(outcome: Answer | Failure, *, stdio: bool) -> Verdict | Failure:
    """The verdict on an answer to the probe, or on why none came; a failure where it is evidence for neither era, or
    where there is no version in common."""
    if isinstance(outcome, Failure):
        return _unanswered(outcome, stdio)
    failure = outcome.failure
    if failure is None:
        return _discovered(outcome.result)
    status = outcome.http_status
    if status is not None and status >= 500:
        return _failed_inside(failure, status)
    told = f"error {failure.code} to {DISCOVER}" if failure.code is not None else DISCOVER
    evidence = f"{told}: {clip(failure.message, 200)}"
    if failure.code == UNSUPPORTED_VERSION and isinstance(failure.data, dict):
        return _of_versions(failure.data.get("supported"), evidence, again=True) or _legacy(evidence)
    if failure.code in (HEADER_MISMATCH, MISSING_CAPABILITY):
        return Verdict("modern", LATEST_MODERN, f"{evidence}; only {LATEST_MODERN} has this error")
    return _legacy(evidence)


def _unanswered(failure: Failure, stdio: bool) -> Verdict | Failure:
    if stdio:
        if failure.kind in ("exited", "stream"):
            return _legacy(f"it ended on {DISCOVER}: {clip(' '.join(failure.message.split()), 120)}")
        return failure if failure.kind in _NO_EVIDENCE else _legacy(f"{DISCOVER}: {failure.message}")
    status = failure.http_status
    if failure.kind in _NO_EVIDENCE or status is None:
        return failure
    return _failed_inside(failure, status) if status >= 500 else _legacy(f"{DISCOVER}: {failure.message}")


def _failed_inside(failure: Failure, status: int) -> Failure:
    """A status from 500 up speaks for neither era; those of gateways do not even come from the server."""
    if status in FROM_GATEWAYS or status == 501:
        return failure
    return replace(failure, hint=f"{failure.hint}; {_OVERRIDE}" if failure.hint else _OVERRIDE)


def _discovered(result: Any) -> Verdict | Failure:
    versions = result.get("supportedVersions") if isinstance(result, dict) else None
    told = _of_versions(versions, f"{DISCOVER} lists {_named(versions)}", again=False)
    return told or _legacy(f"{DISCOVER} was answered {NO_VERSIONS}")


def _of_versions(listed: Any, evidence: str, *, again: bool) -> Verdict | Failure | None:
    """By the versions that a server says it supports; None where it names none."""
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    if again and names:
        evidence += f"; it supports {_named(names)}"
    known = [name for name in names if name in REVISIONS]
    common = [name for name in known if REVISIONS[name].era == "modern"]
    if common:
        return Verdict("modern", max(common), evidence, again=again)
    if not names:
        return None
    if any(_older(name) for name in names):
        return _legacy(f"{evidence}, none of this era")
    return Failure(
        kind="version",
        message=f"no version in common: the server speaks {_named(names)}",
        hint=f"this program speaks {', '.join(REVISIONS)}",
    )


def _older(version: str) -> bool:
    return version in REVISIONS or (_DATE.fullmatch(version) is not None and version < LATEST_MODERN)


def _legacy(evidence: str) -> Verdict:
    return Verdict("legacy", LATEST_LEGACY, evidence)


def _named(versions: Any) -> str:
    names: Sequence[Any] = versions if isinstance(versions, list) else []
    return clip(", ".join(str(name) for name in names[:10]), 200) or "no version"


def legacy_only() -> Verdict:
    """For a transport that ended before the modern era."""
    return Verdict(
        "legacy", LATEST_LEGACY, f"it is reached over HTTP+SSE, which ended before {LATEST_MODERN}", "told"
    )


def told(era: Era, version: str, by: str) -> Verdict:
    """What the user insists on; `by` is where it is said."""
    return Verdict(era, version, f"as {by} says", "told")


def refused(verdict: Verdict) -> Failure:
    """Why a server that speaks the older era cannot be spoken to as the user insists."""
    return Failure(
        kind="version",
        message=f"the server does not speak {LATEST_MODERN}: {verdict.evidence}",
        hint="leave --protocol out, or write --protocol legacy",
    )
