"""What can be asked of two servers at once: the request that a row of their lists stands for, and what is filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base.numbers import verbatim
from inspector.compare.paired import Pair
from inspector.protocol.uritemplate import BadTemplate, parse
from inspector.schema.form import FormModel
from inspector.tui.panes.prompt import schema_of as of_prompt
from inspector.tui.panes.resource import expanded
from inspector.tui.panes.resource import schema_of as of_template

Tab = Literal["opening", "tools", "resources", "templates", "prompts", "requests"]
TABS: dict[Tab, str] = {
    "opening": "Handshake",
    "tools": "Tools",
    "resources": "Resources",
    "templates": "Templates",
    "prompts": "Prompts",
    "requests": "Requests",
}
_METHODS: dict[Tab, str] = {
    "tools": "tools/call",
    "resources": "resources/read",
    "templates": "resources/read",
    "prompts": "prompts/get",
}
_URI = {"type": "object", "properties": {"uri": {"type": "string", "title": "URI"}}, "required": ["uri"]}


@dataclass(frozen=True, slots=True)
class Ask:
    """One method. `wanted` is the schema, `model` what is filled in, `params` makes the parameters of it; `ref` is whom
    proposals for the fields are asked of, `raw` where it is filled in as JSON."""

    method: str
    wanted: Any
    model: FormModel
    params: Callable[[dict[str, Any]], dict[str, Any]]
    ref: dict[str, Any] | None = None
    raw: bool = False

    @property
    def needs_nothing(self) -> bool:
        return not self.raw and not self.model.fields


def schema(tab: Tab, entry: Any) -> Any:
    """What a side wants to be filled in; None where it wants nothing, or does not list it."""
    if not isinstance(entry, dict):
        return None
    if tab == "tools":
        return entry.get("inputSchema")
    if tab == "prompts":
        return of_prompt(entry)
    if tab == "templates":
        try:
            return of_template(parse(str(entry.get("uriTemplate"))))
        except BadTemplate:
            return None
    return _URI if tab == "resources" else None


def ask_of(tab: Tab, pair: Pair, entry: Any, template: str = "") -> Ask | None:
    """The request of a row, with the form of the side whose `entry` it is; None where there is none. `template` are the
    params of a method as JSON."""
    wanted = schema(tab, entry)
    if tab == "requests":
        model = FormModel({"type": "object"})
        model.set_json(template or "{}")
        return Ask(pair.name, wanted, model, dict, raw=True)
    if tab == "opening" or not isinstance(entry, dict):
        return None
    method = _METHODS[tab]
    if tab == "tools":
        return Ask(
            method, wanted, FormModel(wanted), lambda entered: {"name": pair.name, "arguments": entered}
        )
    if tab == "resources":
        model = FormModel(_URI)
        model.load({"uri": pair.name})
        return Ask(method, wanted, model, dict)
    model = FormModel(wanted if wanted is not None else {"type": "object"}, blanks=False)
    if tab == "prompts":
        ref = {"type": "ref/prompt", "name": pair.name}
        named = {"name": pair.name}
        return Ask(
            method,
            wanted,
            model,
            lambda entered: {**named, **({"arguments": entered} if wanted else {})},
            ref,
        )
    ref = {"type": "ref/resource", "uri": pair.name}
    try:
        template_of = parse(pair.name)
    except BadTemplate:
        return Ask(method, wanted, model, lambda entered: {"uri": pair.name}, ref)
    return Ask(method, wanted, model, lambda entered: {"uri": expanded(template_of, entered)}, ref)


def written(params: dict[str, Any]) -> dict[str, Any]:
    """Numbers as they were typed, as far as they can be written at all; sending says what is wrong with the rest."""
    try:
        return {name: verbatim(value) for name, value in params.items()}
    except ValueError:
        return params
