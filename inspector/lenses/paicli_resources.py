"""What PaiCLI makes of resources: two tools of its own, and the text by which its model reads one that is mentioned,
letter for letter as its `McpResourceTool` and `AtMentionExpander` have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from inspector.lenses import jackson
from inspector.lenses.paicli_answer import global_name

LIST, READ = "list_resources", "read_resource"
LONGEST = 200_000
"""Most UTF-16 code units of a resource that is mentioned."""
_CUT = f"\n[resource truncated by PaiCLI at {LONGEST} chars]"
_BLANKS = "".join(map(chr, range(0x21)))
"""What `String.trim` takes away."""


def seen(server: str, capabilities: Mapping[str, Any], tools: Iterable[Any], pages: int = 1) -> list[str]:
    """Sentences on a server that declares these capabilities and lists these tools, and its resources on so many
    `pages`; foreign."""
    if "resources" not in capabilities:
        return []
    names = [tool.get("name") for tool in tools if isinstance(tool, dict)]
    taken = [name for name in (LIST, READ) if name in names]
    if taken:
        said = f"{' and '.join(taken)} is the name of a tool, and of one that it adds for resources"
        return [f"does not start it: {said}"]
    added = " and ".join(global_name(server, name) for name in (LIST, READ))
    found = [f"adds two tools of its own for the resources: {added}"]
    return [*found, f"reads the first of {pages} pages of resources"] if pages > 1 else found


def mention_text(server: str, uri: str, result: Any) -> str:
    """What stands in a prompt in place of `@server:uri`. The tool that reads a resource gives the same, uncut."""
    contents = _contents(result)
    mime = ""
    for content in contents:
        if jackson.is_blank(mime):
            mime = _text(content.get("mimeType"))
    text = "".join(f"{_body(content)}\n" for content in contents).strip(_BLANKS)
    if jackson.units(text) > LONGEST:
        text = jackson.first_units(text, LONGEST) + _CUT
    mime = "text/plain" if jackson.is_blank(mime) else mime
    head = f'<resource server="{_escaped(server)}" uri="{_escaped(uri)}" mimeType="{_escaped(mime)}">'
    return f"{head}\n{text}\n</resource>"


def _contents(result: Any) -> list[Mapping[str, Any]]:
    found = result.get("contents") if isinstance(result, dict) else None
    entries = found if isinstance(found, list) else []
    return [entry if isinstance(entry, dict) else {} for entry in entries if entry is not None]


def _body(content: Mapping[str, Any]) -> str:
    if content.get("text") is not None:
        return _text(content["text"])
    return f"[binary resource blob omitted, base64 length={jackson.units(_text(content.get('blob')))}]"


def _text(value: Any) -> str:
    """`asText("")`: nothing of what is a list or an object."""
    return "" if value is None or isinstance(value, dict | list) else jackson.scalar(value)


def _escaped(text: str) -> str:
    for letter, entity in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(letter, entity)
    return text
