"""A stdio server with tools that have pages (MCP Apps), one of them odd."""

import json
import sys

PAGE = "<!doctype html><title>Cart</title><script>document.body.append('it runs')</script> KEY-12345678\n"
NASTY = "evil; script-src *\x1b[2J"
TYPE = "text/html;profile=mcp-app"
NEEDS = {"ui": {
    "csp": {"connectDomains": ["https://api.shop.example", NASTY], "resourceDomains": ["https://*.cdn.example:8443"]},
    "permissions": {"camera": {}}, "domain": "shop.hosts.example", "prefersBorder": True,
}}  # fmt: skip


def tool(name: str, **meta: object) -> dict[str, object]:
    return {"name": name, "inputSchema": {"type": "object"}, "_meta": meta}


ANSWERS = {
    "tools/list": {"tools": [
        tool("show_cart", ui={"resourceUri": "ui://shop/cart", "visibility": ["model", "app"]}),
        tool("remove_item", ui={"resourceUri": "ui://shop/cart", "visibility": ["app"]}),
        tool("old_cart", **{"ui/resourceUri": "ui://shop/old"}),
        tool("odd_cart", ui={"resourceUri": f"https://shop.example/{NASTY}"}),
    ]},
    "resources/list": {"resources": [
        {"uri": "ui://shop/cart", "name": "cart", "mimeType": TYPE, "_meta": NEEDS},
        {"uri": "ui://shop/old", "name": "old", "mimeType": 'text/html; profile="mcp-app"'},
        {"uri": "x://notes", "name": "notes", "mimeType": "text/plain"},
    ]},
    "resources/templates/list": {"resourceTemplates": []},
}  # fmt: skip

for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    if "id" not in message:
        continue
    if method == "initialize":
        result: object = {
            "protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "cart", "version": "1"},
        }  # fmt: skip
    elif method == "resources/read":
        uri = params["uri"]
        text = {"text": "words"} if uri == "x://notes" else {"text": PAGE, "mimeType": TYPE}
        result = {"contents": [{"uri": uri, **text}]}
    else:
        result = ANSWERS.get(method)
    body = (
        {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
    )
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **body}), flush=True)
