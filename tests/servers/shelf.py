"""A stdio server of odd resources and prompts: `many` lists 10,000, otherwise each URI has something of its own."""

import base64
import json
import sys
from typing import Any

MANY = "many" in sys.argv
GIF = base64.b64encode(b"GIF89a\3\0\4\0").decode()
NASTY = "a\x1b[2J\x1b]52;c;aGk=\x07 [@click=app.quit]press[/] [/bold] \u202eevil\u200b"
FIRST = ["text", "json", "markdown", "blob", "bad64", "unpadded", "none", "notlist", "empty", "parts", "strange",
         "error", "big", "grow", "image", "nosub", "deep/er/and/deeper"]  # fmt: skip


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def listed() -> list[Any]:
    if MANY:
        return [
            {"uri": f"x://shelf{n // 100}/box{n % 100 // 10}/{n}.txt", "name": f"item {n}", "size": n}
            for n in range(10_000)
        ]
    found: list[Any] = [{"uri": f"x://{name}", "name": name, "description": f"The {name}"} for name in FIRST]
    found += [
        {"uri": f"x://{NASTY}", "name": NASTY, "mimeType": NASTY, "description": NASTY, "_meta": {NASTY: 1}}
    ]
    return [*found, "no object", {"name": "no uri"}]


STATE: dict[str, Any] = {"resources": listed(), "subscribed": set(), "count": 0}


def blob(data: bytes, **more: Any) -> dict[str, Any]:
    return {"uri": "x://blob", "blob": base64.b64encode(data).decode(), **more}


def contents(uri: str) -> Any:
    name = uri.removeprefix("x://")
    if name == "counter":
        STATE["count"] += 1
        return [{"uri": uri, "text": f"count {STATE['count']}\nand the rest", "mimeType": "text/plain"}]
    kinds: dict[str, Any] = {
        "text": [{"uri": uri, "text": "plain words\n" * 3, "mimeType": "text/plain"}],
        "json": [{"uri": uri, "text": '{"a": [1.50, 2], "b": "c"}', "mimeType": "application/json"}],
        "markdown": [{"uri": uri, "text": f"# Title\n\n[a link](https://x.example) and {NASTY}\n\n* one\n* two\n",
                      "mimeType": "text/markdown"}],
        "blob": [blob(bytes(range(256)), mimeType="application/octet-stream")],
        "bad64": [{"uri": uri, "blob": "this is !not base64"}],
        "unpadded": [{"uri": uri, "blob": "aGVsbG8", "mimeType": "text/plain"}],
        "none": [{"uri": uri}],
        "notlist": {"uri": uri, "text": "an object"},
        "empty": [],
        "parts": [{"uri": "x://1", "text": "part one"}, blob(b"\0\1\2"), {"uri": "x://3", "text": "part three"}, 7],
        "strange": [{"uri": uri, "mimeType": "x-what/ever", "text": "strange text"}],
        "big": [blob(bytes(10_000_000), mimeType="application/x-big")],
        "image": [blob(b"GIF89a\x03\x00\x04\x00rest", mimeType="image/gif")],
        "deep/er/and/deeper": [{"uri": uri, "text": "deep words"}],
    }  # fmt: skip
    return kinds.get(name, [{"uri": uri, "text": NASTY + " " + uri, "mimeType": NASTY}])


PROMPTS = [
    {"name": "talk", "description": NASTY, "arguments": [
        {"name": "who", "required": True, "description": "a person"}, {"name": "mood", "description": NASTY}, 3]},
    {"name": "odd", "arguments": "none"},
    {"name": "bare"},
]  # fmt: skip
MESSAGES: dict[str, Any] = {
    "talk": [
        {"role": "user", "content": {"type": "text", "text": "# Hello\n\nI am *here*."}},
        {"role": "assistant", "content": {"type": "image", "data": GIF, "mimeType": "image/gif"}},
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "x://e", "text": "embedded words"}}},
        {"role": "user", "content": {"type": "resource_link", "uri": "x://text", "name": "the text"}},
    ],
    "odd": [NASTY, {"role": NASTY, "content": {"type": NASTY, "text": NASTY}}, {"role": "user"},
            {"role": "user", "content": [{"type": "text", "text": "first"}, {"type": "audio", "data": "?"}]}],
    "bare": {"not": "a list"},
}  # fmt: skip


def complete(params: dict[str, Any]) -> dict[str, Any]:
    typed, others = params["argument"]["value"], params.get("context", {}).get("arguments", {})
    values = [
        f"{word}{'!' if others else ''}" for word in ("ada", "adele", "bob", NASTY) if word.startswith(typed)
    ]
    return {"completion": {"values": values, "total": 40, "hasMore": True}}


def answer(method: str, params: dict[str, Any]) -> Any:
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {
                "resources": {"subscribe": True, "listChanged": True},
                "prompts": {},
                "completions": {},
            },
            "serverInfo": {"name": "shelf", "version": "1"},
        }
    if method == "resources/list":
        return {"resources": STATE["resources"]}
    if method == "resources/templates/list":
        return {"resourceTemplates": [
            {"name": "file", "uriTemplate": "x://{kind}{/path*}{?q,who}"}, {"name": "bad", "uriTemplate": "x://{a"},
        ]}  # fmt: skip
    if method == "prompts/list":
        return {"prompts": PROMPTS}
    if method == "prompts/get":
        return {"messages": MESSAGES[params["name"]], "asked": params.get("arguments")}
    if method == "completion/complete":
        return complete(params)
    return {}


def handle(request: dict[str, Any]) -> None:
    method, params, id_ = request["method"], request.get("params") or {}, request["id"]
    uri = params.get("uri")
    if method == "resources/read" and uri == "x://error":
        send(id=id_, error={"code": -32002, "message": "Resource not found", "data": {"uri": uri}})
    elif method == "resources/subscribe" and uri == "x://nosub":
        send(id=id_, error={"code": -32602, "message": "not this one"})
    elif method == "resources/read":
        send(id=id_, result={"contents": contents(uri)})
        if uri == "x://grow":
            STATE["resources"].insert(0, {"uri": "x://a-new-one", "name": "new"})
            send(method="notifications/resources/list_changed")
        for each in STATE["subscribed"] - {uri}:
            send(method="notifications/resources/updated", params={"uri": each})
    else:
        if method == "resources/subscribe":
            STATE["subscribed"].add(uri)
        elif method == "resources/unsubscribe":
            STATE["subscribed"].discard(uri)
        send(id=id_, result=answer(method, params))


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        handle(message)
