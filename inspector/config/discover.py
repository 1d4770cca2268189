"""Where every client keeps its files. The place of a file decides whose it is, and with it the variable syntax."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NamedTuple

from inspector.config.dialects import (
    AMP,
    ANTIGRAVITY,
    CLAUDE_CODE,
    CLAUDE_DESKTOP,
    CLAUDE_STATE,
    CLINE,
    CODEX,
    CONTINUE,
    CONTINUE_JSON,
    COPILOT,
    CURSOR,
    DEV_CONTAINER,
    GEMINI,
    GOOSE,
    INSPECTOR,
    KIRO,
    LMSTUDIO,
    OPENCODE,
    PAICLI,
    QWEN,
    ROO,
    VSCODE,
    VSCODE_SETTINGS,
    WINDSURF,
    ZED,
    Dialect,
)  # fmt: skip

_APP_DATA = (".config", "Library/Application Support", "AppData/Roaming")
"""Where applications keep their files below the home directory, on Linux, macOS and Windows."""
_MOST_MATCHES = 100


class Location(NamedTuple):
    """A path that belongs to a client: `ending` are its last components, `*` in them stands for anything. `project`: it
    occurs in projects, whose folder is above the ending. `below`: folders under which it is the user's own, those of
    the home directory unless they are absolute. `anywhere`: the name alone tells the client, wherever a copy lies.
    `upwards`: it also counts in the folders above a project. `scope` is that of the user's file."""

    ending: tuple[str, ...]
    dialect: Dialect
    project: bool = False
    below: tuple[str, ...] = ()
    anywhere: bool = False
    upwards: bool = False
    scope: Literal["user", "managed"] = "user"

    def matches(self, path: Path) -> bool:
        last = path.parts[-len(self.ending) :]
        return len(last) == len(self.ending) and all(map(fnmatchcase, last, self.ending))

    def workspace(self, path: Path, home: Path) -> Path | None:
        """The folder of the project that the file belongs to; None for a user's file."""
        folder = path.parents[len(self.ending) - 1]
        return folder if self.project and folder != home else None


def _user(path: str, dialect: Dialect, *below: str, anywhere: bool = False) -> Location:
    return Location(tuple(path.split("/")), dialect, below=below or ("",), anywhere=anywhere)


def _project(path: str, dialect: Dialect, *, upwards: bool = False) -> Location:
    return Location(tuple(path.split("/")), dialect, project=True, upwards=upwards)


def _both(path: str, dialect: Dialect) -> Location:
    return Location(tuple(path.split("/")), dialect, project=True, below=("",))


def _managed(path: str, dialect: Dialect, *below: str) -> Location:
    return Location(tuple(path.split("/")), dialect, below=below, scope="managed")


_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Code - OSS")
_STORED = tuple(f"{folder}/{editor}/User/globalStorage" for folder in _APP_DATA for editor in _EDITORS)

LOCATIONS: tuple[Location, ...] = (
    _both(".paicli/mcp.json", PAICLI),
    _managed(
        "managed-mcp.json", CLAUDE_CODE,
        "/etc/claude-code", "/Library/Application Support/ClaudeCode", "C:/Program Files/ClaudeCode",
    ),
    _project(".mcp.json", CLAUDE_CODE),
    _user(".claude.json", CLAUDE_STATE),
    _user("claude_desktop_config.json", CLAUDE_DESKTOP, *(f"{each}/Claude" for each in _APP_DATA), anywhere=True),
    _both(".cursor/mcp.json", CURSOR),
    _project(".vscode/mcp.json", VSCODE),
    _project(".vscode/settings.json", VSCODE_SETTINGS),
    *(_user(f"{editor}/User/mcp.json", VSCODE, *_APP_DATA) for editor in _EDITORS),
    *(_user(f"{editor}/User/profiles/*/mcp.json", VSCODE, *_APP_DATA) for editor in _EDITORS),
    *(_user(f"{editor}/User/settings.json", VSCODE_SETTINGS, *_APP_DATA) for editor in _EDITORS),
    _project(".devcontainer/devcontainer.json", DEV_CONTAINER),
    _project(".devcontainer.json", DEV_CONTAINER),
    _user(".codeium/windsurf/mcp_config.json", WINDSURF),
    _user(".codeium/windsurf-next/mcp_config.json", WINDSURF),
    _user(".codeium/mcp_config.json", WINDSURF),
    _user(".gemini/antigravity/mcp_config.json", ANTIGRAVITY),
    _user(
        "cline_mcp_settings.json", CLINE,
        *(f"{folder}/saoudrizwan.claude-dev/settings" for folder in _STORED), ".cline/data/settings",
        anywhere=True,
    ),
    _user(".cline/mcp.json", CLINE),
    _user("rooveterinaryinc.roo-cline/settings/mcp_settings.json", ROO, *_STORED),
    _project(".roo/mcp.json", ROO),
    _user(".config/zed/settings.json", ZED),
    _user("Zed/settings.json", ZED, "AppData/Roaming"),
    _project(".zed/settings.json", ZED),
    _both(".gemini/settings.json", GEMINI),
    _managed(
        "settings.json", GEMINI,
        "/etc/gemini-cli", "/Library/Application Support/GeminiCli", "C:/ProgramData/gemini-cli",
    ),
    _both(".qwen/settings.json", QWEN),
    _user(".lmstudio/mcp.json", LMSTUDIO),
    _user(".cache/lm-studio/mcp.json", LMSTUDIO),
    _user(".config/amp/settings.json", AMP),
    _project(".amp/settings.json", AMP),
    _user(".mcp-inspector/mcp.json", INSPECTOR),
    _both(".codex/config.toml", CODEX),
    *(_both(f".continue/{name}", CONTINUE) for name in ("config.yaml", "config.yml", "config.json")),
    *(_both(f".continue/mcpServers/*.{ending}", CONTINUE) for ending in ("yaml", "yml")),
    _both(".continue/mcpServers/*.json", CONTINUE_JSON),
    *(
        _project(name, OPENCODE, upwards=True)
        for name in ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")
    ),
    *(_user(f".config/opencode/{name}", OPENCODE) for name in ("opencode.json", "opencode.jsonc", "config.json")),
    *(_managed(name, OPENCODE, "/etc/opencode") for name in ("opencode.json", "opencode.jsonc")),
    _user(".copilot/mcp-config.json", COPILOT),
    _both(".kiro/settings/mcp.json", KIRO),
    _user(".config/goose/config.yaml", GOOSE),
    _user("Block/goose/config/config.yaml", GOOSE, "AppData/Roaming"),
)  # fmt: skip

