"""`call`, `read`, `prompt`, `complete`, `request`: one request to one server, and its answer as served."""

from __future__ import annotations

import asyncio
import base64
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from inspector.base import jsontext, numbers
from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.patterns import pattern
from inspector.base.percentiles import figures_of
from inspector.base.text import clip, decode, duration, visible
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.given import json_of, named_values, text_of
from inspector.cli.running import Run
from inspector.cli.verbs import content
from inspector.cli.verbs.skill_notes import compared
from inspector.protocol.jsonrpc import LINKS_FIRST
from inspector.session.answer import Answer
from inspector.session.dispatcher import Progress
from inspector.workspace.calling import call
from inspector.workspace.connection import Connection
from inspector.workspace.longtasks import LongTask

if TYPE_CHECKING:
    from inspector.policy.audit import Audit

_LOOKED_AT = 4096
_TOLD = 10
_MEANWHILE = 0.002
"""Seconds until the process has been asked of the system, and not started yet."""
_UNKNOWN_TOOL = pattern(
    r"(?i)(?:unknown|no such|invalid) tool|tool\b.{0,80}(?:not found|does not exist|unknown)"
)
_TEXT_GIVEN = pattern(
    r"(?i)(?:expected|must be|should be|not of type|valid) .{0,20}(?:number|integer|boolean|array|object)"
)


class Request:
    """What a command line asks for: the method, its parameters, and how the JSON document names it."""

    def __init__(self, arguments: Arguments) -> None:
        words = list(arguments.operands)
        if arguments.command is None:
            words.pop(0)
        self.verb = arguments.verb
        first, rest = words[0], words[1:]
        self.subject = first
        self.member = {
            "call": "tool",
            "read": "uri",
            "prompt": "prompt",
            "complete": "ref",
            "request": "method",
        }[self.verb]
        self.method, self.params = _BUILD[self.verb](first, rest, arguments)


def _call(tool: str, rest: list[str], arguments: Arguments) -> tuple[str, dict[str, Any]]:
    return "tools/call", {"name": tool, "arguments": numbers.verbatim(_tool_arguments(rest, arguments.args))}


def _read(uri: str, rest: list[str], arguments: Arguments) -> tuple[str, dict[str, Any]]:
    return "resources/read", {"uri": uri}


def _prompt(name: str, rest: list[str], arguments: Arguments) -> tuple[str, dict[str, Any]]:
    values = {}
    for word in rest:
        key, mark, value = word.partition("=")
        if not mark:
            raise Usage(f"{word!r} is no argument: prompts take NAME=VALUE")
        values[key] = value
    return "prompts/get", {"name": name, "arguments": values} if values else {"name": name}


def _complete(ref: str, rest: list[str], arguments: Arguments) -> tuple[str, dict[str, Any]]:
    kind, mark, name = ref.partition(":")
    if kind == "prompt" and mark:
        reference = {"type": "ref/prompt", "name": name}
    elif kind == "resource" and mark:
        reference = {"type": "ref/resource", "uri": name}
    else:
        raise Usage(f"{ref!r} is no reference: use prompt:NAME or resource:URI_TEMPLATE")
    return "completion/complete", {"ref": reference, "argument": {"name": rest[0], "value": rest[1]}}


def _request(method: str, rest: list[str], arguments: Arguments) -> tuple[str, dict[str, Any] | None]:
    if not rest:
        return method, None
    params = json_of(rest[0], "PARAMS_JSON")
    if not isinstance(params, dict):
        raise Usage("PARAMS_JSON must be a JSON object: MCP has no positional parameters")
    return method, {name: numbers.verbatim(member) for name, member in params.items()}


_BUILD: dict[str, Callable[[str, list[str], Arguments], tuple[str, Any]]] = {
    "call": _call, "read": _read, "prompt": _prompt, "complete": _complete, "request": _request,
}  # fmt: skip


