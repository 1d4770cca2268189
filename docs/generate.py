"""Writes the pages of `reference/` that repeat what the code says: `make docs`.

Each comes from the one place that the program itself goes by: options from the parser, keys from the registry of
actions, rules from the registry of checks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from inspector.check import catalogue
from inspector.check.clients import CLIENTS
from inspector.check.explaining import PROBED
from inspector.check.rules import ALL, RULES, Rule
from inspector.cli.options import parser_of
from inspector.cli.vocabulary import VERBS
from inspector.tui.registry import ACTIONS, SCOPES, Action, key_label

FOLDER = Path(__file__).parent / "reference"
_MADE = "<!-- Made by `make docs`. Change the code, not this page. -->"
_MOST = 8
"""An option that more verbs take than this is told once."""
_PAGE_OF = {
    "": "how-to/app", "demo": "tutorial", "config": "reference/configs", "call": "reference/forms",
    "form": "reference/forms", "schema": "reference/forms", "log": "reference/filter", "export": "how-to/recordings",
    "run": "how-to/calls", "replay": "how-to/replay", "diff": "how-to/compare", "baseline": "how-to/compare",
    "check": "how-to/check", "freeze": "how-to/serve", "serve": "how-to/serve", "tap": "how-to/tap",
    "auth": "how-to/auth", "skill": "how-to/skills", "audit": "how-to/audit", "status": "how-to/fix-a-server",
}  # fmt: skip
_FAMILIES = {
    "J": "Messages (JSON-RPC)", "S": "Stdio", "H": "HTTP", "L": "Opening, versions, eras",
    "X": "Extensions and `_meta`", "T": "Tools", "R": "Resources and other lists", "N": "Notifications, progress, logs",
    "C": "What a server asks",    "M": "Rounds of input (2026-07-28)", "K": "Tasks", "O": "Logins",
}  # fmt: skip


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    return {
        "commands.md": _page(_commands()),
        "keys.md": _page(_keys()),
        "rules.md": _page(_rules()),
    }


def _page(lines: Iterator[str]) -> str:
    title, *rest = lines
    return "\n".join([title, "", _MADE, "", *rest]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


_ABOUT_COMMANDS = """\
`mcp-inspect VERB --help` prints the same, verb by verb. What comes back is told in [JSON and exit codes](json.md).

`TARGET` is one of:

* a config file of any client, or a folder with one ([which](configs.md));
* an `http://` or `https://` URL;
* a recording, where the verb can do something with one;
* `demo`, the servers that come along;
* `default`, or nothing at all: `~/.paicli/mcp.json` and `./.paicli/mcp.json` together.

The command line of a server goes behind `--`, and TARGET is left out then:
`mcp-inspect tools -- python my_server.py`. `NAME=VALUE` is always text, `NAME:=JSON` anything else.
"""
_ABOUT_KEYS = """\
In the app `?` shows the same, what counts where you are first, and `ctrl+p` runs any action by its name.
`keymap.json` (`mcp-inspect paths` says where) gives actions other keys, by their id; an empty list takes the key away:

```json keymap
{"restart": "alt+x", "traffic.mark": ["m", "f11"], "zoom": []}
```

`Keymap` in the palette opens that file in your editor, with every action in it as a comment where there is none yet,
and what it says then holds at once. `"keys": "vim"` in it begins from a set that is ready: counts (`10j`, `3^d`,
`20G`; the tabs are `alt+1` to `alt+9` then), `:` for the palette, `u` for undo. What is wrong in the file is told with
its line, and costs nothing else; so are keys that two actions want.

The same keys move in every list, tree, JSON view and text: `j` `k` `g` `G`, `^d` `^u` by half a page, `^f` `^b` by a
whole one; `l` and `h` open and close, `/` searches, `n` and `N` go from hit to hit. Where one types they are letters.
`;` (`alt+m` where one types, and in dialogs) shows a letter at every list, tab, field and button, and the letter goes
there. `alt+z` takes back what was done last, and says what: a form filled in anew, a field emptied, a mark, a note or
a mute taken off, roots, who answers, a filter, a server removed. What cannot be taken back asks first.

