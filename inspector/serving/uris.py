"""Matches a URI against a URI template, to tell which variables it carries."""

from __future__ import annotations

import re

_EXPRESSION = re.compile(r"\{([+?&]?)([^{}]+)\}")


def match(template: str, uri: str) -> dict[str, str] | None:
    """The variables of `uri` where it is an expansion of `template`, else None.

    Understands `{name}`, `{+path}` and, at the end, `{?name,other}`, whose variables may be absent.
    """
    from urllib.parse import parse_qsl, unquote  # not needed for a server to start

    pattern, position, optional = "", 0, set[str]()
    for expression in _EXPRESSION.finditer(template):
        operator, names = expression.groups()
        pattern += re.escape(template[position : expression.start()])
        position = expression.end()
        if operator in ("?", "&"):
            optional.update(names.split(","))
        else:
            pattern += f"(?P<{names}>{'.+' if operator else '[^/?#]+'})"
    pattern += re.escape(template[position:])
    path, _, query = uri.partition("?") if optional else (uri, "", "")
    found = re.fullmatch(pattern, path)
    if found is None:
        return None
    given = {name: value for name, value in parse_qsl(query) if name in optional}
    return {name: unquote(value) for name, value in found.groupdict().items()} | given