def _tool_arguments(words: list[str], given: str | None) -> Any:
    values: dict[str, Any] = {}
    if given is not None:
        loaded = json_of(text_of("--args", given), "--args")
        if not isinstance(loaded, dict):
            raise Usage("--args must be a JSON object")
        values = loaded
    return named_values(words, values)


async def run(run: Run) -> int:
    """Connects to the one server, asks, prints, and only then lets the connection be closed."""
    request: Request = run.prepared
    (connection,) = run.connections
    if run.arguments.verb == "call" and run.arguments.repeat:
        return await _repeat(run, connection, request)
    began = time.monotonic()
    answer: Answer | None = None
    if request.verb == "call" and (calls := run.workspace.tool_calls) is not None:
        # A process takes longer to start than this: it costs the call nothing.
        asyncio.get_running_loop().call_later(_MEANWHILE, _prepare, connection, calls.audit)
    try:
        await run.connected(connection)
        entry = await _fitting(connection, request) if getattr(run.arguments, "validate", False) else None
        began = time.monotonic()
        answer = await _ask(connection, request, _progress(run), _task_told(run))
        failure = answer.failure
        if entry is not None and failure is None:
            answer.notes += _unkept_promises(entry, answer.result)
    except Failed as failed:
        failure = failed.failure
    except asyncio.CancelledError:
        failure = Failure(kind="cancelled", message="interrupted")
        _print(run, request, connection, None, failure, time.monotonic() - began, {})
        raise
    seconds = answer.seconds if answer is not None else time.monotonic() - began
    return _print(run, request, connection, answer, failure, seconds, {})


def _prepare(connection: Connection, audit: Audit) -> None:
    """Loads what a call needs at its end."""
    audit.prepare()
    connection.told  # noqa: B018


async def _fitting(connection: Connection, request: Request) -> dict[str, Any]:
    """What the server lists of the tool, whose input schema takes the arguments. Raises Failed (config) where it does
    not, or where there is no such tool: nothing is sent then."""
    from inspector.schema.validate import Checker

    assert connection.session is not None and request.params is not None
    listing = await connection.session.list("tools")
    entry = listing.find(request.subject)
    if entry is None:
        raise fail(
            "config",
            f"{connection.name} lists no tool {request.subject}",
            "leave --validate out to call it all the same",
        )
    wrong = Checker(entry.get("inputSchema")).check(numbers.unwritten(request.params["arguments"])).errors
    if wrong:
        told = "; ".join(f"{path or 'the whole'}: {said}" for path, said in wrong[:_TOLD])
        more = f"; and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise fail(
            "config",
            f"the arguments do not fit the input schema of {request.subject}, so nothing was sent: {told}{more}",
            "correct them, or leave --validate out to see what the server says",
        )
    return entry


def _unkept_promises(entry: dict[str, Any], result: Any) -> list[str]:
    """Where structured content does not fit the output schema."""
    from inspector.schema.validate import check_result

    if "outputSchema" not in entry or not isinstance(result, dict) or result.get("isError") is True:
        return []
    if "structuredContent" not in result:
        return ["the tool has an output schema, and its answer no structuredContent"]
    issues = check_result(entry["outputSchema"], result["structuredContent"])
    return [
        f"structuredContent does not fit the output schema: {path or 'the whole'}: {said}"
        for path, said in issues[:_TOLD]
    ]


async def _ask(
    connection: Connection,
    request: Request,
    on_progress: Callable[[Progress], None] | None = None,
    told: Callable[[LongTask], None] = lambda task: None,
) -> Answer:
    if request.verb == "call":
        return await call(connection, request.params, told=told, on_progress=on_progress)
    answer = await connection.request(request.method, request.params, on_progress=on_progress)
    if request.verb == "read":
        answer.notes += await compared(connection, request.subject, answer)
    return answer


def _task_told(run: Run) -> Callable[[LongTask], None]:
    def tell(task: LongTask) -> None:
        if sys.stderr.isatty() or run.arguments.verbose:
            every = duration(task.pause)
            run.diagnostics.say(
                f"  the server works on it as task {visible(task.id)}, asked for every {every}"
            )

    return tell


