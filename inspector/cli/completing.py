"""What may stand at the end of a command line that is being typed. No server is started for it: what servers list is
known from their baselines."""

from __future__ import annotations

import os
from argparse import SUPPRESS, Action, Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from inspector.cli.arguments import Arguments, split_verb
from inspector.cli.options import parser_of
from inspector.cli.vocabulary import SHELLS, VERBS, operand_names

if TYPE_CHECKING:
    from inspector.config.entry import Entry
    from inspector.protocol.listing import ListKind

Word: TypeAlias = tuple[str, str]
"""What can be typed, and what it means."""

UNKNOWN = frozenset({
    "S", "N", "C", "PORT", "URL", "POINTER", "REGEX", "SCOPE", "'K: V'", "JSON|@FILE|-", "TEXT|@FILE|-",
    "'TOOL NAME=VALUE ...'",
})  # fmt: skip
"""Values of options that nobody can guess, by what the help calls them."""
_FILES = ("FILE", "RECORDING", "CONFIG", "GLOB", "A", "B")
_FILTERS = (
    "kind:",
    "dir:",
    "method:",
    "tool:",
    "id:",
    "server:",
    "status:",
    "flag:",
    "size:",
    "took:",
    "text:",
)


@dataclass(frozen=True, slots=True)
class Offer:
    """Words, and what else the shell may offer. Where a word ends with `=` or `:` more follows at once."""

    words: tuple[Word, ...] = ()
    also: Literal["", "files", "folders", "command"] = ""


def offer(typed: list[str], current: str) -> Offer:
    """`typed` are the words before the one that is being typed, without the name of the program. Whatever cannot be
    read adds nothing."""
    if "--" in typed:
        return Offer(also="command")
    verb, rest = split_verb(typed)
    line = _Line(verb, rest)
    option, mark, begun = current.partition("=")
    if mark and option in line.taking:
        found = line.value(line.taking[option], begun)
        found = Offer(tuple((f"{option}={word}", told) for word, told in found.words), found.also)
    elif rest and (action := line.taking.get(rest[-1])):
        found = line.value(action, current)
    elif len(rest) > 1 and (action := line.taking.get(rest[-2])) and action.nargs == 2:
        found = Offer(tuple((entry.name, "") for entry in _entries(Arguments("config", [rest[-1]]))))
    elif current.startswith("-"):
        found = Offer(tuple(line.options()))
    else:
        found = line.operand(current)
    fitting = {word: told for word, told in found.words if word.startswith(current) and word.isprintable()}
    return Offer(tuple(fitting.items()), found.also)


