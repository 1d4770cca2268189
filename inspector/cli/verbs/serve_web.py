"""`serve-web`: the app in a browser on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from inspector.base.errors import fail
from inspector.cli.arguments import Arguments, split_verb
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.targets import load_target

if TYPE_CHECKING:
    from inspector.cli.main import ServeWeb


def run(arguments: Arguments, argv: list[str], door: Callable[[], ServeWeb]) -> int:
    """Serves the app with the rest of the command line `argv`, until a signal comes. Raises Usage, Failed: config,
    unsupported (the extra is missing), io (the port)."""
    # What is wrong with the target is said here, and not in a browser.
    load_target(arguments)
    try:
        serve = door()
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("textual_serve", "aiohttp"):
            raise
        raise fail(
            "unsupported",
            "serve-web needs the extra web, which is not installed",
            "pip install 'mcp-inspect[web]', or pipx inject mcp-inspect textual-serve",
        ) from error
    output = Output(arguments.output, None)
    diagnostics = Diagnostics(None)

    def told(address: str) -> None:
        if arguments.json:
            output.document({"url": address})
        else:
            output.text(address)
            diagnostics.say(
                "open it in a browser on this machine; the token is for you alone; Ctrl-C ends it"
            )

    try:
        return serve(_words(argv), arguments.http, told)
    except OSError as error:
        why = error.strerror or str(error)
        raise fail("io", f"cannot listen on port {arguments.http}: {why}", "choose another, or 0") from error


def _words(argv: list[str]) -> list[str]:
    """The command line of the app itself."""
    mark = argv.index("--") if "--" in argv else len(argv)
    return [*_ours(argv[:mark]), *argv[mark:]]


def _ours(words: list[str]) -> Iterator[str]:
    remaining = iter(split_verb(words)[1])
    for word in remaining:
        if word == "--http":
            next(remaining)
        elif word != "--json" and not word.startswith("--http="):
            yield word
