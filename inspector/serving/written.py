"""Definition files: a server as YAML or JSON. What is listed is there as it goes out; answers to it stand beside it."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, get_args

from inspector.base.errors import Failed, fail
from inspector.base.fifo import read_named
from inspector.base.jsontext import Verbatim, elements, pick
from inspector.base.numbers import place
from inspector.base.text import decode
from inspector.config.plain_yaml import load
from inspector.protocol import jsonrpc
from inspector.serving import answers, solon
from inspector.serving.answers import Answers, Scripted, Step
from inspector.serving.call import LEVELS, Ask, Call
from inspector.serving.definition import (
    MODERN,
    VERSIONS,
    Argument,
    Completer,
    Cursors,
    Definition,
    Listed,
    Places,
    Prompt,
    Resource,
    Template,
    Tool,
    is_modern,
)

MARK = "definition"
_MOST_BYTES = 50_000_000
_SOONEST = 0.01
"""Seconds between two times of an event: more often is a flood and no event."""
_LISTS = {"tools": "name", "resources": "uri", "templates": "uriTemplate", "prompts": "name"}
_SUBJECTS = ("tool", "prompt", "resource", "method")
_REPLIES = {
    "tool": {"text", "content", "structured", "isError"}, "prompt": {"text", "messages"},
    "resource": {"text", "blob"}, "method": set[str](),
}  # fmt: skip
_TYPES: Mapping[str, tuple[type, str]] = {
    "text": (str, "text"), "content": (list, "list"), "messages": (list, "list"), "isError": (bool, "true or false"),
    "blob": (str, "text"),
}  # fmt: skip
_NEEDS = {"sampling/createMessage": "sampling", "elicitation/create": "elicitation", "roots/list": "roots"}
_Lists: TypeAlias = Mapping[str, list[Any]]
_T = TypeVar("_T")


def is_definition(path: Path) -> bool:
    """Whether a file says of itself that it is one, in its first member. Raises Failed (io)."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise fail("io", f"cannot read {path}: {error.strerror or error}", "check the path") from error
    lines = (line.strip() for line in head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines())
    first = next((line for line in lines if line not in ("", "{", "---") and not line.startswith("#")), "")
    return first.lstrip('{" ').startswith(MARK)


def read(path: Path) -> Definition:
    """The server that a file describes. Raises Failed: io where it cannot be read, config naming what is wrong."""
    text, value = _read(path)
    return _File(path, text, value).definition()


def value_of(path: Path) -> Any:
    """The YAML or JSON that a file holds, None where it is empty. Raises Failed as `read` does."""
    return _read(path)[1]


def _read(path: Path) -> tuple[str, Any]:
    try:
        data = read_named(path, _MOST_BYTES + 1)
    except OSError as error:
        raise fail("io", f"cannot read {path}: {error.strerror or error}", "check the path") from error
    if len(data) > _MOST_BYTES:
        raise fail("config", f"{path} is longer than {_MOST_BYTES} bytes", "split it")
    text = decode(data).removeprefix("\ufeff")
    return text, _value(path, data, text)


def _value(path: Path, data: bytes, text: str) -> Any:
    if not text.lstrip().startswith("{"):
        return load(path, data)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line, column = place(text, error.pos)
        raise fail("config", f"{path}:{line}:{column}: {error.msg}", "correct the file") from error
    except RecursionError as error:
        raise fail("config", f"{path} is nested too deeply", "correct the file") from error


