"""What was typed, understood: a verb, its operands, its options."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePath
from typing import Any, NoReturn

from inspector.base.patterns import pattern
from inspector.cli.vocabulary import (
    BUILT,
    EXPORT_FORMATS,
    FORMAT_OF,
    IDLE,
    LATER_OPTIONS,
    LATER_VERBS,
    NO_COMMAND,
    ONE_SERVER,
    VERBS,
    operands_of,
    starts_servers,
)
from inspector.protocol.identity import PRESETS
from inspector.protocol.revisions import PROTOCOLS

_ABOUT_TARGET = """\
TARGET is a config file or folder, an http(s) URL, a recording, demo, or default (~/.paicli/mcp.json and
./.paicli/mcp.json; also meant where it is left out). A server's own command goes behind --.
mcp-inspect VERB --help says more."""

_TAKE_VALUE = frozenset({
    "-s", "--server", "-o", "--output", "--record", "--timeout", "--max-time", "--connect-timeout", "--transport",
    "--protocol", "--as", "--header", "--env", "--cwd", "--ca", "--project-dir", "--dialect", "--answer", "--args",
    "--repeat", "--message-url", "--concurrency", "--fill", "--view", "--to", "--otlp-endpoint",
    "--filter", "--ignore", "--ignore-text", "--format", "--file", "--match", "--pace", "--http", "--watch",
    "--fail-on", "--expect-tool", "--forbid-tool", "--max-duration", "--explain", "--mute", "--scope",
    "--last", "--client", "--raw", "--prompts",
})  # fmt: skip


_NEGATED = pattern(r"(?i)-(?=[(\"/]|(dir|kind|method|tool|id|server|status|flag|size|took|ms|text)[:<>=!])")


_AUTH = {
    "login": "log in, or anew; what is meant where nothing is said",
    "logout": "forget the token",
    "show": "what is kept, and the steps of the last login; nothing is sent",
}


class Usage(Exception):
    """What was typed cannot be meant; the text says why and what would be right."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message}\nusage: {self.format_usage().removeprefix('usage: ').strip()}")


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
    verb, rest = _split_verb(argv)
    _refuse_later(verb, rest)
    if verb in ("log", "export", "replay"):
        rest = list(map(_negation, rest))
    options = _parser(verb).parse_intermixed_args(rest)
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


def _split_verb(argv: list[str]) -> tuple[str, list[str]]:
    skip = False
    for index, word in enumerate(argv):
        if skip:
            skip = False
        elif word in _TAKE_VALUE:
            skip = True
        elif not word.startswith("-"):
            if word in VERBS or word in LATER_VERBS:
                return word, argv[:index] + argv[index + 1 :]
            break
    return "", argv


def _refuse_later(verb: str, rest: list[str]) -> None:
    if verb in LATER_VERBS:
        raise Usage(f"the verb {verb} is not built yet")
    for word in rest:
        if (name := word.split("=", 1)[0]) in LATER_OPTIONS and (verb, name) not in BUILT:
            raise Usage(f"the option {name} is not built yet")


def nearest_verb(word: str) -> str | None:
    """The verb that was probably meant."""
    import difflib

    close = difflib.get_close_matches(word, [*VERBS, *LATER_VERBS], n=1, cutoff=0.6)
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


