"""How the file of each client spells an entry, as data: what `--to` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from inspector.config.interpolate import NOTHING


class Form(NamedTuple):
    """`types` are the words for a transport, empty where none is written; a transport that is not there cannot be
    said. `guessed`: transports that this client finds out by itself. `url` is the key of an address, `urls` other
    keys by transport. Keys that are None do not exist there. `off` is a key with the value that switches an entry off.
    `request` and `startup` are keys of timeouts with their unit in seconds, 0 for an ISO duration."""

    types: Mapping[str, str]
    guessed: frozenset[str] = frozenset()
    root: tuple[str, ...] = ("mcpServers",)
    language: Literal["json", "toml", "yaml"] = "json"
    listed: bool = False
    command_list: bool = False
    command: str = "command"
    env: str = "env"
    env_file: str | None = None
    cwd: str | None = None
    url: str = "url"
    urls: Mapping[str, str] = NOTHING
    headers: tuple[str, ...] = ("headers",)
    off: tuple[str, bool] | None = None
    request: tuple[str, float] | None = None
    startup: tuple[str, float] | None = None
    shown: str | None = None
    hidden: str | None = None
    approved: str | None = None
    always: Mapping[str, object] = NOTHING
    beside: Mapping[str, object] = NOTHING
    ours: bool = False


_UNTYPED = {"stdio": "", "http": "", "sse": "", "auto": ""}
_OFF, _ENABLED = ("disabled", True), ("enabled", False)
_GEMINI = Form(
    {"stdio": "", "http": "", "sse": "sse", "auto": ""}, frozenset({"auto"}),
    urls={"http": "httpUrl"}, cwd="cwd", request=("timeout", 0.001), shown="includeTools", hidden="excludeTools",
)  # fmt: skip

FORMS: Mapping[str, Form] = {
    "common": Form(
        {"stdio": "", "http": "http", "sse": "sse", "auto": ""}, frozenset({"auto"}), cwd="cwd", env_file="envFile",
        off=_OFF, request=("tool_timeout_sec", 1), startup=("startup_timeout_sec", 1), ours=True,
        shown="enabled_tools", hidden="disabledTools", approved="autoApprove",
    ),
    "paicli": Form({"stdio": "", "http": ""}, off=_OFF),
    "claude-desktop": Form({"stdio": ""}),
    "claude-code": Form({"stdio": "stdio", "http": "http", "sse": "sse"}, request=("timeout", 0.001)),
    "cursor": Form(_UNTYPED, frozenset({"http", "sse", "auto"}), env_file="envFile"),
    "vscode": Form(
        {"stdio": "stdio", "http": "http", "sse": "sse", "auto": "http"}, frozenset({"http", "auto"}),
        root=("servers",), cwd="cwd", env_file="envFile",
    ),
    "windsurf": Form(
        _UNTYPED, frozenset({"http", "sse", "auto"}), url="serverUrl", off=_OFF, hidden="disabledTools"
    ),
    "antigravity": Form(
        _UNTYPED, frozenset({"http", "sse", "auto"}), url="serverUrl", off=_OFF, hidden="disabledTools"
    ),
    "cline": Form(
        {"stdio": "stdio", "http": "streamableHttp", "sse": "sse"}, cwd="cwd", off=_OFF, request=("timeout", 1),
        approved="autoApprove",
    ),
    "roo": Form(
        {"stdio": "stdio", "http": "streamable-http", "sse": "sse"}, cwd="cwd", off=_OFF, request=("timeout", 1),
        approved="alwaysAllow", hidden="disabledTools",
    ),
    "zed": Form(
        {"stdio": "", "http": "", "auto": ""}, frozenset({"http", "auto"}), root=("context_servers",),
        off=_ENABLED, request=("timeout", 1),
    ),
    "gemini": _GEMINI,
    "qwen": _GEMINI,
    "lmstudio": Form(_UNTYPED, frozenset({"http", "sse", "auto"})),
    "codex": Form(
        {"stdio": "", "http": ""}, root=("mcp_servers",), language="toml", cwd="cwd", headers=("http_headers",),
        off=_ENABLED, request=("tool_timeout_sec", 1), startup=("startup_timeout_sec", 1), shown="enabled_tools",
        hidden="disabled_tools",
    ),
    "opencode": Form(
        {"stdio": "local", "http": "remote", "sse": "remote", "auto": "remote"}, frozenset({"http", "sse", "auto"}),
        root=("mcp",), command_list=True, env="environment", off=_ENABLED, startup=("timeout", 0.001),
    ),
    "continue": Form(
        {"stdio": "stdio", "http": "streamable-http", "sse": "sse", "auto": ""}, frozenset({"auto"}),
        language="yaml", listed=True, cwd="cwd", headers=("requestOptions", "headers"),
        startup=("connectionTimeout", 0.001),
        beside={"name": "mcp-servers", "version": "0.0.1", "schema": "v1"},
    ),
    "solon": Form(
        {"stdio": "stdio", "http": "streamable", "sse": "sse"}, off=_ENABLED, request=("timeout", 0),
        shown="allowedTools", hidden="disallowedTools",
    ),
    "copilot": Form(
        {"stdio": "local", "http": "http", "sse": "sse"}, request=("timeout", 0.001), shown="tools",
        always={"tools": ["*"]},
    ),
    "kiro": Form(
        _UNTYPED, frozenset({"http", "sse", "auto"}), off=_OFF, request=("timeout", 0.001), approved="autoApprove",
        hidden="disabledTools",
    ),
    "goose": Form(
        {"stdio": "stdio", "http": "streamable_http", "sse": "sse"}, root=("extensions",), language="yaml",
        command="cmd", env="envs", url="uri", off=_ENABLED, request=("timeout", 1), shown="available_tools",
        always={"enabled": True},
    ),
    "amp": Form(_UNTYPED, frozenset({"http", "sse", "auto"}), root=("amp.mcpServers",)),
    "mcp-inspector": Form({"stdio": "stdio", "http": "streamable-http", "sse": "sse"}),
}  # fmt: skip
