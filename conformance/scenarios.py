"""Which scenarios for clients must pass, and which cannot yet, with the reason. Each one of the suite is in here."""

from __future__ import annotations

FIRST, LEGACY, MODERN = "2025-03-26", "2025-11-25", "2026-07-28"
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
    "auth/metadata-default": (LEGACY, MODERN),
    "auth/metadata-var1": (LEGACY, MODERN),
    "auth/metadata-var2": (LEGACY, MODERN),
    "auth/metadata-var3": (LEGACY, MODERN),
    "auth/basic-cimd": (LEGACY, MODERN),
    "auth/scope-from-www-authenticate": (LEGACY, MODERN),
    "auth/scope-from-scopes-supported": (LEGACY, MODERN),
    "auth/scope-omitted-when-undefined": (LEGACY, MODERN),
    "auth/scope-step-up": (LEGACY, MODERN),
    "auth/scope-retry-limit": (LEGACY, MODERN),
    "auth/token-endpoint-auth-basic": (LEGACY, MODERN),
    "auth/token-endpoint-auth-post": (LEGACY, MODERN),
    "auth/token-endpoint-auth-none": (LEGACY, MODERN),
    "auth/pre-registration": (LEGACY, MODERN),
    "auth/resource-mismatch": (MODERN,),
    "auth/offline-access-scope": (MODERN,),
    "auth/offline-access-not-supported": (MODERN,),
    "auth/authorization-server-migration": (MODERN,),
    "auth/iss-supported": (MODERN,),
    "auth/iss-not-advertised": (MODERN,),
    "auth/iss-supported-missing": (MODERN,),
    "auth/iss-wrong-issuer": (MODERN,),
    "auth/iss-unexpected": (MODERN,),
    "auth/iss-normalized": (MODERN,),
    "auth/metadata-issuer-mismatch": (MODERN,),
    "auth/2025-03-26-oauth-metadata-backcompat": (FIRST,),
    "auth/2025-03-26-oauth-endpoint-fallback": (FIRST,),
    "auth/client-credentials-jwt": (None,),
    "auth/client-credentials-basic": (None,),
    "auth/dpop": (None,),
    "auth/dpop-nonce": (None,),
    "auth/wif-jwt-bearer": (None,),
    "auth/enterprise-managed-authorization": (None,),
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

_SERVERS_BOTH = (
    "completion-complete", "tools-list", "tools-call-simple-text", "tools-call-image", "tools-call-audio",
    "tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-error", "tools-call-with-progress",
    "server-sse-multiple-streams", "resources-list", "resources-read-text", "resources-read-binary",
    "resources-templates-read", "prompts-list", "prompts-get-simple", "prompts-get-with-args",
    "prompts-get-embedded-resource", "prompts-get-with-image", "dns-rebinding-protection", "json-schema-2020-12",
)  # fmt: skip
SERVERS: dict[str, tuple[str, ...]] = {
    LEGACY: (
        *_SERVERS_BOTH, "server-initialize", "logging-set-level", "ping", "tools-call-with-logging",
        "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
        "resources-subscribe", "resources-unsubscribe", "server-session-lifecycle",
    ),
    MODERN: (
        *_SERVERS_BOTH, "server-stateless", "sep-2164-resource-not-found", "caching", "http-header-validation",
        "http-custom-header-server-validation",
        *(
            f"input-required-result-{name}"
            for name in ("basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multi-round",
                         "multiple-input-requests",
                         "missing-input-response", "non-tool-request", "result-type", "unsupported-methods",
                         "tampered-state", "capability-check", "ignore-extra-params", "validate-input")
        ),
    ),
}  # fmt: skip
"""Scenarios for servers by the version at which they have to pass; those of the tasks extension are in none."""
SERVERS_LATER: dict[str, dict[str, str]] = {
    LEGACY: {},
    MODERN: {},
}
"""With the reason, as in LATER."""


def unknown(names: list[str]) -> list[str]:
    """Those that stand in no list here."""
    return [name for name in names if name not in PASS and name not in LATER]
