"""Scripted answers: which one is given to what arguments, what is done before, and how it is made of them."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base import jsontext
from inspector.protocol.jsonrpc import INVALID_PARAMS
from inspector.serving import content
from inspector.serving.call import Ask, AskAll, Call
from inspector.serving.definition import Listed, Result, RpcError, ToolError, Whole, is_modern

_PLACE = re.compile(r"\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}")

Scope = Mapping[str, Any]
Step = Callable[[Call, Scope], Coroutine[Any, Any, Any]]
"""What is done before an answer; what it gives, if anything, is `answer` from then on."""


def filled(value: Any, scope: Scope) -> Any:
    """A value with `{name}` and `{name.member}` in its texts replaced. A text that is nothing else becomes the value
    itself; where there is no such name it stays as it is, a member that is not there is null, or nothing in a text."""
    if isinstance(value, str):
        whole = _PLACE.fullmatch(value)
        if whole is not None:
            found = _found(whole[1], scope)
            return value if found is _MISSING else found
        return _PLACE.sub(lambda place: _text(_found(place[1], scope), place[0]), value)
    if isinstance(value, list):
        return [filled(each, scope) for each in value]
    if isinstance(value, dict):
        return {name: filled(each, scope) for name, each in value.items()}
    return value


_MISSING = object()


def _found(path: str, scope: Scope) -> Any:
    name, *members = path.split(".")
    if name not in scope:
        return _MISSING
    value = scope[name]
    for member in members:
        if isinstance(value, Mapping):
            value = value.get(member)
        elif isinstance(value, list) and member.isdigit() and int(member) < len(value):
            value = value[int(member)]
        else:
            return None
    return value


def _text(value: Any, otherwise: str) -> str:
    if value is _MISSING:
        return otherwise
    return _plain(value)


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer: for arguments that have all members of `when`, at most `times` times in a session. `reply` is as the
    file has it: `result`, `error`, or what the kind of subject takes."""

    reply: Mapping[str, Any]
    when: Mapping[str, Any] = field(default_factory=dict)
    times: int | None = None
    steps: Sequence[Step] = ()

    def fits(self, arguments: Mapping[str, Any], given: int) -> bool:
        if self.times is not None and given >= self.times:
            return False
        return all(name in arguments and _covers(value, arguments[name]) for name, value in self.when.items())


def _covers(wanted: Any, value: Any) -> bool:
    """Whether a value is the one that is wanted; an object may have more members."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return all(name in value and _covers(each, value[name]) for name, each in wanted.items())
    return bool(wanted == value) and isinstance(wanted, bool) == isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers of one subject; the first that fits is given. `told` names the subject."""

    told: str
    choices: Sequence[Scripted]

    async def reply(self, call: Call, arguments: Mapping[str, Any]) -> tuple[Mapping[str, Any], Scope] | None:
        """What the fitting answer says, once its steps are done, and what may stand in it; None where none fits.
        Raises RpcError where it is an error."""
        given = call.session.memory.setdefault("scripted", {})
        for choice in self.choices:
            if choice.fits(arguments, given.get(id(choice), 0)):
                break
        else:
            return None
        given[id(choice)] = given.get(id(choice), 0) + 1
        scope: dict[str, Any] = {**arguments}
        for step in choice.steps:
            if (came := await step(call, scope)) is not None:
                scope["answer"] = came
        error = choice.reply.get("error")
        if isinstance(error, dict):
            told = filled(error, scope)
            raise RpcError(told.get("code", INVALID_PARAMS), str(told.get("message", "")), told.get("data"))
        return choice.reply, scope

    def expects(self, arguments: Mapping[str, Any]) -> bool:
        """Whether an answer is for these very arguments, and not only for some of them or for any."""
        return any(
            choice.when and len(choice.when) == len(arguments) and choice.fits(arguments, 0)
            for choice in self.choices
        )

    async def tool(self, call: Call) -> Result | Whole:
        found = await self.reply(call, call.arguments)
        if found is None:
            raise ToolError(f"{self.told} has no answer to these arguments.")
        reply, scope = found
        if "result" in reply:
            return Whole(filled(reply["result"], scope))
        blocks = [content.text(_plain(filled(reply["text"], scope)))] if "text" in reply else []
        blocks += filled(reply.get("content", []), scope)
        return Result(blocks, filled(reply.get("structured"), scope), reply.get("isError") is True)

    async def prompt(self, call: Call) -> str | Sequence[Mapping[str, Any]] | Whole:
        reply, scope = await self._reply(call)
        if "result" in reply:
            return Whole(filled(reply["result"], scope))
        if "text" in reply:
            return _plain(filled(reply["text"], scope))
        messages: list[Mapping[str, Any]] = filled(reply.get("messages", []), scope)
        return messages

    async def resource(self, call: Call) -> str | bytes | Whole:
        reply, scope = await self._reply(call)
        if "result" in reply:
            return Whole(filled(reply["result"], scope))
        if "blob" in reply:
            return b64decode(str(reply["blob"]))
        return _plain(filled(reply.get("text", ""), scope))

    async def method(self, call: Call) -> dict[str, Any]:
        reply, scope = await self._reply(call, call.params)
        result: dict[str, Any] = filled(reply.get("result", {}), scope)
        return result

    async def _reply(
        self, call: Call, arguments: Mapping[str, Any] | None = None
    ) -> tuple[Mapping[str, Any], Scope]:
        found = await self.reply(call, call.arguments if arguments is None else arguments)
        if found is None:
            raise RpcError(INVALID_PARAMS, f"{self.told} has no answer to this.")
        return found


def _plain(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else jsontext.dump(value, None)


# What is done before an answer, or by itself.


def wait(seconds: float) -> Step:
    async def step(call: Call, scope: Scope) -> None:
        await call.sleep(seconds)

    return step


def progress(done: float, total: float | None, message: str | None) -> Step:
    async def step(call: Call, scope: Scope) -> None:
        call.progress(done, total, None if message is None else _plain(filled(message, scope)))

    return step


def log(level: str, data: Any, logger: str | None) -> Step:
    async def step(call: Call, scope: Scope) -> None:
        call.log(level, filled(data, scope), logger)

    return step


def notify(method: str, params: Mapping[str, Any] | None) -> Step:
    async def step(call: Call, scope: Scope) -> None:
        call.session.notify(method, filled(params, scope), call.id)

    return step


def updated(uri: str) -> Step:
    async def step(call: Call, scope: Scope) -> None:
        call.session.updated(_plain(filled(uri, scope)))

    return step


def ask(questions: Sequence[tuple[Ask, str | None]], *, together: bool) -> Step:
    """Questions, each with the ability that it needs. Together they are one round where there are rounds, and their
    results are told apart by their keys."""

    async def step(call: Call, scope: Scope) -> Any:
        for _, needs in questions:
            if needs is not None and needs not in call.capabilities:
                raise call.session.lacks(needs)
        asks = [
            Ask(each.method, filled(each.params, scope), each.key, each.patience) for each, _ in questions
        ]
        if not together:
            return await asks[0]
        if is_modern(call.session.version):
            return await AskAll(asks)
        return {each.key: await each for each in asks}

    return step


def change(items: Sequence[Listed], *, away: bool) -> Step:
    async def step(call: Call, scope: Scope) -> None:
        for item in items:
            if away:
                call.session.remove(item)
            else:
                call.session.add(item)

    return step
