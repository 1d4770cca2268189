"""What a server asks of its client: roots, sampling, elicitation; and input in rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.base import weblinks
from inspector.base.jsonptr import escape
from inspector.base.secrets import is_secret_name, secrets_of_url
from inspector.base.text import clip, quoted
from inspector.check.rules import ALL, LEGACY, V06, V07, V11, V24, Findings, Found, also, rule
from inspector.check.talk import Frame, Talk, items, members
from inspector.protocol import elicitation, sampling
from inspector.protocol.capabilities import undeclared
from inspector.protocol.listing import json_type
from inspector.protocol.revisions import revision

_ELICIT, _SAMPLE, _ROOTS = elicitation.METHOD, sampling.METHOD, "roots/list"
_MAY_ASK = ("tools/call", "prompts/get", "resources/read")
_ROUNDS = 10
Asked = tuple[str, Mapping[str, Any], str]


def _asked(frame: Frame) -> Iterator[Asked]:
    """Method, params and pointer of what a message asks: a request itself, or each input that a result asks for."""
    if frame.message.kind == "request":
        yield frame.message.method or "", frame.params, "/params"
        return
    for key, request in members(frame.result.get("inputRequests")).items():
        method, params = members(request).get("method"), members(members(request).get("params"))
        yield str(method), params, f"/result/inputRequests/{escape(key)}/params"


def _declared(frame: Frame, talk: Talk) -> Mapping[str, Any]:
    if frame.message.kind == "response" and frame.request is not None:
        return frame.request.declared
    return talk.client


def _knows_client(frame: Frame, talk: Talk) -> bool:
    return frame.message.kind == "response" or talk.handshakes > 0


@rule("C01", "error", ALL, "2025-11-25/basic/lifecycle#operation", on="request")
@also("C01", on="result", of=_MAY_ASK)
def undeclared_request(frame: Frame, talk: Talk) -> Findings:
    """The client is asked for what it did not declare."""
    declared = _declared(frame, talk)
    for method, params, where in _asked(frame):
        if not _knows_client(frame, talk):
            return
        refused = undeclared(method, params, declared, detailed=revision(frame.version or "").detailed)
        if method == _ROOTS and "roots" not in declared:
            yield Found(
                "roots/list is asked, and the client has no roots declared", where.removesuffix("/params")
            )
        elif refused is not None and refused[0] == -32601:
            yield Found(
                f"{method} is asked, and the client did not declare it", where.removesuffix("/params")
            )


@rule("C02", "error", (V11, V07), "client/elicitation#capabilities", on="request")
@also("C02", on="result", of=_MAY_ASK)
def undeclared_mode(frame: Frame, talk: Talk) -> Findings:
    """An elicitation is of a mode that the client did not declare."""
    for method, params, where in _asked(frame):
        refused = undeclared(method, params, _declared(frame, talk)) if method == _ELICIT else None
        if refused is not None and refused[0] == -32602:
            yield Found(refused[1], f"{where}/mode")


@rule("C03", "error", (V06, V11, V07), "client/elicitation#requested-schema", on="request")
@also("C03", on="result", of=_MAY_ASK)
def odd_form(frame: Frame, talk: Talk) -> Findings:
    """A form is more than a flat object of simple values."""
    for method, params, where in _asked(frame):
        if method == _ELICIT:
            wrong = elicitation.oddity(params, detailed=revision(frame.version or "").detailed)
            if wrong is not None:
                yield Found(wrong, f"{where}/requestedSchema")
            if not isinstance(params.get("message"), str):
                yield Found("the elicitation has no message", f"{where}/message")


@rule("C04", "error", (V06, V11, V07), "client/elicitation#security-considerations", on="request")
@also("C04", on="result", of=_MAY_ASK)
def secret_form(frame: Frame, talk: Talk) -> Findings:
    """A form asks for a secret."""
    for method, params, where in _asked(frame):
        fields = (
            members(members(params.get("requestedSchema")).get("properties")) if method == _ELICIT else {}
        )
        for name in fields:
            if is_secret_name(name):
                place = f"{where}/requestedSchema/properties/{escape(name)}"
                yield Found(f"the form asks for {quoted(name, 60)}, which looks secret", place)


@rule("C05", "error", (V11, V07), "client/elicitation#safe-url-handling", on="request")
@also("C05", on="result", of=_MAY_ASK)
def bad_link(frame: Frame, talk: Talk) -> Findings:
    """An address to visit is no URL, not https, or carries a secret."""
    for method, params, where in _asked(frame):
        if method == _ELICIT and params.get("mode") == "url":
            url, place = params.get("url"), f"{where}/url"
            if not isinstance(url, str):
                yield Found("there is no url", place)
                continue
            link = weblinks.examine(url)
            local = link.host in ("localhost", "127.0.0.1", "::1")
            if not link.openable:
                yield Found(f"the url cannot be opened: {link.why}", place)
            elif link.scheme == "http" and not local:
                yield Found("the url is http: and not of this machine", place, level="warning")
            elif link.decoded:
                yield Found(
                    f"the host is in punycode and reads {clip(link.decoded, 80)}", place, level="warning"
                )
            if secrets_of_url(url):
                yield Found("the url carries credentials", place)


@rule("C06", "error", (V11,), "client/elicitation#url-mode-elicitation-requests", on="request", of=_ELICIT)
def no_elicitation_id(frame: Frame, talk: Talk) -> Findings:
    """An elicitation by URL has no `elicitationId`."""
    if frame.params.get("mode") == "url":
        if not isinstance(frame.params.get("elicitationId"), str):
            yield Found("the elicitation has no elicitationId", "/params/elicitationId")
        else:
            talk.kept("C06", set).add(frame.params["elicitationId"])


@also("C06", on="notification", of="notifications/elicitation/complete")
def unknown_elicitation(frame: Frame, talk: Talk) -> Findings:
    named = frame.params.get("elicitationId")
    known: set[Any] = talk.kept("C06", set)
    if not isinstance(named, str):
        yield Found("the notification has no elicitationId", "/params/elicitationId")
    elif known and named not in known:
        yield Found(f"no elicitation has the id {clip(named, 60)}", "/params/elicitationId")


@rule("C07", "error", (V11,), "client/elicitation#url-elicitation-required-error", on="error")
def no_links(frame: Frame, talk: Talk) -> Findings:
    """Error -32042 does not say which addresses are to be visited."""
    if frame.error.get("code") != -32042:
        return
    links = members(frame.error.get("data")).get("elicitations")
    if not isinstance(links, list) or not links:
        yield Found("the error has no list data.elicitations", "/error/data")
        return
    for index, link in enumerate(links):
        known: set[Any] = talk.kept("C06", set)
        if isinstance(named := members(link).get("elicitationId"), str):
            known.add(named)
        for name, value in (("mode", "url"), ("url", None), ("elicitationId", None), ("message", None)):
            given = members(link).get(name)
            if not isinstance(given, str) or (value is not None and given != value):
                yield Found(f"{name} is {quoted(given, 60)}", f"/error/data/elicitations/{index}/{name}")


@rule("C08", "error", ALL, "client/sampling#creating-messages", on="request")
@also("C08", on="result", of=_MAY_ASK)
def bad_sampling(frame: Frame, talk: Talk) -> Findings:
    """A sampling request lacks what it must have, or uses tools that were not declared."""
    for method, params, where in _asked(frame):
        if method != _SAMPLE:
            continue
        if type(params.get("maxTokens")) is not int:
            yield Found("maxTokens is missing or no whole number", f"{where}/maxTokens")
        messages = params.get("messages")
        if not isinstance(messages, list):
            yield Found(
                "messages are missing" if messages is None else f"messages are {json_type(messages)}",
                f"{where}/messages",
            )
            continue
        for index, message in enumerate(messages):
            if (role := members(message).get("role")) not in ("user", "assistant"):
                yield Found(f"the role is {quoted(role, 40)}", f"{where}/messages/{index}/role")
        refused = undeclared(
            method, params, _declared(frame, talk), detailed=revision(frame.version or "").detailed
        )
        if refused is not None and refused[0] == -32602:
            yield Found(refused[1], f"{where}/tools")


@rule("C09", "error", (V11, V07), "client/sampling#message-content-constraints", on="request")
@also("C09", on="result", of=_MAY_ASK)
def bad_tool_results(frame: Frame, talk: Talk) -> Findings:
    """Uses of tools and their results do not belong together."""
    for method, params, where in _asked(frame):
        if method == _SAMPLE and (wrong := sampling.misuse(params)) is not None:
            yield Found(wrong, f"{where}/messages")


@rule("C10", "warning", (V11, V07), "client/sampling#capabilities", on="request")
@also("C10", on="result", of=_MAY_ASK)
def undeclared_context(frame: Frame, talk: Talk) -> Findings:
    """Context is asked for, and the client did not declare it."""
    for method, params, where in _asked(frame):
        wanted = params.get("includeContext") if method == _SAMPLE else None
        if wanted in ("thisServer", "allServers") and "context" not in members(
            _declared(frame, talk).get("sampling")
        ):
            yield Found(
                f"includeContext is {wanted}, and sampling.context was not declared",
                f"{where}/includeContext",
            )


@rule("C12", "info", (V24,), "basic/utilities/ping", on="request", of="ping")
def pings(frame: Frame, talk: Talk) -> Findings:
    """The server sends `ping`: it may, and some clients of this version do not know it."""
    yield "the server sends ping"


@rule("C11", "error", LEGACY, "client/roots#root", on="sent")
def odd_root(frame: Frame, talk: Talk) -> Findings:
    """The client names a root that is not of file:."""
    if frame.message.kind == "response" and frame.method == _ROOTS:
        for index, root in enumerate(items(frame.result.get("roots"))):
            uri = members(root).get("uri")
            if not isinstance(uri, str) or not uri.startswith("file://"):
                yield Found(f"the client's root is {quoted(uri, 80)}", f"/result/roots/{index}/uri")
