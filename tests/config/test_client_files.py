"""Entries as people write them for each client, in that client's own file: what it would make of each is what we do."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from inspector.config.load import Loaded, load

U = "https://h.example.test/mcp"
TOKEN = "tok-12345678"
AUTH = {"Authorization": f"Bearer {TOKEN}"}
ENVIRONMENT = {"TOK": TOKEN, "EMPTY": "", "PATH": os.environ["PATH"], "HOME": "/home/u"}
Case = tuple[Any, dict[str, Any]]
"""An entry, and what is to be found: `transport`, `run` (command and arguments), `env`, `url`, `headers`, `on`,
`timeouts` (request, start), `cwd`; `errors` and `warnings` are where something is said, and none else is."""


def run(*words: str) -> dict[str, Any]:
    return {"transport": "stdio", "run": [*words]}


def reach(transport: str, url: str = U, **more: Any) -> dict[str, Any]:
    return {"transport": transport, "url": url, **more}


PLAIN: list[Case] = [
    ({"command": "sh"}, run("sh")),
    ({"command": "sh", "args": []}, run("sh")),
    ({"command": "sh", "args": ["-c", "a b", ""]}, run("sh", "-c", "a b", "")),
    ({"command": "sh", "args": ["--x=a=b", "*", "é\n"]}, run("sh", "--x=a=b", "*", "é\n")),
    ({"command": "sh", "env": {"A": "1", "B": ""}}, {**run("sh"), "env": {"A": "1", "B": ""}}),
    ({"command": "sh", "env": {}}, {**run("sh"), "env": {}}),
    ({"command": "no-such-program"}, {**run("no-such-program"), "errors": ["command"]}),
    ({"command": "sh -c x"}, {**run("sh -c x"), "errors": ["command"]}),
    ({}, {"errors": [""]}),
    ({"command": ""}, {"errors": ["command"]}),
]
"""The same for every client whose entries have `command`."""

CLIENTS: dict[str, tuple[str, list[Case]]] = {
    "paicli": (".paicli/mcp.json", [
        *PLAIN,
        ({"url": U}, reach("http")),
        ({"type": "http", "url": U}, reach("http", warnings=["type"])),
        ({"type": "sse", "url": U}, reach("sse", warnings=["type"])),
        ({"url": U, "headers": {"Authorization": "Bearer ${TOK}"}}, reach("http", headers=AUTH)),
        ({"url": "${UNSET}"}, {"errors": ["url"]}),
        ({"url": U, "headers": {"X": "${EMPTY}"}}, {"errors": ["headers.X"]}),
        ({"command": "sh", "args": ["$TOK", "${TOK:-d}", "${env:TOK}"]},
         {**run("sh", "$TOK", "${TOK:-d}", "${env:TOK}"), "warnings": ["args"]}),
        ({"command": "sh", "args": ["${PROJECT_DIR}"]}, run("sh", "<project>")),
        ({"command": "sh", "cwd": "/", "timeout": 5}, {**run("sh"), "warnings": ["cwd", "timeout"]}),
        ({"command": "sh", "disabled": True}, {**run("sh"), "on": False}),
        ({"command": "sh", "enabled": False}, {**run("sh"), "warnings": ["enabled"]}),
        ({"command": "sh", "url": U}, {"errors": [""]}),
        ({"command": "sh", "args": [1, True]}, run("sh", "1", "true")),
        ({"command": "sh", "env": {"A": None}}, {**run("sh"), "env": {}, "warnings": ["env.A"]}),
        (None, {"errors": [""]}),
    ]),
    "claude-desktop": ("claude_desktop_config.json", [
        *PLAIN,
        ({"command": "sh", "args": ["${TOK}"]}, {**run("sh", "${TOK}"), "warnings": ["args[0]"]}),
        ({"command": "sh", "args": ["~/x"]}, {**run("sh", "~/x"), "warnings": ["args[0]"]}),
        ({"command": "~/bin/x"}, {**run("~/bin/x"), "errors": ["command"], "warnings": ["command"]}),
        ({"command": "sh", "env": {"K": "${TOK}"}}, {**run("sh"), "env": {"K": "${TOK}"}, "warnings": ["env.K"]}),
        ({"command": "sh", "env": {"API_KEY": "plain-text-key"}},
         {**run("sh"), "env": {"API_KEY": "plain-text-key"}, "warnings": ["env.API_KEY"]}),
        ({"url": U}, reach("auto", warnings=["url"])),
        ({"command": "sh", "args": ["$TOK"]}, run("sh", "$TOK")),
    ]),
    "claude-code": (".mcp.json", [
        *PLAIN,
        ({"type": "stdio", "command": "sh"}, run("sh")),
        ({"type": "http", "url": U}, reach("http")),
        ({"type": "streamable-http", "url": U}, reach("http")),
        ({"type": "sse", "url": U}, reach("sse")),
        ({"type": "ws", "url": "wss://h.example.test"}, {"transport": "unsupported:ws", "warnings": ["type"]}),
        ({"url": U}, reach("auto", warnings=["url"])),
        ({"type": "http", "url": U, "headers": {"Authorization": "Bearer ${TOK}"}}, reach("http", headers=AUTH)),
        ({"type": "http", "url": "${BASE:-https://h.example.test}/mcp"}, reach("http")),
        ({"type": "http", "url": U, "headers": {"X": "${UNSET}"}},
         reach("http", headers={"X": "${UNSET}"}, warnings=["headers.X"])),
        ({"command": "sh", "args": ["${EMPTY:-d}", "${UNSET:-d}"]}, run("sh", "", "d")),
        ({"command": "sh", "args": ["${A:-${B}}"]}, {**run("sh", "${A:-${B}}"), "warnings": ["args[0]"]}),
        ({"command": "sh", "args": ["${CLAUDE_PLUGIN_ROOT}/x"]},
         {**run("sh", "${CLAUDE_PLUGIN_ROOT}/x"), "warnings": ["args[0]"]}),
        ({"command": "sh", "args": ["$TOK", "${env:TOK}"]},
         {**run("sh", "$TOK", "${env:TOK}"), "warnings": ["args[1]"]}),
        ({"type": "http", "url": U, "timeout": 30000}, reach("http", timeouts=(30, None))),
        ({"type": "http", "url": U, "headersHelper": "x"}, reach("http", warnings=["headersHelper"])),
        ({"type": "http", "url": U, "oauth": {"clientId": "c"}}, reach("http")),
        ({"type": "http", "command": "sh"}, {"errors": ["url"]}),
        ({"type": "stdio", "url": U}, {"errors": ["command"]}),
    ]),
    "cursor": (".cursor/mcp.json", [
        *PLAIN,
        ({"type": "stdio", "command": "sh", "args": ["-c"]}, run("sh", "-c")),
        ({"url": U}, reach("auto")),
        ({"url": U, "headers": {"Authorization": "Bearer ${env:TOK}"}}, reach("auto", headers=AUTH)),
        ({"url": U, "headers": {"X": "${env:UNSET}"}}, reach("auto", headers={"X": ""}, warnings=["headers.X"])),
        ({"url": U, "headers": {"X": "${TOK}"}}, reach("auto", headers={"X": "${TOK}"}, warnings=["headers.X"])),
        ({"command": "sh", "args": ["${workspaceFolder}${/}x", "${userHome}"]}, run("sh", "<project>/x", "/home/u")),
        ({"command": "sh", "args": ["${workspaceFolderBasename}", "${pathSeparator}"]}, run("sh", "p", "/")),
        ({"command": "sh", "args": ["${env:TOK}-${env:TOK}"]}, run("sh", f"{TOKEN}-{TOKEN}")),
        ({"command": "sh", "envFile": "${workspaceFolder}/none.env"}, {**run("sh"), "errors": ["envFile"]}),
        ({"url": U, "auth": {"CLIENT_ID": "c", "scopes": ["a"]}}, reach("auto")),
        ({"url": "http://h.example.test/mcp"}, reach("auto", "http://h.example.test/mcp", warnings=["url"])),
        ({"url": "http://localhost:1/mcp"}, reach("auto", "http://localhost:1/mcp")),
        ({"url": U + "?api_key=1234567890"}, reach("auto", U + "?api_key=1234567890", warnings=["url"])),
    ]),
    "vscode": (".vscode/mcp.json", [
        *PLAIN,
        ({"type": "stdio", "command": "sh", "args": ["~/x"]}, run("sh", "/home/u/x")),
        ({"type": "http", "url": U}, reach("auto")),
        ({"type": "sse", "url": U}, reach("sse")),
        ({"url": U}, reach("auto")),
        ({"command": "sh", "env": {"N": 1, "D": None}}, {**run("sh"), "env": {"N": "1"}}),
        ({"command": "sh", "cwd": "${workspaceFolder}"}, {**run("sh"), "cwd": "<project>"}),
        ({"command": "sh", "cwd": "~"}, {**run("sh"), "cwd": "/home/u", "errors": ["cwd"]}),
        ({"command": "sh", "args": ["${workspaceFolder:p}"]}, run("sh", "<project>")),
        ({"command": "sh", "args": ["${config:editor.x}"]}, {"errors": ["args[0]"]}),
        ({"command": "sh", "args": ["${input:nobody}"]}, {"errors": ["args[0]"]}),
        ({"command": "sh", "args": ["${TOK}"]}, {**run("sh", "${TOK}"), "warnings": ["args[0]"]}),
        ({"type": "http", "url": "unix:///tmp/x.sock#/mcp"}, {"errors": ["url"]}),
        ({"type": "http", "url": U, "headers": {"Authorization": "Bearer ${env:TOK}"}}, reach("auto", headers=AUTH)),
        ({"command": "sh", "dev": {"watch": "src/**"}, "gallery": True}, run("sh")),
        ({"type": "http", "url": U, "oauth": {"clientId": "c"}}, reach("auto")),
    ]),
    "windsurf": ("home/.codeium/windsurf/mcp_config.json", [
        *PLAIN,
        ({"serverUrl": U}, reach("auto")),
        ({"url": U}, reach("auto")),
        ({"serverUrl": U, "url": "https://other.test"}, reach("auto", warnings=["url"])),
        ({"serverUrl": U, "headers": {"Authorization": "Bearer ${env:TOK}"}}, reach("auto", headers=AUTH)),
        ({"serverUrl": U, "disabled": True}, reach("auto", on=False)),
        ({"serverUrl": U, "disabledTools": ["a"]}, reach("auto")),
        ({"command": "sh", "args": ["${workspaceFolder}"]},
         {**run("sh", "${workspaceFolder}"), "warnings": ["args[0]"]}),
        ({"serverUrl": U, "headers": {"X": "${file:/nowhere/x}"}}, {"errors": ["headers.X"]}),
    ]),
    "cline": ("home/.cline/data/settings/cline_mcp_settings.json", [
        *PLAIN,
        ({"url": U}, reach("sse", warnings=["url"])),
        ({"type": "sse", "url": U}, reach("sse")),
        ({"type": "streamableHttp", "url": U}, reach("http")),
        ({"transportType": "http", "url": U}, reach("http")),
        ({"transportType": "stdio", "command": "sh"}, run("sh")),
        ({"transport": {"type": "streamableHttp", "url": U}}, reach("http")),
        ({"transport": {"type": "stdio", "command": "sh", "args": ["-c"]}}, run("sh", "-c")),
        ({"command": "sh", "timeout": 3600}, {**run("sh"), "timeouts": (3600, None)}),
        ({"command": "sh", "disabled": True, "autoApprove": ["a", "b"]}, {**run("sh"), "on": False}),
        ({"command": "sh", "args": ["${env:UNSET}"]}, {**run("sh", "${env:UNSET}"), "warnings": ["args[0]"]}),
        ({"command": "sh", "args": ["${env:TOK}"]}, run("sh", TOKEN)),
        ({"type": "sse", "url": U, "remoteConfigured": True, "oauth": {}, "metadata": {}}, reach("sse")),
    ]),
    "roo": (".roo/mcp.json", [
        *PLAIN,
        ({"type": "streamable-http", "url": U}, reach("http")),
        ({"type": "sse", "url": U}, reach("sse")),
        ({"url": U}, reach("auto", warnings=["url"])),
        ({"command": "sh", "alwaysAllow": ["a"], "disabledTools": ["b"], "timeout": 60},
         {**run("sh"), "timeouts": (60, None)}),
        ({"command": "sh", "cwd": "/", "args": ["${env:TOK}"]}, {**run("sh", TOKEN), "cwd": "/"}),
    ]),
    "zed": (".zed/settings.json", [
        *PLAIN,
        ({"source": "custom", "command": "sh", "args": ["-c"], "env": {}}, run("sh", "-c")),
        ({"command": {"path": "sh", "args": ["-c"], "env": {"A": "1"}}}, {**run("sh", "-c"), "env": {"A": "1"}}),
        ({"url": U}, reach("auto")),
        ({"url": U, "headers": {"Authorization": "Bearer tok"}}, reach("auto", warnings=["headers.Authorization"])),
        ({"settings": {}}, {"transport": "unsupported:extension", "warnings": [""]}),
        ({"source": "extension", "enabled": True, "settings": {"k": 1}},
         {"transport": "unsupported:extension", "warnings": [""]}),
        ({"command": "sh", "enabled": False}, {**run("sh"), "on": False}),
        ({"command": "sh", "disabled": True}, {**run("sh"), "warnings": ["disabled"]}),
        ({"command": "sh", "timeout": 120}, {**run("sh"), "timeouts": (120, None)}),
        ({"command": "sh", "args": ["$TOK", "${TOK}"]}, {**run("sh", "$TOK", "${TOK}"), "warnings": ["args[1]"]}),
    ]),
    "gemini": (".gemini/settings.json", [
        *PLAIN,
        ({"httpUrl": U}, reach("http")),
        ({"url": U}, reach("auto")),
        ({"url": U, "type": "http"}, reach("http")),
        ({"url": U, "type": "sse"}, reach("sse")),
        ({"httpUrl": U, "url": "https://other.test"}, reach("http", warnings=["url"])),
        ({"tcp": "ws://h.example.test"}, {"transport": "unsupported:tcp", "warnings": ["tcp"]}),
        ({"httpUrl": U, "headers": {"Authorization": "Bearer $TOK"}}, reach("http", headers=AUTH)),
        ({"httpUrl": U, "headers": {"Authorization": "Bearer ${TOK}"}}, reach("http", headers=AUTH)),
        ({"httpUrl": U, "headers": {"X": "$UNSET"}}, reach("http", headers={"X": ""}, warnings=["headers.X"])),
        ({"command": "sh", "args": ["$UNSET"]}, {**run("sh", "$UNSET"), "warnings": ["args[0]"]}),
        ({"command": "sh", "args": ["${UNSET:-d}"]}, run("sh", "d")),
        ({"command": "sh", "env": {"K": "$UNSET"}}, {**run("sh"), "env": {"K": ""}, "warnings": ["env.K"]}),
        ({"command": "sh", "cwd": "/", "timeout": 15000}, {**run("sh"), "cwd": "/", "timeouts": (15, None)}),
        ({"command": "sh", "trust": True, "includeTools": ["a", "b"], "excludeTools": ["c"]}, run("sh")),
        ({"command": "sh", "includeTools": ["a"], "excludeTools": ["a"]}, {**run("sh"), "warnings": [""]}),
        ({"httpUrl": U, "authProviderType": "google_credentials", "oauth": {"scopes": ["x"]}}, reach("http")),
    ]),
    "lmstudio": ("home/.lmstudio/mcp.json", [
        *PLAIN,
        ({"url": U}, reach("auto")),
        ({"url": U, "headers": {"Authorization": "Bearer <YOUR_TOKEN>"}}, reach("auto")),
        ({"url": U, "headers": {"X": "${env:TOK}"}},
         reach("auto", headers={"X": "${env:TOK}"}, warnings=["headers.X"])),
    ]),
    "codex": (".codex/config.toml", [
        ('command = "sh"', run("sh")),
        ('command = "sh"\nargs = ["-c", "a b"]', run("sh", "-c", "a b")),
        ("command = 'sh'\nargs = [\n  '-c', # why\n  'x',\n]", run("sh", "-c", "x")),
        ('command = "sh"\nenv = { A = "1" }', {**run("sh"), "env": {"A": "1"}}),
        ('command = "sh"\n[mcp_servers.s.env]\nA = "1"', {**run("sh"), "env": {"A": "1"}}),
        ('command = "sh"\nenv.A = "1"\nenv."b.c" = "2"', {**run("sh"), "env": {"A": "1", "b.c": "2"}}),
        ('command = "sh"\nargs = ["$TOK", "${TOK}"]', {**run("sh", "$TOK", "${TOK}"), "warnings": ["args[1]"]}),
        ('command = "sh"\nenabled = false', {**run("sh"), "on": False}),
        ('command = "sh"\ndisabled = true', {**run("sh"), "warnings": ["disabled"]}),
        ('command = "sh"\nstartup_timeout_sec = 2.5\ntool_timeout_sec = 90', {**run("sh"), "timeouts": (90, 2.5)}),
        ('command = "sh"\nstartup_timeout_ms = 2500', {**run("sh"), "timeouts": (None, 2.5)}),
        ('command = "sh"\nenv_vars = ["TOK", {name = "EMPTY", source = "local"}]', run("sh")),
        ('command = "sh"\nenv_vars = ["UNSET"]', {**run("sh"), "warnings": ["env_vars"]}),
        ('command = "sh"\ncwd = "/"\nrequired = true', {**run("sh"), "cwd": "/"}),
        (f'url = "{U}"', reach("http")),
        (f'url = "{U}"\nbearer_token_env_var = "TOK"', reach("http", headers=AUTH)),
        (f'url = "{U}"\nbearer_token_env_var = "UNSET"', {"errors": ["bearer_token_env_var"]}),
        (f'url = "{U}"\nbearer_token = "x"', {"errors": ["bearer_token"]}),
        (f'url = "{U}"\nhttp_headers = {{ X = "1" }}', reach("http", headers={"X": "1"})),
        (f'url = "{U}"\nenv_http_headers = {{ X = "TOK", Y = "UNSET" }}',
         reach("http", headers={"X": TOKEN}, warnings=["env_http_headers.Y"])),
        (f'url = "{U}"\nargs = ["x"]', {"errors": ["args"]}),
        (f'command = "sh"\nurl = "{U}"', {"errors": [""]}),
        ('command = "sh"\nhttp_headers = { X = "1" }', {"errors": ["http_headers"]}),
        (f'url = "{U}"\nscopes = ["a"]\n[mcp_servers.s.oauth]\nclient_id = "c"', reach("http")),
        ('command = "sh"\nenabled_tools = ["a", "b"]\ndisabled_tools = ["b"]', {**run("sh"), "warnings": [""]}),
        ('command = "sh"\ndefault_tools_approval_mode = "prompt"\n[mcp_servers.s.tools.x]\napproval_mode = "approve"',
         run("sh")),
        ("args = []", {"errors": ["command"]}),
    ]),
    "opencode": ("opencode.json", [
        ({"type": "local", "command": ["sh", "-c", "x"]}, run("sh", "-c", "x")),
        ({"type": "local", "command": ["sh"], "environment": {"K": "{env:TOK}"}}, {**run("sh"), "env": {"K": TOKEN}}),
        ({"type": "local", "command": ["sh"], "environment": {"K": "{env:UNSET}"}},
         {**run("sh"), "env": {"K": ""}, "warnings": ["env.K"]}),
        ({"type": "local", "command": ["sh", "${TOK}"]}, {**run("sh", "${TOK}"), "warnings": ["args[0]"]}),
        ({"type": "local", "command": ["sh"], "enabled": False}, {**run("sh"), "on": False}),
        ({"type": "local", "command": ["sh"], "disabled": True}, {**run("sh"), "on": False}),
        ({"type": "local", "command": ["sh"], "timeout": 8000}, {**run("sh"), "timeouts": (None, 8)}),
        ({"type": "local", "command": ["sh"], "timeout": {"startup": 5000, "execution": 60000}},
         {**run("sh"), "timeouts": (60, 5)}),
        ({"type": "local", "command": ["sh"], "cwd": "/"}, {**run("sh"), "cwd": "/"}),
        ({"type": "local", "command": []}, {"errors": ["command"]}),
        ({"type": "remote", "url": U}, reach("auto")),
        ({"type": "remote", "url": U, "headers": {"Authorization": "Bearer {env:TOK}"}}, reach("auto", headers=AUTH)),
        ({"type": "remote", "url": U, "headers": {"X": "{file:none}"}}, {"errors": ["headers.X"]}),
        ({"type": "remote", "url": U, "oauth": False}, reach("auto")),
        ({"type": "remote", "url": U, "enabled": True, "oauth": {"clientId": "{env:TOK}"}}, reach("auto")),
        ({"type": "remote"}, {"errors": ["url"]}),
        ({"enabled": False}, {"transport": "unsupported:partial", "on": False}),
    ]),
    "continue": (".continue/config.yaml", [
        ("command: sh", run("sh")),
        ("command: sh\nargs: [-c, a b]", run("sh", "-c", "a b")),
        ("command: sh\nargs:\n- -c\n- 'x: y'\n- \"q\"", run("sh", "-c", "x: y", "q")),
        ("command: sh\nargs: [8080, true, 1.10, no]", run("sh", "8080", "true", "1.10", "no")),
        ("command: sh\nenv:\n  A: '1'\n  B: 2", {**run("sh"), "env": {"A": "1", "B": "2"}}),
        ("command: sh\nenv: {K: '${{ secrets.TOK }}'}", {**run("sh"), "env": {"K": TOKEN}}),
        ("command: sh\nenv: {K: '${{ inputs.TOK }}'}", {**run("sh"), "env": {"K": TOKEN}}),
        ("command: sh\nenv: {K: '${TOK}'}", {**run("sh"), "env": {"K": "${TOK}"}, "warnings": ["env.K"]}),
        ("command: sh\ncwd: /", {**run("sh"), "cwd": "/"}),
        (f"type: sse\nurl: {U}", reach("sse")),
        (f"type: streamable-http\nurl: {U}", reach("http")),
        (f"url: {U}", reach("auto")),
        (f"url: {U}\napiKey: ${{{{ secrets.TOK }}}}", reach("auto", headers=AUTH)),
        (f"url: {U}\nrequestOptions:\n  headers:\n    X: \"1\"\n  verifySsl: false",
         reach("auto", headers={"X": "1"}, warnings=["insecure"])),
        ("command: sh\nconnectionTimeout: 3000", {**run("sh"), "timeouts": (None, 3)}),
        ("type: stdio\ncommand: >-\n  sh", run("sh")),
    ]),
    "solon": ("--dialect", [
        ({"type": "streamable", "url": U}, reach("http")),
        ({"transport": "streamable_stateless", "url": U}, reach("http")),
        ({"type": "sse", "url": U}, reach("sse")),
        ({"url": U}, {"errors": ["url"]}),
        ({"type": "streamable", "url": U, "timeout": "PT1M30S"}, reach("http", timeouts=(90, None))),
        ({"type": "streamable", "url": U, "timeout": "20"}, reach("http", timeouts=(20, None))),
        ({"type": "streamable", "url": U, "env": {"user": "1"}}, reach("http", headers={"user": "1"})),
        ({"type": "stdio", "command": "sh", "enabled": False}, {**run("sh"), "on": False}),
    ]),
    "copilot": ("home/.copilot/mcp-config.json", [
        *PLAIN,
        ({"type": "local", "command": "sh", "tools": ["*"]}, run("sh")),
        ({"type": "http", "url": U, "tools": ["a"]}, reach("http")),
        ({"type": "sse", "url": U}, reach("sse")),
    ]),
    "kiro": (".kiro/settings/mcp.json", [
        *PLAIN,
        ({"command": "sh", "disabled": True, "autoApprove": ["*"]}, {**run("sh"), "on": False}),
        ({"url": U, "headers": {"Authorization": "Bearer ${TOK}"}, "timeout": 60000},
         reach("auto", headers=AUTH, timeouts=(60, None))),
    ]),
    "goose": ("home/.config/goose/config.yaml", [
        ("type: stdio\ncmd: sh\nargs: [-c]\nname: s\nenabled: true\nbundled: null", run("sh", "-c")),
        ("type: stdio\ncmd: sh\nenvs: {A: '1'}\nenv_keys: []\ntimeout: 300",
         {**run("sh"), "env": {"A": "1"}, "timeouts": (300, None)}),
        ("type: stdio\ncmd: sh\nenabled: false", {**run("sh"), "on": False}),
        (f"type: streamable_http\nuri: {U}\nheaders: {{Authorization: 'Bearer $TOK'}}", reach("http", headers=AUTH)),
        (f"type: sse\nuri: {U}", reach("sse")),
        ("type: builtin\nname: developer\nenabled: true", {"transport": "unsupported:builtin", "warnings": ["type"]}),
    ]),
    "common": ("elsewhere/mcp.json", [
        *PLAIN,
        ({"url": U, "headers": {"Authorization": "Bearer ${env:TOK}"}}, reach("auto", headers=AUTH)),
        ({"command": "sh", "args": ["${EMPTY:-d}", "${UNSET:-}"]}, run("sh", "d", "")),
        ({"command": "sh", "args": ["${EMPTY}"]}, {"errors": ["args[0]"]}),
        ({"command": "sh", "cwd": "~/"}, {**run("sh"), "cwd": "/home/u", "errors": ["cwd"]}),
        ({"serverUrl": U}, reach("auto")),
        ({"httpUrl": U}, reach("http")),
        ({"command": ["sh", "-c"], "environment": {"A": "1"}}, {**run("sh", "-c"), "env": {"A": "1"}}),
        ({"type": "http", "url": U, "timeout": 30}, reach("http", timeouts=(30, None))),
        ({"type": "http", "url": U, "timeout": 30000}, reach("http", timeouts=(30, None))),
    ]),
}  # fmt: skip


def _text(client: str, entry: Any) -> str:
    if client == "codex":
        return f"[mcp_servers.s]\n{entry}\n"
    if client == "continue":
        inner = "\n".join(f"    {line}" for line in entry.splitlines())
        return f"name: x\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: s\n{inner}\n"
    if client == "goose":
        inner = "\n".join(f"    {line}" for line in entry.splitlines())
        return f"GOOSE_MODEL: x\nextensions:\n  s:\n{inner}\n"
    root = {"vscode": "servers", "zed": "context_servers", "opencode": "mcp"}.get(client, "mcpServers")
    other = {"opencode": {"other": {"type": "remote", "url": U, "enabled": False}}}.get(client, {})
    return json.dumps({root: {"s": entry, **other}}, ensure_ascii=False)


def _load(client: str, folder: Path, entry: Any) -> Loaded:
    from inspector.config.dialects import DIALECTS

    place = CLIENTS[client][0]
    path = folder / "p" / ("mcp.json" if place == "--dialect" else place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_text(client, entry), encoding="utf-8")
    forced = DIALECTS[client] if place == "--dialect" else None
    return load(path, home=Path("/home/u"), environment=ENVIRONMENT, dialect=forced)


@pytest.mark.parametrize(
    ("client", "number"),
    [(client, number) for client, (_, cases) in CLIENTS.items() for number in range(len(cases))],
)
def test_entry(client: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path / "p")
    entry, wanted = CLIENTS[client][1][number]
    loaded = _load(client, tmp_path, entry)
    assert loaded.files[0].dialect.id == client
    server = next(one for one in loaded.servers if one.name == "s")
    project = str(tmp_path / "p")
    found = {
        "transport": server.transport, "run": [server.command, *server.args], "env": server.env, "url": server.url,
        "headers": server.headers, "on": server.enabled, "cwd": server.cwd,
        "timeouts": (server.request_timeout, server.connect_timeout),
    }  # fmt: skip
    for key, value in wanted.items():
        if key in found:
            expected = (
                json.loads(json.dumps(value).replace("<project>", project))
                if key in ("run", "cwd")
                else value
            )
            assert found[key] == expected, key
    said = {
        severity: sorted(
            {each.where for each in loaded.problems if each.server == "s" and each.severity == severity}
        )
        for severity in ("error", "warning")
    }
    assert said["error"] == sorted(wanted.get("errors", []))
    if not said["error"] or "warnings" in wanted:
        assert said["warning"] == sorted(wanted.get("warnings", []))
    assert server.enabled is wanted.get("on", True)


def test_there_are_many_of_each() -> None:
    assert sum(len(cases) for _, cases in CLIENTS.values()) > 250