def _progress(run: Run) -> Callable[[Progress], None] | None:
    if not sys.stderr.isatty() and not run.arguments.verbose:
        return None

    def show(progress: Progress) -> None:
        of = f"/{progress.total}" if progress.total is not None else ""
        run.diagnostics.say(f"  {progress.progress}{of} {visible(progress.message or '')}".rstrip())

    return show


async def _repeat(run: Run, connection: Connection, request: Request) -> int:
    """Calls N times, C at once, and prints the last result with the figures of all."""
    total, width = run.arguments.repeat, run.arguments.concurrency
    times: list[float] = []
    errors = 0
    last: tuple[Answer | None, Failure | None] = (None, None)
    worst = Exit.OK
    numbers = iter(range(total))

    async def worker() -> None:
        nonlocal errors, last, worst
        for _ in numbers:
            try:
                answer = await _ask(connection, request)
                failure = answer.failure
                times.append(answer.seconds)
            except Failed as failed:
                answer, failure = None, failed.failure
            last = (answer, failure)
            code = _exit(request, answer, failure)
            worst = max(worst, code)
            errors += code != Exit.OK
            if failure is not None and failure.kind in ("exited", "stream", "cancelled"):
                return

    began = time.monotonic()
    try:
        await run.connected(connection)
        if run.arguments.validate:
            await _fitting(connection, request)
        began = time.monotonic()
        await asyncio.gather(*(worker() for _ in range(min(width, total))))
    except Failed as failed:
        last = (None, failed.failure)
        worst = failed.failure.exit
    except asyncio.CancelledError:
        interrupted = Failure(kind="cancelled", message="interrupted")
        _print_load(run, request, connection, (last[0], interrupted), times, errors, time.monotonic() - began)
        raise
    return max(_print_load(run, request, connection, last, times, errors, time.monotonic() - began), worst)


def _print_load(
    run: Run,
    request: Request,
    connection: Connection,
    last: tuple[Answer | None, Failure | None],
    times: list[float],
    errors: int,
    elapsed: float,
) -> int:
    calls = len(times)
    figures = {
        "calls": calls,
        "errors": errors,
        "rate": round(calls / elapsed, 1) if elapsed and calls else 0.0,
        **figures_of(times),
    }
    code = _print(run, request, connection, *last, elapsed, figures)
    if not run.arguments.json:
        shown = ", ".join(f"{name} {value}" for name, value in figures.items())
        run.diagnostics.say(f"{shown} in {duration(elapsed)}")
    return code


def _exit(request: Request, answer: Answer | None, failure: Failure | None) -> Exit:
    if failure is not None:
        # Cancelled, though there is an answer: the server asked for input that was refused.
        return Exit.FAILURE if answer is not None and failure.kind == "cancelled" else failure.exit
    result = answer.result if answer is not None else None
    failed = request.method == "tools/call" and isinstance(result, dict) and result.get("isError") is True
    return Exit.FAILURE if failed else Exit.OK


def _print(
    run: Run,
    request: Request,
    connection: Connection,
    answer: Answer | None,
    failure: Failure | None,
    seconds: float,
    figures: dict[str, Any],
) -> int:
    if run.watches:
        run.answered = _outcome(answer, failure)
    notes = list(answer.notes) if answer is not None else []
    if connection.session is not None:
        notes += connection.session.warnings
    if run.arguments.json:
        run.output.document(_document(run, request, connection, answer, failure, seconds, notes) | figures)
    else:
        if answer is not None and (failure is None or _has_result(answer)):
            _print_result(run, request, answer)
        if failure is not None:
            run.diagnostics.failed(connection.name, failure)
            for address in _addresses(failure):
                run.diagnostics.say(f"  open {clip(address, 500)}")
        for note in [*notes, *_advice(request, answer)]:
            run.diagnostics.say(f"note: {note}")
    return _exit(request, answer, failure)


