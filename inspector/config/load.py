"""Loads the servers of a target: a file, a folder, a deep link, or PaiCLI's two files. Starts and writes nothing.

A broken file costs only itself, a broken entry only itself; everything found is reported with line and column.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from inspector.base.secrets import Secrets
from inspector.config import deep_links, document, inputs, jsonc, problems, registry, shapes
from inspector.config.check import check
from inspector.config.dialects import CLAUDE_STATE, COMMON, DEV_CONTAINER, REGISTRY, SOLON, VSCODE, Dialect
from inspector.config.discover import FOLDER_FILES, location_of
from inspector.config.document import Document, Keys
from inspector.config.entry import Entry, Input, Overrides, Scope, Severity, Source
from inspector.config.interpolate import TEMPLATES
from inspector.config.loaded import File, Loaded, Problem
from inspector.config.problems import dotted, of_file
from inspector.config.reading import read
from inspector.config.resolve import asked_by

__all__ = [
    "DEFAULT",
    "MOST_SERVERS",
    "File",
    "Loaded",
    "Loader",
    "Problem",
    "load",
    "load_text",
    "of_command_line",
]

DEFAULT = "default"
"""The target that means PaiCLI's two files."""

MOST_SERVERS = 2000
"""That are read of one file: each of them could be started."""

Found = tuple[Entry, File, Keys]


def load(
    target: str | Path = DEFAULT,
    *,
    environment: Mapping[str, str] | None = None,
    home: Path | None = None,
    project_dir: Path | None = None,
    inputs: Mapping[str, str] | None = None,
    overrides: Overrides | None = None,
    dialect: Dialect | None = None,
) -> Loaded:
    """Reads a target; never raises for what it finds.

    `project_dir` is what the user said; where it is None, a project's file decides by its place, and the current
    directory counts for all others. `inputs` are answers by id, as far as they are known. `dialect` is how a file is
    read whatever its place and shape say.
    """
    loader = Loader(home or Path.home(), project_dir, overrides or Overrides())
    if target == DEFAULT:
        loader.paicli()
    elif isinstance(target, str) and (deep_links.is_link(target) or _is_strange_link(target)):
        loader.link(target)
    elif Path(target).is_dir():
        loader.folder(_absolute(target))
    else:
        loader.named(_absolute(target), dialect)
    return loader.finish(os.environ if environment is None else environment, inputs or {})


def _is_strange_link(target: str) -> bool:
    """A link of a client that nobody knows: a file of such a name would have to be there."""
    return "://" in target and not Path(target).exists()


def load_text(text: str, *, environment: Mapping[str, str] | None = None) -> Loaded:
    """The same for a text that stands in no file; positions count from its beginning. A server without a name is
    called by an empty one."""
    loader = Loader(Path.home(), None, Overrides())
    loader.text(text)
    return loader.finish(os.environ if environment is None else environment, {})


def of_command_line(entries: Iterable[Entry], environment: Mapping[str, str]) -> Loaded:
    """Servers that stand in no file, looked at in the same way."""
    loaded = Loaded(entries=list(entries))
    for entry in loaded.entries:
        server = entry.resolve(environment)
        loaded.servers.append(server)
        secrets = Secrets()
        server.teach(secrets)
        for note in (*server.notes, *check(server, environment)):
            loaded.problems.append(problems.of_server(None, (), entry, note, secrets))
    return loaded


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(path))


