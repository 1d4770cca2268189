"""Writes a setting into our own file of settings; all else in it stays as it is, comments included."""

from __future__ import annotations

from typing import Any

from inspector.base import jsontext
from inspector.base.errors import fail
from inspector.base.locks import locked
from inspector.base.paths import paths, private_folder, write_private
from inspector.config import jsonc
from inspector.config.kept import with_member


def set_member(name: str, value: Any) -> None:
    """Blocks for a moment. Raises Failed (io, config), and then nothing was changed."""
    path = paths().settings
    try:
        private_folder(path.parent)
        with locked(path.with_name(path.name + ".lock")):
            file = path.resolve()
            raw = file.read_bytes() if file.exists() else b""
            document = jsonc.parse(raw if raw.strip() else "{}\n")
            if not isinstance(document.value, dict):
                raise fail("config", f"{path} holds no object", "correct it; nothing in it was changed")
            text = with_member(document, jsontext.skip_space(document.strict_text, 0), name, value)
            write_private(file, text)
    except OSError as error:
        raise fail(
            "io", f"{path} was not changed: {error.strerror or error}", "look at its folder"
        ) from error
    except jsonc.Broken as broken:
        where = f"{path}:{broken.line}:{broken.column}"
        raise fail("config", f"{where}: {broken.message}", "correct it; nothing was changed") from broken
