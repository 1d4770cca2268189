"""`freeze`: a definition file of what a live server lists, for `serve`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.base import jsontext
from inspector.base.errors import Exit, Failed, fail
from inspector.base.jsontext import Verbatim
from inspector.base.secrets import Secrets
from inspector.base.text import decode, visible_json
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.running import Run
from inspector.serving import frozen, script
from inspector.serving.definition import MODERN, VERSIONS
from inspector.session.listings import Listing
from inspector.session.session import Session
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection

_COUNTED = ("tools", "resources", "templates", "prompts", "answers")


async def run(run: Run) -> int:
    """One server, each entry of its lists on a line of its own, spelled as served but for its line ends and the secrets
    that are known. Raises Failed."""
    if len(run.wanted) != 1:
        names = ", ".join(one.name for one in run.wanted)
        raise fail(
            "config", f"freeze needs one server, and the target has {names or 'none'}", "choose one with -s"
        )
    (connection,) = run.wanted
    await run.connected(connection)
    session = connection.session
    assert session is not None
    listings = await session.lists()
    for kind, listing in listings.items():
        if listing.failure is not None:
            run.diagnostics.say(f"note: {kind} could not be read: {listing.failure.message}")
        for warning in listing.warnings:
            run.diagnostics.say(f"note: {kind}: {warning}")
    members: dict[str, Any] = {"definition": 1, **_told(session)}
    for kind, listing in listings.items():
        members[kind] = [_text(run, text) for text in listing.texts()]
    if run.arguments.read:
        members["answers"] = [
            answer async for answer in _contents(run, connection, listings.get("resources"))
        ]
    _write(run.output, members)
    counts = ", ".join(f"{len(listing.entries)} {kind}" for kind, listing in listings.items())
    run.diagnostics.say(f"{connection.name}: {counts or 'it lists nothing'}")
    return Exit.OK


def of_recording(arguments: Arguments) -> int:
    """The same for the server of a recording, with what it answered. Raises Failed, Usage."""
    if len(arguments.server or ()) > 1:
        raise Usage("freeze writes down one server: leave all but one -s out")
    diagnostics = Diagnostics(None if arguments.reveal else Secrets())
    traffic = Traffic.open_recording(Path(arguments.operands[0]))
    try:
        traffic.advance()
        found = script.read(traffic, arguments.server[0] if arguments.server else None)
        members, notes = frozen.members(found)
    finally:
        traffic.close()
    for note in notes:
        diagnostics.say(f"note: {note}")
    _write(Output(arguments.output, None), members)
    counts = ", ".join(f"{len(value)} {name}" for name, value in members.items() if name in _COUNTED)
    diagnostics.say(f"{found.label}: {counts or 'it lists nothing'}")
    return Exit.OK


def _write(output: Output, members: dict[str, Any]) -> None:
    text = "\n".join(_lines(members)) + "\n"
    with output.stream() as write:
        write((text if output.to_file else visible_json(text)).encode("utf-8", "surrogatepass"))


def _told(session: Session) -> dict[str, Any]:
    handshake = session.handshake
    assert handshake is not None
    told: dict[str, Any] = {}
    if isinstance(handshake.server_info, dict):
        told["server"] = handshake.server_info
    if handshake.instructions is not None:
        told["instructions"] = handshake.instructions
    if handshake.era == "modern":
        offered = handshake.result.get("supportedVersions")
        spoken = offered if isinstance(offered, list) else []
        told["versions"] = [version for version in (MODERN, *VERSIONS) if version in (MODERN, *spoken)]
    else:
        told["versions"] = [version for version in VERSIONS if version <= handshake.version] or list(VERSIONS)
    if handshake.declared:
        told["capabilities"] = handshake.capabilities
    return told


async def _contents(run: Run, connection: Connection, listing: Listing | None) -> Any:
    """What each listed resource holds, as scripted answers."""
    for entry in listing.entries if listing is not None else ():
        uri = entry.get("uri") if isinstance(entry, dict) else None
        if not isinstance(uri, str):
            continue
        try:
            answer = await connection.request("resources/read", {"uri": uri})
        except Failed as failed:
            run.diagnostics.say(f"note: {uri} could not be read: {failed.failure.message}")
            continue
        text = jsontext.pick(decode(answer.raw), "result")
        if text is None or answer.failure is not None:
            why = answer.failure.message if answer.failure is not None else "no result"
            run.diagnostics.say(f"note: {uri} could not be read: {why}")
        else:
            yield {"resource": uri, "result": _text(run, text)}


def _text(run: Run, text: str) -> Verbatim:
    served = run.output.served(text) or text
    return Verbatim(served.replace("\r", " ").replace("\n", " "))


def _lines(members: dict[str, Any]) -> Iterator[str]:
    """JSON whose lists have an entry a line, so that a change is a line in a diff."""
    yield "{"
    last = list(members)[-1]
    for name, value in members.items():
        comma = "" if name == last else ","
        if isinstance(value, list) and value:
            yield f' "{name}": ['
            yield ",\n".join(f"  {jsontext.dump(each, None)}" for each in value)
            yield f" ]{comma}"
        else:
            yield f' "{name}": {jsontext.dump(value, None)}{comma}'
    yield "}"
