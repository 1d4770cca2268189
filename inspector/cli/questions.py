"""What is asked on the terminal before a server starts: a yes to a file that was only found, values of inputs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from inspector.base.text import visible
from inspector.cli.diagnostics import Diagnostics
from inspector.config.entry import Entry, Input

Say = Callable[[str], None]


def can_ask() -> bool:
    """True where somebody sits at a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def consent(entry: Entry, yes: bool, diagnostics: Diagnostics) -> bool:
    """True where the server may be started: approved before, or now. A yes is remembered for this very content."""
    from inspector.policy.consent import approve, needs_consent, what_would_run

    if not needs_consent(entry):
        return True
    if not yes and can_ask():
        diagnostics.say(f"{entry.source.path} was found in this folder. Its server {entry.name} would:")
        diagnostics.say(f"  {what_would_run(entry)}")
        diagnostics.say("Start it? [y/N]")
        yes = sys.stdin.readline().strip().lower() in ("y", "yes")
    if yes:
        try:
            approve(entry)
        except OSError as error:
            diagnostics.say(f"the approval cannot be remembered: {error.strerror}")
    return yes


def ask_inputs(entries: list[Entry], diagnostics: Diagnostics) -> None:
    """Asks for the inputs that enabled servers refer to, each once. Without a terminal nothing is asked, and those
    servers fail with the names of what they miss."""
    if not can_ask():
        return
    answers: dict[str, str] = {}
    for entry in entries:
        if not (entry.enabled and entry.inputs):
            continue
        for wanted in entry.resolve(os.environ).inputs:
            if wanted.id not in answers:
                answers[wanted.id] = _value(wanted, entry.name, diagnostics.say)
        entry.answers = dict(answers)


def _value(wanted: Input, server: str, say: Say) -> str:
    options = f" ({', '.join(wanted.options)})" if wanted.options else ""
    default = f" [{wanted.default}]" if wanted.default else ""
    question = f"{server} asks for {wanted.description or wanted.id}{options}{default}:"
    if wanted.secret:
        import getpass

        value = getpass.getpass(visible(question) + " ")
    else:
        say(question)
        value = sys.stdin.readline().rstrip("\n")
    return value or wanted.default or ""
