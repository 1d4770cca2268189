"""Writes what a server sent to a file of the person's choice: a safe name is proposed, the file comes whole or not."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from inspector.base.errors import Failed, fail
from inspector.base.patterns import pattern
from inspector.base.text import visible

LONGEST = 100
"""Bytes of UTF-8 of a proposed name, its extension included."""

_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:(?=\S)(?://)?")
_SUFFIX = pattern(r"\.[A-Za-z0-9]{1,10}\Z")
_RESERVED = pattern(r"(?i)(?:con|prn|aux|nul|conin|conout|(?:com|lpt)[0-9¹²³])(?= *(?:\.|\Z))")
_KEPT = frozenset("-_.+@=,() ")
_SUFFIXES = {
    "text/plain": (".txt",), "text/markdown": (".md",), "text/html": (".html", ".htm"), "text/css": (".css",),
    "text/csv": (".csv",), "text/xml": (".xml",), "text/javascript": (".js",), "application/json": (".json",),
    "application/xml": (".xml",), "application/yaml": (".yaml", ".yml"), "application/pdf": (".pdf",),
    "application/zip": (".zip",), "application/gzip": (".gz", ".tgz"), "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"), "image/gif": (".gif",), "image/webp": (".webp",), "image/svg+xml": (".svg",),
    "image/bmp": (".bmp",), "image/avif": (".avif",), "audio/wav": (".wav",), "audio/x-wav": (".wav",),
    "audio/mpeg": (".mp3",), "audio/ogg": (".ogg", ".oga"), "audio/flac": (".flac",), "audio/webm": (".webm",),
    "video/mp4": (".mp4",), "video/webm": (".webm",),
}  # fmt: skip


def proposed_name(hint: str, mime: str | None = None, *, otherwise: str = "content") -> str:
    """A file name made of a foreign name or URI and a media type; `otherwise` where nothing of `hint` can be kept.

    Always one component of a path that every system takes: no separator, control, bidi or zero-width character, no
    dot, blank or dash in front, no dot or blank at the end, no device name of Windows, at most `LONGEST` bytes.
    """
    suffixes = _suffixes(mime)
    name = _tidy(_last_segment(hint)) or _tidy(otherwise) or "content"
    own = _SUFFIX.search(name)
    kept = own.group() if own is not None and own.start() > 0 else ""
    # Of text the name knows better: README.md is often said to be text/plain.
    knows = kept and (not suffixes or kept.lower() in suffixes or _is_textual(mime))
    stem, suffix = (name[: -len(kept)], kept) if knows else (name, suffixes[0] if suffixes else "")
    if _RESERVED.match(stem + suffix):
        stem = f"_{stem}"
    return (_tidy(_clipped(stem, LONGEST - len(suffix))) or "content") + suffix


def chosen_path(typed: str, folder: Path) -> Path:
    """The absolute path that a person typed, `~` expanded, relative to `folder`. Raises Failed where it can be none."""
    if not typed.strip():
        raise fail("io", "there is no file name", "type one")
    if "\0" in typed:
        raise fail("io", "a file name cannot hold NUL")
    try:
        path = folder / Path(typed.strip()).expanduser()
    except RuntimeError:
        raise fail("io", f"there is no home folder for {typed.strip()}", "write the path in full") from None
    if typed.rstrip().endswith(("/", os.sep)) or path.is_dir():
        raise fail("io", f"{path} is a folder", "add the name of a file")
    return path


def save(path: Path, data: bytes, *, replace: bool = False) -> None:
    """Writes a file readable by its owner only (0600), whole or not at all. Raises Failed.

    What is there already stays, unless `replace` is set and it is a regular file. Links are never followed.
    """
    with writing(path, replace=replace) as write:
        write(data)


@contextmanager
def writing(path: Path, *, replace: bool = False) -> Iterator[Callable[[bytes], None]]:
    """The same for what comes in pieces; where the block raises or is cancelled, nothing is written."""
    standing = _standing(path)
    if standing is not None and not replace:
        raise fail("io", f"{path} exists already", "choose another name, or say that it is to be replaced")
    if standing is not None and not stat.S_ISREG(standing):
        raise fail("io", f"{path} is no regular file, so it is left alone", "choose another name")
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    size = 0

    def write(data: bytes) -> None:
        nonlocal size
        size += len(data)
        with _in_words(path, size):
            _write(file, data)

    try:
        with _in_words(path, size):
            file = _created(part)
        with file:
            yield write
            with _in_words(path, size):
                file.flush()
        with _in_words(path, size):
            if replace:
                part.replace(path)
            else:
                _place(part, path)
    finally:
        _gone(part)


@contextmanager
def _in_words(path: Path, size: int) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise _sentence(path, size, error) from None


def _standing(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return None


def _write(file: BinaryIO, data: bytes) -> None:
    file.write(data)


def _created(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def _place(part: Path, path: Path) -> None:
    """Gives `part` its name where nothing has it yet."""
    try:
        os.link(part, path, follow_symlinks=False)
        return
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        # A file system without hard links: an empty file holds the name for the moment of the exchange.
        _created(path).close()
    try:
        part.replace(path)
    except OSError:
        _gone(path)
        raise


def _gone(path: Path) -> None:
    """Takes away what is only half there. A disk that is read only refuses that too, also where there is nothing, and
    why it could not be written is the better reason."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _sentence(path: Path, size: int, error: OSError | ValueError) -> Failed:
    code = error.errno if isinstance(error, OSError) else None
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return fail(
            "io",
            f"no room for {size:,} bytes at {path}",
            "nothing was written; choose another disk",
        )
    if code == errno.EEXIST:
        return fail("io", f"{path} exists already", "choose another name, or say that it is to be replaced")
    if code == errno.ENOENT or code == errno.ENOTDIR:
        return fail("io", f"there is no folder {path.parent}", "create it first, or choose another")
    if code in (errno.EACCES, errno.EPERM, errno.EROFS):
        return fail("io", f"{path.parent} may not be written to", "choose another folder")
    if code == errno.ENAMETOOLONG:
        return fail("io", "the file name is too long for this disk", "choose a shorter one")
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return fail("io", f"{path} could not be written: {reason}", "choose another name or folder")


