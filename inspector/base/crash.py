"""A bug of ours must cost the person as little as can be: it is written down, masked, and told in one line."""

from __future__ import annotations

import os
import time
from pathlib import Path

from inspector.base.errors import SHORT_OF, Failure
from inspector.base.paths import paths, write_private
from inspector.base.secrets import Secrets
from inspector.base.text import first_line, visible_block

_KEPT = 50
_LONGEST = 300

secrets = Secrets()
"""What reports and what is said of them hide: those of the workspace, once there is one."""

happened: list[Failure] = []
"""The errors of ours in this run, oldest first: one that cost only a part of it counts too."""

_told: dict[tuple[str, str], Failure] = {}
"""The same by place and first line: what goes wrong again and again is written down and told once."""


def write_report(where: str, error: BaseException) -> Path | None:
    """Writes what happened to a private file and returns it; None where even that fails. Holds no local values. The
    oldest reports make room for it."""
    import traceback

    from inspector import __version__

    text = "".join(traceback.format_exception(error))
    report = f"mcp-inspect {__version__}\n{time.strftime('%Y-%m-%d %H:%M:%S')}\nin {where}\n\n{text}"
    folder = paths().crash_reports
    path = (
        folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{len(happened)}-{type(error).__name__}.txt"
    )
    try:
        write_private(path, visible_block(secrets.mask_message(report)))
        for old in sorted(folder.iterdir())[:-_KEPT]:
            old.unlink()
    except OSError:
        return None
    return path


def failure(where: str, error: BaseException) -> Failure:
    """An error of ours as the failure of the run, its report written; asked again, and for a `Failed`, the failure that
    it carries. Where the system has no more of something that is the failure: no error of ours, and no report."""
    if isinstance(told := vars(error).get("failure"), Failure):
        return told
    same = (_place(error), said(error))
    if same not in _told:
        _told[same] = _failure(where, error)
        happened.append(_told[same])
    vars(error)["failure"] = _told[same]
    return _told[same]


def _failure(where: str, error: BaseException) -> Failure:
    if isinstance(error, OSError) and (hint := SHORT_OF.get(error.errno or 0)) is not None:
        return Failure(kind="io", message=f"{error.strerror}, in the middle of the work", hint=hint)
    path = write_report(where, error)
    kept = f"details are in {path}" if path else "its details could not be written down"
    return Failure(kind="internal", message=f"mcp-inspect itself failed: {said(error)}", hint=kept)


def _place(error: BaseException) -> str:
    """The line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else ""


def said(error: BaseException) -> str:
    """The kind of an error and its first line, masked."""
    try:
        text = first_line(str(error))
    except Exception:
        text = ""
    name = type(error).__name__
    return secrets.mask_message(f"{name}: {text}" if text else name)[:_LONGEST]
