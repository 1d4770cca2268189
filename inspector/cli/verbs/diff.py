"""`diff`: recordings, definition files and live listings, any two of them."""

from __future__ import annotations

from inspector.cli.arguments import Arguments, Usage
from inspector.cli.compared import show
from inspector.cli.sides import is_held, of_words
from inspector.compare.sides import compared
from inspector.replay.ignoring import ignoring


def run(arguments: Arguments) -> int:
    """Exit code 1 where anything differs. Raises Failed, Usage."""
    rules = ignoring(arguments.ignore or (), arguments.ignore_text or (), exact=arguments.exact)
    words: list[str | None] = [*arguments.operands, None]
    if arguments.record and not any(word is not None and is_held(word) for word in words[:2]):
        raise Usage(
            "diff connects to both sides, one after the other: record each by itself, then compare the files"
        )
    held = [word for word in words[:2] if word is not None and is_held(word)]
    if arguments.call and held:
        raise Usage(
            f"--call asks both sides, and {held[0]} is a file: play it with serve, and name that command or URL"
        )
    old, new = of_words(arguments, words[0], words[1])
    return show(arguments, compared(old, new, rules))
