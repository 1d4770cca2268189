"""What was typed, understood: a verb, its operands, its options."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from inspector.base.patterns import pattern
from inspector.cli.options import Usage as Usage
from inspector.cli.options import parser_of
from inspector.cli.vocabulary import (
    EXPORT_FORMATS,
    FORMAT_OF,
    ONE_SERVER,
    VERBS,
    operands_of,
    starts_servers,
)

_TAKE_VALUE = frozenset({
    "-s", "--server", "-o", "--output", "--record", "--timeout", "--max-time", "--connect-timeout", "--transport",
    "--protocol", "--as", "--header", "--env", "--cwd", "--ca", "--project-dir", "--dialect", "--answer", "--args",
    "--repeat", "--message-url", "--concurrency", "--fill", "--view", "--to", "--otlp-endpoint",
    "--filter", "--ignore", "--ignore-text", "--format", "--file", "--match", "--pace", "--http", "--watch",
    "--fail-on", "--expect-tool", "--forbid-tool", "--max-duration", "--explain", "--mute", "--scope",
    "--last", "--call", "--client", "--raw", "--prompts",
})  # fmt: skip


_NEGATED = pattern(r"(?i)-(?=[(\"/]|(dir|kind|method|tool|id|server|status|flag|size|took|ms|text)[:<>=!])")


@dataclass(slots=True)
class Arguments:
    """One command line, understood. `verb` is "" for the app; `command` is what stood behind `--`."""

    verb: str
    operands: list[str] = field(default_factory=list)
    command: list[str] | None = None
    options: argparse.Namespace = field(default_factory=argparse.Namespace)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.options, name)


def parse(argv: list[str]) -> Arguments:
    """Understands a command line. The first `--` ends our options; the rest is one command, verbatim.

    Raises Usage. Prints help and raises SystemExit(0) where help was asked for.
    """
    command: list[str] | None = None
    if "--" in argv:
        mark = argv.index("--")
        argv, command = argv[:mark], argv[mark + 1 :]
        if not command:
            raise Usage("behind -- a command is missing, as in: mcp-inspect tools -- npx -y some-server")
    verb, rest = split_verb(argv)
    if verb in ("log", "export", "replay"):
        rest = list(map(_negation, rest))
    options = parser_of(verb).parse_intermixed_args(rest)
    operands: list[str] = options.operands
    _check(verb, operands, command, options)
    options.json = options.json or getattr(options, "format", None) == "json"
    return Arguments(verb, operands, command, options)


def _negation(word: str) -> str:
    """A term of a filter that begins as an option does, in its other spelling."""
    return "!" + word[1:] if _NEGATED.match(word) else word


def wants_json(argv: list[str]) -> bool:
    """True where the answer must be JSON even if the rest of the line cannot be understood."""
    ours = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in ours or "--format=json" in ours or ("--format", "json") in pairwise(ours)


def split_verb(argv: list[str]) -> tuple[str, list[str]]:
    """The verb, "" for the app, and the words without it."""
    skip = False
    for index, word in enumerate(argv):
        if skip:
            skip = False
        elif word in _TAKE_VALUE:
            skip = True
        elif not word.startswith("-"):
            if word in VERBS:
                return word, argv[:index] + argv[index + 1 :]
            break
    return "", argv


def nearest_verb(word: str) -> str | None:
    """The verb that was probably meant."""
    import difflib

    close = difflib.get_close_matches(word, VERBS, n=1, cutoff=0.6)
    return close[0] if close else None


def _check(verb: str, operands: list[str], command: list[str] | None, options: argparse.Namespace) -> None:
    taken = operands_of(verb, command=command is not None)
    if command is not None and not starts_servers(verb):
        raise Usage(f"{verb} starts no server: leave out -- and the command behind it")
    if verb in ("log", "export") and options.server:
        raise Usage(f"{verb} takes no -s: write the filter server:{options.server[0]}")
    if verb in ("config", "log", "export", "audit", "paths") and options.record:
        raise Usage(f"{verb} connects to nothing, so there is no traffic to record: leave out --record")
    if verb == "tap" and options.record:
        raise Usage("tap records without --record: its file is named with -o")
    if verb == "export":
        _check_export(options)
    elif options.json and (form := getattr(options, "format", None)) in ("junit", "sarif"):
        raise Usage(f"--json and --format {form} ask for two documents: leave one of them out")
    if getattr(options, "watch", None):
        _check_watch(options)
    if (
        verb == "skill"
        and len(operands) > (command is None)
        and (options.raw is not None or options.prompts or options.saved)
    ):
        raise Usage("--raw, --prompts and --saved hold the whole prompt: leave out TEXT and the attributes")
    if (
        verb == "tap"
        and operands
        and command is None
        and not (options.install or options.uninstall)
        and options.listen is None
    ):
        raise Usage(
            "tap takes no config with a server in it: tap --install CONFIG SERVER puts the tap before a server in its "
            "file, and tap -o FILE -- COMMAND records one client"
        )
    if len(operands) < len(taken.needed):
        missing = " ".join(taken.needed[len(operands) :])
        raise Usage(f"{verb} needs {' '.join(taken.needed)}; missing: {missing}")
    if taken.most is not None and len(operands) > taken.most:
        surplus = operands[taken.most]
        if command is not None and verb not in ONE_SERVER:
            raise Usage(f"{surplus!r} stands where no TARGET can be: the command behind -- is the server")
        raise Usage(f"{surplus!r} is one operand too many for {verb or 'the app'}")


def _check_watch(options: argparse.Namespace) -> None:
    if options.output is not None:
        raise Usage("--watch prints an answer whenever files change: leave out -o")
    if getattr(options, "format", None) == "junit":
        raise Usage("--watch has no end, and JUnit is one document: leave out --format, or take --json")


def _check_export(options: argparse.Namespace) -> None:
    if options.otlp_endpoint is None:
        if options.to is None and options.output is not None:
            options.to = FORMAT_OF.get(PurePath(options.output).suffix.lower())
        if options.to is None:
            raise Usage(f"export needs a format: --to {'|'.join(EXPORT_FORMATS)}")
    elif options.to not in (None, "otlp") or options.output is not None:
        raise Usage("--otlp-endpoint posts spans and writes no file: leave out --to and -o")
