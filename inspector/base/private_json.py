"""A private file of ours that holds one JSON object: what is remembered, by key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspector.base.locks import locked
from inspector.base.paths import private_folder, write_private


def read(path: Path) -> dict[str, Any]:
    """What is kept; nothing where there is no such file, or one that cannot be read."""
    try:
        known = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


@contextmanager
def changing(path: Path) -> Iterator[dict[str, Any]]:
    """What is kept, to be changed by the block and written when it is through; other programs that change the file wait
    meanwhile. Raises OSError where it cannot be locked or written."""
    private_folder(path.parent)
    with locked(path.with_name(f".{path.name}.lock")):
        known = read(path)
        yield known
        write_private(path, json.dumps(known, indent=1))
