"""The verbs of the command line, their operands, and what is refused by name."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.base.patterns import pattern

VERBS: dict[str, tuple[str, str]] = {
    "demo": ("", "the app on the bundled demo servers"),
    "config": ("[TARGET]", "the servers of a config, where each came from, every problem; starts nothing"),
    "status": ("[TARGET]", "connects to all servers side by side and prints the table"),
    "tools": ("[TARGET]", "lists tools, every page"),
    "resources": ("[TARGET]", "lists resources, every page"),
    "templates": ("[TARGET]", "lists resource templates, every page"),
    "prompts": ("[TARGET]", "lists prompts, every page"),
    "call": ("TARGET TOOL [NAME=VALUE | NAME:=JSON ...]", "calls a tool"),
    "read": ("TARGET URI", "reads a resource"),
    "prompt": ("TARGET NAME [NAME=VALUE ...]", "gets a prompt"),
    "complete": (
        "TARGET REF ARGUMENT VALUE",
        "asks for completions; REF is prompt:NAME or resource:URI_TEMPLATE",
    ),
    "request": ("TARGET METHOD [PARAMS_JSON]", "sends any JSON-RPC request"),
    "form": (
        "[TARGET_OR_FILE] [TOOL]",
        "the form of a tool, and with --fill the arguments that it would send",
    ),
    "schema": ("[TARGET_OR_FILE] [TOOL]", "the input schema of a tool, and what PaiCLI makes of it"),
    "log": ("RECORDING [FILTER]", "prints the frames of a recording"),
    "export": ("RECORDING [FILTER]", "writes the frames of a recording in another format"),
    "run": ("FILE [TARGET]", "calls that are saved in a file, against what is expected of them"),
    "replay": (
        "RECORDING [TARGET]",
        "sends the requests of a recording to a live server and compares the answers",
    ),
    "diff": (
        "A B",
        "what changed between two recordings, or between what two targets or files of freeze list",
    ),
    "baseline": ("[TARGET]", "what servers list, against what was accepted with --accept"),
    "check": (
        "[TARGET_OR_RECORDING]",
        "what breaks the rules of the protocol, in a recording or in what live servers say",
    ),
    "freeze": ("[TARGET]", "a definition file of what a live server lists, or of a recording, for serve"),
    "serve": ("FILE", "plays a recording or a definition file as a server, on stdio or over HTTP"),
    "tap": (
        "[TARGET]",
        "passes on what a client and a server say, and records it: tap -- COMMAND..., or --listen PORT URL",
    ),
    "auth": ("TARGET", "logs in to a server by OAuth, step by step, or shows what came of it"),
    "skill": (
        "[TARGET] [TEXT] [NAME=VALUE | NAME:=JSON ...]",
        "what a remote skill of Solon AI answers to a prompt: what the user says, and attributes",
    ),
    "audit": (
        "[WORD ...]",
        "the audit trail: which tools were called, who allowed it, what came of it; the newest first",
    ),
    "paths": ("", "where our own files are"),
    "serve-web": ("[TARGET]", "the app in a browser on this machine, for as long as a visit lasts"),
    "completion": ("SHELL", "the completion script of a shell: bash, zsh, fish or powershell"),
}
SHELLS = ("bash", "zsh", "fish", "powershell")
EXPORT_FORMATS = ("jsonl", "text", "har", "html", "otlp")
FORMAT_OF = {
    ".jsonl": "jsonl",
    ".mcprec": "jsonl",
    ".txt": "text",
    ".har": "har",
    ".html": "html",
    ".htm": "html",
}
"""What an ending of `-o` stands for where the format is left out."""
WATCHED = (
    "", "demo", "call", "read", "prompt", "complete", "request", "tools", "resources", "templates", "prompts", "run",
)  # fmt: skip
"""Verbs that are done again when files change, and the app."""
FAULTY = frozenset({"tap", "serve"})
"""Verbs at which something goes wrong on purpose."""
REPORTED = frozenset({"check", "replay", "diff", "baseline", "run"})
"""Verbs whose answer has other forms too."""

_OF_CONNECTIONS = frozenset({
    "--record", "--force", "--no-redact", "--timeout", "--max-time", "--connect-timeout", "--transport", "--protocol",
    "--as", "--header", "--env", "--cwd", "--insecure", "--ca", "--message-url", "--project-dir", "--dialect", "--yes",
    "--answer",
})  # fmt: skip
IDLE: dict[str, frozenset[str]] = {
    "config": frozenset({
        "--record", "--force", "--no-redact", "--timeout", "--max-time", "--connect-timeout", "--protocol", "--as",
        "--answer",
    }),
    "export": _OF_CONNECTIONS - {"--no-redact", "--timeout", "--header", "--insecure", "--ca"} | {"--server"},
    "log": _OF_CONNECTIONS | {"--server"},
    "audit": _OF_CONNECTIONS | {"--reveal", "--verbose"},
    "paths": _OF_CONNECTIONS | {"--server", "--reveal", "--verbose"},
    "serve-web": frozenset({"--output"}),
    "completion": _OF_CONNECTIONS | {"--server", "--reveal", "--verbose"},
    "serve": _OF_CONNECTIONS - {"--record", "--force", "--no-redact"},
    "tap": _OF_CONNECTIONS - {"--no-redact", "--header", "--insecure", "--ca", "--yes"},
}  # fmt: skip
"""Options that have nothing to do on a verb, and that its help leaves out."""

LISTS = frozenset({"tools", "resources", "templates", "prompts"})
ONE_SERVER = frozenset({"call", "read", "prompt", "complete", "request", "auth"})
"""Verbs that take TARGET first and need exactly one server."""
NO_COMMAND = frozenset({"auth"})
"""Verbs whose TARGET is no process: there is nothing to log in to at one."""
ON_TOOLS = frozenset({"form", "schema"})
"""Verbs about tool definitions, which a file may hold too."""
FILE_FIRST = frozenset({"replay", "run"})
"""Verbs that take a file of ours before TARGET."""

_TARGETS = frozenset({"TARGET", "TARGET_OR_FILE", "TARGET_OR_RECORDING", "B"})
"""Operands in whose place a command behind `--` may stand."""
_FILES = _TARGETS | {"RECORDING", "FILE", "A"}
"""Operands that may name a file."""
_OPERAND = pattern(r"\[[^]]*\]|\S+")


@dataclass(frozen=True, slots=True)
class Operands:
    """What a verb takes: the names of those it needs, and how many it takes at most (None: any number)."""

    needed: tuple[str, ...]
    most: int | None


def operands_of(verb: str, *, command: bool) -> Operands:
    """As the line of the verb tells them, without the target where a command stands in its place."""
    line = VERBS[verb][0] if verb in VERBS else "[TARGET]"
    taken = [part for part in _OPERAND.findall(line) if not (command and part.strip("[]") in _TARGETS)]
    many = any(part.endswith("...]") or part == "[FILTER]" for part in taken)
    needed = tuple(part for part in taken if not part.startswith("["))
    return Operands(needed, None if many else len(taken))


def operand_names(verb: str) -> list[str]:
    """What a verb takes, as its line names it; the last one may end with `...`, which is any number."""
    return [part.strip("[]") for part in _OPERAND.findall(VERBS[verb][0] if verb in VERBS else "[TARGET]")]


def files_of(verb: str, operands: list[str], *, command: bool) -> list[str]:
    """Those of the operands that may name a file."""
    taken = [name for name in operand_names(verb) if not (command and name in _TARGETS)]
    return [word for name, word in zip(taken, operands, strict=False) if name in _FILES]


def starts_servers(verb: str) -> bool:
    """Whether the verb has a target at all."""
    return verb not in VERBS or not _TARGETS.isdisjoint(
        VERBS[verb][0].replace("[", "").replace("]", "").split()
    )