`^p` is ctrl+p. Where no key stands, the palette has the action."""
_ABOUT_RULES = """\
`error` breaks a MUST of the specification, `warning` a SHOULD; `info` is odd but legal. Rules with ◆ need
`--active` to be brought about. [Checking a server](../how-to/check.md) tells how to use them;
`mcp-inspect check --explain RULE` prints one."""


def _commands() -> Iterator[str]:
    yield "# The command line"
    yield _ABOUT_COMMANDS
    yield "| verb | does |"
    yield "|---|---|"
    for verb in ("", *VERBS):
        told = VERBS[verb][1] if verb else "opens the app on a target"
        yield f"| [`{_name(verb)}`](#{_name(verb).replace(' ', '-')}) | {_cell(told)} |"
    options = {verb: _options(verb) for verb in ("", *VERBS)}
    counted = Counter(option.option_strings[-1] for taken in options.values() for option in taken)
    common = {name for name, times in counted.items() if times > _MOST}
    yield ""
    yield "## Options of many verbs"
    yield ""
    yield from _table([option for option in options["call"] if option.option_strings[-1] in common])
    yield ""
    yield "`-h`, `--help` is understood everywhere, `--version` without a verb."
    for verb, taken in options.items():
        yield from _verb(verb, taken, common)


def _verb(verb: str, taken: list[argparse.Action], common: set[str]) -> Iterator[str]:
    yield ""
    yield f"## {_name(verb)}"
    yield ""
    told = VERBS[verb][1] if verb else "the app on a target"
    page = _PAGE_OF.get(verb)
    yield f"{told[0].upper()}{told[1:]}." + (f" More: [{page}](../{page}.md)." if page else "")
    yield ""
    usage = parser_of(verb).format_usage().removeprefix("usage: ").strip()
    yield f"    {' '.join(usage.split())}"
    if own := [option for option in taken if option.option_strings[-1] not in common]:
        yield ""
        yield from _table(own)
    if shared := [option.option_strings[-1] for option in taken if option.option_strings[-1] in common]:
        yield ""
        missing = len(common) - len(shared)
        yield (
            "And "
            + (
                ", ".join(f"`{name}`" for name in shared)
                if missing
                else "all [options of many verbs](#options-of-many-verbs)"
            )
            + "."
        )


def _name(verb: str) -> str:
    return f"mcp-inspect {verb}".strip()


def _options(verb: str) -> list[argparse.Action]:
    return [
        action for action in parser_of(verb)._actions
        if action.option_strings and action.help != argparse.SUPPRESS and action.dest not in ("help", "version")
    ]  # fmt: skip


def _table(options: list[argparse.Action]) -> Iterator[str]:
    yield "| option | does |"
    yield "|---|---|"
    for option in options:
        value = option.metavar if isinstance(option.metavar, str) else " ".join(option.metavar or ())
        if option.choices is not None and not value:
            value = "|".join(map(str, option.choices))
        names = ", ".join(f"`{name}`" for name in option.option_strings[:-1])
        last = f"`{option.option_strings[-1]}{' ' + value if value and option.nargs != 0 else ''}`"
        yield f"| {', '.join(filter(None, (names, _cell(last))))} | {_cell(option.help or '')} |"


def _keys() -> Iterator[str]:
    yield "# Actions and keys"
    yield _ABOUT_KEYS
    for scope, place in SCOPES.items():
        own = [action for action in ACTIONS if action.scope == scope]
        if not own:
            continue
        yield ""
        yield f"## {place}"
        yield ""
        yield "| key | action | does | id |"
        yield "|---|---|---|---|"
        for action in own:
            yield f"| {_pressed(action)} | {_cell(action.title)} | {_cell(action.help)} | `{action.id}` |"


def _pressed(action: Action) -> str:
    keys = [key_label(key) for key in action.keys]
    if action.numbered and len(keys) > 1:
        keys = [keys[0], "…", keys[-1]]
    return " ".join(key if key == "…" else _quoted(key) for key in keys)


def _quoted(key: str) -> str:
    return "`` ` ``" if key == "`" else f"`{_cell(key)}`"


def _rules() -> Iterator[str]:
    catalogue.load()
    yield "# Rules of `check`"
    yield _ABOUT_RULES
    left = dict(RULES)
    for letter, family in _FAMILIES.items():
        yield ""
        yield f"## {family}"
        yield ""
        yield "| rule | level | flags | in versions | breaks |"
        yield "|---|---|---|---|---|"
        for rule in sorted(
            (rule for rule in RULES.values() if rule.id[0] == letter), key=lambda rule: rule.id
        ):
            yield _rule(left.pop(rule.id))
    assert not left, f"name the family of {', '.join(left)}"


def _rule(rule: Rule) -> str:
    breaks = "; ".join(f"{client} {does}" for client, does in sorted(CLIENTS.get(rule.id, {}).items()))
    name = f"[{rule.id}]({rule.url})" if rule.url else rule.id
    versions = "all" if rule.versions == ALL else _span(rule.versions)
    mark = " ◆" if rule.id in PROBED else ""
    return f"| {name}{mark} | {rule.level} | {_cell(rule.about)} | {versions} | {_cell(breaks)} |"


def _span(versions: tuple[str, ...]) -> str:
    first, last = ALL.index(versions[0]), ALL.index(versions[-1])
    if ALL[first : last + 1] != versions or len(versions) == 1:
        return ", ".join(versions)
    if last == len(ALL) - 1:
        return f"from {versions[0]}"
    return f"up to {versions[-1]}" if first == 0 else f"{versions[0]} to {versions[-1]}"


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"docs/reference/{name}", file=sys.stderr)
