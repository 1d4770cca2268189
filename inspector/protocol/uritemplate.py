"""URI templates (RFC 6570, level 4): the variables of one, and the URI that their values make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from inspector.base.patterns import pattern

Value: TypeAlias = str | Sequence[str] | Mapping[str, str] | None
"""What a variable is: a string, a list, an associative array; None and what is empty but a string are undefined."""

_NAME = pattern(r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*")
_PREFIX = pattern(r":[1-9][0-9]{0,3}(?![0-9])")
_TRIPLET = pattern(r"%[0-9A-Fa-f]{2}")
_FUTURE = "=,!@|"
_UNRESERVED = "-._~"
_RESERVED = _UNRESERVED + ":/?#[]@!$&'()*+,;="


class BadTemplate(ValueError):
    """Text that is no URI template: why, and at which character, from 0."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


@dataclass(frozen=True, slots=True)
class Variable:
    """One place of a variable. `explode` is the `*` modifier, `prefix` the length of the `:` modifier."""

    name: str
    explode: bool = False
    prefix: int | None = None


@dataclass(frozen=True, slots=True)
class Expression:
    """One pair of braces; `operator` is empty for simple expansion."""

    operator: str
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class _Style:
    """How an operator joins its variables (RFC 6570, appendix A)."""

    first: str
    separator: str
    named: bool = False
    empty: str = ""
    safe: str = _UNRESERVED


_STYLES = {
    "": _Style("", ","),
    "+": _Style("", ",", safe=_RESERVED),
    "#": _Style("#", ",", safe=_RESERVED),
    ".": _Style(".", "."),
    "/": _Style("/", "/"),
    ";": _Style(";", ";", named=True),
    "?": _Style("?", "&", named=True, empty="="),
    "&": _Style("&", "&", named=True, empty="="),
}


@dataclass(frozen=True, slots=True)
class UriTemplate:
    """`parts` are literals and expressions in their order."""

    parts: tuple[str | Expression, ...]

    def variables(self) -> dict[str, tuple[Expression, Variable]]:
        """Each variable by its name, in order, with the place where it stands first."""
        found: dict[str, tuple[Expression, Variable]] = {}
        for part in self.parts:
            if isinstance(part, Expression):
                for variable in part.variables:
                    found.setdefault(variable.name, (part, variable))
        return found

    def expand(self, values: Mapping[str, Value]) -> str:
        """The URI; variables without a value are left out, as the RFC says. Lone surrogates become U+FFFD."""
        return "".join(
            _encoded(part, _RESERVED) if isinstance(part, str) else _expression(part, values)
            for part in self.parts
        )


def parse(text: str) -> UriTemplate:
    """Reads a template. Raises BadTemplate, and nothing else.

    Literals are taken as they are: what may not stand in a URI is percent-encoded when it is expanded.
    """
    parts: list[str | Expression] = []
    at = 0
    while at < len(text):
        opening = text.find("{", at)
        end = len(text) if opening < 0 else opening
        if (stray := text.find("}", at, end)) >= 0:
            raise BadTemplate("a } without its {", stray)
        if end > at:
            parts.append(text[at:end])
        if opening < 0:
            break
        closing = text.find("}", opening)
        if closing < 0:
            raise BadTemplate("a { that is never closed", opening)
        parts.append(_read_expression(text, opening + 1, closing))
        at = closing + 1
    return UriTemplate(tuple(parts))


def _read_expression(text: str, at: int, end: int) -> Expression:
    if at == end:
        raise BadTemplate("braces with no variable in them", at)
    operator = text[at] if text[at] in _STYLES else ""
    if text[at] in _FUTURE:
        raise BadTemplate(f"the operator {text[at]} is reserved and has no meaning yet", at)
    at += len(operator)
    variables: list[Variable] = []
    while True:
        variable, at = _read_variable(text, at, end)
        variables.append(variable)
        if at == end:
            return Expression(operator, tuple(variables))
        at += 1


def _read_variable(text: str, at: int, end: int) -> tuple[Variable, int]:
    """A variable and where it ends: at `end`, or at a comma."""
    name = _NAME.match(text, at, end)
    if name is None:
        what = f"{text[at]!r} cannot begin a name" if at < end else "the name of a variable is missing"
        raise BadTemplate(what, at)
    at = name.end()
    explode, prefix = False, None
    if text[at] == "*":
        explode, at = True, at + 1
    elif text[at] == ":":
        length = _PREFIX.match(text, at, end)
        if length is None:
            raise BadTemplate("a prefix is a colon and a number from 1 to 9999", at)
        prefix, at = int(length.group()[1:]), length.end()
    if at < end and text[at] != ",":
        raise BadTemplate(f"{text[at]!r} cannot stand here", at)
    return Variable(name.group(), explode, prefix), at


def _expression(expression: Expression, values: Mapping[str, Value]) -> str:
    style = _STYLES[expression.operator]
    pieces = [
        piece
        for variable in expression.variables
        for piece in _pieces(variable, values.get(variable.name), style)
    ]
    return style.first + style.separator.join(pieces) if pieces else ""


def _pieces(variable: Variable, value: Value, style: _Style) -> list[str]:
    """What one variable adds to an expression; nothing where it is undefined."""
    if value is None:
        return []
    if isinstance(value, str):
        text = value if variable.prefix is None else value[: variable.prefix]
        return [_named(variable.name, _encoded(text, style.safe), style)]
    if isinstance(value, Mapping):
        pairs = [(_encoded(key, style.safe), _encoded(text, style.safe)) for key, text in value.items()]
        if variable.explode:
            return [_named(key, text, style) if style.named else f"{key}={text}" for key, text in pairs]
        items = [part for pair in pairs for part in pair]
    else:
        items = [_encoded(text, style.safe) for text in value]
        if variable.explode:
            return [_named(variable.name, item, style) for item in items]
    return [_named(variable.name, ",".join(items), style)] if items else []


def _named(name: str, text: str, style: _Style) -> str:
    if not style.named:
        return text
    return f"{name}={text}" if text else name + style.empty


def _encoded(text: str, safe: str) -> str:
    """Percent-encodes what is not safe; triplets that are there already stay where reserved characters may."""
    if safe != _RESERVED:
        return quote(text, safe=safe, errors="replace")
    encoded, at = "", 0
    for triplet in _TRIPLET.finditer(text):
        encoded += quote(text[at : triplet.start()], safe=safe, errors="replace") + triplet.group()
        at = triplet.end()
    return encoded + quote(text[at:], safe=safe, errors="replace")
