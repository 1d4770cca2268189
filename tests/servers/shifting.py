"""A stdio server whose tools and prompts are others after each `x/shift`: what somebody is filling in changes."""

import json
import sys
from typing import Any

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def tool(name: str, *required: str, **properties: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}}


LATER = [tool(f"later_{number}", note=TEXT) for number in range(20)]
TOOLS = [
    [tool("order", keep=TEXT, gone=TEXT, count=TEXT), tool("brief", a=TEXT), *LATER],
    [tool("in_front"), tool("order", "fresh", keep=TEXT, count=WHOLE, fresh=TEXT), *LATER],
]
PROMPTS: list[list[Any]] = [
    [
        {"name": "ask", "arguments": [{"name": "topic"}, {"name": "tone"}]},
        {"name": "fading"},
        {"name": "plain"},
    ],
    [
        {"name": "ask", "arguments": [{"name": "topic", "required": True}, {"name": "length"}]},
        {"name": "plain"},
    ],
]
shifted = 0


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method: str, params: dict[str, Any]) -> Any:
    if method == "initialize":
        changing = {"listChanged": True}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": changing, "prompts": changing},
            "serverInfo": {"name": "shifting", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS[shifted % 2]}
    if method == "prompts/list":
        return {"prompts": PROMPTS[shifted % 2]}
    return {"content": [{"type": "text", "text": json.dumps(params)}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "server/discover":
        send(id=message["id"], error={"code": -32601, "message": "unknown"})
        continue
    send(id=message["id"], result=answer(message["method"], message.get("params") or {}))
    if message["method"] == "x/shift":
        shifted += 1
        send(method="notifications/tools/list_changed")
        send(method="notifications/prompts/list_changed")
