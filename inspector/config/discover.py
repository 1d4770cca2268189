"""Where every client keeps its files. The place of a file decides whose it is, and with it the variable syntax."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from inspector.config.dialects import (
    CLAUDE_CODE,
    CLAUDE_DESKTOP,
    CLAUDE_STATE,
    CLINE,
    CODEX,
    CONTINUE,
    CURSOR,
    GEMINI,
    INSPECTOR,
    LMSTUDIO,
    OPENCODE,
    PAICLI,
    VSCODE,
    WINDSURF,
    ZED,
    Dialect,
)  # fmt: skip

_APP_DATA = (".config", "Library/Application Support", "AppData/Roaming")
"""Where applications keep their files below the home directory, on Linux, macOS and Windows."""


class Location(NamedTuple):
    """A path that belongs to a client: `ending` are its last components. `project`: it occurs in projects, whose
    folder is above the ending. `below`: folders of the home directory under which it is the user's own."""

    ending: tuple[str, ...]
    dialect: Dialect
    project: bool
    below: tuple[str, ...]

    def matches(self, path: Path) -> bool:
        return path.parts[-len(self.ending) :] == self.ending

    def workspace(self, path: Path, home: Path) -> Path | None:
        """The folder of the project that the file belongs to; None for a user's file."""
        folder = path.parents[len(self.ending) - 1]
        return folder if self.project and folder != home else None


def _user(path: str, dialect: Dialect, *below: str) -> Location:
    return Location(tuple(path.split("/")), dialect, project=False, below=below or ("",))


def _project(path: str, dialect: Dialect) -> Location:
    return Location(tuple(path.split("/")), dialect, project=True, below=())


def _both(path: str, dialect: Dialect) -> Location:
    return Location(tuple(path.split("/")), dialect, project=True, below=("",))


LOCATIONS: tuple[Location, ...] = (
    _both(".paicli/mcp.json", PAICLI),
    _project(".mcp.json", CLAUDE_CODE),
    _user(".claude.json", CLAUDE_STATE),
    _user("Claude/claude_desktop_config.json", CLAUDE_DESKTOP, *_APP_DATA),
    _both(".cursor/mcp.json", CURSOR),
    _project(".vscode/mcp.json", VSCODE),
    _user("Code/User/mcp.json", VSCODE, *_APP_DATA),
    _user("Code - Insiders/User/mcp.json", VSCODE, *_APP_DATA),
    _user("VSCodium/User/mcp.json", VSCODE, *_APP_DATA),
    _user(".codeium/windsurf/mcp_config.json", WINDSURF),
    _user(".codeium/mcp_config.json", WINDSURF),
    _user(
        "saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        CLINE,
        *(f"{folder}/Code/User/globalStorage" for folder in _APP_DATA),
    ),
    _user(".cline/data/settings/cline_mcp_settings.json", CLINE),
    _user(".cline/mcp.json", CLINE),
    _user(".config/zed/settings.json", ZED),
    _project(".zed/settings.json", ZED),
    _both(".gemini/settings.json", GEMINI),
    _user(".lmstudio/mcp.json", LMSTUDIO),
    _user(".cache/lm-studio/mcp.json", LMSTUDIO),
    _user(".mcp-inspector/mcp.json", INSPECTOR),
    _both(".codex/config.toml", CODEX),
    _user(".continue/config.yaml", CONTINUE),
    _project("opencode.json", OPENCODE),
    _project("opencode.jsonc", OPENCODE),
    _user(".config/opencode/opencode.json", OPENCODE),
)


def location_of(path: Path) -> Location | None:
    """The client whose own path this is; the longest match wins."""
    matches = [location for location in LOCATIONS if location.matches(path)]
    return max(matches, key=lambda location: len(location.ending), default=None)


def known_files(home: Path, folders: Iterable[Path] = ()) -> list[tuple[Path, Dialect]]:
    """The clients' files that exist: the user's below `home`, the projects' in each of `folders`."""
    found: dict[Path, Dialect] = {}
    for location in LOCATIONS:
        roots = [home / folder for folder in location.below]
        roots += list(folders) if location.project else []
        found |= {root.joinpath(*location.ending): location.dialect for root in roots}
    return [(path, dialect) for path, dialect in found.items() if path.is_file()]


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
)
"""Where a folder that was given as the target is looked into, first come first served by server name."""
