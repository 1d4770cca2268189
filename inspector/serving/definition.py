"""What a server offers, as data: tools, resources, templates, prompts, and how it behaves at run time.

A handler is a small `async def (call: Call) -> ...`. It may await only what its `Call` offers (`sleep`,
`ask`, `elicit` ...), since the engine runs it itself, without an event loop. Where nothing is to be computed
the answer stands in place of the handler.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from inspector.base.jsontext import Verbatim

if TYPE_CHECKING:
    from inspector.serving.call import Call

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The older protocol versions that the engine speaks, newest first."""
MODERN = "2026-07-28"
"""The one that needs no handshake; a definition that has it is played by `serving.modern`."""

Json: TypeAlias = Mapping[str, Any]
Cursors: TypeAlias = Literal["loop", "endless", "bad"]
"""The last page leads to the first again, always by the same cursors or by new ones; or a cursor is one that is not
taken."""


def is_modern(version: str) -> bool:
    """Of the era without a handshake."""
    return version >= MODERN


class Places(NamedTuple):
    """Paths over HTTP: of Streamable HTTP, and of the stream and the messages of 2024-11-05. `base` stands before that
    of messages where the stream names it, as an origin does."""

    path: str = "/mcp"
    sse: str = "/sse"
    message: str = "/message"
    base: str = ""


class RpcError(Exception):
    """Makes the engine answer a request with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class ToolError(Exception):
    """Makes a tool answer with `isError` and this text."""


class ClientError(ToolError):
    """The client answered a request of ours with an error."""


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of a tool: content blocks, and the structured value where the tool has an output schema."""

    content: Sequence[Json] = ()
    structured: Json | None = None
    is_error: bool = False


class Whole(dict[str, Any]):
    """A result that is sent as it is."""


Reply: TypeAlias = str | Json | Sequence[Json] | Result
"""Of a tool: a text, one content block, several, or the entire result, checked (`Result`) or not (`Whole`)."""
Completer: TypeAlias = Sequence[str] | Callable[[str, Mapping[str, str]], Iterable[str]]
"""Values of an argument: a list to pick from by prefix, or a function of what was typed and the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """What all listed things share. `more` holds members of the wire object that have no field here; `as_is` is the
    JSON text to be listed in its place, whatever the version."""

    name: str
    title: str | None = None
    description: str | None = None
    annotations: Json | None = None
    icons: Sequence[Json] = ()
    more: Json = field(default_factory=dict)
    as_is: Verbatim | None = None

    def wire(self) -> dict[str, Any]:
        """The object as it is listed, with the members of the newest version."""
        known = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "annotations": self.annotations,
            "icons": list(self.icons) or None,
            **self.more,
        }
        return {key: value for key, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(_Listed):
    run: Callable[[Call], Coroutine[Any, Any, Reply]] | Reply
    input: Json = field(default_factory=lambda: {"type": "object", "additionalProperties": False})
    output: Json | None = None
    expects: Callable[[Json], bool] | None = None
    """True for arguments that `run` has an answer to, whatever `input` says of them."""

    @property
    def key(self) -> str:
        return self.name

    def wire(self) -> dict[str, Any]:
        listed = {**_Listed.wire(self), "inputSchema": self.input}
        return listed if self.output is None else {**listed, "outputSchema": self.output}


Reading: TypeAlias = Callable[["Call"], Coroutine[Any, Any, str | bytes | Whole]] | str | bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource(_Listed):
    uri: str
    read: Reading
    mime: str | None = None
    size: int | None = None

    @property
    def key(self) -> str:
        return self.uri

    def wire(self) -> dict[str, Any]:
        own = {"uri": self.uri, "mimeType": self.mime, "size": self.size}
        return {**{key: value for key, value in own.items() if value is not None}, **_Listed.wire(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Template(_Listed):
    """A family of resources: `uri` is a URI template; its variables are the arguments of the call."""

    uri: str
    read: Reading
    mime: str | None = None
    complete: Mapping[str, Completer] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.uri

    def wire(self) -> dict[str, Any]:
        own = {"uriTemplate": self.uri, "mimeType": self.mime}
        return {**{key: value for key, value in own.items() if value is not None}, **_Listed.wire(self)}


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a prompt."""

    name: str
    description: str
    required: bool = False
    complete: Completer = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(_Listed):
    """`messages` gives `{"role", "content"}` objects, or one text that the user says."""

    messages: Callable[[Call], Coroutine[Any, Any, Sequence[Json] | str | Whole]] | Sequence[Json] | str
    arguments: Sequence[Argument] = ()
    expects: Callable[[Json], bool] | None = None
    """As for tools."""

    @property
    def key(self) -> str:
        return self.name

    def wire(self) -> dict[str, Any]:
        arguments = [
            {"name": each.name, "description": each.description, "required": each.required}
            for each in self.arguments
        ]
        return {**_Listed.wire(self), "arguments": arguments} if arguments else _Listed.wire(self)


Listed: TypeAlias = Tool | Resource | Template | Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A whole server.

    `pages` is the page size of a list by the name of its member (`tools`, `resources`, `resourceTemplates`, `prompts`);
    lists without one come in one page. `routines` start when the client says `initialized` and run beside its requests.
    `capabilities` replaces those that follow from what is offered. `extensions` are declared where the version has
    them. `cursors` says what is wrong with those of its pages. `agrees` is answered to `initialize` whatever version is
    asked for. Where `holds`, what comes before a client is initialized waits for that. `reactions` are done when the
    client sends a notification, by its method. `keeps` is how many seconds a result may be kept by its method
    (2026-07-28: caching). `methods` stand in place of what the engine does by itself, and beside it. `places` are where
    it is over HTTP. `notes` are what its author should know.
    """

    name: str
    version: str
    title: str | None = None
    about: Json = field(default_factory=dict)
    instructions: str | None = None
    tools: Sequence[Tool] = ()
    resources: Sequence[Resource] = ()
    templates: Sequence[Template] = ()
    prompts: Sequence[Prompt] = ()
    routines: Sequence[Callable[[Call], Coroutine[Any, Any, None]]] = ()
    reactions: Mapping[str, Sequence[Callable[[Call], Coroutine[Any, Any, None]]]] = field(
        default_factory=dict
    )
    pages: Mapping[str, int] = field(default_factory=dict)
    cursors: Cursors | None = None
    agrees: str | None = None
    holds: bool = False
    places: Places = field(default_factory=Places)
    logging: bool = True
    capabilities: Json | None = None
    versions: Sequence[str] = VERSIONS
    extensions: Json = field(default_factory=dict)
    keeps: Mapping[str, float] = field(default_factory=dict)
    methods: Mapping[str, Callable[[Call], Coroutine[Any, Any, dict[str, Any]]]] = field(default_factory=dict)

    notes: Sequence[str] = ()

    def declared(self, version: str) -> dict[str, Any]:
        """The capabilities that are declared under a protocol version."""
        if self.capabilities is not None:
            return dict(self.capabilities)
        found: dict[str, Any] = {}
        if self.tools:
            found["tools"] = {"listChanged": True}
        if self.resources or self.templates:
            found["resources"] = {"subscribe": True, "listChanged": True}
        if self.prompts:
            found["prompts"] = {"listChanged": True}
        if self.logging:
            found["logging"] = {}
        if version >= "2025-03-26" and (self.prompts or any(each.complete for each in self.templates)):
            found["completions"] = {}
        if self.extensions and version >= "2025-11-25":
            found["extensions"] = dict(self.extensions)
        return found
