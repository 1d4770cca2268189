"""What was found in config files: the files, their servers, and what there is to say about both."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from inspector.config.dialects import COMMON, Dialect
from inspector.config.discover import Location
from inspector.config.document import Document
from inspector.config.entry import Entry, Scope, Severity
from inspector.config.server import Server


class Problem(NamedTuple):
    """Something to tell about a file (`server` None) or a server. Line and column count from 1, None where there is
    no text to point into; `excerpt` is that line, fit to be shown but foreign. `path` is empty for a server of the
    command line."""

    path: str
    line: int | None
    column: int | None
    server: str | None
    where: str
    severity: Severity
    message: str
    excerpt: str = ""

    @property
    def place(self) -> str:
        """`path:line:column`, as editors and terminals understand it."""
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)

    def as_json(self) -> dict[str, Any]:
        return {
            "path": self.path or None,
            "line": self.line,
            "column": self.column,
            "server": self.server,
            "where": self.where,
            "severity": self.severity,
            "message": self.message,
        }


@dataclass(slots=True)
class File:
    """A file that was looked at; `dialect` is whose rules apply, `forced` where a person said so."""

    path: Path
    scope: Scope
    state: Literal["read", "missing", "broken"] = "read"
    dialect: Dialect = COMMON
    location: Location | None = None
    forced: bool = False
    document: Document | None = None

    def as_json(self) -> dict[str, str]:
        return {"path": str(self.path), "state": self.state, "dialect": self.dialect.id}


@dataclass(slots=True)
class Loaded:
    """What a target holds. `entries` are to be resolved at each connect; `servers` are what they were at load time."""

    files: list[File] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    servers: list[Server] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)

    def as_json(self, reveal: bool = False) -> dict[str, Any]:
        """The `config` document."""
        return {
            "files": [file.as_json() for file in self.files],
            "servers": [server.as_json(reveal) for server in self.servers],
            "problems": [problem.as_json() for problem in self.problems],
        }
