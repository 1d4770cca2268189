"""Which scenarios for clients must pass, and which cannot yet, with the reason. Each one of the suite is in here."""

from __future__ import annotations

LEGACY, MODERN = "2025-11-25", "2026-07-28"
PASS: dict[str, tuple[str | None, ...]] = {
    "initialize": (LEGACY,),
    "tools_call": (LEGACY, MODERN),
    "elicitation-sep1034-client-defaults": (LEGACY,),
    "sse-retry": (LEGACY,),
    "json-schema-2020-12-preservation": (LEGACY, MODERN),
    "json-schema-ref-no-deref": (MODERN,),
    "request-metadata": (MODERN,),
    "http-standard-headers": (MODERN,),
    "http-custom-headers": (MODERN,),
    "http-invalid-tool-headers": (MODERN,),
    "sep-2322-client-request-state": (MODERN,),
    "sep-2640-client-no-prefetch": (None,),
    "sep-2640-client-verify-digest": (None,),
    "sep-2640-client-verify-size": (None,),
    "sep-2640-client-verify-frontmatter": (None,),
}
"""With the versions at which each of them has to pass; those of extensions have none."""
REAL_TIME = frozenset({"sse-retry"})
"""These measure the clock, so a busy machine may fail them: they get a second try."""

LATER: dict[str, str] = {}
"""With the reason. They are run all the same: one that passes has to be moved up."""

NOT_RUN = {"auth/": "OAuth is an issue of its own"}
"""By the beginning of their names."""


def unknown(names: list[str]) -> list[str]:
    """Those that stand in no list here."""
    return [
        name
        for name in names
        if name not in PASS and name not in LATER and not name.startswith(tuple(NOT_RUN))
    ]