class Loader:
    """Collects what files hold; `finish` looks at all of it together."""

    def __init__(self, home: Path, project_dir: Path | None, overrides: Overrides) -> None:
        self._home = _absolute(home)
        self._given_project = None if project_dir is None else _absolute(project_dir)
        self._project = self._given_project or Path.cwd()
        self._overrides = overrides
        self._loaded = Loaded()
        self._problems = self._loaded.problems
        self._found: list[Found] = []

    def paicli(self) -> None:
        """The user's file, then the project's; an entry of the same name is replaced whole."""
        ending = Path(".paicli", "mcp.json")
        scopes: dict[Path, Scope] = {self._home / ending: "user"}
        scopes.setdefault(self._project / ending, "project")
        files = [self._file(path, scope) for path, scope in scopes.items()]
        for file in files:
            self._take(self._read(file), last_wins=True)
        if all(file.state == "missing" for file in files):
            names = " nor ".join(str(file.path) for file in files)
            self._problems.append(
                of_file(files[0], "warning", f"no MCP server is configured: there is neither {names}")
            )

    def folder(self, folder: Path) -> None:
        """The known files in a folder; of several entries with one name the first one counts."""
        paths = [path for name in FOLDER_FILES if (path := folder / name).is_file()]
        for path in paths:
            self._take(self._read(self._file(path, "project")), last_wins=False)
        if not paths:
            looked = ", ".join(FOLDER_FILES)
            file = File(folder, "project", "missing")
            self._loaded.files.append(file)
            self._problems.append(
                of_file(file, "error", f"no config file in this folder; looked for {looked}")
            )

    def named(self, path: Path, dialect: Dialect | None = None) -> None:
        file = self._file(path, "named", dialect)
        self._take(self._read(file), last_wins=False)
        if file.state == "missing":
            self._problems.append(of_file(file, "error", "there is no such file"))

    def text(self, text: str) -> None:
        file = self._file(Path.cwd() / "pasted", "adhoc")
        self._take(self._parse(file, text), last_wins=False)

    def link(self, text: str) -> None:
        """What a button on a web page would add to a client."""
        try:
            link = deep_links.parse(text)
        except jsonc.Broken as broken:
            self._loaded.problems.append(Problem("", None, None, None, "", "error", broken.message))
            return
        file = File(Path.cwd() / "link", "adhoc", dialect=link.dialect)
        file.document = document.parse(link.text, "link.json")
        self._take(self._entries(file, file.document), last_wins=False)

    def each(self, path: Path, scope: Scope, dialect: Dialect | None = None) -> list[Found]:
        """The entries of one of many files, none of which gives way to another."""
        found = self._read(self._file(path, scope, dialect))
        self._found += found
        return found

    def finish(self, environment: Mapping[str, str], inputs: Mapping[str, str]) -> Loaded:
        loaded = self._loaded
        for entry, file, keys in self._found:
            server = entry.resolve(environment, inputs)
            loaded.entries.append(entry)
            loaded.servers.append(server)
            secrets = Secrets()
            server.teach(secrets)
            checked = check(server, environment)
            for note in (*server.notes, *checked):
                loaded.problems.append(problems.of_server(file, keys, entry, note, secrets))
            # What the file system says now is no property of the server: a start asks it again.
            server.notes += [note for note in checked if note.severity != "error"]
        return loaded

    def _file(self, path: Path, scope: Scope, dialect: Dialect | None = None) -> File:
        location = location_of(path)
        theirs = location.dialect if location else COMMON
        file = File(path, scope, dialect=dialect or theirs, location=location, forced=dialect is not None)
        self._loaded.files.append(file)
        return file

    def _take(self, found: Iterable[Found], *, last_wins: bool) -> None:
        places = {entry.name: number for number, (entry, _, _) in enumerate(self._found)}
        for one in found:
            entry, file, keys = one
            if entry.name not in places:
                places[entry.name] = len(self._found)
                self._found.append(one)
                continue
            number = places[entry.name]
            other, elsewhere, there = self._found[number]
            if elsewhere is file and there[:-1] == keys[:-1]:
                entry.note("warning", "", "another entry of this list has the same name")
                self._found.append(one)
            elif last_wins:
                entry.note("info", "", f"replaces the entry of the same name in {elsewhere.path}")
                self._found[number] = one
            else:
                other.note("info", "", f"hides the entry of the same name in {file.path}")

    def _read(self, file: File) -> list[Found]:
        """The entries of a file; what is wrong with the file itself becomes a problem."""
        raw = self._bytes(file)
        return [] if raw is None else self._parse(file, raw)

    def _parse(self, file: File, source: bytes | str) -> list[Found]:
        try:
            file.document = document.parse(source, "" if file.scope == "adhoc" else file.path.name)
        except jsonc.Broken as broken:
            file.state = "broken"
            place = (broken.line, broken.column)
            self._problems.append(of_file(file, "error", _with_line(broken), place, broken.excerpt))
            return []
        if file.location is None and not file.forced:
            file.dialect = shapes.dialect_of(file.document.value)
            self._name_the_guess(file, file.document)
        elif file.location is not None and not file.forced:
            file.dialect = shapes.neighbour_of(file.dialect, file.document.value)
        self._name_what_the_client_refuses(file, file.document)
        return self._entries(file, file.document)

    def _name_the_guess(self, file: File, document: Document) -> None:
        likely = shapes.looks_like(document.value) if file.dialect is COMMON else None
        if likely is not None:
            said = f"read by the common profile ({COMMON.variables.syntax}); --dialect {likely} reads it as that client"
            self._problems.append(
                of_file(file, "info", said, document.position(("mcpServers",)), where="mcpServers")
            )

    def _bytes(self, file: File) -> bytes | None:
        try:
            if not file.path.exists():
                file.state = "missing"
            elif not file.path.is_file():
                self._broken(file, "this is no regular file")
            elif (size := file.path.stat().st_size) > jsonc.MAX_BYTES:
                self._broken(
                    file, f"the file has {size} bytes; config files are read up to {jsonc.MAX_BYTES}"
                )
            else:
                return file.path.read_bytes()
        except (OSError, ValueError) as error:
            self._broken(file, f"the file cannot be read: {getattr(error, 'strerror', None) or error}")
        return None

    def _broken(self, file: File, message: str) -> None:
        file.state = "broken"
        self._problems.append(of_file(file, "error", message))

    def _name_what_the_client_refuses(self, file: File, document: Document) -> None:
        if file.dialect.strict and document.relaxed is not None:
            message = f"{file.dialect.label} reads strict JSON: this comment or trailing comma makes it refuse the file"
            self._problems.append(of_file(file, "warning", message, document.position_at(document.relaxed)))
        for keys in document.duplicates:
            message = f"{keys[-1]} occurs more than once; the last one counts"
            self._problems.append(
                of_file(file, "warning", message, document.position(keys), where=dotted(keys))
            )

    def _entries(self, file: File, document: Document) -> list[Found]:
        if file.dialect is REGISTRY:
            return self._offers(file, document.value)
        asked = inputs.declared(_above_servers(document.value)) if file.dialect.id == VSCODE.id else {}
        entries = []
        named = self._named_entries(file, document)
        if len(named) > MOST_SERVERS:
            told = f"the file has {len(named)} servers; only the first {MOST_SERVERS} are read"
            self._problems.append(of_file(file, "error", told))
        for name, keys in named[:MOST_SERVERS]:
            entry = self._entry(file, name, keys)
            entry.raw = shapes.pick(document.value, keys)
            entry.inputs = asked
            entries.append((read(entry), file, keys))
            if entry.dialect.variables is TEMPLATES:
                entry.inputs = {id: Input(id, id, secret=True) for id in asked_by(entry)}
        _filter_as_gemini([entry for entry, _, _ in entries], document.value)
        return entries

    def _offers(self, file: File, value: Any) -> list[Found]:
        """The ways to get a server that a `server.json` of the registry lists."""
        found = []
        for offer in registry.offers(value):
            entry = self._entry(file, offer.name, offer.keys)
            entry.raw, entry.inputs, entry.notes = offer.raw, offer.inputs, list(offer.notes)
            found.append((read(entry), file, offer.keys))
        if not found:
            self._problems.append(
                of_file(file, "error", "neither packages nor remotes: nothing says how to get this server")
            )
        return found

    def _named_entries(self, file: File, document: Document) -> list[tuple[str, Keys]]:
        value, dialect = document.value, file.dialect
        own = self._own_project(value) if dialect is CLAUDE_STATE else []
        roots = shapes.roots_in(value, dialect)
        if not roots and dialect in (COMMON, SOLON):
            roots = shapes.nested_root(value)
        if roots:
            self._name_root(file, document, roots)
            container = shapes.container_at(value, roots[0])
            if isinstance(container, shapes.Container):
                return [*own, *container.named]
            self._problems.append(
                of_file(file, "error", container, document.position(roots[0]), where=dotted(roots[0]))
            )
            return own
        if shapes.is_bare_entry(value):
            return [(str(value.get("name") or ("" if file.scope == "adhoc" else file.path.stem)), ())]
        if shapes.is_bare_map(value):
            return [(name, (name,)) for name in value]
        if own or dialect.settings:
            return own
        self._problems.append(of_file(file, "error", _no_root(value), document.position(())))
        return []

    def _own_project(self, value: Any) -> list[tuple[str, Keys]]:
        """Claude Code's servers for this project alone, which win over the user's."""
        path = ("projects", str(self._project), "mcpServers")
        container = shapes.container_at(value, path)
        return list(container.named) if isinstance(container, shapes.Container) else []

    def _name_root(self, file: File, document: Document, roots: list[tuple[str, ...]]) -> None:
        used, *others = roots
        if used not in file.dialect.roots:
            severity: Severity = "info" if file.dialect is COMMON else "warning"
            usual = " or ".join(map(dotted, file.dialect.roots))
            message = f"the servers are read from {dotted(used)}; {file.dialect.label} has them in {usual}"
            self._problems.append(
                of_file(file, severity, message, document.position(used), where=dotted(used))
            )
        for other in others:
            message = f"{dotted(other)} is not read: the servers are taken from {dotted(used)}"
            self._problems.append(
                of_file(file, "warning", message, document.position(other), where=dotted(other))
            )

    def _entry(self, file: File, name: str, keys: Keys) -> Entry:
        location, beside = file.location, file.path.parent
        workspace = location.workspace(file.path, self._home) if location else None
        own = workspace or (self._project if location else beside)
        return Entry(
            name=name,
            dialect=file.dialect,
            source=_source(file, keys),
            raw=None,
            home=str(self._home),
            project=str(self._given_project or workspace or self._project),
            base=str(workspace or beside),
            folder=str(self._given_project or own),
            overrides=self._overrides,
        )


