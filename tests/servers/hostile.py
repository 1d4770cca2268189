"""Says terminal sequences, markup and bidi marks in everything it says, on stdout and stderr."""

from __future__ import annotations

import json
import sys
from typing import Any

N = "\x1b]52;c;aGk=\x07[@click=app.leave]x[/x][/] \u202egnp\u200b \x9b31m"
ANSWERS: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {
            "tools": {},
            "resources": {"subscribe": True},
            "prompts": {},
            "completions": {},
            N: {N: True},
        },
        "serverInfo": {"name": N, "version": N, "title": N},
        "instructions": N,
    },
    "tools/list": {
        "tools": [
            {
                "name": N,
                "title": N,
                "description": N,
                "inputSchema": {"type": "object", "properties": {N: {"type": "string", "description": N}}},
            },
            {"name": 7},
            N,
            {"name": N, "inputSchema": N},
        ]
    },
    "resources/list": {"resources": [{"name": N, "uri": N, "mimeType": N, "description": N}]},
    "resources/templates/list": {
        "resourceTemplates": [
            {"name": N, "uriTemplate": N},
            {"name": "t", "uriTemplate": "x:///{a}", "description": N},
        ]
    },
    "completion/complete": {"completion": {"values": [N, 7], "hasMore": N}},
    "resources/subscribe": {},
    "prompts/list": {
        "prompts": [
            {"name": N, "description": N, "arguments": [{"name": N, "description": N}]},
        ]
    },
    "tools/call": {
        "content": [
            {"type": "text", "text": N},
            {"type": N},
            N,
            {"type": "resource_link", "name": N, "uri": N},
            {"type": "image", "data": N, "mimeType": N},
        ],
        "structuredContent": {N: N},
    },
    "resources/read": {
        "contents": [
            {"uri": N, "text": N},
            {"uri": N, "blob": N},
            {"uri": N, "text": f"# {N}\n[{N}](javascript:{N}) `{N}`", "mimeType": "text/markdown"},
            {"uri": N, "text": json.dumps({N: N}), "mimeType": "application/json"},
            {"uri": N, "blob": "G10wO2V2aWwH", "mimeType": N},
        ]
    },
    "prompts/get": {"messages": [{"role": N, "content": {"type": "text", "text": N}}, N]},
}
sys.stderr.buffer.write(N.encode() + b"\n")
sys.stderr.flush()
for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask:
        said = {"jsonrpc": "2.0", "id": ask["id"]}
        known = ANSWERS.get(ask["method"])
        said |= {"result": known} if known else {"error": {"code": -32601, "message": N, "data": N}}
        print(json.dumps(said), flush=True)
