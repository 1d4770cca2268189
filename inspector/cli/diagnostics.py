"""Everything that is said to the person, on stderr; escaped and masked."""

from __future__ import annotations

import sys

from inspector.base.charset import SPELLED, charset
from inspector.base.errors import Failure
from inspector.base.secrets import Secrets
from inspector.base.text import visible, visible_block
from inspector.cli.tables import sign


class Diagnostics:
    """`secrets` is None where masked values are revealed on request."""

    def __init__(self, secrets: Secrets | None, *, verbose: bool = False) -> None:
        self._secrets = secrets
        self.verbose = verbose

    def mask(self, text: str) -> str:
        return self._secrets.mask_message(text) if self._secrets is not None else text

    def say(self, text: str) -> None:
        """A line for the person."""
        self._write(visible_block(self.mask(text)))

    def failed(self, name: str | None, failure: Failure) -> None:
        """A failure: cause, next step, and the last stderr lines of the server."""
        self.say(f"{name + ': ' if name else ''}{failure.message}")
        if failure.hint:
            self.say(f"  {sign('→', 'next:', sys.stderr)} {failure.hint}")
        if failure.stderr:
            count = len(failure.stderr) if self.verbose else 5
            self.say("  its last stderr lines:")
            for line in failure.stderr[-count:]:
                self._write("    " + visible(self.mask(line)))

    @staticmethod
    def _write(text: str) -> None:
        try:
            letters = charset(sys.stderr)
            print(text.encode(letters, SPELLED).decode(letters), file=sys.stderr, flush=True)
        except (OSError, ValueError, UnicodeError):
            # Nobody listens on stderr, or it takes only ASCII; neither may change the outcome.
            try:
                print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)
            except (OSError, ValueError):
                pass
