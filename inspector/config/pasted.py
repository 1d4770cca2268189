"""What a person pasted to connect to: a URL, a command line, or a piece of any client's config. Never raises."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from inspector.base.patterns import pattern
from inspector.config import deep_links
from inspector.config.dialects import COMMON
from inspector.config.entry import Entry, Severity, Source
from inspector.config.load import load, load_text
from inspector.config.loaded import Loaded, Problem
from inspector.config.reading import read

_URL = pattern(r"(?i)https?://")
_MEMBER = pattern(r'"(?:[^"\\]|\\.)*"\s*:')
_OTHER = pattern(
    r"(?:[ \t]*#[^\n]*\n|\s)*(?:\[\[?[\w.\"'-]+\]\]?[ \t]*(?:#.*)?\r?\n|[\w\"'-]+:[ \t]*(?:#.*)?\r?\n)"
)
"""The first line of TOML or YAML: the head of a table, or a key with its value below."""
_COMMENTS = pattern(r"(?:\s|//[^\n]*(?:\n|\Z)|/\*.*?\*/)+", re.DOTALL)
_ASSIGNMENT = pattern(r"[A-Za-z_][A-Za-z0-9_]*=")
_PROMPT = pattern(r"\s*[$>%]\s+")
_OF_SHELLS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"})
_RUNNERS = frozenset({"npx", "bunx", "uvx", "pipx", "npm", "pnpm", "yarn", "bun", "uv"})
_RUNNER_WORDS = frozenset({"run", "exec", "dlx", "tool", "x"})
_INTERPRETERS = pattern(r"(?i)(python[\d.]*|py|node|deno|bun|ruby|php|java|bash|sh)$")


class Trouble(NamedTuple):
    """Something to say about the text; line and column count from 1, None where they say nothing. `server` is None for
    the whole of it."""

    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    server: str | None = None


@dataclass(slots=True)
class Pasted:
    """What was understood. `kind` tells how it was read; the entries are as they would be connected to."""

    kind: Literal["nothing", "url", "command", "config"] = "nothing"
    entries: list[Entry] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def broken(self) -> bool:
        """There is something, and nothing can be connected to."""
        return self.kind != "nothing" and not self.entries


def understand(text: str, environment: Mapping[str, str]) -> Pasted:
    """Reads what was pasted. `environment` is looked up for what is said of variables; nothing is started."""
    body = _without_comments(text)
    if not body:
        return Pasted()
    if deep_links.is_link(body):
        return _read(load(body, environment=environment))
    if _OTHER.match(body):
        return _read(load_text(text, environment=environment))
    if body[0] in "{[" or _MEMBER.match(body):
        return _config(text, body, environment)
    if _URL.match(body):
        return _url(body)
    return _command(body)


def entry_of(name: str, raw: dict[str, Any]) -> Entry:
    """A server that a person typed, read by the common profile; it starts in the current directory."""
    here = os.getcwd()
    source = Source(client="app", scope="adhoc")
    entry = Entry(name, COMMON, source, raw, home=str(Path.home()), project=here, base=here, folder=here)
    return read(entry)


def split_command(text: str) -> list[str]:
    """The words of a command line, as a shell takes it apart. Raises ValueError where a quote is not closed."""
    if os.name == "posix":
        return shlex.split(text)
    return [word[1:-1] if word[:1] == word[-1:] == '"' else word for word in shlex.split(text, posix=False)]


def join_command(words: list[str]) -> str:
    """The same the other way round."""
    if os.name == "posix":
        return shlex.join(words)
    return " ".join(f'"{word}"' if not word or " " in word else word for word in words)


def _without_comments(text: str) -> str:
    lead = _COMMENTS.match(text)
    return text[lead.end() if lead else 0 :].strip().strip("\ufeff")


def _url(body: str) -> Pasted:
    words = body.split()
    pasted = Pasted("url")
    if len(words) > 1:
        what = "a URL stands alone; its headers are filled in below"
        pasted.troubles.append(Trouble("warning", what, *_place(body, words[1])))
    try:
        name = urlsplit(words[0]).hostname
    except ValueError as error:
        pasted.troubles.append(Trouble("error", f"no URL: {error}"))
        return pasted
    if not name:
        pasted.troubles.append(Trouble("error", "the URL names no host"))
        return pasted
    pasted.entries.append(entry_of(name, {"url": words[0]}))
    return pasted


def _command(body: str) -> Pasted:
    pasted = Pasted("command")
    line = _PROMPT.sub("", body, count=1) if _PROMPT.match(body) else body
    line = re.sub(r"\\\r?\n", " ", line)
    try:
        words = split_command(line)
    except ValueError:
        pasted.troubles.append(Trouble("error", "a quote is not closed", *_place(body, _open_quote(body))))
        return pasted
    env: dict[str, str] = {}
    if words and words[0] == "env":
        words = words[1:]
    while words and _ASSIGNMENT.match(words[0]):
        key, _, value = words.pop(0).partition("=")
        env[key] = value
    if not words:
        pasted.troubles.append(Trouble("error", "variables, and no command behind them"))
        return pasted
    if found := next((word for word in words if word in _OF_SHELLS), None):
        said = f"no shell reads this: {found} is passed on to the program like any other word"
        pasted.troubles.append(Trouble("warning", said, *_place(body, found)))
    if "\n" in line.strip():
        pasted.troubles.append(Trouble("info", "the lines were taken as one command"))
    raw: dict[str, Any] = {"command": words[0], "args": words[1:]}
    if env:
        raw["env"] = env
    pasted.entries.append(entry_of(name_of(words), raw))
    return pasted


def _config(text: str, body: str, environment: Mapping[str, str]) -> Pasted:
    """A piece without its outer braces is read as if it had them."""
    pasted = Pasted("config")
    bare = body[0] not in "{["
    source = text
    if bare:
        start = text.index(body)
        source = f"{text[:start]}{{{text[start:].rstrip().rstrip(',')}\n}}"
    loaded = load_text(source, environment=environment)
    first_line = text[: text.index(body)].count("\n") + 1
    for problem in loaded.problems:
        column = problem.column
        if bare and column is not None and problem.line == first_line:
            column = max(1, column - 1)
        pasted.troubles.append(_trouble(problem, column))
    pasted.entries += _wanted(loaded)
    return pasted


def _read(loaded: Loaded) -> Pasted:
    troubles = [_trouble(problem, problem.column) for problem in loaded.problems]
    return Pasted("config", _wanted(loaded), troubles)


def _trouble(problem: Problem, column: int | None) -> Trouble:
    message = f"{problem.where}: {problem.message}" if problem.where else problem.message
    return Trouble(problem.severity, message, problem.line, column, problem.server)


def _wanted(loaded: Loaded) -> list[Entry]:
    """Whoever pastes a server wants it, also one that is switched off, or has no name."""
    for entry in loaded.entries:
        entry.enabled = True
        if not entry.name:
            entry.name = name_of([entry.command, *entry.args]) if entry.command else _host(entry.url)
    return loaded.entries


def name_of(words: list[str]) -> str:
    """What a server that is started by this command may be called: by the package, module or script that it runs
    rather than by what runs it."""
    base = _stem(words[0])
    rest = [word for word in words[1:] if not word.startswith("-")]
    if base in _RUNNERS:
        package = next((word for word in rest if word not in _RUNNER_WORDS), "")
        return _stem(re.sub(r"(?<=.)@[^/]*$", "", package)) or base
    if _INTERPRETERS.match(base):
        if "-m" in words[:-1]:
            return words[words.index("-m") + 1]
        if rest and "-c" not in words and "-e" not in words:
            return _stem(rest[0]) or base
    return base


def _stem(path: str) -> str:
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    stem, extension = os.path.splitext(name)
    return stem if extension.lower() in (".exe", ".cmd", ".bat", ".py", ".js", ".mjs", ".ts", ".sh") else name


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or "server"
    except ValueError:
        return "server"


def _place(body: str, found: str) -> tuple[int, int]:
    before = body[: max(0, body.find(found))]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _open_quote(body: str) -> str:
    """The text from the quote on that nobody closed."""
    open_at, quote = 0, ""
    for index, char in enumerate(body):
        if not quote and char in "'\"":
            open_at, quote = index, char
        elif char == quote:
            quote = ""
    return body[open_at:]
