"""What a server declared against what came of it, one line a capability."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from inspector.base.text import clip
from inspector.protocol.jsonrpc import METHOD_NOT_FOUND
from inspector.protocol.listing import LISTS, ListKind
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, fit, fold, heading

if TYPE_CHECKING:
    from inspector.protocol.extensions import Extension
    from inspector.session.handshake import Handshake
    from inspector.session.listings import Listing

_WITHOUT_LIST = ("completions", "logging")
_EXTENSIBLE = ("extensions", "experimental")
"""Capabilities that are told one by one."""
_OTHERS = 20
_NAME = 14
_DECLARED = 10


def undeclared(handshake: Handshake) -> list[ListKind]:
    """The lists whose capability the server did not declare."""
    return [kind for kind in LISTS if not handshake.declares(kind)]


def is_gated(handshake: Handshake) -> bool:
    """Whether there is anything that a client does not ask this server for by itself."""
    resources = handshake.capabilities.get("resources")
    subscribes = not isinstance(resources, dict) or resources.get("subscribe") is True
    return bool(undeclared(handshake)) or not (
        subscribes and all(name in handshake.capabilities for name in _WITHOUT_LIST)
    )


def matrix(
    handshake: Handshake,
    listings: Mapping[ListKind, Listing] | None,
    asking: Collection[ListKind],
    width: int,
    *,
    ungated: bool = False,
) -> list[Part]:
    """Every list, then the capabilities without one and the first of the unknown. `asking` are the lists that are
    being read on request; without `listings` it is not for us to try what was declared. `ungated` where what was not
    declared is asked for all the same."""
    parts: list[Part] = [
        (fit("Capabilities", _NAME + 2), "bold $text-primary"),
        (f"{'declared':<{_DECLARED}}{'outcome' if listings is not None else ''}\n", "$quiet"),
    ]
    for kind in LISTS:
        declared = handshake.declares(kind)
        mark, tone, text = (
            ("…", "$text-warning", "asking") if kind in asking else _outcome(declared, kind, listings)
        )
        parts += [*_name(kind, declared), *_hang(mark, tone, text, width)]
    known = {listed.capability for listed in LISTS.values()}
    known.update(_WITHOUT_LIST, _EXTENSIBLE)
    others = (name for name in handshake.capabilities if name not in known)
    for name in (*_WITHOUT_LIST, *islice(others, _OTHERS)):
        shown = guard.line(name[:_NAME], cut=len(name) > _NAME)
        declared = name in handshake.capabilities
        tried = "asked for all the same" if ungated and not declared else "not tried"
        parts += [*_name(shown, declared), (f"{tried if listings is not None else ''}\n", "$quiet")]
    return parts


def extension_rows(declared: Sequence[Extension], width: int) -> list[Part]:
    """What the server declares, each with who declares it and what it is for; then what only we do."""
    theirs = [each for each in declared if each.theirs]
    parts: list[Part] = [("\n", ""), heading("Extensions")] if declared else []
    for each in theirs[:_OTHERS]:
        mark, tone, shade = (
            ("●", "$text-success", "$foreground") if each.in_force else ("○", "$quiet", "$quiet")
        )
        told = [each.standing, each.about, "experimental" if each.experimental else ""]
        parts += [(f"  {mark} ", tone), *_folded(clip(guard.line(each.name), 120), "$foreground", width)]
        parts += [("    ", ""), *_folded(" · ".join(filter(None, told)), shade, width)]
    if len(theirs) > _OTHERS:
        parts.append((f"  and {len(theirs) - _OTHERS} more\n", "$quiet"))
    if ours := [each.name for each in declared if not each.theirs]:
        parts += [("  ○ ", "$quiet"), *_folded(f"only we declare {', '.join(ours)}", "$quiet", width)]
    return parts


def _folded(text: str, tone: str, width: int) -> list[Part]:
    return [("\n    ".join(fold(text, max(10, width - 4))) + "\n", tone)]


def _name(name: str, declared: bool) -> list[Part]:
    return [
        (f"  {fit(name, _NAME)}", "$foreground" if declared else "$quiet"),
        ("● " if declared else "○ ", "$text-success" if declared else "$quiet"),
        (f"{'yes' if declared else 'no':<{_DECLARED - 2}}", "$foreground" if declared else "$quiet"),
    ]


def _outcome(
    declared: bool, kind: ListKind, listings: Mapping[ListKind, Listing] | None
) -> tuple[str, str, str]:
    """Mark, tone and words."""
    if listings is None:
        return "", "$quiet", ""
    listing = listings.get(kind)
    if listing is None:
        return "", "$quiet", "not read yet" if declared else "not asked"
    failure = listing.failure
    if failure is None:
        count = f"{len(listing.entries)} {'entry' if len(listing.entries) == 1 else 'entries'}"
        if declared:
            return "✓", "$text-success", f"works · {count}"
        return "▲", "$text-warning", f"works all the same · {count}"
    if failure.code != METHOD_NOT_FOUND:
        return "✗", "$text-error", f"failed · {clip(guard.message(failure.message), 200)}"
    if declared:
        return "✗", "$text-error", f"refused · declared, not implemented ({METHOD_NOT_FOUND})"
    return "○", "$quiet", f"refused ({METHOD_NOT_FOUND})"


def _hang(mark: str, tone: str, text: str, width: int) -> list[Part]:
    lead = f"{mark} " if mark else ""
    indent = 2 + _NAME + _DECLARED + len(lead)
    lines = fold(text, max(10, width - indent))
    return [(lead, tone), (f"\n{' ' * indent}".join(lines) + "\n", "$foreground" if mark else "$quiet")]
