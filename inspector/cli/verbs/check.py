"""`check`: what in a recording, or in a conversation with live servers, breaks the rules of the protocol."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from inspector.base.errors import Exit, Failed, Failure
from inspector.base.secrets import Secrets
from inspector.base.text import clip, counted, visible
from inspector.check import demands, explaining
from inspector.check.checking import Checking, wanted
from inspector.check.explaining import rule_named
from inspector.check.login_probe import PROBED as LOGIN
from inspector.check.login_probe import look_for_login
from inspector.check.probes import probe
from inspector.check.rules import LEVELS, RULES, Finding, Rule
from inspector.check.talk import members
from inspector.cli import running
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.running import Run
from inspector.cli.targets import is_recording, missing_server
from inspector.config.settings import load_settings
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection

_FRAMES = 6


@dataclass(slots=True)
class Report:
    """`failures` are those of servers that could not be asked, `file` is the recording."""

    title: str
    traffic: Traffic
    rules: list[Rule]
    findings: list[Finding] = field(default_factory=list)
    servers: list[str] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    file: str = ""
    broken: dict[str, str] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        found = Counter(finding.level for finding in self.findings)
        return {level: found[level] for level in reversed(LEVELS)}


def run(arguments: Arguments) -> int:
    """Exit code 1 where a finding is at or above `--fail-on`; that of the failure where a server could not be asked.
    Raises Failed, Usage."""
    muted = _muted(arguments)
    if arguments.explain is not None:
        return _explain(arguments, arguments.explain)
    rules = wanted(muted)
    word = arguments.operands[0] if arguments.operands else None
    if word is not None and is_recording(word):
        if arguments.active:
            raise Usage("--active asks a live server, and a recording answers nothing: leave it out")
        return _of_recording(arguments, word, rules)

    async def live(run: Run) -> int:
        return await _of_servers(run, rules)

    return running.run(arguments, live, lists=False, keep=True)


def _muted(arguments: Arguments) -> set[str]:
    """Of `--mute` and of the settings. Raises Usage for a rule that there is not."""
    for name in arguments.mute or ():
        _known(name)
    return {name.upper() for name in (*(arguments.mute or ()), *load_settings().mute)}


def _known(name: str) -> Rule:
    if "," in name:
        each = " ".join(f"--mute {part.strip()}" for part in name.split(","))
        raise Usage(f"{clip(name, 60)} is not one rule: name each by itself, as in {clip(each, 80)}")
    try:
        return rule_named(name)
    except KeyError as error:
        raise Usage(str(error.args[0])) from None


def _of_recording(arguments: Arguments, word: str, rules: list[Rule]) -> int:
    gc.enable()
    traffic = Traffic.open_recording(Path(word))
    try:
        traffic.advance()
        labels = list(dict.fromkeys(session.label for session in traffic.sessions.values()))
        missing_server(arguments.server or [], labels, word)
        report = _checked(arguments, word, traffic, rules)
        report.file = word
        secrets = None if arguments.reveal else Secrets()
        diagnostics = Diagnostics(secrets)
        for note in traffic.notes:
            diagnostics.say(f"note: {note}")
        return _show(arguments, report, Output(arguments.output, secrets), diagnostics)
    finally:
        traffic.close()


async def _of_servers(run: Run, rules: list[Rule]) -> int:
    """Connects to all that are wanted, reads every list that they declare, and looks at what was said. Raises Failed
    where there is none."""
    connections = run.judged
    run.workspace.start([connection.name for connection in connections if connection.error is None])
    asked = frozenset(rule.id for rule in rules) if run.arguments.active else frozenset()
    traffic = run.workspace.book
    assert isinstance(traffic, Traffic)
    outcomes = await asyncio.gather(*(_read(connection, asked) for connection in connections))
    for connection, failure in zip(connections, outcomes, strict=True):
        server = connection.server
        if failure is not None and failure.http_status == 401 and server is not None and asked & LOGIN:
            log = traffic.session(connection.name, transport="http", url=server.url)
            given = {name: text for name, text in members(failure.data).items() if isinstance(text, str)}
            secrets = run.workspace.secrets
            await look_for_login(
                server.url or "", given, log, secrets, insecure=server.insecure, ca=server.ca
            )
    traffic.advance()
    report = _checked(run.arguments, run.target.name, traffic, rules)
    report.servers = [connection.name for connection in connections]
    for connection, failure in zip(connections, outcomes, strict=True):
        if failure is not None:
            report.failures[connection.name] = failure
    return _show(run.arguments, report, run.output, run.diagnostics)


async def _read(connection: Connection, asked: frozenset[str]) -> Failure | None:
    """`asked` are the rules that may be asked about."""
    await connection.settled()
    if connection.session is None or connection.state != "ready":
        return connection.error or Failure(kind="cancelled", message="the connection was closed")
    try:
        lists = await connection.session.lists()
        await probe(connection.session, lists, asked, partial(connection.beside, label=connection.name))
    except Failed as failed:
        return failed.failure
    if asked:
        await connection.stop()  # how it takes the end is told in the traffic too
    return None


def _checked(arguments: Arguments, title: str, traffic: Traffic, rules: list[Rule]) -> Report:
    checking = Checking(traffic, rules)
    checking.finish()
    report = Report(title, traffic, rules, checking.findings, broken=checking.broken)
    report.servers = list(dict.fromkeys(talk.label for talk in checking.talks()))
    listed: dict[str, dict[str, Any]] = {}
    for talk in checking.talks():
        listed.setdefault(talk.label, {}).update(talk.tools)
    for server, names in listed.items():
        report.findings += demands.tools(
            server, list(names), arguments.expect_tool or (), arguments.forbid_tool or ()
        )
    if arguments.max_duration is not None:
        report.findings += demands.slow(traffic, arguments.max_duration)
    if arguments.server:
        report.findings = [each for each in report.findings if each.server in arguments.server]
        report.servers = [each for each in report.servers if each in arguments.server]
    report.findings.sort(key=lambda each: (-LEVELS.index(each.level), each.server))
    return report


def _show(arguments: Arguments, report: Report, output: Output, diagnostics: Diagnostics) -> int:
    for name, failure in report.failures.items():
        diagnostics.failed(name, failure)
    for name, why in report.broken.items():
        diagnostics.say(f"the rule {name} failed itself, which is a fault of this program: {why}")
    for each in report.findings:
        each.message = output.mask(each.message)
    if arguments.format == "sarif":
        output.document(_sarif(report))
    elif arguments.json:
        document: dict[str, Any] = {
            "findings": [each.as_json() for each in report.findings],
            "counts": report.counts(),
            "rulesRun": len(report.rules),
        }
        if report.failures:
            document["errors"] = [
                {"server": name, "error": failure.as_json()} for name, failure in report.failures.items()
            ]
        output.document(document)
    elif arguments.format == "junit":
        output.text(_junit(report, arguments.fail_on))
    else:
        output.text("\n".join(_lines(report)))
    if output.to_file:
        diagnostics.say(_summary(report))
    worst = max((failure.exit for failure in report.failures.values()), default=Exit.OK)
    return worst or (Exit.FAILURE if _fails(arguments.fail_on, report) else Exit.OK)


def _fails(least: str, report: Report) -> bool:
    return any(_is_grave(least, each) for each in report.findings)


def _is_grave(least: str, finding: Finding) -> bool:
    return least != "never" and LEVELS.index(finding.level) >= LEVELS.index(least)


def _lines(report: Report) -> Iterator[str]:
    """For people. The last one sums up."""
    several = len(report.servers) > 1
    width = max((len(each.rule) for each in report.findings), default=0)
    for each in report.findings:
        server = f"{visible(each.server)}  " if several else ""
        where = f"  {visible(each.pointer)}" if each.pointer else ""
        yield f"{each.level:<7}  {each.rule:<{width}}  {server}{visible(each.message)}{where}{_rows(each.frames)}"
        if each.clients:
            yield f"{'':{width + 11}}breaks {', '.join(each.clients)}"
    yield _summary(report)


def _summary(report: Report) -> str:
    counts = report.counts()
    told = ", ".join(counted(count, level) for level, count in counts.items() if level != "info")
    looked = len(set(report.servers) - set(report.failures))
    unasked = f", {counted(len(report.failures), 'server')} could not be asked" if report.failures else ""
    if not looked and report.failures:
        return f"nothing was looked at{unasked}"
    return f"{told}, {counts['info']} info; {len(report.rules)} rules on {counted(looked, 'server')}{unasked}"


def _rows(frames: Sequence[int]) -> str:
    if not frames:
        return ""
    shown = ", ".join(map(str, frames[:_FRAMES]))
    more = f" and {len(frames) - _FRAMES} more" if len(frames) > _FRAMES else ""
    return f"  [{shown}{more}]"


def _explain(arguments: Arguments, name: str) -> int:
    output, whole = Output(arguments.output, None), name == explaining.ALL
    rules = list(RULES.values()) if whole else [_known(name)]
    if arguments.json:
        documents = [explaining.as_json(each) for each in rules]
        output.document(documents if whole else documents[0])
    elif whole:
        output.text("\n".join(f"{each.id:<4} {each.level:<7}  {each.about}" for each in rules))
    else:
        output.text("\n".join(explaining.lines(rules[0])))
    return Exit.OK


def _junit(report: Report, least: str) -> str:
    """A case for each rule and server, failed where a finding is of the `least` level that fails the run, or graver;
    milder ones are said of a case that passed. Of a server that could not be asked nothing passed."""
    from inspector.formats import junit

    grave: dict[tuple[str, str], list[str]] = {}
    mild: dict[tuple[str, str], list[str]] = {}
    for each in report.findings:
        text = f"{each.level}: {each.message} {each.pointer}".rstrip()
        fired = grave if _is_grave(least, each) else mild
        fired.setdefault((each.server, each.rule), []).append(text + _rows(each.frames))
    names = {rule.id: rule.about for rule in report.rules} | demands.ABOUT
    cases = [
        junit.Case(
            f"{rule} {names[rule]}",
            server,
            failed=grave.get((server, rule), ()),
            said=mild.get((server, rule), ()),
        )
        for server in report.servers
        for rule in names
        if (server, rule) in {**grave, **mild} or (rule in RULES and server not in report.failures)
    ]
    for name, failure in report.failures.items():
        cases.append(junit.Case("connect", name, None, [failure.message]))
    return junit.document(f"check {report.title}", cases)


def _uri(file: str) -> str:
    """A path as SARIF has it. One that is relative keeps its meaning on another machine."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _sarif(report: Report) -> dict[str, Any]:
    from inspector.formats import sarif

    level: dict[str, sarif.Level] = {"error": "error", "warning": "warning", "info": "note"}
    kinds = [sarif.Kind(rule.id, rule.about, level[rule.level], rule.url) for rule in report.rules]
    kinds += [sarif.Kind(name, about, "error") for name, about in demands.ABOUT.items()]
    kinds += [sarif.Kind("connect", "the server can be asked", "error")] if report.failures else []
    file = _uri(report.file) if report.file else ""
    results = [
        sarif.Result(
            each.rule, level[each.level], each.message, [each.server, *filter(None, [each.pointer])], file,
            report.traffic.line_number(each.frames[0]) if file and each.frames else 0,
        )
        for each in report.findings
    ]  # fmt: skip
    results += [
        sarif.Result("connect", "error", failure.message, [name], file)
        for name, failure in report.failures.items()
    ]
    return sarif.document(kinds, results)