def _parser(verb: str) -> _Parser:
    operands, about = VERBS.get(verb, ("[TARGET]", "the app"))
    epilog = None if verb else _overview()
    behind = "[-- COMMAND ARGS...]" if starts_servers(verb) and verb not in NO_COMMAND else ""
    parser = _Parser(
        prog=f"mcp-inspect {verb}".strip(),
        usage=" ".join(filter(None, ("mcp-inspect", verb, operands, "[options]", behind))),
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("operands", nargs="*", metavar=operands or "", help=argparse.SUPPRESS)
    idle = IDLE.get(verb, frozenset())

    def add(*names: str, **how: Any) -> None:
        parser.add_argument(*names, **(how | {"help": argparse.SUPPRESS} if names[-1] in idle else how))

    add("-s", "--server", action="append", metavar="NAME", help="only this server (repeatable)")
    add("--json", action="store_true", help="one JSON document on stdout")
    add("-o", "--output", type=_name, metavar="FILE", help="write the answer to FILE")
    add(
        "--record",
        type=_name,
        metavar="FILE",
        help="record all traffic to FILE; refuses an existing one without --force",
    )
    add("--force", action="store_true", help="overwrite the file of --record")
    add("--no-redact", action="store_true", help="leave secrets as they are in what is recorded or exported")
    add("--timeout", type=_seconds, metavar="S", help="idle clock of a request, reset by progress (60)")
    add("--max-time", type=_seconds, metavar="S", help="total clock of a request (600)")
    add("--connect-timeout", type=_seconds, metavar="S", help="from spawn or connect to ready (30)")
    add("--transport", choices=("auto", "stdio", "http", "sse"), default="auto", help="for a URL (auto)")
    add(
        "--protocol",
        type=_protocol,
        metavar="P",
        help="auto, legacy, modern, or a version to insist on (auto)",
    )
    add(
        "--as",
        dest="identity",
        type=_name,
        metavar="CLIENT",
        help="say that we are another client: " + ", ".join(PRESETS) + ", or what a JSON file says",
    )
    add(
        "--header",
        action="append",
        metavar="'K: V'",
        help="HTTP header; ${VARIABLES} are expanded (repeatable)",
    )
    add(
        "--env",
        action="append",
        metavar="K=V",
        help="variable for the server; ${VARIABLES} are expanded (repeatable)",
    )
    add("--cwd", type=_name, metavar="DIR", help="working directory of the server")
    add("--insecure", action="store_true", help="do not check TLS certificates")
    add("--ca", type=_name, metavar="FILE", help="trust the authorities in this PEM file")
    add(
        "--message-url",
        metavar="URL",
        help="where messages of HTTP+SSE go, in place of what the server names",
    )
    add("--project-dir", type=_name, metavar="DIR", help="project directory for config files and roots")
    add(
        "--dialect",
        type=_name,
        metavar="CLIENT",
        help="read the file as this client would, whatever its place and shape say",
    )
    add("--yes", action="store_true", help="answer every question with yes")
    add("--reveal", action="store_true", help="show masked values")
    add(
        "--answer",
        type=_name,
        metavar="FILE|deny",
        help="answer what servers ask (elicitation, sampling) as FILE says, or refuse it all",
    )
    add("--plain", action="store_true", help="ASCII only, no colours")
    add("--no-color", action="store_true", help="no colours")
    add("-v", "--verbose", action="store_true", help="say more: steps, all stderr lines")
    if verb == "call":
        add("--validate", action="store_true", help="send nothing that the schema of the tool does not take")
        add("--args", metavar="JSON|@FILE|-", help="all arguments as one JSON object")
    if verb in ("call", "run"):
        add("--repeat", type=_count, metavar="N", help="call N times and say how fast")
        add("--concurrency", type=_count, metavar="C", default=1, help="with --repeat: C calls at once (1)")
    if verb == "form":
        add("--fill", metavar="JSON|@FILE|-", help='what is entered, by pointer, as in {"/name": "text"}')
    if verb == "schema":
        add(
            "--view",
            choices=("raw", "sanitized", "diff"),
            default="raw",
            help="as served (raw), as PaiCLI's model sees it, or what differs",
        )
    if verb == "export":
        add("--to", choices=EXPORT_FORMATS, help="the format")
        add(
            "--otlp-endpoint",
            type=_name,
            metavar="URL",
            help="post spans to this OpenTelemetry collector (HTTP, JSON) in place of a file",
        )
    if (verb, "--fault") in BUILT:
        add(
            "--fault",
            action="append",
            metavar="KIND[:...]",
            help="goes wrong on purpose: docs/faults.md (repeatable)",
        )
    if verb == "tap":
        add("--listen", type=_port, metavar="PORT", help="a tap for a URL, on 127.0.0.1 (0: any free port)")
        for option, about in (
            ("--install", "puts the tap before"),
            ("--uninstall", "takes the tap away from"),
        ):
            add(
                option,
                nargs=2,
                metavar=("CONFIG", "SERVER"),
                help=f"{about} a server of a client's config file",
            )
    if verb == "audit":
        add("--last", type=_count, metavar="N", default=10, help="so many of the newest calls (10)")
        add("--all", action="store_true", help="every call, however old")
    if verb == "auth":
        which = parser.add_mutually_exclusive_group()
        for action, told in _AUTH.items():
            which.add_argument(f"--{action}", dest="action", action="store_const", const=action, help=told)
        add("--scope", action="append", metavar="SCOPE", help="ask for this scope too (repeatable)")
    if verb == "skill":
        _add_skill(parser)
    if verb == "baseline":
        add("--accept", action="store_true", help="what is listed now is the baseline from now on")
        add(
            "--file",
            type=_name,
            metavar="FILE",
            help="where the baseline is kept, such as a file of your repository",
        )
    if verb == "replay":
        add(
            "--filter", metavar="FILTER", help="only requests that the filter finds, as in: method:tools/call"
        )
        add(
            "--pace",
            choices=("fast", "recorded", "step"),
            default="fast",
            help="one after the other (fast), with the pauses of then, or each after a key",
        )
    if verb == "config":
        add(
            "--discover",
            action="store_true",
            help="the files of all clients: the user's, and those of this folder",
        )
        add(
            "--to",
            type=_name,
            metavar="CLIENT",
            help="print the servers as the file of this client holds them",
        )
    if verb == "freeze":
        add("--read", action="store_true", help="read every listed resource, too, and keep what it holds")
    if verb == "serve":
        add(
            "--http",
            type=_port,
            metavar="PORT",
            help="over HTTP on 127.0.0.1 (0: any free port) in place of stdin and stdout",
        )
        add(
            "--match",
            choices=("params", "strict", "sequence"),
            default="params",
            help="the answer to the same method and params (params); each once, in the order of then (strict); or the"
            " next one of the method (sequence)",
        )
        add(
            "--pace",
            choices=("fast", "recorded"),
            default="fast",
            help="answer at once (fast), or after as long as then",
        )
    if verb in ("replay", "diff", "serve"):
        add(
            "--ignore",
            action="append",
            metavar="POINTER",
            help=f"may differ: a JSON Pointer into the {'params' if verb == 'serve' else 'answer'},"
            " * for one step, ** for any number (repeatable)",
        )
        add(
            "--ignore-text",
            action="append",
            metavar="REGEX",
            help="what this matches in texts may differ (repeatable)",
        )
    if verb in ("replay", "diff"):
        add("--exact", action="store_true", help="times and ids count too")
    if (verb, "--watch") in BUILT:
        add(
            "--watch",
            action="append",
            type=_name,
            metavar="GLOB",
            help="whenever files that match change: start the server again, do it again, say what changed (repeatable)",
        )
    if (verb, "--format") in BUILT:
        formats = ("text", "json", "junit", *(("sarif",) if verb == "check" else ()))
        add("--format", choices=formats, default="text", help="of the report (text)")
    if verb == "check":
        _add_checks(parser)
    if not verb:
        add("--version", action="store_true", help="print the version")
    return parser


def _add_checks(parser: _Parser) -> None:
    add = parser.add_argument
    add("--active", action="store_true", help="ask the server too, with requests that it should refuse")
    add(
        "--explain",
        type=_name,
        metavar="RULE|all",
        help="what a rule flags, and where the specification says so",
    )
    add("--mute", action="append", type=_name, metavar="RULE", help="leave a rule out (repeatable)")
    add(
        "--fail-on",
        choices=("error", "warning", "info", "never"),
        default="error",
        help="the mildest finding that makes the exit code 1 (error)",
    )
    add(
        "--expect-tool",
        action="append",
        type=_name,
        metavar="NAME",
        help="must be listed; may hold * (repeatable)",
    )
    add("--forbid-tool", action="append", type=_name, metavar="NAME", help="must not be listed (repeatable)")
    add("--max-duration", type=_seconds, metavar="S", help="no request may take longer")


def _add_skill(parser: _Parser) -> None:
    from inspector.lenses.solon.clients import CLIENTS

    add = parser.add_argument
    add("--client", choices=tuple(CLIENTS), help="the version of Solon AI that asks (what fits the server)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--raw", metavar="TEXT|@FILE|-", help="the text of promptJson itself, whatever it is")
    which.add_argument(
        "--prompts", type=_name, metavar="FILE", help="every prompt of a file, side by side: docs/skills.md"
    )
    which.add_argument("--saved", action="store_true", help="every prompt that the app keeps for the server")


def _overview() -> str:
    width = max(map(len, VERBS))
    lines = [f"  {name:<{width}}  {about}" for name, (_, about) in VERBS.items()]
    return "verbs:\n" + "\n".join(lines) + "\n\n" + _ABOUT_TARGET


def _name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a name is needed, and this is empty; is a variable unset?")
    return text


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:12]) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text[:12])


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:6]) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 0 to 65535")
    return int(text)


def _protocol(text: str) -> str:
    if text not in PROTOCOLS:
        raise argparse.ArgumentTypeError(f"{text!r} is no protocol; known: {', '.join(PROTOCOLS)}")
    return text
