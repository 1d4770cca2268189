"""Problems with a place: which line and column of a file a remark is about."""

from __future__ import annotations

import re

from inspector.base.patterns import pattern
from inspector.base.secrets import Secrets
from inspector.config.document import Keys
from inspector.config.entry import Entry, Note, Severity
from inspector.config.loaded import File, Problem

_PART = pattern(r"(args|command|env|headers|env_vars|env_http_headers)(?:\[(\d+)\]|\.(.*))", re.DOTALL)


def of_file(
    file: File,
    severity: Severity,
    message: str,
    place: tuple[int, int] | None = None,
    excerpt: str = "",
    *,
    where: str = "",
) -> Problem:
    """About a file as a whole; `place` is its line and column."""
    line, column = place or (None, None)
    return Problem(str(file.path), line, column, None, where, severity, message, excerpt)


def of_server(file: File | None, keys: Keys, entry: Entry, note: Note, secrets: Secrets) -> Problem:
    """About the entry at `keys`, or about a server of the command line. What is secret of it is masked."""
    message = secrets.mask_message(f"{note.message}; {note.hint}" if note.hint else note.message)
    if file is None or file.document is None:
        path = "" if file is None else str(file.path)
        return Problem(path, None, None, entry.name, note.where, note.severity, message)
    line, column = file.document.position((*keys, *_keys_of(note.where, entry)))
    excerpt = file.document.excerpt(line, column)
    return Problem(str(file.path), line, column, entry.name, note.where, note.severity, message, excerpt)


def _keys_of(where: str, entry: Entry) -> Keys:
    """The keys below an entry that `args[2]`, `headers.X-Key` or `url` stand for."""
    part = _PART.fullmatch(where)
    if part is None:
        return entry.origin.get(where, (where,) if where else ())
    field_name, index, name = part.groups()
    keys = entry.origin.get(field_name, (field_name,))
    return (*keys, int(index) if index else name)


def dotted(keys: Keys) -> str:
    return ".".join(map(str, keys))
