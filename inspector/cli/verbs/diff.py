"""`diff`: two recordings, two live listings, or one of each."""

from __future__ import annotations

from inspector.base.errors import fail
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.compared import Report, show
from inspector.cli.sides import Side, of_word
from inspector.cli.targets import is_recording
from inspector.compare.listings import compare
from inspector.compare.recorded import calls
from inspector.replay.ignoring import ignoring


def run(arguments: Arguments) -> int:
    """Exit code 1 where anything differs. Raises Failed, Usage."""
    rules = ignoring(arguments.ignore or (), arguments.ignore_text or (), exact=arguments.exact)
    words: list[str | None] = [*arguments.operands, None]
    if arguments.record and not any(word is not None and is_recording(word) for word in words[:2]):
        raise Usage(
            "diff connects to both sides, one after the other: record each by itself, then compare the files"
        )
    old, new = of_word(arguments, words[0]), of_word(arguments, words[1])
    report = Report(f"diff {old.title} {new.title}", failures={**old.failures, **new.failures})
    for first, second in _pairs(old, new, report):
        report.listings.append(compare(second, old.lists.get(first, {}), new.lists.get(second, {})))
        if first in old.plans and second in new.plans:
            report.calls += calls(second, old.plans[first], new.plans[second], rules)
    return show(arguments, report)


def _pairs(old: Side, new: Side, report: Report) -> list[tuple[str, str]]:
    """Servers belong together by name; one of each do, whatever they are called. Raises Failed (config) where none
    do."""
    failed = report.failures
    if len(old.servers) == len(new.servers) == 1 and not failed:
        return [(old.servers[0], new.servers[0])]
    for side, other in ((old, new), (new, old)):
        alone = [name for name in side.servers if name not in other.servers and name not in failed]
        if alone:
            report.notes.append(f"only in {side.title}: {', '.join(alone)}")
    shared = [name for name in old.servers if name in new.servers]
    if not shared and not failed:
        there, here = ", ".join(old.servers) or "none", ", ".join(new.servers) or "none"
        raise fail("config", f"no server is in both: {there}; {here}", "choose one of each side with -s")
    return [(name, name) for name in shared]
