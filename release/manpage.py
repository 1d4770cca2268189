"""The man page, made from the parser: `python -m release.manpage > mcp-inspect.1`."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, Action
from collections.abc import Iterable, Iterator

from inspector import __version__
from inspector.cli.options import ABOUT_TARGET, parser_of
from inspector.cli.vocabulary import VERBS

EXITS = {
    0: "fine",
    1: "the answer is a failure: a tool result with isError, a replay or diff that differs, findings",
    2: "bad usage, config or file; a question that nobody was there to answer",
    3: "no connection, or it broke",
    4: "the server answered an error, or broke the protocol",
    5: "timed out",
    70: "a bug of mcp-inspect itself; the report that was written is named",
    130: "interrupted",
}
_FILES = """\
mcp-inspect paths prints where settings, recordings, baselines, tokens and the audit trail are; MCP_INSPECT_HOME moves
them all. NO_COLOR leaves colours out."""
_EXAMPLES = (
    ("the app on the bundled demo servers", "mcp-inspect demo"),
    ("why does a server of a config fail?", "mcp-inspect status ~/.cursor/mcp.json -v"),
    ("one call, recorded", "mcp-inspect call echo message=hi --record a.mcprec -- npx -y some-server"),
    ("in CI", "mcp-inspect check --format sarif -o findings.sarif -- ./server"),
)


def page() -> str:
    """mcp-inspect.1 as source for man."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH MCP\\-INSPECT 1 "" "mcp\\-inspect {__version__}" "User Commands"'
    yield from (".SH NAME", r"mcp\-inspect \- terminal inspector and debugger for MCP servers")
    yield ".SH SYNOPSIS"
    for words in ("[TARGET] [options] [-- COMMAND ARGS...]", "VERB [options]"):
        yield from (r".B mcp\-inspect", _text(words), ".br")
    yield ".SH DESCRIPTION"
    yield _text(ABOUT_TARGET.replace("\nmcp-inspect VERB --help says more.", ""))
    yield ".SH VERBS"
    shared = _shared()
    for verb, (operands, about) in VERBS.items():
        yield from (
            ".TP",
            f".BR {_quoted(verb)} " + _quoted(f" {operands}".rstrip()),
            _text(_sentence(about)),
        )
        own = [action for action in _shown(verb) if _names(action) not in shared]
        if own:
            yield from (".RS", *_options(own), ".RE")
    yield from (".SH OPTIONS", _text("Of every verb where they make sense:"))
    yield from _options(shared.values())
    yield ".SH EXIT STATUS"
    for code, meaning in EXITS.items():
        yield from (".TP", f".B {code}", _text(_sentence(meaning)))
    yield from (".SH FILES AND ENVIRONMENT", _text(_FILES), ".SH EXAMPLES")
    for what, line in _EXAMPLES:
        yield from (".TP", _text(_sentence(what)), f".B {_escaped(line)}")


def _shown(verb: str) -> list[Action]:
    return [each for each in parser_of(verb)._actions if each.option_strings and each.help != SUPPRESS]


def _names(action: Action) -> str:
    return ", ".join(action.option_strings)


def _shared() -> dict[str, Action]:
    """Those of the app that other verbs have too."""
    others = {_names(action) for action in _shown("status")}
    return {_names(action): action for action in _shown("") if _names(action) in others}


def _options(actions: Iterable[Action]) -> Iterator[str]:
    for action in actions:
        value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "")
        value = value if isinstance(value, str) else " ".join(value)
        names = r"\fR, \fB".join(_escaped(name) for name in action.option_strings)
        yield from (".TP", rf"\fB{names}\fR" + (rf" \fI{_escaped(value)}\fR" if value else ""))
        yield _text(_sentence((action.help or "").replace("%%", "%")))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?")) else ".")


def _text(text: str) -> str:
    """Running text, which no line of it makes a request."""
    escaped = _escaped(" ".join(text.split()))
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _escaped(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")


def _quoted(text: str) -> str:
    return '"' + _escaped(text).replace('"', r"\(dq") + '"'


if __name__ == "__main__":
    sys.stdout.write(page())
