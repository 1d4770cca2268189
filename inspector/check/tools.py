"""What servers say of their tools, before any of them is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.base.jsonptr import escape, pointer
from inspector.base.patterns import pattern
from inspector.base.secrets import is_secret_name
from inspector.base.text import clip, quoted, visible_block
from inspector.check.rules import ALL, MODERN, V03, V06, V07, V11, Findings, Found, rule
from inspector.check.talk import Frame, Talk, members
from inspector.protocol import listing
from inspector.protocol.mirrored import ANNOTATION, mirrored
from inspector.schema.dialects import known_dialect, schema_error
from inspector.schema.references import every_schema

_TOOL = "server/tools#tool"
_NAME = pattern(r"[A-Za-z0-9_.\-]{1,128}")
Entry = Mapping[str, Any]


@rule("T01", "error", ALL, _TOOL, on="tools")
def no_input_schema(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A tool has no `inputSchema`, or one that is not of type object."""
    for oddity in listing.oddities("tools", [tool]):
        if oddity.member == "inputSchema":
            yield Found(f"{_name(tool)}: {oddity.reason}", "/inputSchema")


@rule("T02", "error", (V11, V07), "basic#json-schema-usage", on="tools")
def bad_schema(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A schema of a tool breaks the rules of its dialect."""
    for member, schema in _schemas(tool):
        if known_dialect(schema) and (wrong := schema_error(schema)) is not None:
            yield Found(f"{_name(tool)}: {member}{wrong.path and ' at ' + wrong.path}: {wrong.message}",
                        f"/{member}{wrong.path}")  # fmt: skip


@rule("T03", "info", (V11, V07), "basic#schema-dialect", on="tools")
def strange_dialect(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A schema names a dialect that is not known here."""
    for member, schema in _schemas(tool):
        if not known_dialect(schema):
            yield Found(
                f"{_name(tool)}: {quoted(schema['$schema'], 80)} is no dialect that is known here",
                f"/{member}/$schema",
            )


@rule("T04", "error", (V06, V11), "server/tools#output-schema", on="tools")
def output_no_object(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """An `outputSchema` is not of type object."""
    schema = tool.get("outputSchema")
    if schema is not None and members(schema).get("type") != "object":
        yield Found(f'{_name(tool)}: outputSchema has no "type": "object"', "/outputSchema")


@rule("T05", "warning", ALL, "basic#schema-validation", on="tools")
def network_reference(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A schema refers to another one on the network."""
    for member, schema in _schemas(tool):
        for part in every_schema(schema):
            target = members(part).get("$ref")
            if (
                isinstance(target, str)
                and target.startswith(("http://", "https://"))
                and not _own(schema, target)
            ):
                yield Found(
                    f"{_name(tool)}: {clip(target, 80)} would have to be fetched; most clients do not",
                    f"/{member}",
                )


@rule("T06", "info", ALL, on="tools")
def contradictory_schema(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """`required` names a property that there is not, or a default is not of its type."""
    schema = members(tool.get("inputSchema"))
    properties, required = members(schema.get("properties")), schema.get("required")
    if isinstance(required, list) and not any(
        key in schema for key in ("allOf", "anyOf", "oneOf", "$ref", "patternProperties")
    ):
        for name in required:
            if isinstance(name, str) and name not in properties:
                yield Found(
                    f"{_name(tool)}: {clip(name, 60)} is required and is no property", "/inputSchema/required"
                )
    for name, part in properties.items():
        kind, default = members(part).get("type"), members(part).get("default")
        if isinstance(kind, str) and default is not None and not _is(default, kind):
            yield Found(f"{_name(tool)}: the default of {clip(name, 60)} is not of its type {kind}",
                        f"/inputSchema/properties/{escape(name)}/default")  # fmt: skip


@rule("T07", "warning", ALL, "server/tools#tool-names", on="page")  # fmt: skip
def odd_names(found: list[Any], frame: Frame, talk: Talk) -> Findings:
    """A name of a tool is used twice, or is not of the form that names should have."""
    if frame.method != "tools/list":
        return
    level = None if frame.version in (V11, V07) else "info"
    names = [name for tool in found if isinstance(name := members(tool).get("name"), str)]
    for name, times in Counter(names).items():
        if times > 1:
            yield Found(f"{times} tools are called {clip(name, 80)}")
        if _NAME.fullmatch(name) is None:
            at = f"/{next(index for index, tool in enumerate(found) if members(tool).get('name') == name)}/name"
            said = (
                f"of {len(name)} characters"
                if len(name) > 128
                else "with other characters than A-Z a-z 0-9 _ - ."
            )
            yield Found(f"{quoted(name, 80)} is a name {said}", at, level=level)  # type: ignore[arg-type]


@rule("T08", "error", MODERN, "server/tools#x-mcp-header", on="tools")
def bad_header(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """An `x-mcp-header` is one that no client may use."""
    if (problem := mirrored(tool.get("inputSchema")).problem) is not None:
        yield Found(f"{_name(tool)}: {problem}; over HTTP clients drop the tool", "/inputSchema")


@rule("T09", "warning", MODERN, "server/tools#x-mcp-header", on="tools")
def secret_header(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A secret argument is to be sent as a header."""
    for path in mirrored(tool.get("inputSchema")).headers:
        if is_secret_name(path[-1]):
            where = pointer(
                ["inputSchema", *(token for name in path for token in ("properties", name)), ANNOTATION]
            )
            yield Found(
                f"{_name(tool)}: {'.'.join(path)} looks secret; headers are seen by everything on the way",
                where,
            )


@rule("T23", "info", (V03, V06, V11, V07), "schema#toolannotations", on="tools")
def contradictory_hints(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A tool says that it only reads, and that it destroys."""
    hints = members(tool.get("annotations"))
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        yield Found(f"{_name(tool)}: readOnlyHint and destructiveHint are both true", "/annotations")


@rule("T24", "warning", (V11,), "basic/utilities/tasks#tool-level-negotiation", on="tools")  # fmt: skip
def task_support(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """`execution.taskSupport` is unknown, or the server takes no tasks for tools."""
    support = members(tool.get("execution")).get("taskSupport")
    if support is None:
        return
    if support not in ("forbidden", "optional", "required"):
        yield Found(f"{_name(tool)}: taskSupport is {quoted(support, 40)}", "/execution/taskSupport")
    elif support != "forbidden" and not talk.declares("tasks", "requests", "tools", "call"):
        yield Found(f"{_name(tool)}: taskSupport is {support}, but the server does not declare tasks for tools/call",
                    "/execution/taskSupport")  # fmt: skip


@rule("T25", "info", ALL, on="tools")
def hidden_text(tool: Entry, frame: Frame, talk: Talk) -> Findings:
    """A description has characters in it that cannot be seen."""
    for path, text in _texts(tool):
        if visible_block(text) != text.replace("\r\n", "\n"):
            yield Found(
                f"{_name(tool)}: there are invisible or control characters in {path[-1]}", pointer(path)
            )


def _name(tool: Entry) -> str:
    return clip(str(tool.get("name")), 80)


def _schemas(tool: Entry) -> Iterator[tuple[str, Any]]:
    for member in ("inputSchema", "outputSchema"):
        if isinstance(tool.get(member), dict):
            yield member, tool[member]


def _texts(tool: Entry) -> Iterator[tuple[list[str | int], str]]:
    """What a model or a person is shown of it."""
    for member in ("description", "title"):
        if isinstance(tool.get(member), str):
            yield [member], tool[member]
    for name, part in members(members(tool.get("inputSchema")).get("properties")).items():
        if isinstance(text := members(part).get("description"), str):
            yield ["inputSchema", "properties", name, "description"], text


def _own(schema: Mapping[str, Any], target: str) -> bool:
    """Whether a schema has what it refers to itself."""
    place = target.partition("#")[0]
    return any(members(part).get("$id", "").partition("#")[0] == place for part in every_schema(schema)
               if isinstance(members(part).get("$id", ""), str))  # fmt: skip


def _is(value: Any, kind: str) -> bool:
    if kind in ("number", "integer"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    types: Mapping[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict}
    return kind not in types or isinstance(value, types[kind])
