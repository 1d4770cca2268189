"""A field for the path of a file, which is completed as it is typed."""

from __future__ import annotations

from pathlib import Path

from textual.suggester import Suggester
from textual.widgets import Input

_MOST = 5000


class _Paths(Suggester):
    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        folder, begun = value[: value.rfind("/") + 1], value[value.rfind("/") + 1 :]
        if not begun:
            return None
        try:
            inside = Path(folder).expanduser() if folder else Path.cwd()
            names = []
            for _, path in zip(range(_MOST), inside.iterdir(), strict=False):
                if path.name.startswith(begun):
                    names.append(path.name + ("/" if path.is_dir() else ""))
        except (OSError, RuntimeError, ValueError):
            return None
        return folder + min(names) if names else None


class PathInput(Input):
    """Right, at the end of the text, takes what is proposed."""

    HELP = "The path of a file; ~ is your home. What fits is proposed behind the cursor, and the right key takes it."

    def __init__(self, value: str = "", *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(
            value,
            placeholder=placeholder,
            suggester=_Paths(),
            compact=True,
            select_on_focus=False,
            id=id,
        )