def _advice(request: Request, answer: Answer | None) -> Iterator[str]:
    """What helps where a tool refuses a call for a reason that this command line often is."""
    if request.method != "tools/call" or answer is None:
        return
    failed = answer.failure is not None or (
        isinstance(answer.result, dict) and answer.result.get("isError") is True
    )
    said = decode(answer.raw[:_LOOKED_AT]) if failed else ""
    if _UNKNOWN_TOOL.search(said):
        yield "the verb tools lists what there is; some tools are only there for who answers questions (--answer)"
    if _TEXT_GIVEN.search(said) and any(isinstance(value, str) for value in _given(request)):
        yield "NAME=VALUE is always text; NAME:=JSON gives numbers, true, lists and objects"


def _given(request: Request) -> list[Any]:
    arguments = numbers.unwritten(request.params.get("arguments")) if request.params else None
    return list(arguments.values()) if isinstance(arguments, dict) else []


def _addresses(failure: Failure) -> list[str]:
    """What a person must visit first (spec 2025-11-25: elicitation, URL elicitation required)."""
    listed = failure.data.get("elicitations") if isinstance(failure.data, dict) else None
    if failure.code != LINKS_FIRST or not isinstance(listed, list):
        return []
    given = [each.get("url") for each in listed[:20] if isinstance(each, dict)]
    return [url for url in given if isinstance(url, str)]


def _has_result(answer: Answer) -> bool:
    return isinstance(answer.message.value, dict) and "result" in answer.message.value


def _document(
    run: Run,
    request: Request,
    connection: Connection,
    answer: Answer | None,
    failure: Failure | None,
    seconds: float,
    notes: list[str],
) -> dict[str, Any]:
    document: dict[str, Any] = {"server": connection.name, request.member: request.subject, "result": None}
    if answer is not None:
        if not answer.message.readable:
            document["raw"] = run.mask(decode(answer.raw))
        elif _has_result(answer):
            document["result"] = run.output.served(
                jsontext.pick(decode(answer.raw).removeprefix("\ufeff"), "result")
            )
    document["duration_ms"] = round(seconds * 1000, 3)
    document["error"] = None if failure is None else run.error_json(failure)
    document["warnings"] = [run.mask(note) for note in notes]
    return document


def _outcome(answer: Answer | None, failure: Failure | None) -> Any:
    """What the server answered, numbers spelled as they came; else why there is no answer."""
    if answer is not None and _has_result(answer):
        return numbers.spelled(jsontext.pick(decode(answer.raw).removeprefix("\ufeff"), "result") or "null")
    return {"error": failure.message if failure is not None else None}


def _print_result(run: Run, request: Request, answer: Answer) -> None:
    result = answer.result
    if run.output.to_file and (blob := _single_blob(result)) is not None:
        run.output.blob(blob)
        return
    if answer.message.readable:
        # Read anew, since what was decoded for us has lost the spelling of its numbers.
        text = jsontext.pick(decode(answer.raw).removeprefix("\ufeff"), "result") or "null"
        try:
            shown = content.shown(request.method, numbers.spelled(text))
        except (ValueError, RecursionError):
            # Deeper than can be laid out: as it came.
            shown = text
    else:
        shown = decode(answer.raw)
    if isinstance(result, dict) and result.get("isError") is True:
        run.diagnostics.say("the tool reports an error:")
    if shown:
        run.output.text(shown)


def _single_blob(result: Any) -> bytes | None:
    """The bytes of a result that is one picture, sound or binary resource, and of a text resource."""
    if not isinstance(result, dict):
        return None
    parts = result.get("contents") or result.get("content")
    if not isinstance(parts, list) or len(parts) != 1 or not isinstance(parts[0], dict):
        return None
    part = parts[0]
    inner = part.get("resource") if part.get("type") == "resource" else part
    if not isinstance(inner, dict):
        return None
    encoded = inner.get("blob") or (inner.get("data") if part.get("type") in ("image", "audio") else None)
    if isinstance(encoded, str):
        try:
            return base64.b64decode(encoded, validate=True)
        except ValueError:
            return None
    text = inner.get("text")
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) and "contents" in result else None
