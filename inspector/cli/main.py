"""From words to a verb, and from whatever happens to an exit code."""

from __future__ import annotations

import gc
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from inspector.base import crash
from inspector.base.errors import Exit, Failed, Failure
from inspector.cli import arguments as words
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.inputs import spare_named
from inspector.cli.output import Output
from inspector.cli.tables import Told, sign
from inspector.cli.vocabulary import LISTS, ON_TOOLS

OpenApp = Callable[..., Awaitable[int]]
ServeWeb = Callable[[Sequence[str], int, Callable[[str], None]], int]


def main(argv: list[str], open_app: OpenApp, serve_web: Callable[[], ServeWeb]) -> int:
    """Runs one command line and returns its exit code. The other two are the doors to the other front end."""
    try:
        arguments = words.parse(argv)
        if arguments.verb == "" and getattr(arguments.options, "version", False):
            return _version()
        Told.plainly = getattr(arguments.options, "plain", False)
        if arguments.verb == "serve-web":
            from inspector.cli.verbs import serve_web as verb

            return verb.run(arguments, argv, serve_web)
        code = _run(arguments, open_app)
        return code or (crash.happened[0].exit if crash.happened else code)
    except (KeyboardInterrupt, _cancelled()):
        return Exit.INTERRUPTED
    except Exception as error:
        return refused(argv, error)


def refused(argv: list[str], error: Exception) -> int:
    """Says what went wrong, and gives the exit code of it."""
    if isinstance(error, Usage):
        return _refuse(argv, Failure(kind="config", message=str(error), hint="see mcp-inspect --help"))
    if isinstance(error, Failed):
        return _refuse(argv, error.failure)
    return _refuse(argv, crash.failure(f"mcp-inspect {argv[0] if argv else ''}", error))


def _run(arguments: Arguments, open_app: OpenApp) -> int:
    spare_named(arguments)
    verb = arguments.verb
    if verb in ("", "demo"):
        from inspector.cli.verbs import app

        return app.run(arguments, open_app)
    if verb == "config":
        from inspector.cli.verbs import config

        gc.enable()
        return config.run(arguments)
    if verb == "log":
        from inspector.cli.verbs import log

        gc.enable()
        return log.run(arguments)
    if verb == "export":
        from inspector.cli.verbs import export

        gc.enable()
        return export.run(arguments)
    if verb == "serve":
        from inspector.cli.verbs import serve

        return serve.run(arguments)
    if verb == "tap":
        from inspector.cli.verbs import tap

        return tap.run(arguments)
    if verb == "audit":
        from inspector.cli.verbs import audit

        return audit.run(arguments)
    if verb == "paths":
        from inspector.cli.verbs import paths

        return paths.run(arguments)
    if verb == "completion":
        from inspector.cli.verbs import completion

        return completion.run(arguments)
    if verb in ON_TOOLS:
        return _on_tools(arguments)
    from inspector.cli import running

    if verb == "status":
        from inspector.cli.verbs import status

        return running.run(arguments, status.run, lists=True, keep=True)
    if verb in LISTS:
        from inspector.cli.verbs import lists

        return running.run(arguments, lambda run: lists.run(run, verb), lists=False)  # type: ignore[arg-type]
    if verb == "diff":
        from inspector.cli.verbs import diff

        return diff.run(arguments)
    if verb == "check":
        from inspector.cli.verbs import check

        return check.run(arguments)
    if verb == "run":
        from inspector.cli.verbs import run

        arguments, calls = run.located(arguments)
        return running.run(arguments, run.run, lists=False, prepare=lambda arguments: calls)
    if verb == "baseline":
        from inspector.cli.verbs import baseline

        return running.run(arguments, baseline.run, lists=False)
    if verb == "freeze":
        from inspector.cli.targets import is_recording
        from inspector.cli.verbs import freeze

        if arguments.command is None and arguments.operands and is_recording(arguments.operands[0]):
            return freeze.of_recording(arguments)
        return running.run(arguments, freeze.run, lists=False)
    if verb == "replay":
        from inspector.cli.verbs import replay

        return running.run(arguments, replay.run, lists=False, prepare=replay.prepare)
    if verb == "auth":
        from inspector.cli.verbs import auth

        return running.run(arguments, auth.run, lists=False)
    if verb == "skill":
        from inspector.cli.verbs import skill

        return running.run(arguments, skill.run, lists=False, prepare=skill.prompts_of)
    from inspector.cli.verbs import ask

    return running.run(arguments, ask.run, lists=False, prepare=ask.Request)


def _on_tools(arguments: Arguments) -> int:
    from inspector.cli import definitions

    if arguments.verb == "form":
        from inspector.cli.verbs import form

        prepared: Any = form.entries_of(arguments)
        show: Callable[..., int] = form.run
    else:
        from inspector.cli.verbs import schema

        prepared, show = arguments.view, schema.run
    found = definitions.of_file(arguments)
    if found is not None:
        from inspector.cli import listed

        gc.enable()
        return show(listed.of_file(arguments, found), prepared)
    from inspector.cli import running

    async def on_servers(run: running.Run) -> int:
        from inspector.cli import listed

        return show(await listed.of_servers(run), prepared)

    return running.run(arguments, on_servers, lists=False)


def _version() -> int:
    from inspector import __version__

    Output(None, None).text(f"mcp-inspect {__version__}")
    return Exit.OK


def _refuse(argv: list[str], failure: Failure) -> int:
    # What was typed may be quoted, and a URL may hold a secret.
    failure = replace(failure, message=crash.secrets.mask_message(failure.message))
    if words.wants_json(argv) and not Output.answered:
        try:
            Output(None, None).document({"error": failure.as_json()})
        except Exception:
            # stdout takes nothing, or writing to it is what failed; the exit code and stderr still tell.
            pass
    diagnostics = Diagnostics(None)
    diagnostics.say(failure.message if failure.kind == "internal" else f"mcp-inspect: {failure.message}")
    if failure.hint:
        diagnostics.say(f"  {sign('→', 'next:', sys.stderr)} {failure.hint}")
    return failure.exit


def _cancelled() -> type[BaseException]:
    # asyncio costs 40 ms to import; where it was never imported nothing can have been cancelled.
    asyncio = sys.modules.get("asyncio")
    return asyncio.CancelledError if asyncio is not None else KeyboardInterrupt