def _last_segment(hint: str) -> str:
    hint = hint[-4000:] if len(hint) > 8000 else hint
    scheme = _SCHEME.match(hint)
    if scheme is not None:
        hint = hint[scheme.end() :].partition("#")[0].partition("?")[0]
        hint = unquote(hint, errors="replace")
    segments = [segment for segment in hint.replace("\\", "/").split("/") if segment.strip(". ")]
    return segments[-1] if segments else ""


def _tidy(name: str) -> str:
    kept = "".join(char if _keeps(char) else " " for char in unicodedata.normalize("NFC", name))
    return " ".join(kept.split()).lstrip(".- ").rstrip(". ")


def _keeps(char: str) -> bool:
    usual = char.isalnum() or char in _KEPT or unicodedata.category(char) in ("Mn", "Mc")
    return usual and char != "\ufffd" and visible(char) == char


def _clipped(text: str, size: int) -> str:
    return text.encode()[:size].decode("utf-8", "ignore")


def _media_type(mime: str | None) -> str:
    return (mime or "").partition(";")[0].strip().lower()


def _suffixes(mime: str | None) -> tuple[str, ...]:
    kind = _media_type(mime)
    if kind in _SUFFIXES:
        return _SUFFIXES[kind]
    ending = {"json": (".json",), "xml": (".xml",), "yaml": (".yaml",), "zip": (".zip",)}
    return ending.get(kind.rpartition("+")[2], ()) if "+" in kind else ()


def _is_textual(mime: str | None) -> bool:
    kind = _media_type(mime)
    return kind.startswith("text/") or kind.endswith(("json", "xml", "yaml"))
