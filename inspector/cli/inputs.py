"""What a command line reads must not be what it writes over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from inspector.cli.arguments import Arguments, Usage
from inspector.cli.vocabulary import files_of


def spare_named(arguments: Arguments) -> None:
    """Raises Usage where a file that is written is one that operands, options or the command behind `--` name."""
    spare(arguments, _named(arguments))


def spare(arguments: Arguments, read: Iterable[str | Path]) -> None:
    """The same for the files that `read` names; links are followed. What is no regular file loses nothing."""
    options = vars(arguments.options)
    accepted = options.get("file") if options.get("accept") else None
    written = {"-o": options.get("output"), "--record": options.get("record"), "--file": accepted}
    for option, name in written.items():
        if name is not None and Path(name).is_file() and any(_is_same(name, each) for each in read):
            raise Usage(f"{option} {name} is what this command reads, and would be lost: name another file")


def _named(arguments: Arguments) -> list[str]:
    return [
        *files_of(arguments.verb, arguments.operands, command=arguments.command is not None),
        *(arguments.command or ()),
        *_in_options(vars(arguments.options)),
    ]


def _in_options(options: dict[str, object]) -> Iterator[str]:
    for name in ("answer", "ca", "prompts"):
        if isinstance(value := options.get(name), str):
            yield value
    for name in ("args", "fill", "raw"):
        if isinstance(value := options.get(name), str) and value.startswith("@"):
            yield value[1:]
    for name in ("install", "uninstall"):
        if isinstance(value := options.get(name), list):
            yield value[0]


def _is_same(one: str, other: str | Path) -> bool:
    try:
        return Path(other).samefile(one)
    except (OSError, ValueError):
        return False
