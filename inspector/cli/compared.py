"""Prints what differs between two sides: for people, as JSON, as JUnit."""

from __future__ import annotations

from inspector.base.errors import Exit
from inspector.base.secrets import Secrets
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.compare.report import Report, document_of, junit_of, lines, summary


def show(arguments: Arguments, report: Report) -> int:
    """The answer of the verb, and its exit code: 1 where anything differs, that of the failure where a server could not
    be asked."""
    secrets = None if arguments.reveal else Secrets()
    output, diagnostics = Output(arguments.output, secrets), Diagnostics(secrets)
    notes = [*report.notes, *(note for each in report.listings for note in each.notes)]
    for name, failure in report.failures.items():
        diagnostics.failed(name, failure)
    if arguments.json:
        output.document(document_of(report, notes, output.value))
    else:
        if arguments.format == "junit":
            output.text(junit_of(report))
        else:
            output.text("\n".join(lines(report)))
        for note in notes:
            diagnostics.say(f"note: {note}")
    if output.to_file:
        diagnostics.say(summary(report))
    worst = max((failure.exit for failure in report.failures.values()), default=Exit.OK)
    return worst or (Exit.FAILURE if report.differs else Exit.OK)
