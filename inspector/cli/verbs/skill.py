"""`skill`: what a remote skill of Solon AI answers to a prompt, step by step as a client of that framework asks."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inspector.base import private_json
from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.paths import paths
from inspector.base.text import counted, duration, visible
from inspector.cli.arguments import Arguments
from inspector.cli.given import named_values, text_of
from inspector.cli.questions import can_ask
from inspector.cli.running import Run
from inspector.cli.tables import sign, table
from inspector.lenses.solon import saved
from inspector.lenses.solon.activation import Activation, Step
from inspector.lenses.solon.clients import CLIENTS, Client
from inspector.lenses.solon.offer import Offer
from inspector.lenses.solon.prompt import Prompt, Said, remarks
from inspector.lenses.solon.verdicts import Exposure
from inspector.protocol.listing import ListKind
from inspector.protocol.solon import SKILL, TALENT
from inspector.workspace.connection import Connection
from inspector.workspace.solon_skill import Opening, SolonSkill, readings


def _is_matrix(run: Run) -> bool:
    """Whether there are several prompts, one below the other."""
    return run.arguments.prompts is not None or run.arguments.saved


def prompts_of(arguments: Arguments) -> list[Prompt]:
    """The prompts that are meant, one unless they are in a file; none where those are that the app keeps. Raises Usage,
    Failed."""
    if arguments.saved:
        return []
    if arguments.prompts is not None:
        return saved.read(Path(arguments.prompts))
    if arguments.raw is not None:
        return [Prompt(raw=text_of("--raw", arguments.raw))]
    words = arguments.operands if arguments.command is not None else arguments.operands[1:]
    said = [Said("user", words[0])] if words else []
    return [Prompt(said, named_values(words[1:], {}))]


@dataclass(slots=True)
class _Found:
    """What became of one server. `failure` is why there is no more."""

    skill: SolonSkill
    offer: Offer | None = None
    client: Client | None = None
    opening: Opening | None = None
    runs: list[tuple[Prompt, Activation]] = field(default_factory=list)
    failure: Failure | None = None

    @property
    def exit(self) -> int:
        """1 where an answer is a failure that only a client of the framework sees: its own and no error of MCP."""
        failures = [self.failure, *(step.failure for _, run in self.runs for step in run.steps)]
        wrong = any(run.is_wrong for _, run in self.runs) or (
            self.opening is not None and bool(self.opening.metadata.problem)
        )
        return max(
            (each.exit for each in failures if each is not None), default=Exit.FAILURE if wrong else Exit.OK
        )


async def run(run: Run) -> int:
    """Asks every chosen server about every prompt; the answers of one are asked for one after the other, as its state
    may depend on them. Raises Failed where a prompt may not be sent."""
    connections = run.wanted
    kept = private_json.read(paths().skill_prompts) if run.arguments.saved else {}
    prompts = {
        connection.name: saved.kept_of(kept, connection.name) if run.arguments.saved else run.prepared
        for connection in connections
    }
    if run.arguments.saved and not any(prompts.values()):
        raise fail(
            "config", "the app keeps no prompts for these servers", "write some in its tab Solon skill"
        )
    await _allow(run, [prompt for some in prompts.values() for prompt in some])
    run.workspace.start([connection.name for connection in connections if connection.error is None])
    found = await asyncio.gather(
        *(_asked(run, connection, prompts[connection.name]) for connection in connections)
    )
    if run.arguments.json:
        documents = [_document(run, *pair) for pair in zip(connections, found, strict=True)]
        run.output.document(documents[0] if run.target.single else documents)
    else:
        _print(run, connections, found)
    return max((each.exit for each in found), default=Exit.OK)


async def _allow(run: Run, prompts: Sequence[Prompt]) -> None:
    """Raises Failed (config) where a text names classes that nobody has agreed to."""
    risks = [
        remark.message
        for prompt in prompts
        if prompt.raw is not None
        for remark in remarks(prompt.raw)
        if remark.is_risk
    ]
    if not risks or run.arguments.yes:
        return
    told = "; ".join(dict.fromkeys(risks))
    if can_ask():
        run.diagnostics.say(f"{told}\nSend it? [y/N]")
        if (await asyncio.to_thread(sys.stdin.readline)).strip().lower() in ("y", "yes"):
            return
    raise fail("config", told, "send it all the same with --yes")


async def _asked(run: Run, connection: Connection, prompts: Sequence[Prompt]) -> _Found:
    found = _Found(SolonSkill(connection))
    chosen = run.arguments.client
    try:
        await run.connected(connection)
        assert connection.catalog is not None and connection.session is not None
        handshake = connection.session.handshake
        kinds: list[ListKind] = ["tools"]
        if handshake is not None and handshake.declares("resources"):
            kinds.append("resources")
        await asyncio.gather(*map(connection.catalog.ask, kinds))
    except Failed as failed:
        found.failure = failed.failure
        return found
    found.offer = found.skill.offer
    found.opening = await found.skill.open(CLIENTS[chosen] if chosen else None)
    found.client = CLIENTS[chosen] if chosen else _client_at(found.opening.uri)
    if found.opening.failure is not None:
        found.failure = _told(found.opening.failure, found.offer, found.opening.uri)
    elif not found.opening.metadata.problem:
        for prompt in prompts:
            text = prompt.text(found.client.profile)
            found.runs.append((prompt, await found.skill.activate(found.client, text)))
    return found


def _client_at(uri: str) -> Client:
    """The newest client that reads its metadata there."""
    return next(client for client in reversed(CLIENTS.values()) if client.uri == uri)


def _told(failure: Failure, offer: Offer | None, uri: str) -> Failure:
    """Why the metadata cannot be read, with what the lists say of it."""
    if failure.kind != "rpc":
        return failure
    if offer is None:
        what = f"this is no remote skill: neither {SKILL}, {TALENT} nor one of the four tools is listed"
        hint = "skill asks servers that offer a remote skill of Solon AI; tools and call are for every server"
    elif offer.missing:
        what = f"this is an incomplete skill, without {', '.join(offer.missing)}"
        hint = "a client of that framework takes a server for a skill only where it has all of it"
    elif uri not in offer.uris:
        what, hint = f"{uri} is not listed", "such a client reads it first, and finds no skill here"
        if offer.uris:
            what = f"{what}, but {' and '.join(offer.uris)}"
            hint = f"{hint}; without --client it is asked as one that does"
    else:
        what, hint = f"{uri} is listed, and cannot be read", "a client of that framework reads it first"
    return replace(
        failure, message=f"{what}; to resources/read the server answered: {failure.message}", hint=hint
    )


# The document.


def _document(run: Run, connection: Connection, found: _Found) -> dict[str, Any]:
    if found.opening is None:
        return {"server": connection.name, "error": run.error_json(found.failure) if found.failure else None}
    metadata, client = found.opening.metadata, found.client
    document: dict[str, Any] = {
        "server": connection.name,
        "client": client.name if client is not None else None,
        "uri": found.opening.uri,
        "missing": list(found.offer.missing) if found.offer is not None else None,
        "metadata": run.output.served(metadata.text) if not metadata.problem and metadata.text else None,
    }
    opening = _step(run, found.opening.step)
    runs = [_run(run, activation, found.skill) for _, activation in found.runs]
    if _is_matrix(run):
        prompts = [{"name": prompt.name, **each} for (prompt, _), each in zip(found.runs, runs, strict=True)]
        document |= {"prompts": prompts, "steps": [opening]}
    else:
        nothing: dict[str, Any] = {
            "supported": None,
            "verdict": None,
            "instruction": None,
            "tools": None,
            "steps": [],
        }
        document |= runs[0] if runs else nothing
        document["steps"] = [opening, *document["steps"]]
    document["error"] = None if found.failure is None else run.error_json(found.failure)
    document["warnings"] = [run.mask(text) for text in _warnings(connection, found)]
    return document


def _run(run: Run, activation: Activation, skill: SolonSkill) -> dict[str, Any]:
    listed, exposure = activation.listed, activation.exposure(skill.tools)
    tools = None
    if listed is not None:
        tools = {
            "state": listed.state,
            "names": [run.mask(name) for name in exposure.exposed],
            "listed": run.output.value(list(listed.entries)) if listed.state in ("some", "none") else None,
            "hidden": [run.mask(row.name) for row in exposure.rows if row.hidden],
            "unknown": [run.mask(name) for name in (*exposure.unknown, *exposure.dropped)],
            "readings": readings(activation),
        }
    return {
        "supported": activation.supported,
        "verdict": activation.verdict,
        "instruction": run.mask(activation.instruction) if activation.instruction is not None else None,
        "tools": tools,
        "steps": [_step(run, step) for step in activation.steps],
    }


def _step(run: Run, step: Step) -> dict[str, Any]:
    return {
        "step": step.tool,
        "ms": round(step.seconds * 1000, 3),
        "outcome": run.mask(step.outcome),
        "text": None if step.told.text is None else run.mask(step.told.text),
        "isError": step.told.is_error,
        "stops": step.stops,
    }


def _warnings(connection: Connection, found: _Found) -> Iterator[str]:
    if found.offer is not None and found.offer.missing:
        yield f"an incomplete skill, without {', '.join(found.offer.missing)}"
    if found.opening is not None:
        yield from (f"metadata: {odd}" for odd in found.opening.metadata.odd)
    for prompt, activation in found.runs:
        exposure = activation.exposure(found.skill.tools)
        of = f"{prompt.name}: " if prompt.name else ""
        if prompt.raw is not None:
            yield from (f"{of}{remark.message}" for remark in remarks(prompt.raw))
        yield from (f"{of}{told}" for told in _odd_names(exposure))
    if connection.session is not None:
        yield from connection.session.warnings


def _odd_names(exposure: Exposure) -> Iterator[str]:
    if exposure.unknown:
        yield f"listed, but no tool of the server: {', '.join(exposure.unknown[:20])}"
    if exposure.dropped:
        yield f"listed, but no names: {', '.join(exposure.dropped[:20])}"
    if exposure.twice:
        yield f"listed more than once: {', '.join(exposure.twice[:20])}"


# The page.


def _print(run: Run, connections: Sequence[Connection], found: Sequence[_Found]) -> None:
    pages = []
    for connection, each in zip(connections, found, strict=True):
        if each.failure is not None:
            run.diagnostics.failed(connection.name, each.failure)
        elif each.opening is not None:
            pages.append("\n".join(_page(run, connection, each, each.opening)))
        for text in _warnings(connection, each):
            run.diagnostics.say(f"{connection.name}: {text}")
    if pages:
        run.output.text("\n\n".join(pages))


def _page(run: Run, connection: Connection, found: _Found, opening: Opening) -> Iterator[str]:
    assert found.client is not None
    name = opening.metadata.name or "(no name)"
    yield f"{connection.name}: the skill {name}, as a client of {found.client.name} sees it"
    if opening.metadata.problem:
        yield f"  {opening.step.outcome}"
    if _is_matrix(run):
        yield _matrix(found)
        return
    for _, activation in found.runs:
        yield from (f"  {visible(line)}" for line in _steps(activation))
        yield f"  {activation.verdict}"
        if activation.instruction:
            yield "\nInstruction\n" + activation.instruction
        if activation.listed is not None:
            exposure = activation.exposure(found.skill.tools)
            yield f"\nTools: {banner(activation, exposure)}"
            rows = [["tool", "hidden", "listed", "exposed", ""]]
            rows += [
                [row.name, _yes(row.hidden), _yes(row.listed), _yes(row.exposed), row.remark]
                for row in exposure.rows
            ]
            yield table(rows)


def _steps(activation: Activation) -> Iterator[str]:
    width = max(len(step.tool) for step in activation.steps)
    for step in activation.steps:
        mark = (
            sign("✗", "wrong") if step.is_wrong else sign("■", "stops") if step.stops else sign("✓", "fine")
        )
        yield f"{mark} {step.tool:<{width}}  {duration(step.seconds):>7}  {step.outcome}"


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def banner(activation: Activation, exposure: Exposure) -> str:
    """The state of the filter for people."""
    assert activation.listed is not None
    state = {"all": "ALL", "none": "NONE", "unreadable": "UNREADABLE"}.get(activation.listed.state)
    count = f"{len(exposure.exposed)} of {counted(exposure.visible, 'tool')}"
    return f"{state}, {activation.listed.why}" if state else f"{count} that are not hidden"


def _matrix(found: _Found) -> str:
    rows = [["prompt", "verdict", "tools", "instruction"]]
    for prompt, activation in found.runs:
        exposure = activation.exposure(found.skill.tools)
        tools = f"{banner(activation, exposure)}: {', '.join(exposure.exposed)}" if activation.listed else ""
        rows.append([prompt.name, activation.verdict, tools, activation.instruction or ""])
    return table(rows)