class _File:
    def __init__(self, path: Path, text: str, value: Any) -> None:
        self._path = path
        self._text = text if text.lstrip().startswith("{") else None
        self._given = self._object("", value, {
            MARK, "server", "instructions", "versions", "capabilities", "extensions", "page", "logging", "keeps",
            "cursors", "agrees", "holds", "http",
            *_LISTS, "answers", "completions", "events", "skill",
        })  # fmt: skip
        self._found: dict[str, dict[str, list[Scripted]]] = {kind: {} for kind in _SUBJECTS}
        self._listed_names: dict[str, set[str]] = {kind: set() for kind in _SUBJECTS}

    def definition(self) -> Definition:
        given = self._given
        if given.get(MARK) != 1:
            raise self._wrong(f"/{MARK}", "is not 1", f"begin the file with {MARK}: 1")
        about = dict(self._object("/server", given.get("server", {}), None))
        page = given.get("page")
        if page is not None and (type(page) is not int or page < 1):
            raise self._wrong("/page", "is no number of entries", "as in page: 50")
        cursors = given.get("cursors")
        if cursors not in (None, *get_args(Cursors)):
            raise self._wrong("/cursors", "is no fault of cursors", f"one of {', '.join(get_args(Cursors))}")
        versions = self._versions()
        self._read_answers()
        self._completions("", "")
        listed: dict[str, list[Any]] = {
            kind: self._listed(kind, f"/{kind}", given.get(kind, []), self._texts(kind)) for kind in _LISTS
        }
        if "skill" in given:
            tools, resources = solon.skill_of(given["skill"], self._wrong).parts()
            listed["tools"], listed["resources"] = tools + listed["tools"], resources + listed["resources"]
        events: dict[str, list[Callable[[Call], Any]]] = {}
        for at, each in self._each("events"):
            on, routine = self._event(f"/events/{at}", each)
            events.setdefault(on, []).append(routine)
        capabilities = given.get("capabilities")
        keeps = self._object("/keeps", given.get("keeps", {}), None)
        return Definition(
            name=str(about.pop("name", self._path.stem)),
            version=str(about.pop("version", "1")),
            about=about,
            instructions=given.get("instructions"),
            tools=listed["tools"],
            resources=listed["resources"],
            templates=listed["templates"],
            prompts=listed["prompts"],
            routines=events.pop("", []),
            reactions=events,
            cursors=cursors,
            agrees=None if given.get("agrees") is None else str(given["agrees"]),
            holds=given.get("holds", False) is True,
            places=self._places(),
            pages={}
            if page is None
            else dict.fromkeys(("tools", "resources", "resourceTemplates", "prompts"), page),
            logging=given.get("logging", True) is True,
            capabilities=None if capabilities is None else self._object("/capabilities", capabilities, None),
            versions=versions,
            extensions=self._object("/extensions", given.get("extensions", {}), None),
            keeps={method: float(seconds) for method, seconds in keeps.items()},
            methods={name: Answers(name, choices).method for name, choices in self._found["method"].items()},
            notes=[*self._unasked()],
        )

    def _unasked(self) -> Iterator[str]:
        """Answers to what is not listed, and so was probably misspelled."""
        for kind in ("tool", "prompt", "resource"):
            for name, choices in self._found[kind].items():
                if choices and name not in self._listed_names[kind]:
                    yield f"an answer is for the {kind} {name}, which is not listed, so nobody gets it"

    def _places(self) -> Places:
        given = self._object("/http", self._given.get("http", {}), set(Places._fields))
        for name, value in given.items():
            if not isinstance(value, str) or (name != "base" and not value.startswith("/")):
                raise self._wrong(f"/http/{name}", "is no path", "as in path: /mcp")
        return Places(**given)

    def _versions(self) -> Sequence[str]:
        given = self._given.get("versions")
        if given is None:
            return (MODERN, *VERSIONS)
        known = (MODERN, *VERSIONS)
        if not isinstance(given, list) or not given or not set(map(str, given)) <= set(known):
            raise self._wrong("/versions", "is no list of versions", f"of {', '.join(known)}")
        return sorted(map(str, given), key=lambda version: (not is_modern(version), known.index(version)))

    # Lists.

    def _texts(self, kind: str) -> list[str]:
        """How the entries are spelled, where the file is JSON."""
        return elements(pick(self._text, kind) or "") if self._text is not None else []

    def _listed(self, kind: str, where: str, entries: Any, texts: Sequence[str] = ()) -> list[Any]:
        if not isinstance(entries, list):
            raise self._wrong(where, "is no list", "as in tools: [{name: echo, inputSchema: {type: object}}]")
        made: dict[str, Any] = {}
        for at, entry in enumerate(entries):
            text = texts[at] if len(texts) == len(entries) else jsonrpc.encode(entry).decode()
            given = entry if isinstance(entry, dict) else {}
            name = given.get(_LISTS[kind])
            # Whatever is odd in an entry is listed all the same; it only cannot be asked for.
            key = name if isinstance(name, str) and name not in made else f"\0{at}"
            made[key] = self._item(kind, given, key, Verbatim(text.replace("\r", " ").replace("\n", " ")))
        return list(made.values())

    def _item(self, kind: str, entry: Mapping[str, Any], key: str, text: Verbatim) -> Listed:
        if kind == "tools":
            schema = entry.get("inputSchema")
            answers = self._answers("tool", key, f"The tool {key}")
            return Tool(
                name=key,
                run=answers.tool,
                input=schema if isinstance(schema, dict) else {},
                expects=answers.expects,
                as_is=text,
            )
        if kind == "prompts":
            answers = self._answers("prompt", key, f"The prompt {key}")
            return Prompt(
                name=key,
                messages=answers.prompt,
                arguments=self._arguments(key, entry.get("arguments")),
                expects=answers.expects,
                as_is=text,
            )
        read, mime = self._answers("resource", key, f"The resource {key}").resource, entry.get("mimeType")
        mime = mime if isinstance(mime, str) else None
        if kind == "resources":
            return Resource(name=key, uri=key, read=read, mime=mime, as_is=text)
        return Template(
            name=key, uri=key, read=read, mime=mime, complete=self._completions("template", key), as_is=text
        )

    def _arguments(self, prompt: str, listed: Any) -> list[Argument]:
        values = self._completions("prompt", prompt)
        return [
            Argument(
                str(each.get("name")), "", each.get("required") is True, values.get(str(each.get("name")), ())
            )
            for each in (listed if isinstance(listed, list) else ())
            if isinstance(each, dict)
        ]

    def _completions(self, kind: str, name: str) -> dict[str, Completer]:
        found: dict[str, Completer] = {}
        for at, each in self._each("completions"):
            where = f"/completions/{at}"
            given = self._object(where, each, {"prompt", "template", "argument", "values"})
            values = given.get("values")
            if not isinstance(values, list) or ("prompt" in given) == ("template" in given):
                raise self._wrong(
                    where, "is no completion", "{prompt: NAME, argument: city, values: [Oslo, Rome]}"
                )
            if given.get(kind) == name:
                found[str(given.get("argument"))] = [str(value) for value in values]
        return found

    # Answers.

    def _answers(self, kind: str, name: str, told: str) -> Answers:
        self._listed_names[kind].add(name)
        return Answers(told, self._choices(kind, name))

    def _choices(self, kind: str, name: str) -> list[Scripted]:
        """Filled while the file is read: an answer may list what has answers itself."""
        return self._found[kind].setdefault(name, [])

    def _read_answers(self) -> None:
        for at, each in self._each("answers"):
            where = f"/answers/{at}"
            given = self._object(where, each, None)
            subjects = [name for name in _SUBJECTS if name in given]
            if len(subjects) != 1:
                raise self._wrong(
                    where, f"has {len(subjects) or 'no'} subjects", f"one of {', '.join(_SUBJECTS)}"
                )
            (kind,) = subjects
            self._choices(kind, str(given[kind])).append(self._answer(where, kind, given))

    def _answer(self, where: str, kind: str, given: Mapping[str, Any]) -> Scripted:
        self._object(where, given, {kind, "when", "times", "before", "result", "error", *_REPLIES[kind]})
        times = given.get("times")
        if times is not None and (type(times) is not int or times < 1):
            raise self._wrong(
                f"{where}/times", "is no whole number above 0", "leave it out for any number of times"
            )
        for name in ("result", "error"):
            self._object(f"{where}/{name}", given.get(name, {}), None)
        reply = {name: given[name] for name in ("result", "error", *sorted(_REPLIES[kind])) if name in given}
        self._check_reply(where, kind, reply)
        when = self._object(f"{where}/when", given.get("when", {}), None)
        return Scripted(reply, when, times, self._steps(f"{where}/before", given.get("before", [])))

    def _check_reply(self, where: str, kind: str, reply: Mapping[str, Any]) -> None:
        names = list(reply)
        if len(names) > 1 and (kind != "tool" or {"result", "error"} & set(names)):
            raise self._wrong(where, f"has {' and '.join(names)}", "one of them is the answer")
        for name, value in reply.items():
            wanted, called = _TYPES.get(name, (object, ""))
            if not isinstance(value, wanted):
                raise self._wrong(
                    f"{where}/{name}",
                    f"is no {called}",
                    "put it in quotes" if called == "text" else "see docs/how-to/serve.md",
                )
        try:
            b64decode(reply.get("blob", ""))
        except ValueError as error:
            raise self._wrong(f"{where}/blob", "is no base64", f"{error}") from error

    def _steps(self, where: str, given: Any) -> list[Step]:
        if not isinstance(given, list):
            raise self._wrong(where, "is no list of steps", "as in [{wait: 0.5}, {log: half way}]")
        return [self._step(f"{where}/{at}", each) for at, each in enumerate(given)]

    def _step(self, where: str, value: Any) -> Step:
        given = self._object(where, value, {
            "wait", "progress", "total", "message", "log", "level", "logger", "notify", "ask", "key", "params",
            "updated", "add", "remove", "timeout",
        })  # fmt: skip
        params = given.get("params")
        if "wait" in given:
            return answers.wait(self._number(f"{where}/wait", given["wait"]))
        if "progress" in given:
            total = given.get("total")
            return answers.progress(
                self._number(f"{where}/progress", given["progress"]),
                None if total is None else self._number(f"{where}/total", total),
                given.get("message"),
            )
        if "log" in given:
            level = given.get("level", "info")
            if level not in LEVELS:
                raise self._wrong(f"{where}/level", "is no level", f"one of {', '.join(LEVELS)}")
            return answers.log(level, given["log"], given.get("logger"))
        if "notify" in given:
            return answers.notify(str(given["notify"]), params)
        if "ask" in given:
            together = isinstance(given["ask"], list)
            asked = given["ask"] if together else [given]
            return answers.ask([self._question(where, each) for each in asked], together=together)
        if "updated" in given:
            return answers.updated(str(given["updated"]))
        for name in ("add", "remove"):
            if name in given:
                lists = self._object(f"{where}/{name}", given[name], set(_LISTS))
                at = f"{where}/{name}"
                items = [each for kind in lists for each in self._listed(kind, f"{at}/{kind}", lists[kind])]
                return answers.change(items, away=name == "remove")
        raise self._wrong(
            where, "is no step", "one of wait, progress, log, notify, ask, updated, add, remove"
        )

    def _question(self, where: str, value: Any) -> tuple[Ask, str | None]:
        given = self._object(f"{where}/ask", value, {"ask", "key", "params", "timeout"})
        method, limit = str(given.get("ask")), given.get("timeout")
        patience = None if limit is None else self._number(f"{where}/timeout", limit)
        return Ask(method, given.get("params"), str(given.get("key", "question")), patience), _NEEDS.get(
            method
        )

    def _event(self, where: str, value: Any) -> tuple[str, Callable[[Call], Any]]:
        """What happens, and the notification that it happens on; empty where a client is enough."""
        given = self._object(where, value, {"after", "every", "do", "on"})
        steps = self._steps(f"{where}/do", given.get("do", []))
        after = self._number(f"{where}/after", given.get("after", 0))
        every = given.get("every")
        if every is not None and self._number(f"{where}/every", every) < _SOONEST:
            raise self._wrong(f"{where}/every", f"is below {_SOONEST:g} s", "leave it out for once")
        return str(given.get("on", "")), partial(_happen, steps, after, every)

    # What the file holds.

    def _each(self, name: str) -> list[tuple[int, Any]]:
        given = self._given.get(name, [])
        if not isinstance(given, list):
            raise self._wrong(f"/{name}", "is no list", "see docs/how-to/serve.md")
        return list(enumerate(given))

    def _object(self, where: str, value: Any, known: set[str] | None) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(where or "/", "is no object", "name: value")
        if known is not None and (unknown := [str(name) for name in value if name not in known]):
            raise self._wrong(f"{where}/{unknown[0]}", "is not known", f"one of {', '.join(sorted(known))}")
        return value

    def _number(self, where: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
            raise self._wrong(where, "is no number from 0 on", "as in 0.5")
        return value

    def _wrong(self, where: str, what: str, hint: str) -> Failed:
        return fail("config", f"{self._path}: {where} {what}", hint)


async def _happen(steps: Sequence[Step], after: float, every: float | None, call: Call) -> None:
    await call.sleep(after)
    while True:
        scope: dict[str, Any] = {}
        for step in steps:
            if (came := await step(call, scope)) is not None:
                scope["answer"] = came
        if every is None:
            return
        await call.sleep(every)
