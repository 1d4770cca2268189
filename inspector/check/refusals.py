"""How servers refuse: what is unknown, what is missing, what is wrong. Probes (`check --active`) bring it about; where
a client did so by itself it is judged the same."""

from __future__ import annotations

from inspector.base.patterns import pattern
from inspector.base.text import clip, quoted
from inspector.check.rules import ALL, LEGACY, MODERN, V07, V11, Findings, Found, also, rule
from inspector.check.talk import LIST_OF, Frame, Talk, items, members
from inspector.check.unreal import CURSOR, METHOD, URI
from inspector.protocol.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND
from inspector.schema.validate import Checker

_NOT_FOUND = pattern(r"(?i)\bnot[ _-]?found\b|\bunknown resource\b|\bno such resource\b|\bdoes not exist\b")
_LISTS = tuple(LIST_OF)


@rule("T18", "warning", ALL, "server/tools#error-handling", on="result", of="tools/call")
def unknown_tool(frame: Frame, talk: Talk) -> Findings:
    """An unknown tool is called, and the result says so in place of an error."""
    name = frame.request.params.get("name") if frame.request is not None else None
    if (
        isinstance(name, str)
        and talk.all_tools
        and name not in talk.tools
        and frame.result.get("isError") is True
    ):
        yield Found(
            f"there is no tool {clip(name, 60)}, and the call has a result with isError; error -32602 was due"
        )


@rule("T19", "warning", (V11, V07), "server/tools#error-handling", on="error", of="tools/call")
def unseen_refusal(frame: Frame, talk: Talk) -> Findings:
    """Arguments that do not fit are refused by an error that a model never sees."""
    params = frame.request.params if frame.request is not None else {}
    tool = talk.tools.get(str(params.get("name")))
    if tool is None or frame.error.get("code") != INVALID_PARAMS:
        return
    if Checker(tool.get("inputSchema")).check(params.get("arguments", {})).errors:
        yield Found(
            f"{clip(str(params.get('name')), 60)} refused its arguments by error -32602; a result with isError was due"
        )


@rule("R03", "warning", ALL, "server/resources#error-handling", on="error", of="resources/read")
def unknown_resource(frame: Frame, talk: Talk) -> Findings:
    """A resource that there is not is refused with another code than it should be."""
    code, said = frame.error.get("code"), frame.error.get("message")
    due = INVALID_PARAMS if frame.version == V07 else -32002
    probed = frame.request is not None and frame.request.params.get("uri") == URI
    meant = probed or (isinstance(said, str) and _NOT_FOUND.search(said) is not None)
    if meant and type(code) is int and code not in (due, METHOD_NOT_FOUND):
        yield Found(
            f"the resource is not found, and the code is {code}; {due} was due",
            "/error/code",
            level="error" if frame.version == V07 else None,
        )


@also("R03", on="result", of="resources/read")
def empty_resource(frame: Frame, talk: Talk) -> Findings:
    uri = frame.request.params.get("uri") if frame.request is not None else None
    known = isinstance(uri, str) and uri in talk.resources
    if frame.version == V07 and not known and frame.result.get("contents") == []:
        yield Found(
            "contents are empty; for a resource that there is not an error is due",
            "/result/contents",
            level="error",
        )


@rule("R04", "info", ALL, on="result", of="resources/read")
def other_than_listed(frame: Frame, talk: Talk) -> Findings:
    """A resource is of another size or type than it was listed with."""
    uri = frame.request.params.get("uri") if frame.request is not None else None
    listed = talk.resources.get(uri) if isinstance(uri, str) else None
    contents = [part for part in items(frame.result.get("contents")) if members(part).get("uri") == uri]
    if listed is None or len(contents) != 1:
        return
    promised, came = listed.get("mimeType"), contents[0].get("mimeType")
    if isinstance(promised, str) and isinstance(came, str) and promised != came:
        yield Found(
            f"it was listed as {clip(promised, 60)} and is {clip(came, 60)}", "/result/contents/0/mimeType"
        )
    size, text = listed.get("size"), contents[0].get("text")
    if type(size) is int and isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) != size:
        yield Found(
            f"it was listed with {size} bytes and has {len(text.encode('utf-8', 'surrogatepass'))}",
            "/result/contents/0",
        )


@rule("R05", "error", LEGACY, "server/resources#capabilities", on="frame")
def undeclared_subscription(frame: Frame, talk: Talk) -> Findings:
    """A subscription is accepted though it is not declared, or refused though it is."""
    if frame.method != "resources/subscribe" or not frame.message.is_answer or talk.capabilities is None:
        return
    declared = talk.declares("resources", "subscribe")
    if frame.message.kind == "response" and not declared:
        yield "resources/subscribe is accepted, but resources.subscribe is not declared"
    elif frame.error.get("code") == METHOD_NOT_FOUND and declared:
        yield "resources.subscribe is declared, but resources/subscribe is not known"


@rule("R08", "warning", ALL, "server/prompts#error-handling", on="result", of="prompts/get")
def missing_argument(frame: Frame, talk: Talk) -> Findings:
    """A prompt is given though an argument is missing that it requires."""
    params = frame.request.params if frame.request is not None else {}
    prompt = talk.prompts.get(str(params.get("name")), {})
    for argument in items(prompt.get("arguments")):
        name = members(argument).get("name")
        if members(argument).get("required") is True and name not in members(params.get("arguments")):
            yield f"{clip(str(params.get('name')), 60)} requires {clip(str(name), 60)}, and was given without it"


@rule("R13", "warning", ALL, "server/utilities/pagination#error-handling", on="error", of=_LISTS)
def bad_cursor(frame: Frame, talk: Talk) -> Findings:
    """A cursor that is refused has another code than -32602."""
    code = frame.error.get("code")
    if (
        frame.request is not None
        and "cursor" in frame.request.params
        and type(code) is int
        and code != INVALID_PARAMS
    ):
        yield Found(f"the cursor is refused with {code}, and -32602 was due", "/error/code")


@rule("R15", "warning", ALL, "server/tools#list-changed-notification", on="end")
def untold_change(talk: Talk) -> Findings:
    """A list changed, and the server told nobody, though it declares that it does."""
    for kind, (first, second) in talk.changed.items():
        yield Found(
            f"the list of {kind} is another one the second time, and no list_changed came",
            "",
            (first, second),
        )


@also("R13", on="result", of=_LISTS)
def taken_cursor(frame: Frame, talk: Talk) -> Findings:
    if frame.request is not None and frame.request.params.get("cursor") == CURSOR:
        yield "a cursor that nobody gave was taken; error -32602 was due"


@rule("J30", "warning", ALL, "basic#error-responses", on="frame", of=METHOD)
def unknown_method(frame: Frame, talk: Talk) -> Findings:
    """An unknown method has another answer than error -32601."""
    if frame.message.is_answer and frame.request is not None and frame.error.get("code") != METHOD_NOT_FOUND:
        said = (
            "a result" if frame.message.kind == "response" else f"error {quoted(frame.error.get('code'), 20)}"
        )
        yield f"a method that there is not was answered by {said}; error -32601 was due"


@rule("T21", "warning", MODERN, "server/tools#listing-tools", on="end")
def shuffled(talk: Talk) -> Findings:
    """A list comes in another order each time."""
    for kind, (first, second) in talk.shuffled.items():
        yield Found(f"the list of {kind} has the same entries in another order", "", (first, second))
