"""A bug of ours must cost the user as little as can be: it is written down, masked, and told in one line."""

from __future__ import annotations

import time
import traceback
from pathlib import Path

from inspector import __version__
from inspector.base.paths import paths, write_private
from inspector.base.secrets import Secrets


def write_report(where: str, error: BaseException, secrets: Secrets) -> Path | None:
    """Writes what happened to a private file and returns it; None where even that fails. Holds no local values."""
    text = "".join(traceback.format_exception(error))
    report = f"mcp-inspect {__version__}\n{time.strftime('%Y-%m-%d %H:%M:%S')}\nin {where}\n\n{text}"
    path = paths().crash_reports / f"{time.strftime('%Y%m%d-%H%M%S')}-{type(error).__name__}.txt"
    try:
        write_private(path, secrets.mask_message(report))
    except OSError:
        return None
    return path