class _Line:
    """What was typed so far, as the parser of its verb sees it."""

    def __init__(self, verb: str, rest: list[str]) -> None:
        self._verb = verb
        parser = parser_of(verb)
        self._shown = [each for each in parser._actions if each.option_strings and each.help != SUPPRESS]
        self.taking = {name: each for each in self._shown if each.nargs != 0 for name in each.option_strings}
        options = parser.parse_args([])
        operands: list[str] = []
        words = iter(rest)
        for word in words:
            if (action := self.taking.get(word)) is not None:
                _keep(options, action, list(islice(words, 2 if action.nargs == 2 else 1)))
            elif not word.startswith("-"):
                operands.append(word)
        self._arguments = Arguments(verb, operands, None, options)

    def options(self) -> Iterator[Word]:
        yield from ((each.option_strings[-1], each.help or "") for each in self._shown)
        yield "--", "a command that is the server follows"

    def value(self, action: Action, current: str) -> Offer:
        """What may follow an option."""
        if action.choices is not None:
            return Offer(tuple((str(choice), "") for choice in action.choices))
        name = action.metavar if isinstance(action.metavar, str) else (action.metavar or ("",))[0]
        words = list(self._known(action.dest, current))
        if name == "DIR":
            return Offer(also="folders")
        return Offer(tuple(words), "files" if _takes_file(name) or action.dest == "identity" else "")

    def _known(self, dest: str, current: str) -> Iterator[Word]:
        if dest == "server":
            yield from ((entry.name, entry.command or entry.url or "") for entry in _entries(self._arguments))
        elif dest in ("dialect", "to"):
            from inspector.config.dialects import DIALECTS

            yield from ((name, dialect.label) for name, dialect in DIALECTS.items())
        elif dest == "identity":
            from inspector.protocol.identity import PRESETS

            yield from ((name, "") for name in PRESETS)
        elif dest == "protocol":
            from inspector.protocol.revisions import PROTOCOLS

            yield from ((name, "") for name in PROTOCOLS)
        elif dest in ("explain", "mute"):
            from inspector.check.catalogue import load
            from inspector.check.rules import RULES

            load()
            yield from ((rule.id, rule.about) for rule in RULES.values())
        elif dest == "fault":
            from inspector.faults.kinds import KINDS

            yield from ((name, kind.about) for name, kind in KINDS.items())
        elif dest in ("expect_tool", "forbid_tool"):
            yield from self._listed("tools", "name")
        elif dest == "filter":
            yield from ((term, "") for term in _FILTERS)
        elif dest == "env":
            yield from ((f"{name}=", "") for name in os.environ)
        elif dest == "answer":
            yield "deny", "refuse all that servers ask"

    def operand(self, current: str) -> Offer:
        """What may stand in the next place without an option."""
        operands = self._arguments.operands
        places = operand_names(self._verb)
        if len(operands) >= len(places) and not (places and places[-1].endswith("...")):
            return Offer()
        place = places[min(len(operands), len(places) - 1)]
        words = list(self._meant(place, current))
        if not self._verb and not operands:
            words = [*((name, about) for name, (_, about) in VERBS.items()), *words]
        return Offer(tuple(words), "files" if _takes_file(place) else "")

    def _meant(self, place: str, current: str) -> Iterator[Word]:
        if place.startswith("TARGET"):
            yield "demo", "the bundled demo servers"
            yield "default", "~/.paicli/mcp.json and ./.paicli/mcp.json"
        elif place == "SHELL":
            yield from ((shell, "") for shell in SHELLS)
        elif place == "TOOL":
            yield from self._listed("tools", "name")
        elif place == "URI":
            yield from self._listed("resources", "uri")
        elif place == "NAME":
            yield from self._listed("prompts", "name")
        elif place == "REF":
            yield from ((f"prompt:{name}", about) for name, about in self._listed("prompts", "name"))
            yield from ((f"resource:{uri}", about) for uri, about in self._listed("templates", "uriTemplate"))
        elif place == "METHOD":
            from inspector.protocol.methods import NOTIFICATIONS, REQUESTS

            yield from ((method, "") for method in (*REQUESTS, *NOTIFICATIONS))
        elif place == "FILTER":
            yield from ((term, "") for term in _FILTERS)
        elif place.startswith("NAME=VALUE"):
            yield from self._argument(current)

    def _listed(self, kind: ListKind, key: str) -> Iterator[Word]:
        for entry in _lists(self._arguments, kind):
            if isinstance(name := entry.get(key), str):
                about = entry.get("description") or entry.get("title")
                yield name, about if isinstance(about, str) else ""

    def _argument(self, current: str) -> Iterator[Word]:
        """Arguments of the tool or prompt that stands before, and their values where there are some to choose from."""
        kind: ListKind = "tools" if self._verb == "call" else "prompts"
        name = (self._arguments.operands + [""] * 2)[1]
        for entry in _lists(self._arguments, kind):
            if entry.get("name") != name:
                continue
            for argument, schema in _parts(entry):
                text = schema.get("type", "string") == "string"
                mark = "=" if text else ":="
                choices = schema.get("enum")
                if current.startswith(argument + mark) and isinstance(choices, list):
                    yield from (
                        (f"{argument}{mark}{choice}", "") for choice in choices if isinstance(choice, str)
                    )
                elif current.startswith(argument + mark) and schema.get("type") == "boolean":
                    yield from ((f"{argument}{mark}{word}", "") for word in ("true", "false"))
                else:
                    yield argument + mark, str(schema.get("description", ""))


def _keep(options: Namespace, action: Action, given: list[str]) -> None:
    if given:
        setattr(options, action.dest, given if action.dest == "server" else given[0])


def _takes_file(place: str) -> bool:
    return place.startswith("TARGET") or not set(_FILES).isdisjoint(place.split("|"))


def _parts(entry: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    schema = entry.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if isinstance(properties, dict):
        yield from ((name, part if isinstance(part, dict) else {}) for name, part in properties.items())
    for argument in entry.get("arguments") or ():
        if isinstance(argument, dict) and isinstance(argument.get("name"), str):
            yield argument["name"], {"description": argument.get("description") or ""}


def _entries(arguments: Arguments) -> list[Entry]:
    """The servers of the target, as far as it can be read."""
    from inspector.cli.targets import load_target

    options = parser_of(arguments.verb).parse_args([])
    for name, value in vars(arguments.options).items():
        setattr(options, name, value)
    try:
        return load_target(Arguments(arguments.verb, arguments.operands, None, options)).entries
    except Exception:
        # Whatever is wrong with it is said when the line is run.
        return []


def _lists(arguments: Arguments, kind: ListKind) -> Iterator[dict[str, Any]]:
    """What the servers that are meant listed when their baselines were accepted; all of it for the demo."""
    from inspector import demo
    from inspector.cli.targets import DEMO, target_word
    from inspector.compare import baseline
    from inspector.workspace.accepted import file_of

    for entry in _entries(arguments):
        if arguments.server and entry.name not in arguments.server:
            continue
        if target_word(arguments) == DEMO:
            if entry.enabled:
                yield from (each.wire() for each in getattr(demo.definition(entry.name), kind))
            continue
        try:
            lists = baseline.of(file_of(entry, os.environ), entry.name) or {}
        except Exception:
            # A baseline that cannot be read, or an entry that cannot be resolved: there is nothing to offer.
            continue
        yield from (each for each in lists.get(kind, ()) if isinstance(each, dict))
