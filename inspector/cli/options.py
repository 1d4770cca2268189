"""The options of every verb, and what each takes: the parser, which help and completion are made of too."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from inspector.cli.vocabulary import (
    EXPORT_FORMATS,
    FAULTY,
    IDLE,
    NO_COMMAND,
    REPORTED,
    VERBS,
    WATCHED,
    starts_servers,
)
from inspector.protocol.identity import PRESETS
from inspector.protocol.revisions import PROTOCOLS

Add = Callable[..., Any]

ABOUT_TARGET = """\
TARGET is a config file or folder, an http(s) URL, a recording, demo, or default (~/.paicli/mcp.json and
./.paicli/mcp.json; also meant where it is left out). A server's own command goes behind --.
mcp-inspect VERB --help says more."""


_AUTH = {
    "login": "log in, or anew; what is meant where nothing is said",
    "logout": "forget the token",
    "show": "what is kept, and the steps of the last login; nothing is sent",
}


_FORMATTER = argparse.HelpFormatter("", width=80)
_UNKNOWN = "unrecognized arguments: "


class Usage(Exception):
    """What was typed cannot be meant; the text says why and what would be right."""


class Parser(argparse.ArgumentParser):
    """Raises Usage where argparse would end the process."""

    _complete = False

    def complete(self) -> Parser:
        """To be called when all options are there."""
        self._complete = True
        return self

    def error(self, message: str) -> NoReturn:
        if message.startswith(_UNKNOWN):
            message = _elsewhere(message.removeprefix(_UNKNOWN).split()[0]) or message
        raise Usage(f"{message}\nusage: {self.format_usage().removeprefix('usage: ').strip()}")

    def _get_formatter(self) -> argparse.HelpFormatter:
        # Every option is formatted once as it is added, to see that it can be; one formatter will do for that.
        return super()._get_formatter() if self._complete else _FORMATTER

    def takes(self, option: str) -> bool:
        """Whether an option stands here, however idle it is."""
        return option in self._option_string_actions


def _elsewhere(word: str) -> str | None:
    """What is said of an option that other verbs take; None where none does."""
    option = word.split("=", 1)[0]
    verbs = [verb or "the app" for verb in ("", *VERBS) if parser_of(verb).takes(option)]
    return f"there is no {option} here; it is an option of {', '.join(verbs)}" if verbs else None


def parser_of(verb: str) -> Parser:
    """The parser of a verb, "" for the app. What is idle on the verb is taken, and not told in its help."""
    operands, about = VERBS.get(verb, ("[TARGET]", "the app"))
    behind = "[-- COMMAND ARGS...]" if starts_servers(verb) and verb not in NO_COMMAND else ""
    parser = Parser(
        prog=f"mcp-inspect {verb}".strip(),
        usage=" ".join(filter(None, ("mcp-inspect", verb, operands, "[options]", behind))),
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=None if verb else _overview(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("operands", nargs="*", metavar=operands or "", help=argparse.SUPPRESS)
    idle = IDLE.get(verb, frozenset())

    def add(*names: str, **how: Any) -> None:
        parser.add_argument(*names, **(how | {"help": argparse.SUPPRESS} if names[-1] in idle else how))

    _of_all(add)
    _of_several(verb, add)
    if verb in _OF_ONE:
        _OF_ONE[verb](parser)
    return parser.complete()


def _of_all(add: Add) -> None:
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
    add("--plain", action="store_true", help="words in place of signs and tables, one fact a line")
    add("--no-color", action="store_true", help="no colours")
    add("-v", "--verbose", action="store_true", help="say more: steps, all stderr lines")


def _of_several(verb: str, add: Add) -> None:
    if verb in ("call", "run"):
        add("--repeat", type=_count, metavar="N", help="call N times and say how fast")
        add("--concurrency", type=_count, metavar="C", default=1, help="with --repeat: C calls at once (1)")
    if verb in FAULTY:
        add(
            "--fault",
            action="append",
            metavar="KIND[:...]",
            help="goes wrong on purpose: docs/reference/faults.md (repeatable)",
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
    if verb == "diff":
        add(
            "--call",
            action="append",
            metavar="'TOOL NAME=VALUE ...'",
            help="call this tool of both sides too, and compare the answers (repeatable)",
        )
    if verb in WATCHED:
        add(
            "--watch",
            action="append",
            type=_name,
            metavar="GLOB",
            help="whenever files that match change: start the server again, do it again, say what changed (repeatable)",
        )
    if verb in REPORTED:
        formats = ("text", "json", "junit", *(("sarif",) if verb == "check" else ()))
        add("--format", choices=formats, default="text", help="of the report (text)")


def _call(parser: Parser) -> None:
    add = parser.add_argument
    add("--validate", action="store_true", help="send nothing that the schema of the tool does not take")
    add("--args", metavar="JSON|@FILE|-", help="all arguments as one JSON object")


def _form(parser: Parser) -> None:
    add = parser.add_argument
    add("--fill", metavar="JSON|@FILE|-", help='what is entered, by pointer, as in {"/name": "text"}')


def _schema(parser: Parser) -> None:
    add = parser.add_argument
    add(
        "--view",
        choices=("raw", "sanitized", "diff", "java"),
        default="raw",
        help="as served (raw), as PaiCLI's model sees it, what differs, or as the Java SDK 0.10.0 reads it, with what"
        " that and 2.0.1 refuse or drop",
    )


def _export(parser: Parser) -> None:
    add = parser.add_argument
    add("--to", choices=EXPORT_FORMATS, help="the format")
    add(
        "--otlp-endpoint",
        type=_name,
        metavar="URL",
        help="post spans to this OpenTelemetry collector (HTTP, JSON) in place of a file",
    )


def _tap(parser: Parser) -> None:
    add = parser.add_argument
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


def _audit(parser: Parser) -> None:
    add = parser.add_argument
    add("--last", type=_count, metavar="N", default=10, help="so many of the newest calls (10)")
    add("--all", action="store_true", help="every call, however old")


def _auth(parser: Parser) -> None:
    add = parser.add_argument
    which = parser.add_mutually_exclusive_group()
    for action, told in _AUTH.items():
        which.add_argument(f"--{action}", dest="action", action="store_const", const=action, help=told)
    add("--scope", action="append", metavar="SCOPE", help="ask for this scope too (repeatable)")


def _skill(parser: Parser) -> None:
    from inspector.lenses.solon.clients import CLIENTS

    add = parser.add_argument
    add("--client", choices=tuple(CLIENTS), help="the version of Solon AI that asks (what fits the server)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--raw", metavar="TEXT|@FILE|-", help="the text of promptJson itself, whatever it is")
    which.add_argument(
        "--prompts",
        type=_name,
        metavar="FILE",
        help="every prompt of a file, side by side: docs/how-to/skills.md",
    )
    which.add_argument("--saved", action="store_true", help="every prompt that the app keeps for the server")


def _baseline(parser: Parser) -> None:
    add = parser.add_argument
    add("--accept", action="store_true", help="what is listed now is the baseline from now on")
    add(
        "--file",
        type=_name,
        metavar="FILE",
        help="where the baseline is kept, such as a file of your repository",
    )


def _replay(parser: Parser) -> None:
    add = parser.add_argument
    add("--filter", metavar="FILTER", help="only requests that the filter finds, as in: method:tools/call")
    add(
        "--pace",
        choices=("fast", "recorded", "step"),
        default="fast",
        help="one after the other (fast), with the pauses of then, or each after a key",
    )


def _config(parser: Parser) -> None:
    add = parser.add_argument
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


def _freeze(parser: Parser) -> None:
    add = parser.add_argument
    add("--read", action="store_true", help="read every listed resource, too, and keep what it holds")


def _serve_web(parser: Parser) -> None:
    parser.add_argument(
        "--http",
        type=_port,
        default=0,
        metavar="PORT",
        help="on 127.0.0.1 (0: any free port, which is the default)",
    )


def _serve(parser: Parser) -> None:
    add = parser.add_argument
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


def _check(parser: Parser) -> None:
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


def _app(parser: Parser) -> None:
    parser.add_argument("--version", action="store_true", help="print the version")


_OF_ONE: dict[str, Callable[[Parser], None]] = {
    "": _app,
    "call": _call,
    "form": _form,
    "schema": _schema,
    "export": _export,
    "tap": _tap,
    "audit": _audit,
    "auth": _auth,
    "skill": _skill,
    "baseline": _baseline,
    "replay": _replay,
    "config": _config,
    "freeze": _freeze,
    "serve": _serve,
    "serve-web": _serve_web,
    "check": _check,
}


def _overview() -> str:
    width = max(map(len, VERBS))
    lines = [f"  {name:<{width}}  {about}" for name, (_, about) in VERBS.items()]
    return "verbs:\n" + "\n".join(lines) + "\n\n" + ABOUT_TARGET


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
