"""Servers to begin with, each as the piece of a config that a person would paste."""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple


class Starter(NamedTuple):
    """`about` says what it is for, and `needs` what has to be there before it can be started; empty for nothing."""

    name: str
    about: str
    needs: str
    entry: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps({"mcpServers": {self.name: self.entry}}, indent=2)


STARTERS = (
    Starter(
        "bakery",
        "the bundled demo: shows all that a server can offer",
        "",
        {"command": sys.executable, "args": ["-m", "inspector.demo", "stdio", "bakery"]},
    ),
    Starter(
        "files",
        "the files of this folder",
        "npx",
        {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-filesystem", "${PROJECT_DIR}"],
            "env": {"NODE_OPTIONS": "--max-old-space-size=256"},
        },
    ),
    Starter("time", "the time in any zone", "uvx", {"command": "uvx", "args": ["mcp-server-time"]}),
    Starter("docs", "documentation of libraries, over HTTP", "", {"url": "https://mcp.context7.com/mcp"}),
    Starter(
        "remote",
        "any server over HTTP: write its URL",
        "a key in MCP_KEY",
        {"url": "https://host.example/mcp", "headers": {"Authorization": "Bearer ${MCP_KEY}"}},
    ),
)
