"""The answer: on stdout, or in the file of `-o`. Nothing else is ever written there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspector.base import jsontext
from inspector.base.charset import SPELLED, charset
from inspector.base.errors import fail
from inspector.base.fifo import whole
from inspector.base.jsontext import Verbatim
from inspector.base.secrets import Secrets
from inspector.base.text import visible_block, visible_json


class Output:
    """Where an answer goes. With `-o` it is written to that file as bytes, unescaped and unshortened."""

    answered = False
    """Whether anything was written to stdout by anybody in this run: there is one document, also when it fails late."""

    def __init__(self, file: str | None, secrets: Secrets | None) -> None:
        self._file = file
        self._secrets = secrets
        self.written = False

    @property
    def to_file(self) -> bool:
        return self._file is not None

    def mask(self, text: str) -> str:
        """Known secret values only: the answer is otherwise what the server served."""
        return self._secrets.mask(text) if self._secrets is not None else text

    def served(self, text: str | None) -> Verbatim | None:
        """JSON text of a server, spelled as it came, for a place in a document."""
        if text is None:
            return None
        return Verbatim(self._secrets.mask_json(text) if self._secrets is not None else text)

    def value(self, decoded: Any) -> Verbatim:
        """The same for what was decoded, however deep it is."""
        try:
            text = jsontext.dump(decoded, None)
        except ValueError:
            return Verbatim("null")
        return Verbatim(self._secrets.mask_json(text) if self._secrets is not None else text)

    def document(self, value: Any) -> None:
        """One strict JSON document. Raises Failed (io) where the file cannot be written."""
        self._emit(visible_json(jsontext.dump(value)) + "\n")

    def line(self, value: Any) -> None:
        """One strict JSON document on a line of its own."""
        # Between the tokens of what a server sent there may be line breaks; within texts they are escaped.
        flat = jsontext.dump(value, None).replace("\r", " ").replace("\n", " ")
        self._emit(visible_json(flat) + "\n")

    def part(self) -> Part:
        """A way for a document that is to become a part of another one."""
        return Part(None, self._secrets)

    def text(self, text: str) -> None:
        """Text for people; foreign parts are escaped on a terminal or pipe, and left alone in a file."""
        text = self.mask(text)
        encoding = "utf-8" if self.to_file else charset(sys.stdout)
        self._emit((text if self.to_file else visible_block(text)) + "\n", encoding)

    @property
    def on_terminal(self) -> bool:
        return not self.to_file and sys.stdout.isatty()

    def blob(self, data: bytes) -> None:
        """Bytes of a server, to the file of `-o`."""
        assert self._file is not None
        self._write(self._file, data)

    @contextmanager
    def stream(self) -> Iterator[Callable[[bytes], bool]]:
        """For answers that are longer than memory should hold: the block gets a function that writes a piece, and
        tells by False that the reader has gone. The file of `-o` has its name when all is in it. Raises Failed (io)."""
        if self._file is None:
            yield self._to_stdout
            return
        try:
            with whole(Path(self._file)) as file:
                yield lambda data: file.write(data) >= 0
        except OSError as error:
            raise fail(
                "io", f"{self._file} cannot be written: {error.strerror}", "choose another file"
            ) from error

    def _emit(self, text: str, encoding: str = "utf-8") -> None:
        data = text.encode(encoding, SPELLED)
        self.written = True
        if self._file is not None:
            self._write(self._file, data)
        else:
            self._to_stdout(data)

    @staticmethod
    def _to_stdout(data: bytes) -> bool:
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            Output.answered = True
        except BrokenPipeError:
            # The reader (`| head`) has enough: end quietly, also at the interpreter's own last flush.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return False
        except OSError as error:
            raise fail("io", f"stdout cannot be written: {error.strerror}", "is the disk full?") from error
        return True

    @staticmethod
    def _write(file: str, data: bytes) -> None:
        try:
            with whole(Path(file)) as opened:
                opened.write(data)
        except OSError as error:
            raise fail(
                "io", f"{file} cannot be written: {error.strerror}", "choose another file with -o"
            ) from error


class Part(Output):
    """Keeps the document that it is given."""

    held: Any = None

    def document(self, value: Any) -> None:
        self.held = value
        self.written = True
