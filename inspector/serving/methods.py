"""The requests that a client may send, one function each: it gives the result, or raises RpcError."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from inspector.base import text
from inspector.base.jsontext import Verbatim, dump
from inspector.protocol.jsonrpc import INVALID_PARAMS
from inspector.serving import content, uris
from inspector.serving.arguments import misfit
from inspector.serving.call import LEVELS, Call
from inspector.serving.definition import (
    Completer,
    Definition,
    Listed,
    Prompt,
    Reply,
    Resource,
    Result,
    RpcError,
    Template,
    Tool,
    ToolError,
    Whole,
)

RESOURCE_NOT_FOUND = -32002
MOST_COMPLETIONS = 100
_SINCE = {
    "title": "2025-06-18",
    "outputSchema": "2025-06-18",
    "_meta": "2025-06-18",
    "icons": "2025-11-25",
    "websiteUrl": "2025-11-25",
    "execution": "2025-11-25",
}
_T = TypeVar("_T", Tool, Resource, Template, Prompt)

Answer: TypeAlias = dict[str, Any]
Method: TypeAlias = Callable[[Call], Coroutine[Any, Any, Answer]]


async def initialize(call: Call) -> Answer:
    session, definition = call.session, call.session.definition
    session.greet(
        _string(call.params, "protocolVersion"),
        object_of(call.params, "capabilities"),
        object_of(call.params, "clientInfo"),
    )
    answer = {
        "protocolVersion": definition.agrees or session.version,
        "capabilities": session.capabilities,
        "serverInfo": server_info(definition, session.version),
    }
    return answer if definition.instructions is None else {**answer, "instructions": definition.instructions}


def server_info(definition: Definition, version: str) -> Answer:
    """What a server says of itself."""
    about = {
        "name": definition.name,
        "version": definition.version,
        "title": definition.title,
        **definition.about,
    }
    return _known({key: value for key, value in about.items() if value is not None}, version)


async def ping(call: Call) -> Answer:
    return {}


async def set_level(call: Call) -> Answer:
    level = _string(call.params, "level")
    if level not in LEVELS:
        raise RpcError(INVALID_PARAMS, f"Invalid params: the level must be one of {', '.join(LEVELS)}")
    call.session.level = level
    return {}


async def list_tools(call: Call) -> Answer:
    return _page("tools", call.session.tools.values(), call)


async def list_resources(call: Call) -> Answer:
    return _page("resources", call.session.resources.values(), call)


async def list_templates(call: Call) -> Answer:
    return _page("resourceTemplates", call.session.templates.values(), call)


async def list_prompts(call: Call) -> Answer:
    return _page("prompts", call.session.prompts.values(), call)


def _page(member: str, items: Iterable[Listed], call: Call) -> Answer:
    entries = list(items)
    cursor = call.params.get("cursor")
    start, lap = (0, 0) if cursor is None else _position(member, cursor, len(entries))
    definition = call.session.definition
    end = start + definition.pages.get(member, len(entries))
    page: Answer = {member: _listed(entries[start:end], call.session.version)}
    if definition.cursors is not None and end >= len(entries):
        end, lap = 0, lap + (definition.cursors == "endless")
    elif end >= len(entries):
        return page
    place = f"{member}:{end}:{lap}" if definition.cursors != "bad" else "nowhere"
    page["nextCursor"] = urlsafe_b64encode(place.encode()).decode().rstrip("=")
    return page


def _listed(entries: Sequence[Listed], version: str) -> list[Answer] | Verbatim:
    if any(each.as_is is not None for each in entries):
        texts = (each.as_is or dump(_known(each.wire(), version), None) for each in entries)
        return Verbatim(f"[{','.join(texts)}]")
    return [_known(each.wire(), version) for each in entries]


def _position(member: str, cursor: Any, count: int) -> tuple[int, int]:
    """Where the page of a cursor starts, and how often the list was gone through before; cursors are opaque to clients
    and good for one list only."""
    try:
        name, number, laps = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split(":")
        position, lap = int(number), int(laps)
    except (ValueError, TypeError):
        name, position, lap = "", 0, 0
    if name != member or not 0 <= position <= count:
        raise RpcError(INVALID_PARAMS, "Invalid cursor")
    return position, lap


def _known(entry: Answer, version: str) -> Answer:
    """The object without the members that came with later versions of the protocol."""
    if version < "2025-03-26" and "inputSchema" in entry:
        entry = {key: value for key, value in entry.items() if key != "annotations"}
    return {key: value for key, value in entry.items() if _SINCE.get(key, "") <= version}


async def call_tool(call: Call) -> Answer:
    tool = _find(call.session.tools, _string(call.params, "name"), "tool")
    call.arguments = object_of(call.params, "arguments")
    try:
        expected = tool.expects is not None and tool.expects(call.arguments)
        if not expected and (problem := misfit(tool.input, call.arguments)):
            raise ToolError(f"Invalid arguments: {problem}.")
        reply = await tool.run(call) if callable(tool.run) else tool.run
    except RpcError:
        raise
    except ToolError as error:
        reply = Result([content.text(str(error))], is_error=True)
    except Exception as bug:
        call.session.say(f"the tool {tool.name} failed: {text.visible(repr(bug))}")
        reply = Result([content.text(f"{type(bug).__name__}: {bug}")], is_error=True)
    return _tool_answer(reply, call.session.version)


def _tool_answer(reply: Reply, version: str) -> Answer:
    if isinstance(reply, Whole):
        return reply
    if isinstance(reply, str):
        reply = Result([content.text(reply)])
    elif isinstance(reply, Mapping):
        reply = Result([reply])
    elif not isinstance(reply, Result):
        reply = Result(reply)
    answer: Answer = {"content": [content.as_known(each, version) for each in reply.content]}
    if reply.structured is not None and version >= "2025-06-18":
        answer["structuredContent"] = reply.structured
    if reply.is_error:
        answer["isError"] = True
    return answer


async def read_resource(call: Call) -> Answer:
    uri = _string(call.params, "uri")
    found: Resource | Template | None = call.session.resources.get(uri)
    if found is None:
        found, call.arguments = _template_of(uri, call)
    data = await found.read(call) if callable(found.read) else found.read
    return data if isinstance(data, Whole) else {"contents": [content.contents(uri, data, found.mime)]}


def _template_of(uri: str, call: Call) -> tuple[Template, Mapping[str, str]]:
    for template in call.session.templates.values():
        if (variables := uris.match(template.uri, uri)) is not None:
            return template, variables
    raise RpcError(RESOURCE_NOT_FOUND, "Resource not found", {"uri": uri})


async def subscribe(call: Call) -> Answer:
    uri = _string(call.params, "uri")
    if uri not in call.session.resources:
        _template_of(uri, call)
    call.session.subscriptions.add(uri)
    return {}


async def unsubscribe(call: Call) -> Answer:
    call.session.subscriptions.discard(_string(call.params, "uri"))
    return {}


async def get_prompt(call: Call) -> Answer:
    prompt = _find(call.session.prompts, _string(call.params, "name"), "prompt")
    call.arguments = object_of(call.params, "arguments")
    expected = prompt.expects is not None and prompt.expects(call.arguments)
    for argument in prompt.arguments:
        if argument.required and argument.name not in call.arguments and not expected:
            raise RpcError(INVALID_PARAMS, f"Invalid params: the argument {argument.name} is missing")
    said = await prompt.messages(call) if callable(prompt.messages) else prompt.messages
    if isinstance(said, Whole):
        return said
    messages = [content.message("user", said)] if isinstance(said, str) else said
    version = call.session.version
    answer = {
        "messages": [{**each, "content": content.as_known(each["content"], version)} for each in messages]
    }
    return answer if prompt.description is None else {"description": prompt.description, **answer}


async def complete(call: Call) -> Answer:
    ref, argument = object_of(call.params, "ref"), object_of(call.params, "argument")
    name, typed = _string(argument, "name"), _string(argument, "value")
    others = object_of(object_of(call.params, "context"), "arguments")
    completer = _completer(call, ref, name)
    values = list(completer(typed, others)) if callable(completer) else _by_prefix(completer, typed)
    shown = values[:MOST_COMPLETIONS]
    return {"completion": {"values": shown, "total": len(values), "hasMore": len(values) > len(shown)}}


def _completer(call: Call, ref: Mapping[str, Any], argument: str) -> Completer:
    if ref.get("type") == "ref/resource":
        template = _find(call.session.templates, _string(ref, "uri"), "resource template")
        return template.complete.get(argument, ())
    if ref.get("type") != "ref/prompt":
        raise RpcError(INVALID_PARAMS, "Invalid params: the ref is neither ref/prompt nor ref/resource")
    prompt = _find(call.session.prompts, _string(ref, "name"), "prompt")
    for each in prompt.arguments:
        if each.name == argument:
            return each.complete
    raise RpcError(INVALID_PARAMS, f"Invalid params: the prompt has no argument {argument}")


def _by_prefix(values: Iterable[str], typed: str) -> list[str]:
    return [each for each in values if each.casefold().startswith(typed.casefold())]


METHODS: Mapping[str, Method] = {
    "initialize": initialize,
    "ping": ping,
    "logging/setLevel": set_level,
    "tools/list": list_tools,
    "tools/call": call_tool,
    "resources/list": list_resources,
    "resources/templates/list": list_templates,
    "resources/read": read_resource,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": unsubscribe,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
    "completion/complete": complete,
}
CAPABILITY_OF = {
    "tools": "tools",
    "resources": "resources",
    "prompts": "prompts",
    "logging": "logging",
    "completion": "completions",
}
"""The capability that the methods of a family need."""


def _find(items: Mapping[str, _T], key: str, what: str) -> _T:
    if key not in items:
        raise RpcError(INVALID_PARAMS, f"Unknown {what}: {key}")
    return items[key]


def _string(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} must be a string")
    return value


def object_of(params: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A member that is an object, empty where it is absent. Raises RpcError."""
    value = params.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} must be an object")
    return value
