"""What each client makes of a server entry: a row of a table for every client."""

from __future__ import annotations

from typing import Literal, NamedTuple

from inspector.config import interpolate
from inspector.config.interpolate import Profile


class Dialect(NamedTuple):
    """How one client reads an entry.

    `bare_url` is what a `url` without a `type` means there. `declared_http` is what `type: http` means. `unit`: of
    a bare `timeout`. `strict`: the client itself refuses comments. `tilde`: a leading `~/` is a path in command and
    cwd. `settings`: the file has other purposes, so it may hold no servers at all. `only`: the keys that count; all
    others are ignored by that client.
    """

    id: str
    label: str
    variables: Profile = interpolate.COMMON
    roots: tuple[tuple[str, ...], ...] = (("mcpServers",),)
    bare_url: str = "auto"
    declared_http: str = "http"
    unit: Literal["s", "ms", "guess"] = "guess"
    strict: bool = False
    tilde: bool = True
    settings: bool = False
    only: frozenset[str] | None = None
    remark: str = ""


COMMON = Dialect("common", "the common profile")
ADHOC = Dialect("adhoc", "the command line", variables=interpolate.NONE, tilde=False)
PAICLI = Dialect(
    "paicli",
    "PaiCLI",
    variables=interpolate.PAICLI,
    bare_url="http",
    strict=True,
    tilde=False,
    only=frozenset({"command", "args", "env", "url", "headers", "disabled"}),
)
CLAUDE_CODE = Dialect(
    "claude-code",
    "Claude Code",
    variables=interpolate.CLAUDE_CODE,
    unit="ms",
    strict=True,
    tilde=False,
    remark="Claude Code requires type for url",
)
CLAUDE_STATE = CLAUDE_CODE._replace(settings=True)
"""Claude Code's own state file, which holds much more than servers."""
CLAUDE_DESKTOP = Dialect(
    "claude-desktop",
    "Claude Desktop",
    variables=interpolate.NONE,
    strict=True,
    tilde=False,
    settings=True,
    remark="Claude Desktop starts no url entries from this file",
)
CURSOR = Dialect("cursor", "Cursor", variables=interpolate.EDITOR)
VSCODE = Dialect(
    "vscode",
    "VS Code",
    variables=interpolate.VSCODE,
    roots=(("servers",), ("mcp", "servers")),
    declared_http="auto",
)
WINDSURF = Dialect("windsurf", "Windsurf", variables=interpolate.ENV_OR_FILE)
CLINE = Dialect(
    "cline",
    "Cline",
    variables=interpolate.ENV_ONLY,
    bare_url="sse",
    unit="s",
    remark="Cline treats url without type as SSE; other clients use Streamable HTTP",
)
ZED = Dialect(
    "zed",
    "Zed",
    variables=interpolate.NONE,
    roots=(("context_servers",),),
    unit="s",
    tilde=False,
    settings=True,
)
GEMINI = Dialect("gemini", "Gemini CLI", variables=interpolate.DOLLAR, unit="ms", settings=True)
LMSTUDIO = Dialect("lmstudio", "LM Studio", variables=interpolate.NONE)
CODEX = Dialect(
    "codex", "Codex", variables=interpolate.NONE, roots=(("mcp_servers",),), unit="s", settings=True
)
OPENCODE = Dialect(
    "opencode",
    "opencode",
    variables=interpolate.BRACE,
    roots=(("mcp",), ("mcp", "servers")),
    unit="ms",
    settings=True,
)
CONTINUE = Dialect("continue", "Continue", settings=True)
INSPECTOR = Dialect("mcp-inspector", "MCP Inspector", variables=interpolate.NONE)
