"""The way to the terminal, for the case that it is gone: a window that was closed must not hold the end up."""

from __future__ import annotations

from typing import IO, Any

from textual.driver import Driver


class _Forgiving:
    """A file whose writes may fail without anybody being told: the thread of the driver that writes would die of the
    first error, and the loop would wait for ever for it to take more."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        try:
            return self._file.write(text)
        except (OSError, ValueError):
            return len(text)

    def flush(self) -> None:
        try:
            self._file.flush()
        except (OSError, ValueError):
            pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def forgiving(driver: type[Driver]) -> type[Driver]:
    """The driver for this platform, writing through a file that forgives."""

    class TerminalDriver(driver):  # type: ignore[misc,valid-type]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            if (file := getattr(self, "_file", None)) is not None:
                self._file = _Forgiving(file)

    return TerminalDriver
