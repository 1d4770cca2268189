"""What comes back from calls, reads, prompts and completions."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.base import numbers
from inspector.base.media import media
from inspector.base.text import clip, quoted
from inspector.check.lists import out_of_bounds
from inspector.check.rules import ALL, V03, V06, V07, V11, Findings, Found, also, rule
from inspector.check.talk import Frame, Talk, items, members
from inspector.protocol.listing import json_type
from inspector.schema.validate import Checker
from inspector.traffic.lines import REDACTED

_RESULT = "server/tools#tool-result"
_STRUCTURED = "server/tools#structured-content"
_SINCE: Mapping[str, tuple[str, ...]] = {
    "text": ALL,
    "image": ALL,
    "resource": ALL,
    "audio": (V03, V06, V11, V07),
    "resource_link": (V06, V11, V07),
}
_SHOWN = 3


def _is_complete(frame: Frame) -> bool:
    """False for a result that asks for input, or stands for a task."""
    result = frame.result
    return result.get("resultType") in (None, "complete") and not (
        "task" in result and "content" not in result
    )


@rule("T10", "error", ALL, _RESULT, on="result", of="tools/call")
def no_content(frame: Frame, talk: Talk) -> Findings:
    """The result of a call has no list `content`."""
    content = frame.result.get("content")
    if _is_complete(frame) and not isinstance(content, list):
        yield Found(
            "content is missing" if content is None else f"content is {json_type(content)}", "/result/content"
        )


def _tool(frame: Frame, talk: Talk) -> Mapping[str, Any]:
    name = frame.request.params.get("name") if frame.request is not None else None
    return talk.tools.get(name, {}) if isinstance(name, str) else {}


def _called(frame: Frame) -> str:
    name = frame.request.params.get("name") if frame.request is not None else None
    return clip(str(name), 60)


@rule("T11", "error", (V06, V11, V07), "server/tools#output-schema", on="result", of="tools/call")
def no_structure(frame: Frame, talk: Talk) -> Findings:
    """A tool has an `outputSchema`, and its result no `structuredContent`."""
    result = frame.result
    if not _is_complete(frame) or result.get("isError") is True or "structuredContent" in result:
        return
    if _tool(frame, talk).get("outputSchema") is not None:
        yield Found(
            f"{_called(frame)} declares an outputSchema, and its result has no structuredContent", "/result"
        )


@rule("T12", "error", (V06, V11, V07), "server/tools#output-schema", on="result", of="tools/call")
def misfit(frame: Frame, talk: Talk) -> Findings:
    """`structuredContent` does not fit the `outputSchema`."""
    result, tool = frame.result, _tool(frame, talk)
    schema = tool.get("outputSchema")
    if (
        schema is None
        or "structuredContent" not in result
        or result.get("isError") is True
        or frame.flags & REDACTED
    ):
        return
    checkers: dict[int, tuple[Any, Checker]] = talk.kept("T12", dict)
    held = checkers.get(id(schema))
    if held is None:
        held = checkers[id(schema)] = (schema, Checker(schema))
    for issue in held[1].check(result["structuredContent"]).errors[:_SHOWN]:
        where = f"/result/structuredContent{issue.path}"
        yield Found(f"{_called(frame)}: {clip(issue.message, 200)}", where)


@rule("T13", "error", (V06, V11), _STRUCTURED, on="result", of="tools/call")
def structure_no_object(frame: Frame, talk: Talk) -> Findings:
    """`structuredContent` is no object."""
    if "structuredContent" in frame.result and not isinstance(frame.result["structuredContent"], dict):
        yield Found(
            f"structuredContent is {json_type(frame.result['structuredContent'])}",
            "/result/structuredContent",
        )


@rule("T14", "warning", (V06, V11, V07), _STRUCTURED, on="result", of="tools/call")
def no_mirror(frame: Frame, talk: Talk) -> Findings:
    """No text has the JSON of `structuredContent`, for older clients."""
    result = frame.result
    if "structuredContent" not in result or frame.flags & REDACTED:
        return
    texts = [
        text for block in items(result.get("content")) if isinstance(text := members(block).get("text"), str)
    ]
    if not any(_says(text, result["structuredContent"]) for text in texts):
        yield Found(
            f"{_called(frame)}: no text of its content is the JSON of structuredContent", "/result/content"
        )


def _says(text: str, structured: Any) -> bool:
    try:
        return numbers.same(json.loads(text), structured)
    except (ValueError, RecursionError):
        return False


def _blocks(frame: Frame) -> Iterator[tuple[str, Any]]:
    """Every part of content in a result, with its pointer."""
    for index, block in enumerate(items(frame.result.get("content"))):
        yield f"/result/content/{index}", block
    for index, message in enumerate(items(frame.result.get("messages"))):
        content = members(message).get("content")
        if content is not None:
            yield f"/result/messages/{index}/content", content


_WITH_CONTENT = ("tools/call", "prompts/get", "tasks/result")


@rule("T15", "error", ALL, _RESULT, on="result", of=_WITH_CONTENT)
def unknown_block(frame: Frame, talk: Talk) -> Findings:
    """A part of content has a type that this version does not have."""
    for where, block in _blocks(frame):
        kind = members(block).get("type")
        if not isinstance(kind, str):
            yield Found("a part of content has no type", where)
        elif kind not in _SINCE or (frame.version in ALL and frame.version not in _SINCE[kind]):
            which = frame.version if kind in _SINCE else "any version"
            yield Found(f"content of type {quoted(kind, 40)} is none of {which}", f"{where}/type")
        elif kind == "text" and not isinstance(members(block).get("text"), str):
            yield Found("a text has no text", f"{where}/text")


@rule("T16", "error", ALL, _RESULT, on="result", of=_WITH_CONTENT)
def bad_media(frame: Frame, talk: Talk) -> Findings:
    """A picture or sound lacks its data or type, or the data is not base64 or of another type."""
    for where, block in _blocks(frame):
        kind = members(block).get("type")
        if kind not in ("image", "audio") or frame.flags & REDACTED:
            continue
        data, named = block.get("data"), block.get("mimeType")
        if not isinstance(named, str):
            yield Found(f"the {kind} has no mimeType", f"{where}/mimeType")
        if not isinstance(data, str):
            yield Found(f"the {kind} has no data", f"{where}/data")
            continue
        raw = _base64(data)
        if raw is None:
            yield Found(f"the data of the {kind} is not base64", f"{where}/data")
        elif (
            isinstance(named, str)
            and (held := media(raw)) is not None
            and held.kind != named.partition("/")[0]
        ):
            yield Found(
                f"the data is {held.format}, and mimeType says {clip(named, 60)}",
                f"{where}/mimeType",
                level="info",
            )


def _base64(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return None


@rule("T17", "error", ALL, "server/tools#embedded-resources", on="result", of=_WITH_CONTENT)
def bad_resource(frame: Frame, talk: Talk) -> Findings:
    """An embedded resource has no `uri`, or not one of `text` and `blob`."""
    for where, block in _blocks(frame):
        if members(block).get("type") == "resource":
            resource = block.get("resource")
            if not isinstance(resource, dict):
                yield Found("an embedded resource has no resource", f"{where}/resource")
            else:
                yield from _contents(resource, f"{where}/resource", frame)
        elif members(block).get("type") == "resource_link" and not isinstance(block.get("uri"), str):
            yield Found("a link to a resource has no uri", f"{where}/uri")


def _contents(part: Mapping[str, Any], where: str, frame: Frame) -> Iterator[Found]:
    if not isinstance(part.get("uri"), str):
        yield Found("contents have no uri", f"{where}/uri")
    has = [name for name in ("text", "blob") if isinstance(part.get(name), str)]
    if len(has) != 1:
        yield Found(
            "contents have both text and blob" if has else "contents have neither text nor blob", where
        )
    elif has == ["blob"] and not frame.flags & REDACTED and _base64(part["blob"]) is None:
        yield Found("the blob is not base64", f"{where}/blob")


@rule("T20", "info", ALL, "server/tools#error-handling", on="result", of="tools/call")
def mute_failure(frame: Frame, talk: Talk) -> Findings:
    """A call failed, and its result does not say why."""
    if frame.result.get("isError") is True and frame.result.get("content") == []:
        yield Found(f"{_called(frame)} failed with isError, and nothing is said", "/result/content")


@also("J22", on="result", of="tools/call")
def odd_flag(frame: Frame, talk: Talk) -> Findings:
    flag = frame.result.get("isError", False)
    if type(flag) is not bool:
        yield Found(f"isError is {json_type(flag)}", "/result/isError")


@rule("R02", "error", ALL, "server/resources#resource-contents", on="result", of="resources/read")
def bad_contents(frame: Frame, talk: Talk) -> Findings:
    """The contents of a resource have not one of `text` and `blob`."""
    if not _is_complete(frame):
        return
    contents = frame.result.get("contents")
    if not isinstance(contents, list):
        yield Found(
            "contents are missing" if contents is None else f"contents are {json_type(contents)}",
            "/result/contents",
        )
    for index, part in enumerate(items(contents)):
        where = f"/result/contents/{index}"
        if isinstance(part, dict):
            yield from _contents(part, where, frame)
        else:
            yield Found(f"an entry of contents is {json_type(part)}", where)


@rule("R07", "error", ALL, "server/prompts#promptmessage", on="result", of="prompts/get")
def bad_prompt(frame: Frame, talk: Talk) -> Findings:
    """A message of a prompt has no role of user or assistant, or no content."""
    if not _is_complete(frame):
        return
    messages = frame.result.get("messages")
    if not isinstance(messages, list):
        yield Found(
            "messages are missing" if messages is None else f"messages are {json_type(messages)}",
            "/result/messages",
        )
    for index, message in enumerate(items(messages)):
        where = f"/result/messages/{index}"
        if (role := members(message).get("role")) not in ("user", "assistant"):
            yield Found(f"the role is {quoted(role, 40)}", f"{where}/role")
        if not isinstance(content := members(message).get("content"), dict):
            yield Found(
                "there is no content" if content is None else f"the content is {json_type(content)}",
                f"{where}/content",
            )


@rule(
    "R09",
    "error",
    ALL,
    "server/utilities/completion#completion-results",
    on="result",
    of="completion/complete",
)
def bad_completion(frame: Frame, talk: Talk) -> Findings:
    """A completion has more than 100 values, or a total below their number."""
    completion = frame.result.get("completion")
    values, total = members(completion).get("values"), members(completion).get("total")
    if not isinstance(values, list):
        yield Found("the answer has no completion.values", "/result/completion/values")
        return
    if len(values) > 100:
        yield Found(f"there are {len(values)} values, and 100 is the most", "/result/completion/values")
    if isinstance(total, int | float) and total < len(values):
        yield Found(
            f"total is {total}, and there are {len(values)} values", "/result/completion/total", level="info"
        )


@also("R16", on="result", of=_WITH_CONTENT)
def odd_content_annotations(frame: Frame, talk: Talk) -> Findings:
    for where, block in _blocks(frame):
        for found in out_of_bounds(members(block)):
            yield Found(found.message, where + found.pointer, level=found.level)
