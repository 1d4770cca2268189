"""A remote skill of Solon AI as a definition: rules of what it answers to a prompt, said in the ways of a version.

The framework makes one resource and four tools of a skill; the model's own tools stand beside them. None of their
schemas declares the argument that they all take.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base.errors import Failed
from inspector.protocol.jsonrpc import INVALID_PARAMS
from inspector.protocol.solon import (
    ATTACH,
    FORBIDDEN,
    HIDE,
    INSTRUCTION,
    MANAGEMENT,
    PROMPT,
    SKILL,
    SUPPORTED,
    TALENT,
    TOOLS,
)
from inspector.serving import content
from inspector.serving.answers import filled
from inspector.serving.call import Call
from inspector.serving.definition import Resource, Result, RpcError, Tool, ToolError, Whole

VERSIONS = ("3.9.0", "3.9.3", "4.0")
_USER = 1
_SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class Rule:
    """What is given where the text of the user holds `text` and every attribute of `attrs` is there, with its value
    where that is not None; `error` stands in its place."""

    gives: Any
    text: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

    def fits(self, said: str, attrs: Mapping[str, Any]) -> bool:
        return self.text in said and all(
            name in attrs and (value is None or attrs[name] == value) for name, value in self.attrs.items()
        )


@dataclass(frozen=True, slots=True)
class Skill:
    """The first rule that fits decides; where none does, the skill is not supported, has no instruction and exposes all
    tools. `version` is the one whose ways it has: its URI, and what null looks like. `marked` tells whether its parts
    carry the marker, `stateless` whether the list of resources shows it, as only one transport of the framework
    does."""

    metadata: Mapping[str, Any] | str
    supported: Sequence[Rule] = ()
    attach: Sequence[Rule] = ()
    instruction: Sequence[Rule] = ()
    tools: Sequence[Rule] = ()
    version: str = "3.9.3"
    marked: bool = True
    stateless: bool = False

    def parts(self) -> tuple[list[Tool], list[Resource]]:
        """Its four tools and its resource."""
        marker = {"_meta": {HIDE: 1} if self.marked else {}}
        rules = {
            SUPPORTED: self.supported,
            ATTACH: self.attach,
            INSTRUCTION: self.instruction,
            TOOLS: self.tools,
        }
        tools = [
            Tool(
                name=name,
                title="",
                description=FORBIDDEN,
                input=_SCHEMA,
                annotations={"returnDirect": False},
                more=marker,
                run=self._answers(name, rules[name]),
            )
            for name in MANAGEMENT
        ]
        uri = TALENT if self.version == "4.0" else SKILL
        listed = marker if self.stateless else {}
        return tools, [Resource(uri=uri, name="metadataMcp", read=self._metadata, more=listed)]

    async def _metadata(self, call: Call) -> Whole:
        text = self.metadata if isinstance(self.metadata, str) else _json(self.metadata)
        uri = str(call.params.get("uri"))
        return Whole({"contents": [content.contents(uri, text, "text/plain")], **self._marked()})

    def _marked(self) -> dict[str, Any]:
        """What the result of a call or a reading carries."""
        return {} if self.version == "3.9.0" else {"_meta": {HIDE: 1} if self.marked else {}}

    def _answers(self, name: str, rules: Sequence[Rule]) -> Callable[[Call], Any]:
        async def run(call: Call) -> Result | Whole:
            said, attrs = _read(call.arguments.get(PROMPT))
            rule = next((rule for rule in rules if rule.fits(said, attrs)), None)
            if rule is not None and rule.error is not None:
                raise ToolError(rule.error)
            given = filled(rule.gives, attrs) if rule is not None else None
            answer = {"content": [content.text(self._text(name, given))], "isError": False}
            return Whole(answer | self._marked())

        return run

    def _text(self, name: str, given: Any) -> str:
        if name == SUPPORTED:
            return given if isinstance(given, str) else _json(bool(given))
        if given is None or name == ATTACH:
            return "null" if self.version == "3.9.0" else ""
        return given if isinstance(given, str) else _json(given)


_RULES = ("supported", "attach", "instruction", "tools")


def skill_of(value: Any, wrong: Callable[[str, str, str], Failed]) -> Skill:
    """The member `skill` of a definition file. Raises what `wrong` makes of a place, what is wrong, and a hint."""
    given = _object(value, "/skill", {"version", "marker", "stateless", "metadata", *_RULES}, wrong)
    version = str(given.get("version", "3.9.3"))
    if version not in VERSIONS:
        raise wrong("/skill/version", "is no version", f"one of {', '.join(VERSIONS)}")
    metadata = given.get("metadata", {})
    if not isinstance(metadata, str):
        metadata = _object(metadata, "/skill/metadata", None, wrong)
    rules = {name: _rules(given.get(name, []), f"/skill/{name}", wrong) for name in _RULES}
    return Skill(
        metadata,
        version=version,
        marked=given.get("marker", True) is True,
        stateless=given.get("stateless", False) is True,
        **rules,
    )


def _rules(value: Any, where: str, wrong: Callable[[str, str, str], Failed]) -> list[Rule]:
    if not isinstance(value, list):
        raise wrong(where, "is no list of rules", "as in [{text: order, attrs: {role: ADMIN}, give: true}]")
    found = []
    for at, each in enumerate(value):
        given = _object(each, f"{where}/{at}", {"text", "attrs", "give", "error"}, wrong)
        attrs = _object(given.get("attrs", {}), f"{where}/{at}/attrs", None, wrong)
        error = given.get("error")
        found.append(
            Rule(
                given.get("give", True),
                str(given.get("text", "")),
                attrs,
                None if error is None else str(error),
            )
        )
    return found


def _object(
    value: Any, where: str, known: set[str] | None, wrong: Callable[[str, str, str], Failed]
) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise wrong(where, "is no object", "name: value")
    if known is not None and (unknown := [str(name) for name in value if name not in known]):
        raise wrong(f"{where}/{unknown[0]}", "is not known", f"one of {', '.join(sorted(known))}")
    return value


def _read(text: Any) -> tuple[str, Mapping[str, Any]]:
    """What the user said last, and the attributes. Raises ToolError for what the framework cannot read."""
    if not isinstance(text, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {PROMPT} must be a string")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError(f"The prompt is no JSON: {error}") from None
    if value is None:
        raise ToolError("The prompt is null")
    prompt = value if isinstance(value, dict) else {}
    messages, attrs = prompt.get("messages"), prompt.get("attrs")
    said = ""
    for message in messages if isinstance(messages, list) else ():
        if not isinstance(message, dict) or "@type" not in message:
            raise ToolError("A message without @type cannot be made a ChatMessage")
        if _is_of_user(message) and message.get("content"):
            said = str(message["content"])
    return said, attrs if isinstance(attrs, dict) else {}


def _is_of_user(message: Mapping[str, Any]) -> bool:
    return str(message["@type"]).endswith(".UserMessage") or message.get("role") == _USER


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
