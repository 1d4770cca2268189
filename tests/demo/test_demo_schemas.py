"""All that the demo servers say, held against the schemas of the protocol versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from inspector import demo
from inspector.serving.definition import MODERN, VERSIONS
from inspector.serving.engine import Session
from inspector.serving.stdio import session_for

RESULTS = {
    "server/discover": "DiscoverResult",
    "initialize": "InitializeResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
}
NOTIFICATIONS = {
    "notifications/message": "LoggingMessageNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
    "elicitation/create": "ElicitRequest",
    "sampling/createMessage": "CreateMessageRequest",
    "roots/list": "ListRootsRequest",
    "ping": "PingRequest",
}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "say_hello": {"name": "Ada"},
    "price_of": {"item": "rye loaf", "count": 12},
    "bake": {"bread": "baguette", "seconds": 0},
    "sell": {"item": "croissant"},
    "reserve_table": {"name": "Ada", "email": "a@example.org", "day": "2030-01-01", "guests": 2},
    "order_cake": {"flavour": "lemon", "size": "M", "deliver_to": {"street": "1", "city": "x"}},
    "pay": {"payment": {"method": "cash", "given": 5}},
    "pack_box": {"box": {"label": "a", "boxes": [{"label": "b", "items": ["x"]}]}},
    "place_tray": {"position": [1, "left"]},
    "write_note": {"note": [1, None]},
    "borrow_book": {"book": "walden", "reader": {"name": "Ada"}},
    "return_book": {"book": "walden"},
    "take_inventory": {"seconds": 0},
    "show_cover": {"book": "faust"},
    "send_parcel": {"to": "Ada"},
    "write_card": {"to": "Ada"},
    "weigh": {"grams": 700},
    "sort_mail": {"letters": 3},
}


def conversation(session: Session, version: str) -> list[tuple[str, dict[str, Any]]]:
    """Everything that a server says when all that it lists is used: the definition's name and the object."""
    found: list[tuple[str, dict[str, Any]]] = []

    def read(frames: Any, method: str) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        for frame in frames:
            message = json.loads(frame.raw)
            if "method" in message:
                bare = {key: value for key, value in message.items() if key not in ("jsonrpc", "id")}
                found.append((NOTIFICATIONS[message["method"]], bare if version < "2025-11-25" else message))
                if "id" in message:
                    reply = {
                        "jsonrpc": "2.0",
                        "id": message["id"],
                        "result": {"action": "accept", "roots": []},
                    }
                    answer = read(session.feed(json.dumps(reply).encode()), method) or answer
            elif "result" in message:
                answer = message["result"]
                if answer.get("resultType") == "input_required":
                    found.append(("InputRequiredResult", answer))
                elif method in RESULTS:
                    found.append((RESULTS[method], answer))
        return answer

    modern = version == MODERN
    client = {"elicitation": {}, "sampling": {}, "roots": {}}
    stamp = {"protocolVersion": version, "clientCapabilities": client, "logLevel": "debug"} if modern else {}
    meta = {"progressToken": 1, **{f"io.modelcontextprotocol/{name}": value for name, value in stamp.items()}}

    def ask(method: str, **params: Any) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        answer = read(session.feed(json.dumps(request).encode()), method)
        while session.is_running(1):
            answer = read(session.tick(), method) or answer
        if answer.get("resultType") == "input_required":
            reply = {"action": "accept", "content": {}, "role": "user"}
            replies = dict.fromkeys(answer["inputRequests"], reply)
            return ask(method, **params | {"inputResponses": replies, "requestState": answer["requestState"]})
        return answer

    def every(method: str, member: str) -> list[Any]:
        page = ask(method)
        entries = list(page.get(member, ()))
        while "nextCursor" in page:
            page = ask(method, cursor=page["nextCursor"])
            entries += page[member]
        return entries

    if modern:
        ask("server/discover")
        wanted = {"toolsListChanged": True, "resourceSubscriptions": ["post://queue"]}
        params = {"notifications": wanted, "_meta": meta}
        listen = {"jsonrpc": "2.0", "id": 2, "method": "subscriptions/listen", "params": params}
        read(session.feed(json.dumps(listen).encode()), "subscriptions/listen")
    else:
        about = {"name": "t", "version": "1"}
        ask("initialize", protocolVersion=version, capabilities=client, clientInfo=about)
        session.feed(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        ask("logging/setLevel", level="debug")
    for resource in every("resources/list", "resources"):
        if not modern:
            ask("resources/subscribe", uri=resource["uri"])
        assert ask("resources/read", uri=resource["uri"])
    for tool in every("tools/list", "tools"):
        ask("tools/call", name=tool["name"], arguments=ARGUMENTS.get(tool["name"], {}))
    for template in every("resources/templates/list", "resourceTemplates"):
        uri = template["uriTemplate"]
        for name in ("bread", "shelf", "place", "item", "book", "number"):
            given = {"shelf": "window"} if name == "place" else {}
            reference = {"type": "ref/resource", "uri": template["uriTemplate"]}
            completion = ask(
                "completion/complete",
                ref=reference,
                argument={"name": name, "value": ""},
                context={"arguments": given},
            )
            values = completion["completion"]["values"]
            uri = uri.replace("{" + name + "}", values[0].replace(" ", "%20") if values else "")
        assert ask("resources/read", uri=uri.partition("{")[0]), uri
    for prompt in every("prompts/list", "prompts"):
        given = {"guests": "3", "bread": "baguette", "book": "faust", "about": "rain"}
        assert ask("prompts/get", name=prompt["name"], arguments=given)
    return found


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "version"), [*((name, version) for name in demo.NAMES for version in VERSIONS), ("post", MODERN)]
)
def test_all_that_is_said_follows_the_schema_of_the_version(shared: Path, name: str, version: str) -> None:
    schema = json.loads((shared / "reference" / "schema" / f"{version}.json").read_text(encoding="utf-8"))
    definitions = "$defs" if "$defs" in schema else "definitions"
    definition = demo.definition(name)
    session = session_for(definition)(definition, clock=Ticking())
    said = conversation(session, version)
    assert len(said) >= 4
    for kind, value in said:
        validator = jsonschema_rs.validator_for(
            {
                "$ref": f"#/{definitions}/{kind}",
                "$schema": schema["$schema"],
                definitions: schema[definitions],
            }
        )
        problems = [
            f"{kind}{list(each.instance_path)}: {each.message}" for each in validator.iter_errors(value)
        ]
        assert problems == []


class Ticking:
    """A clock that goes on whenever it is looked at, so that no pause lasts."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def test_input_and_output_schemas_are_sound_and_kept() -> None:
    for name in demo.NAMES:
        for tool in demo.definition(name).tools:
            for schema in (tool.input, tool.output or {}):
                assert jsonschema_rs.meta.is_valid(schema), tool.name
            if tool.name in ARGUMENTS:
                assert jsonschema_rs.is_valid(tool.input, ARGUMENTS[tool.name]), tool.name
