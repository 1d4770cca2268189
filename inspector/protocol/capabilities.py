"""What a client declares that it can do, and what a server may ask of it then (spec: lifecycle, capabilities)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.base.text import clip
from inspector.protocol import jsonrpc
from inspector.protocol.revisions import revision

_NEEDED = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling"}
_ASKED = ("roots", "sampling", "elicitation", "tasks")
_FORM = "form"
_WITH_TOOLS = {"tools", "toolChoice"}
_AS_TASKS: Mapping[str, Any] = {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}}


def with_tasks(declared: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same of a client whose answers a server may come for later (spec 2025-11-25: utilities/tasks)."""
    requests = {name: methods for name, methods in _AS_TASKS.items() if name in declared}
    return {**declared, "tasks": {"list": {}, "cancel": {}, "requests": requests}} if requests else declared


def declared_in(version: str, capabilities: Mapping[str, Any]) -> dict[str, Any]:
    """`capabilities`, which are spelled as in 2025-11-25, as far as this version has them and in its spelling."""
    rules = revision(version)
    said = dict(capabilities)
    modes = said.get("elicitation")
    if modes is not None and not (rules.elicits and (rules.detailed or _FORM in _modes(modes))):
        del said["elicitation"]
    if not rules.detailed:
        said.pop("extensions", None)
    if not rules.tasks:
        said.pop("tasks", None)
    bare = {"roots"} if rules.era == "modern" else set() if rules.detailed else {"elicitation", "sampling"}
    return {name: {} if name in bare else value for name, value in said.items()}


def may_be_task(method: str, declared: Mapping[str, Any]) -> bool:
    """Whether a server may make a task of this request (spec 2025-11-25: utilities/tasks, capabilities)."""
    value: Any = declared
    for member in ("tasks", "requests", *method.split("/")):
        value = value.get(member) if isinstance(value, Mapping) else None
    return value is not None


def unanswered(declared: Mapping[str, Any], ours: Mapping[str, Any]) -> list[str]:
    """The names of what is declared, lets a server ask for something, and is not among `ours`, which are answered."""
    return [name for name in _ASKED if name in declared and name not in ours]


def undeclared(
    method: str, arguments: Mapping[str, Any], declared: Mapping[str, Any], *, detailed: bool = True
) -> tuple[int, str] | None:
    """Code and message of the error that answers a request for which nothing was declared; None for every other.
    `detailed` is that of the version in use: where it is not, sampling has no tools that could be declared.

    Roots are no part of this: a list of them may come to be while a session lasts."""
    needed = _NEEDED.get(method)
    if needed is None:
        return None
    if needed not in declared:
        return jsonrpc.METHOD_NOT_FOUND, f"Method not found: {method}"
    mode = arguments.get("mode", _FORM)
    if needed == "elicitation" and mode not in _modes(declared[needed]):
        return jsonrpc.INVALID_PARAMS, f"elicitation of mode {mode} was not declared"
    if (
        detailed
        and needed == "sampling"
        and _WITH_TOOLS & arguments.keys()
        and not (isinstance(able := declared[needed], dict) and "tools" in able)
    ):
        return jsonrpc.INVALID_PARAMS, "sampling with tools was not declared"
    return None


def lacking(data: Any) -> str:
    """The next step where a server refuses a request for want of a capability; `data` is that of its error (spec
    2026-07-28: basic, MissingRequiredClientCapabilityError)."""
    required = _required(data)
    names = [name for name in required if name != "extensions"]
    names += [f"the extension {name}" for name in lacked_extensions(data)]
    if not names:
        return "the request declared too little; the server does not say what is missing"
    told = f"the request did not declare {clip(', '.join(names), 200)}"
    able = [name for name in ("elicitation", "sampling") if name in required]
    return (
        f"{told}; --answer declares {' and '.join(able)} on the command line, the app by itself"
        if able
        else told
    )


def lacked_extensions(data: Any) -> list[str]:
    """Those among what such an error names."""
    found = _required(data).get("extensions")
    return list(found) if isinstance(found, dict) else []


def _required(data: Any) -> dict[str, Any]:
    found = data.get("requiredCapabilities") if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _modes(elicitation: Mapping[str, Any]) -> tuple[str, ...]:
    """Of the declared elicitation; one without modes is of forms only."""
    return (tuple(elicitation) if isinstance(elicitation, dict) else ()) or (_FORM,)
