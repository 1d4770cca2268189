"""The app, on a config, a URL, a command, or the bundled demo servers."""

from __future__ import annotations

import sys
from collections.abc import Callable

from inspector.base.errors import fail
from inspector.cli.arguments import Arguments
from inspector.cli.targets import DEMO, load_target


def run(arguments: Arguments, open_app: Callable[..., int]) -> int:
    """Hands the target to the app and returns its exit code. Raises Usage, Failed (config, io)."""
    if arguments.verb == DEMO:
        arguments.operands = [DEMO]
    target = load_target(arguments)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise fail("config", "the app needs a terminal", "in scripts use a verb: mcp-inspect status TARGET --json")
    return open_app(arguments, target)