def _source(file: File, keys: Keys) -> Source:
    """Where an entry stands; one of a text that was pasted stands nowhere."""
    if file.scope == "adhoc":
        return Source(client="app", scope="adhoc")
    return Source(str(file.path), _pointer(keys), file.dialect.id, file.scope)


def _with_line(broken: jsonc.Broken) -> str:
    return f"{broken.message}: {broken.excerpt}" if broken.excerpt else broken.message


_OTHER_FILES = {
    "definition": "it describes a server of mcp-inspect serve; to talk to that write -- mcp-inspect serve FILE",
    "calls": "it holds saved calls; mcp-inspect run FILE makes them",
    "tools": "it lists tools; mcp-inspect form FILE and schema FILE read it",
}
"""Files of ours that are easily taken for a config, by a member that each has."""


def _no_root(value: Any) -> str:
    if not isinstance(value, dict):
        return f"a config file holds an object, not {shapes.kind_of(value)}"
    if other := next((said for key, said in _OTHER_FILES.items() if key in value), None):
        return f"this is no config: {other}"
    keys = ", ".join(list(value)[:20])
    found = f"found the keys {keys}" if keys else "it is empty"
    return f"no servers here: expected mcpServers or servers; {found}"


def _above_servers(value: Any) -> Any:
    """The object that holds VS Code's servers and inputs: the file, or a part of its settings."""
    for path in (DEV_CONTAINER.roots[0][:-1], ("mcp",)):
        inner = shapes.pick(value, path)
        if isinstance(inner, dict) and "servers" in inner:
            return inner
    return value


def _filter_as_gemini(entries: list[Entry], value: Any) -> None:
    """Gemini CLI and what descends from it say in `mcp` which servers are left out."""
    rules = value.get("mcp") if isinstance(value, dict) else None
    if not isinstance(rules, dict):
        return
    for entry in (entry for entry in entries if entry.dialect.id in ("gemini", "qwen")):
        allowed, excluded = rules.get("allowed"), rules.get("excluded")
        if isinstance(excluded, list) and entry.name in excluded:
            entry.enabled = False
            entry.note("info", "", "switched off by mcp.excluded")
        elif isinstance(allowed, list) and allowed and entry.name not in allowed:
            entry.enabled = False
            entry.note("info", "", "switched off: mcp.allowed does not name it")


def _pointer(keys: Keys) -> str:
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)
