"""Recording from inside the app: everything held so far, then what comes, until it is ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.base.errors import Failed
from inspector.base.paths import paths, private_folder

if TYPE_CHECKING:
    from inspector.base.errors import Failure
    from inspector.workspace.workspace import Workspace

_FIRST = 0.02
"""Seconds in which a recording shows whether it can be written at all."""


def recorded_to(workspace: Workspace) -> Path | None:
    """The file of the recording under way, whoever began it."""
    writer = workspace.traffic.writer
    return writer.path if writer is not None and writer.failure is None else None


def tells_secrets(workspace: Workspace) -> bool:
    """The recording under way was begun with `--no-redact`."""
    writer = workspace.traffic.writer
    return writer is not None and not writer.redacts


def begin(workspace: Workspace, on_error: Callable[[Failure], None]) -> Path:
    """Begins a recording in our folder, secrets redacted, and returns its file. Raises Failed (io, or config for a
    redaction pattern) or OSError.

    `on_error` is told when it has to end before its time: the disk is full, the file gone.
    """
    from inspector.config.settings import load_settings
    from inspector.traffic.redact import patterns_of
    from inspector.traffic.writer import Writer

    folder = private_folder(paths().recordings)
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}.mcprec"
    patterns = patterns_of(load_settings().redact)
    writer = Writer(path, secrets=workspace.secrets, patterns=patterns, force=True)
    workspace.traffic.attach(writer)
    workspace.traffic.advance(_FIRST)
    if writer.failure is not None:
        raise Failed(writer.failure)
    writer.tell(on_error)
    return path


def end(workspace: Workspace) -> bool:
    """Writes what is left to be written, and closes the file; False where that went wrong, which was told."""
    writer = workspace.traffic.writer
    workspace.traffic.detach()
    return writer is not None and writer.failure is None
