"""What servers list besides tools, and how their lists hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from inspector.base.patterns import pattern
from inspector.base.text import quoted
from inspector.check.names import CAPABILITY_OF
from inspector.check.rules import ALL, MODERN, V03, V06, V07, V11, Findings, Found, Level, also, rule
from inspector.check.talk import LIST_OF, Frame, Talk, items, members
from inspector.protocol import listing, uritemplate
from inspector.protocol.listing import LISTS, json_type

_URI = pattern(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|\\^`\x00-\x20]+")
_SIZE = pattern(r"[1-9]\d{0,5}x[1-9]\d{0,5}")
_CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
_LISTS = tuple(LIST_OF)
Entry = Mapping[str, Any]


@rule("R01", "error", ALL, "server/resources#resource", on="resources")
def bad_uri(resource: Entry, frame: Frame, talk: Talk) -> Findings:
    """The address of a resource is no URI, or a template is none of RFC 6570."""
    uri = resource.get("uri")
    if isinstance(uri, str) and _URI.fullmatch(uri) is None:
        yield Found(f"{quoted(uri, 80)} is no URI", "/uri")


@also("R01", on="templates")
def bad_template(template: Entry, frame: Frame, talk: Talk) -> Findings:
    text = template.get("uriTemplate")
    if not isinstance(text, str):
        return
    try:
        uritemplate.parse(text)
    except uritemplate.BadTemplate as error:
        yield Found(f"{quoted(text, 80)} is no URI template: {error}", "/uriTemplate")


@also("J22", on="page")
def odd_entry(found: list[Any], frame: Frame, talk: Talk) -> Findings:
    kind = LIST_OF[frame.method or ""]
    for oddity in listing.oddities(kind, found):
        if oddity.member == "inputSchema" or oddity.reason.startswith("the same name"):
            continue  # those have rules of their own
        where = f"/{oddity.index}/{oddity.member}".rstrip("/")
        duplicate = oddity.reason.startswith("the same")
        yield Found(
            f"entry {oddity.index} of {kind}: {oddity.reason}", where, level="warning" if duplicate else None
        )


@also("J22", on="result", of=_LISTS)
def no_list(frame: Frame, talk: Talk) -> Findings:
    member = LISTS[LIST_OF[frame.method or ""]].member
    value = frame.result.get(member)
    if not isinstance(value, list):
        said = "is missing" if value is None else f"is {json_type(value)}"
        yield Found(f"{member} {said} in the answer to {frame.method}", f"/result/{member}")


@rule("R11", "info", ALL, "server/utilities/pagination", on="result", of=_LISTS)
def looping_cursor(frame: Frame, talk: Talk) -> Findings:
    """A page names a cursor that was given before."""
    asked, given = frame.request and frame.request.params.get("cursor"), frame.result.get("nextCursor")
    seen: set[str] = talk.kept(f"R11 {frame.method}", set)
    if asked is None:
        seen.clear()
    if isinstance(given, str):
        if given in seen or given == asked:
            yield Found("nextCursor was given before: the list never ends", "/result/nextCursor")
        seen.add(given)


@rule(
    "R12",
    "error",
    ALL,
    "server/utilities/pagination#response-format",
    on="result",
    of=(*_LISTS, "tasks/list"),
)
def odd_cursor(frame: Frame, talk: Talk) -> Findings:
    """`nextCursor` is no string."""
    if "nextCursor" in frame.result and not isinstance(frame.result["nextCursor"], str):
        yield Found(
            f"nextCursor is {json_type(frame.result['nextCursor'])}; at the end it is left out",
            "/result/nextCursor",
        )


@rule(
    "R14",
    "warning",
    ALL,
    "server/tools#list-changed-notification",
    on="notification",
    of=tuple(f"notifications/{name}/list_changed" for name in ("tools", "prompts", "resources")),
)
def undeclared_change(frame: Frame, talk: Talk) -> Findings:
    """A list changed notification came, and `listChanged` is not declared."""
    name = (frame.message.method or "").split("/")[1]
    if not talk.declares(name, "listChanged"):
        yield f"{frame.message.method} came, but {name}.listChanged is not declared"


@rule("R16", "error", ALL, "server/resources#annotations", on="resources")
@also("R16", on="templates")
def odd_annotations(entry: Entry, frame: Frame, talk: Talk) -> Findings:
    """Annotations are out of their bounds."""
    yield from out_of_bounds(entry)


def out_of_bounds(entry: Entry) -> Iterator[Found]:
    """What is wrong with the annotations of a resource or of a part of content."""
    hints = members(entry.get("annotations"))
    priority, audience, modified = hints.get("priority"), hints.get("audience"), hints.get("lastModified")
    if priority is not None and not (type(priority) in (int, float) and 0 <= priority <= 1):
        yield Found(f"the priority is {quoted(priority, 40)}, not between 0 and 1", "/annotations/priority")
    if audience is not None and not (
        isinstance(audience, list) and all(who in ("user", "assistant") for who in audience)
    ):
        yield Found(
            f"the audience is {quoted(audience, 60)}, no list of user and assistant", "/annotations/audience"
        )
    if modified is not None and not _is_moment(modified):
        yield Found(
            f"lastModified is {quoted(modified, 60)}, not of ISO 8601",
            "/annotations/lastModified",
            level="warning",
        )


def _is_moment(value: Any) -> bool:
    try:
        datetime.fromisoformat(value)
    except (ValueError, TypeError):
        return False
    return True


@rule("R17", "error", (V11, V07), "basic#icons", on="page")
def odd_icons(found: list[Any], frame: Frame, talk: Talk) -> Findings:
    """An icon is not of https: or data:, or its theme or sizes are none."""
    for index, entry in enumerate(found):
        for place, icon in enumerate(items(members(entry).get("icons"))):
            for member, said, level in _icon(members(icon)):
                yield Found(f"an icon {said}", f"/{index}/icons/{place}/{member}", level=level)


def _icon(icon: Entry) -> Iterator[tuple[str, str, Level | None]]:
    source, theme, sizes = icon.get("src"), icon.get("theme"), icon.get("sizes")
    try:
        scheme = urlsplit(source).scheme.lower() if isinstance(source, str) else ""
    except ValueError:
        scheme = ""
    if not isinstance(source, str):
        yield "src", "has no src", None
    elif scheme not in ("https", "data"):
        yield "src", f"comes by {scheme or 'no scheme'}: and not by https: or data:", None
    if theme not in (None, "light", "dark"):
        yield "theme", f"has the theme {quoted(theme, 40)}", "warning"
    if sizes is not None and not (isinstance(sizes, list) and all(_is_size(size) for size in sizes)):
        yield "sizes", f"has the sizes {quoted(sizes, 60)}", "warning"


def _is_size(value: Any) -> bool:
    return isinstance(value, str) and (value == "any" or _SIZE.fullmatch(value) is not None)


@rule("R18", "error", MODERN, "server/utilities/caching", on="result", of=_CACHED)
def cache_hints(frame: Frame, talk: Talk) -> Findings:
    """A result says badly how long it may be kept, or by whom."""
    result = frame.result
    if result.get("resultType") == "input_required":
        return
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    if type(ttl) is not int or ttl < 0:
        yield Found(
            "ttlMs is missing" if ttl is None else f"ttlMs is {quoted(ttl, 40)}, no whole number from 0",
            "/result/ttlMs",
        )
    if scope not in ("public", "private"):
        yield Found(
            "cacheScope is missing" if scope is None else f"cacheScope is {quoted(scope, 40)}",
            "/result/cacheScope",
        )


@rule("R19", "error", MODERN, "server/utilities/caching", on="result", of=_LISTS)
def mixed_scopes(frame: Frame, talk: Talk) -> Findings:
    """The pages of a list differ in `cacheScope`."""
    scopes: dict[str, Any] = talk.kept("R19", dict)
    asked, scope = frame.request and frame.request.params.get("cursor"), frame.result.get("cacheScope")
    before = scopes.get(frame.method or "")
    if asked is not None and before is not None and scope is not None and scope != before:
        yield Found(
            f"the first page is {quoted(before, 20)}, this one {quoted(scope, 20)}", "/result/cacheScope"
        )
    if asked is None:
        scopes[frame.method or ""] = scope


@rule("R20", "warning", MODERN, "server/utilities/caching", on="result", of=_CACHED)
def cached_question(frame: Frame, talk: Talk) -> Findings:
    """A result that asks for input says how long it may be kept."""
    if frame.result.get("resultType") == "input_required":
        for name in ("ttlMs", "cacheScope"):
            if name in frame.result:
                yield Found(f"{name} stands in a result that asks for input", f"/result/{name}")


@rule("T22", "error", ALL, "server/tools#capabilities", on="frame")
def capability_and_list(frame: Frame, talk: Talk) -> Findings:
    """A list is served though its capability is not declared, or refused though it is."""
    needed = CAPABILITY_OF.get(frame.method or "")
    if needed is None or frame.method not in _LISTS or frame.request is None or talk.capabilities is None:
        return
    if frame.message.kind == "response" and not talk.declares(needed):
        yield Found(f"{frame.method} is served, but {needed} is not declared", level="warning")
    elif frame.message.kind == "error" and frame.error.get("code") == -32601 and talk.declares(needed):
        # A server may have resources and no templates of them: most clients take it so.
        mild: Level | None = "warning" if frame.method == "resources/templates/list" else None
        yield Found(f"{needed} is declared, but {frame.method} is not known", level=mild)


@rule(
    "R10",
    "error",
    (V03, V06, V11, V07),
    "server/utilities/completion#capabilities",
    on="result",
    of="completion/complete",
)
def undeclared_completion(frame: Frame, talk: Talk) -> Findings:
    """Completions are served though they are not declared."""
    if not talk.declares("completions"):
        yield "completion/complete is served, but completions are not declared"
