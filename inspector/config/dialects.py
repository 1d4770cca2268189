"""What each client makes of a server entry: a row of a table for every client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from inspector.config import interpolate
from inspector.config.interpolate import NOTHING, Profile


class Dialect(NamedTuple):
    """How one client reads an entry.

    `fields` are fields (`env`, `headers`) whose variables have rules of their own. `bare_url` is what a `url` without
    a `type` means there, `declared_http` what `type: http` means, `untyped` what such an entry gets to hear. `unit`: of
    a bare `timeout`, which is that of requests or, where `startup`, of the start. `strict`: the client itself refuses
    comments. `tilde`: where a leading `~/` is a path. `settings`: the file has other purposes, so it may hold no
    servers at all. `only`: the keys that count; all others are ignored by that client. `off`: the key that switches an
    entry off, None where either does. `child`: which of the variables around it the client hands to a process.
    """

    id: str
    label: str
    variables: Profile = interpolate.COMMON
    fields: Mapping[str, Profile] = NOTHING
    roots: tuple[tuple[str, ...], ...] = (("mcpServers",),)
    bare_url: str = "auto"
    declared_http: str = "http"
    untyped: tuple[Literal["warning", "error"], str] | None = None
    unit: Literal["s", "ms", "guess"] = "guess"
    startup: bool = False
    strict: bool = False
    tilde: Literal["", "paths", "args"] = "paths"
    settings: bool = False
    only: frozenset[str] | None = None
    off: Literal["disabled", "enabled"] | None = None
    child: Literal["all", "some", "no secrets"] = "all"

    def profile(self, where: str) -> Profile:
        """The variables of a field: `env`, `headers`, or any other."""
        return self.fields.get(where, self.variables)


COMMON = Dialect("common", "the common profile")
ADHOC = Dialect("adhoc", "the command line", variables=interpolate.NONE, tilde="")
PAICLI = Dialect(
    "paicli",
    "PaiCLI",
    variables=interpolate.PAICLI,
    bare_url="http",
    strict=True,
    tilde="",
    only=frozenset({"command", "args", "env", "url", "headers", "disabled"}),
    off="disabled",
)
CLAUDE_CODE = Dialect(
    "claude-code",
    "Claude Code",
    variables=interpolate.CLAUDE_CODE,
    untyped=("warning", "Claude Code requires type for url"),
    unit="ms",
    strict=True,
    tilde="",
)
CLAUDE_STATE = CLAUDE_CODE._replace(settings=True)
"""Claude Code's own state file, which holds much more than servers."""
CLAUDE_DESKTOP = Dialect(
    "claude-desktop",
    "Claude Desktop",
    variables=interpolate.NONE,
    untyped=("warning", "Claude Desktop starts no url entries from this file"),
    strict=True,
    tilde="",
    settings=True,
)
CURSOR = Dialect("cursor", "Cursor", variables=interpolate.EDITOR)
VSCODE = Dialect(
    "vscode",
    "VS Code",
    variables=interpolate.VSCODE,
    roots=(("servers",), ("mcp", "servers")),
    declared_http="auto",
    tilde="args",
)
VSCODE_SETTINGS = VSCODE._replace(roots=(("mcp", "servers"),), settings=True)
DEV_CONTAINER = VSCODE._replace(roots=(("customizations", "vscode", "mcp", "servers"),), settings=True)
WINDSURF = Dialect("windsurf", "Windsurf", variables=interpolate.ENV_OR_FILE, off="disabled")
ANTIGRAVITY = Dialect("antigravity", "Antigravity", variables=interpolate.NONE, off="disabled")
CLINE = Dialect(
    "cline",
    "Cline",
    variables=interpolate.ENV_ONLY,
    bare_url="sse",
    untyped=("warning", "Cline treats url without type as SSE; other clients use Streamable HTTP"),
    unit="s",
    off="disabled",
)
ROO = Dialect(
    "roo",
    "Roo Code",
    variables=interpolate.ENV_OR_FOLDER,
    untyped=("warning", "Roo Code requires type for url"),
    unit="s",
    off="disabled",
)
ZED = Dialect(
    "zed",
    "Zed",
    variables=interpolate.NONE,
    roots=(("context_servers",),),
    unit="s",
    tilde="",
    settings=True,
    off="enabled",
)
GEMINI = Dialect(
    "gemini",
    "Gemini CLI",
    variables=interpolate.DOLLAR,
    fields={"env": interpolate.DOLLAR_OR_EMPTY, "headers": interpolate.DOLLAR_OR_EMPTY},
    unit="ms",
    settings=True,
    child="no secrets",
)
QWEN = GEMINI._replace(id="qwen", label="Qwen Code")
LMSTUDIO = Dialect("lmstudio", "LM Studio", variables=interpolate.NONE)
CODEX = Dialect(
    "codex",
    "Codex",
    variables=interpolate.NONE,
    roots=(("mcp_servers",),),
    bare_url="http",
    unit="s",
    tilde="",
    settings=True,
    off="enabled",
    child="some",
)
OPENCODE = Dialect(
    "opencode",
    "opencode",
    variables=interpolate.BRACE,
    roots=(("mcp",), ("mcp", "servers")),
    unit="ms",
    startup=True,
    settings=True,
)
CONTINUE = Dialect(
    "continue",
    "Continue",
    variables=interpolate.TEMPLATES,
    roots=(("mcpServers",), ("experimental", "modelContextProtocolServers")),
    unit="ms",
    settings=True,
)
CONTINUE_JSON = CONTINUE._replace(variables=interpolate.CLAUDE_CODE)
"""Files of other clients that were dropped beside its own."""
SOLON = Dialect(
    "solon",
    "Solon AI",
    variables=interpolate.NONE,
    untyped=("error", "Solon AI requires type or transport for url"),
    unit="s",
    tilde="",
    off="enabled",
)
COPILOT = Dialect("copilot", "Copilot CLI", variables=interpolate.CLAUDE_CODE, unit="ms")
KIRO = Dialect("kiro", "Kiro", variables=interpolate.CLAUDE_CODE, unit="ms", off="disabled")
GOOSE = Dialect(
    "goose",
    "Goose",
    variables=interpolate.NONE,
    fields={"headers": interpolate.DOLLAR},
    roots=(("extensions",),),
    unit="s",
    settings=True,
    off="enabled",
)
AMP = Dialect(
    "amp", "Amp", variables=interpolate.CLAUDE_CODE, roots=(("amp.mcpServers",),), tilde="", settings=True
)
INSPECTOR = Dialect("mcp-inspector", "MCP Inspector", variables=interpolate.NONE)
REGISTRY = Dialect("server.json", "the MCP registry", variables=interpolate.INPUTS, tilde="")

DIALECTS: Mapping[str, Dialect] = {
    dialect.id: dialect
    for dialect in (
        COMMON, PAICLI, CLAUDE_CODE, CLAUDE_DESKTOP, CURSOR, VSCODE, WINDSURF, ANTIGRAVITY, CLINE, ROO, ZED, GEMINI,
        QWEN, LMSTUDIO, CODEX, OPENCODE, CONTINUE, SOLON, COPILOT, KIRO, GOOSE, AMP, INSPECTOR,
    )
}  # fmt: skip
"""Those that a person may name, by id."""


def named(word: str) -> Dialect | None:
    """The dialect that a person means: by its id or its client's name, however it is written."""
    key = _letters(word)
    known = {_letters(name): each for each in DIALECTS.values() for name in (each.id, each.label)}
    return known.get(key) or known.get(key.removesuffix("cli"))


def _letters(word: str) -> str:
    return "".join(char for char in word.lower() if char.isalnum())
