"""Where our own files live; the only authority on it. `MCP_INSPECT_HOME` moves all of them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

APP = "mcp-inspect"
_BINARY = getattr(os, "O_BINARY", 0)
_LINUX = sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Paths:
    """Absolute paths of our folders and files; nothing is created by asking for them."""

    config: Path
    state: Path

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def keymap(self) -> Path:
        """Keys of the app as a person wants them."""
        return self.config / "keymap.json"

    @property
    def servers(self) -> Path:
        """Servers that were connected from inside the app and kept."""
        return self.config / "servers.json"

    @property
    def consent(self) -> Path:
        return self.state / "consent.json"

    @property
    def eras(self) -> Path:
        """Which era of the protocol each server was found to speak."""
        return self.state / "eras.json"

    @property
    def tokens(self) -> Path:
        """What came of logins: tokens by server, clients by issuer."""
        return self.state / "tokens.json"

    @property
    def answers(self) -> Path:
        """Who answers what each server asks, and the roots that it is offered."""
        return self.config / "answers.json"

    @property
    def skill_prompts(self) -> Path:
        """Prompts for remote skills of Solon AI, by server."""
        return self.config / "skill-prompts.json"

    @property
    def history(self) -> Path:
        return self.state / "history"

    @property
    def spool(self) -> Path:
        """Live traffic, raw and private; removed at exit."""
        return self.state / "spool"

    @property
    def view(self) -> Path:
        """How the person looks at the traffic: columns, recent filters."""
        return self.state / "view.json"

    @property
    def recordings(self) -> Path:
        return self.state / "recordings"

    @property
    def taps(self) -> Path:
        """Which taps run now."""
        return self.state / "taps"

    @property
    def baselines(self) -> Path:
        """What servers listed when a person accepted it."""
        return self.state / "baselines"

    @property
    def audit(self) -> Path:
        """Which tools were called, a file a day."""
        return self.state / "audit"

    @property
    def crash_reports(self) -> Path:
        return self.state / "crashes"

    def as_json(self) -> dict[str, str]:
        names = (
            "config",
            "state",
            "settings",
            "keymap",
            "servers",
            "consent",
            "eras",
            "tokens",
            "answers",
            "skill_prompts",
            "history",
            "spool",
            "view",
            "recordings",
            "taps",
            "baselines",
            "audit",
            "crash_reports",
        )
        return {name: str(getattr(self, name)) for name in names}


def paths() -> Paths:
    """The folders for this process, from the environment and the platform's customs (XDG on Linux)."""
    home = os.environ.get("MCP_INSPECT_HOME")
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(config=root / "config", state=root / "state")
    if _LINUX:
        # What platformdirs says for Linux (XDG base directories), without its import in every one-shot command.
        return Paths(config=_xdg("XDG_CONFIG_HOME", ".config"), state=_xdg("XDG_STATE_HOME", ".local/state"))
    import platformdirs

    return Paths(
        config=Path(platformdirs.user_config_dir(APP, appauthor=False)),
        state=Path(platformdirs.user_state_dir(APP, appauthor=False)),
    )


def _xdg(variable: str, usual: str) -> Path:
    given = os.environ.get(variable, "").strip()
    return (Path(given) if os.path.isabs(given) else Path.home() / usual) / APP


def private_folder(path: Path) -> Path:
    """Creates a folder that only its owner may enter (0700); raises OSError where that fails."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix":
        path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """Replaces a file of ours in one step, readable by its owner only (0600); raises OSError."""
    private_folder(path.parent)
    _replace(path, text, 0o600)


def write_whole(path: Path, text: str | bytes) -> None:
    """Writes a file of the person, whole or not at all: a full disk leaves what was there. Links are followed, and its
    mode stays. Raises OSError."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(_bytes(text))
    else:
        _replace(path, text, path.stat().st_mode & 0o777 if path.exists() else None)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _replace(path: Path, text: str | bytes, mode: int | None) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o666 if mode is None else mode
    )
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_bytes(text))
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