_MOVED: Mapping[str, tuple[str, Dialect]] = {
    "CODEX_HOME": ("config.toml", CODEX),
    "CLAUDE_CONFIG_DIR": (".claude.json", CLAUDE_STATE),
    "CLINE_DIR": ("data/settings/cline_mcp_settings.json", CLINE),
    "CLINE_MCP_SETTINGS_PATH": ("", CLINE),
    "OPENCODE_CONFIG": ("", OPENCODE),
    "OPENCODE_CONFIG_DIR": ("opencode.json", OPENCODE),
    "COPILOT_HOME": ("mcp-config.json", COPILOT),
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH": ("", GEMINI),
}
"""Variables that name a folder of a client's own, or a file where nothing stands beside it."""


class KnownFile(NamedTuple):
    """A file of a client that is there. `moved`: a variable says where it is, and its path alone would not tell."""

    path: Path
    dialect: Dialect
    scope: Literal["user", "project", "managed"]
    moved: bool = False


def location_of(path: Path) -> Location | None:
    """The client whose own path this is; the longest match wins. Files whose place is one folder of the system count
    there only."""
    matches = [location for location in LOCATIONS if location.matches(path) and _is_place(location, path)]
    return max(matches, key=lambda location: len(location.ending), default=None)


def _is_place(location: Location, path: Path) -> bool:
    if location.anywhere or location.project or len(location.ending) > 1 or location.below == ("",):
        return True
    return any(path.parent == Path(folder) for folder in location.below)


def known_files(
    home: Path, folders: Iterable[Path] = (), environment: Mapping[str, str] = {}
) -> list[KnownFile]:
    """The clients' files that exist: the user's below `home` and where variables say, the projects' in each of
    `folders`. Looks only at names."""
    found: dict[Path, KnownFile] = {}
    for variable, (name, dialect) in _MOVED.items():
        if given := environment.get(variable, "").strip():
            path = Path(os.path.abspath(os.path.join(os.path.expanduser(given), name)))
            if path.is_file():
                found[path] = KnownFile(path, dialect, "user", moved=True)
    projects = [folder for folder in folders if folder != home]
    elsewhere = environment.get("XDG_CONFIG_HOME", "").strip()
    for location in LOCATIONS:
        for below in location.below:
            _add(found, home / below, location, location.scope)
            place = (*Path(below).parts, *location.ending)
            if elsewhere and place[0] == ".config":
                for path in _existing(Path(os.path.abspath(elsewhere)), place[1:]):
                    found.setdefault(path, KnownFile(path, location.dialect, location.scope, moved=True))
        for folder in projects if location.project else ():
            _add(found, folder, location, "project")
            for above in _upwards(folder, home) if location.upwards else ():
                _add(found, above, location, "project")
    return list(found.values())


def _add(
    found: dict[Path, KnownFile],
    folder: Path,
    location: Location,
    scope: Literal["user", "project", "managed"],
) -> None:
    for path in _existing(folder, location.ending):
        found.setdefault(path, KnownFile(path, location.dialect, scope))


def _existing(folder: Path, ending: tuple[str, ...]) -> Iterator[Path]:
    try:
        if any("*" in part for part in ending):
            matches = sorted(folder.glob("/".join(ending)))[:_MOST_MATCHES]
            yield from (path for path in matches if path.is_file())
        elif (path := folder.joinpath(*ending)).is_file():
            yield path
    except OSError:
        return


def _upwards(folder: Path, home: Path) -> Iterator[Path]:
    """The folders above, up to the one that holds the repository, but neither home nor what is above it."""
    for above in (folder, *folder.parents):
        if above != folder and above != home and above not in home.parents:
            yield above
        if (above / ".git").exists() or above == home or above in home.parents:
            return


FOLDER_FILES: tuple[str, ...] = (
    ".paicli/mcp.json",
    ".mcp.json",
    ".vscode/mcp.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".zed/settings.json",
    "mcp.json",
    "mcp_config.json",
    "claude_desktop_config.json",
    "cline_mcp_settings.json",
    ".codex/config.toml",
    "opencode.json",
    "opencode.jsonc",
    ".continue/config.yaml",
    ".qwen/settings.json",
    ".roo/mcp.json",
    ".kiro/settings/mcp.json",
    ".devcontainer/devcontainer.json",
    "mcp.yaml",
    "mcp.yml",
    "mcp.toml",
)
"""Where a folder that was given as the target is looked into, first come first served by server name."""
