"""The filter language of the traffic list and of `log`.

    query   := all (("|" | "||" | "OR") all)*     one of them
    all     := term (["&" | "&&" | "AND"] term)*  each of them
    term    := ["-" | "!" | "NOT"] (field | text | "(" query ")")
    field   := name ":" value ("," value)*        one of the values; also name=value, name!=value
             | ("size" | "took") (">" | "<" | ">=" | "<=") number
    text    := word | "quoted" | /expression/ | /expression/i, also behind text:

    dir:     out in err sys http      (also c2s, s2c; → ←)
    kind:    request notification response error batch invalid stderr sys http part all, or the beginning of one
             (also ntf, noise)
    method:  part of the name, a pattern with * for the whole, or /expression/; an answer has the method of its
             request
    tool:    the same for the name of the tool called
    server:  the same for the name of the server
    id:      7 finds 7 and "7"
    status:  ok pending error tool failed cancelled late duplicate unknown input, or the beginning of one;
             404 or 4xx for HTTP exchanges
    finding: what a rule found wrong with it: a rule, as M05 or T*; error warning info; * for anything
    flag:    truncated redacted broken problem id-type reused-id lost probe
    size     of the frame in bytes: 512, 10k, 3M
    took     between request and answer, looked up on the answer: 100ms, 1.5s; also ms>100

Text is looked for in the raw bytes. A word ignores case unless it has a capital; quoted text and expressions are
exact (`i` behind the slash ignores case, for ASCII). Frames and `sys` notes are found; rows of `stderr`, `http` and
`part` only where the query asks for them by kind, direction or HTTP status.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from inspector.base.errors import Failed, Failure
from inspector.traffic.index import (
    ANSWERED,
    BATCH,
    ERROR,
    EXCHANGE,
    FAILED,
    INVALID,
    KIND_OF,
    KINDS,
    NOTIFICATION,
    REQUEST,
    RESPONSE,
    STATES,
    STDERR,
    SYSTEM,
    TOOL_ERROR,
)  # fmt: skip
from inspector.traffic.lines import C2S, ERR, FLAGS, HTTP, S2C, SYS
from inspector.traffic.patterns import Pattern
from inspector.traffic.store import Traffic
from inspector.traffic.terms import (
    AllOf,
    Among,
    AnyOf,
    Compared,
    Expression,
    Flagged,
    Identified,
    Named,
    Not,
    Noted,
    Server,
    Status,
    Term,
    Text,
    Wrong,
    fitting,
)  # fmt: skip

SHOWN = frozenset({REQUEST, NOTIFICATION, RESPONSE, ERROR, BATCH, INVALID, SYSTEM})
"""The kinds that a list shows when nothing else is asked for."""

FIELDS = (
    "dir",
    "kind",
    "method",
    "tool",
    "server",
    "id",
    "status",
    "flag",
    "text",
    "note",
    "finding",
    "size",
    "took",
)
_DIRECTIONS = {
    "out": C2S, "c2s": C2S, "sent": C2S, "→": C2S, "in": S2C, "s2c": S2C, "received": S2C, "←": S2C, "err": ERR,
    "stderr": ERR, "sys": SYS, "http": HTTP,
}  # fmt: skip
_KIND_ALIASES = {"ntf": NOTIFICATION, "noise": INVALID}
_STATE_ALIASES = {"ok": (ANSWERED,), "failed": (FAILED, TOOL_ERROR)}
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class QueryError(Failed):
    """What is wrong with a filter, and at which column (from 1)."""

    def __init__(self, message: str, column: int, hint: str | None = None) -> None:
        super().__init__(Failure(kind="config", message=f"filter, column {column}: {message}", hint=hint))
        self.column = column


@dataclass(slots=True)
class Query:
    """A filter, ready to be used. `volatile`: it asks for states, which change when an answer comes. `judges`: it asks
    for what was found wrong (`Traffic.judged`)."""

    source: str
    term: Term
    scope: Term
    volatile: bool = False
    judges: bool = False
    patterns: list[Pattern] = field(default_factory=list)

    def select(self, traffic: Traffic, first: int, last: int) -> Sequence[int]:
        """The rows among first..last-1 that fit; all of them must have been described (`Traffic.described`)."""
        shift = traffic.first
        found = self.term.sieve(traffic, self.scope.sieve(traffic, range(first - shift, last - shift)))
        return [at + shift for at in found] if shift else found

    @property
    def gave_up(self) -> int:
        """Rows on which an expression took too long; they count as not found."""
        return sum(pattern.gave_up for pattern in self.patterns)


def compile(source: str = "") -> Query:
    """A query from its text; empty finds what lists show. Raises QueryError."""
    return _Parser(source).query()


_FIELD = re.compile(r"([A-Za-z]+)(:(?:>=|<=|>|<)?|>=|<=|>|<|==?|!=)")
_COMPARED = ("size", "took", "ms")
_AND = re.compile(r"&&?|AND(?=[\s(])")
_OR = re.compile(r"\|\|?|OR(?=[\s(]|$)")
_NOT = re.compile(r"[-!](?=[^\s|&)])|NOT(?=[\s(])\s*")
_DEEPEST = 20
_SEARCHED = ("method", "tool", "server")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z]*)")
_WORD = re.compile(r"[^\s|]+")
_WORD_IN_GROUP = re.compile(r"[^\s|)]+")
_HTTP_STATUS = re.compile(r"([1-5])(\d\d|xx)", re.IGNORECASE)


class _Parser:
    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._kinds = set(SHOWN)
        self._volatile = self._judges = False
        self._patterns: list[Pattern] = []
        self._depth = 0
        self._negated = False

    def query(self) -> Query:
        term = self._any()
        if self._at < len(self._source):
            raise QueryError("a closing parenthesis without its opening one", self._at + 1)
        scope = Among("kind", frozenset(self._kinds))
        return Query(self._source, term, scope, self._volatile, self._judges, self._patterns)

    def _any(self) -> Term:
        options = [self._all()]
        while (match := _OR.match(self._source, self._at)) is not None:
            column = self._at + 1
            self._at = match.end()
            options.append(self._all())
            if not (options[-1].terms and options[-2].terms):
                raise QueryError("nothing on one side of |", column)
        return options[0] if len(options) == 1 else AnyOf(options)

    def _all(self) -> AllOf:
        terms: list[Term] = []
        column = 0
        while not self._at_end():
            match = _AND.match(self._source, self._at)
            if match is None:
                terms.append(self._term())
                column = 0
                continue
            if not terms or column:
                raise QueryError(f"nothing on one side of {match[0]}", self._at + 1)
            column = self._at + 1
            self._at = match.end()
        if column:
            raise QueryError("nothing on one side of &", column)
        return AllOf(terms)

    def _at_end(self) -> bool:
        """Skips blanks; True at the end of a group and of everything, and before an alternative."""
        source = self._source
        while self._at < len(source) and source[self._at].isspace():
            self._at += 1
        if self._at >= len(source) or _OR.match(source, self._at) is not None:
            return True
        return source[self._at] == ")"

    def _term(self) -> Term:
        match = _NOT.match(self._source, self._at)
        if match is None:
            return self._simple()
        self._at = match.end()
        if self._at >= len(self._source):
            raise QueryError("NOT what?", match.start() + 1, 'put the word itself into quotes: "NOT"')
        self._negated = not self._negated
        term = self._term()
        self._negated = not self._negated
        return Not(term)

    def _simple(self) -> Term:
        source, start = self._source, self._at
        if source[start] == "(":
            return self._group()
        if source[start] in '"/':
            return self._text()
        match = _FIELD.match(source, start)
        if match is not None and self._is_field(match):
            return self._field(match)
        return self._text()

    @staticmethod
    def _is_field(match: re.Match[str]) -> bool:
        name, sign = match[1].lower(), match[2]
        return sign == ":" or name in _COMPARED or (name in FIELDS and not sign.startswith(":"))

    def _group(self) -> Term:
        start = self._at
        self._at += 1
        self._depth += 1
        if self._depth > _DEEPEST:
            raise QueryError(f"more than {_DEEPEST} parentheses inside of each other", start + 1)
        term = self._any()
        if self._at >= len(self._source):
            hint = 'put text with a parenthesis into quotes: "f(x)"'
            raise QueryError("a parenthesis that is not closed", start + 1, hint)
        self._at += 1
        self._depth -= 1
        if isinstance(term, AllOf) and not term.terms:
            raise QueryError("nothing between the parentheses", start + 1)
        return term

    def _text(self) -> Term:
        opening = self._source[self._at]
        if opening == '"':
            return Text(self._quoted(), ignore_case=False)
        if opening == "/":
            return Expression(self._expression())
        word = self._word()
        return Text(word, ignore_case=word == word.lower())

    def _quoted(self) -> str:
        start = self._at
        end = self._source.find('"', start + 1)
        while end > 0 and self._source[end - 1] == "\\":
            end = self._source.find('"', end + 1)
        if end < 0:
            raise QueryError("a quotation mark without its partner", start + 1)
        self._at = end + 1
        text = self._source[start + 1 : end].replace('\\"', '"')
        if not text:
            raise QueryError("nothing between the quotation marks", start + 1)
        return text

    def _expression(self) -> Pattern:
        source, start = self._source, self._at
        end = start + 1
        while end < len(source) and source[end] != "/":
            end += 2 if source[end] == "\\" else 1
        if end >= len(source):
            raise QueryError(
                "an expression without its closing /", start + 1, 'put text with a slash into quotes: "/tmp"'
            )
        self._at = end + 1
        ignore_case = source[self._at : self._at + 1] == "i"
        self._at += ignore_case
        if end == start + 1:
            raise QueryError("nothing between the slashes", start + 1)
        try:
            pattern = Pattern(source[start + 1 : end].replace("\\/", "/"), ignore_case)
        except ValueError as error:
            raise QueryError(str(error), start + 1) from error
        self._patterns.append(pattern)
        return pattern

    def _word(self) -> str:
        match = (_WORD_IN_GROUP if self._depth else _WORD).match(self._source, self._at)
        assert match is not None
        self._at = match.end()
        return match.group()

    def _field(self, match: re.Match[str]) -> Term:
        start, name, sign = self._at, match[1].lower(), match[2]
        self._at = match.end()
        name = "took" if name == "ms" else name
        if name not in FIELDS:
            known = ", ".join(f"{field}:" for field in FIELDS[:-2]) + ", size>, took>"
            near = difflib.get_close_matches(name, FIELDS, n=1)
            guess = f"did you mean {near[0]}:? Put text" if near else "Put text"
            raise QueryError(
                f"there is no field {match[1]}",
                start + 1,
                f'{guess} into quotes: "a:b". Fields: {known}',
            )
        if name in ("size", "took"):
            return self._comparison(name, match[1], sign.removeprefix(":") or ":", start)
        if sign not in (":", "=", "==", "!="):
            raise QueryError(f"{name} is asked with a colon: {name}:value", start + 1)
        if sign == "!=":
            self._negated = not self._negated
            term = self._valued(name)
            self._negated = not self._negated
            return Not(term)
        return self._valued(name)

    def _valued(self, name: str) -> Term:
        column = self._at + 1
        rest = self._source[self._at : self._at + 1]
        if name == "text" or (rest == "/" and name in _SEARCHED):
            if not rest.strip(" |)"):
                raise QueryError(f"{name}: without a value", column)
            return self._text() if name == "text" else self._matched(name)
        return getattr(self, f"_{name}")(self._values(name, column), column)  # type: ignore[no-any-return]

    def _matched(self, name: str) -> Term:
        """A name by an expression."""
        pattern = self._expression()

        def fits(text: str | None) -> bool:
            return text is not None and pattern.found_in(text.encode("utf-8", "surrogatepass"))

        if name == "server":
            return Server(fits)
        return self._of_tools(fits) if name == "tool" else Named("method", fits)

    def _values(self, name: str, column: int) -> list[str]:
        rest = self._source[self._at :]
        if rest.startswith('"'):
            return [self._quoted()]
        if not rest or rest[0].isspace() or rest[0] == "|" or (rest[0] == ")" and self._depth):
            raise QueryError(f"{name}: without a value", column)
        values = [value for value in self._word().split(",") if value]
        if not values:
            raise QueryError(f"{name}: without a value", column)
        return values

    def _comparison(self, name: str, spelled: str, sign: str, start: int) -> Term:
        if sign not in (">", "<", ">=", "<="):
            raise QueryError(f"{spelled} is compared: {spelled}>100", start + 1)
        column = self._at + 1
        match = _NUMBER.match(self._source, self._at)
        if match is None:
            raise QueryError(f"a number is missing behind {spelled}{sign}", column)
        self._at = match.end()
        unit = match[2].lower()
        if name == "size":
            unit = unit.removesuffix("ib") if unit.endswith("ib") else unit.removesuffix("b")
            if unit not in _UNITS:
                raise QueryError(f"{match[2]} is no unit of size", column, "use b, k, M or G")
            return Compared(name, sign, float(match[1]) * _UNITS[unit])
        if unit not in ("", "ms", "s"):
            raise QueryError(f"{match[2]} is no unit of time", column, "use ms or s")
        return Compared(name, sign, float(match[1]) / (1 if unit == "s" else 1000))

    def _dir(self, values: list[str], column: int) -> Term:
        channels = set()
        for value in values:
            if (channel := _DIRECTIONS.get(value.lower())) is None:
                raise QueryError(
                    f"there is no direction {value}", column, "directions are out, in, err, sys, http"
                )
            channels.add(channel)
        if not self._negated:
            self._kinds |= {STDERR} if ERR in channels else set()
            self._kinds |= {EXCHANGE} if HTTP in channels else set()
        return Among("channel", frozenset(channels))

    def _kind(self, values: list[str], column: int) -> Term:
        kinds: set[int] = set()
        for value in values:
            name = value.lower()
            found = {number for kind, number in KIND_OF.items() if kind.startswith(name)}
            if name in ("all", "*"):
                found = set(range(len(KINDS)))
            elif name in KIND_OF:
                found = {KIND_OF[name]}
            elif name in _KIND_ALIASES:
                found = {_KIND_ALIASES[name]}
            if not found:
                raise QueryError(f"there is no kind {value}", column, f"kinds are {', '.join(KINDS)}")
            kinds |= found
        if not self._negated:
            self._kinds |= kinds
        return Among("kind", frozenset(kinds))

    def _method(self, values: list[str], column: int) -> Term:
        return Named("method", fitting(values))

    def _tool(self, values: list[str], column: int) -> Term:
        return self._of_tools(fitting(values))

    @staticmethod
    def _of_tools(fits: Callable[[str | None], bool]) -> Term:
        return AllOf([Named("target", fits), Named("method", fitting(["tools/call*"]))])

    def _server(self, values: list[str], column: int) -> Term:
        return Server(fitting(values))

    def _id(self, values: list[str], column: int) -> Term:
        numbers = [int(value) for value in values if re.fullmatch(r"-?\d{1,18}", value)]
        return Identified((*values, *numbers))

    def _flag(self, values: list[str], column: int) -> Term:
        bits = 0
        for value in values:
            name = value.lower().replace("-", " ")
            if name not in FLAGS:
                known = ", ".join(flag.replace(" ", "-") for flag in FLAGS)
                raise QueryError(f"there is no flag {value}", column, f"flags are {known}")
            bits |= FLAGS[name]
        return Flagged(bits)

    def _note(self, values: list[str], column: int) -> Term:
        # Notes come and go, as states do.
        self._volatile = True
        return Noted(fitting(values))

    def _finding(self, values: list[str], column: int) -> Term:
        # What is found comes after the row, and rules are muted.
        self._volatile = self._judges = True
        fits = fitting(values)
        return Wrong(lambda verdict: fits(verdict.rule) or fits(verdict.level))

    def _status(self, values: list[str], column: int) -> Term:
        states: set[int] = set()
        ranges: list[tuple[int, int]] = []
        for value in values:
            name = value.lower()
            if (http := _HTTP_STATUS.fullmatch(name)) is not None:
                low = int(http[1]) * 100 + (int(http[2]) if http[2] != "xx" else 0)
                ranges.append((low, low + 99 if http[2] == "xx" else low))
                continue
            found = {number for number, state in enumerate(STATES) if state and state.startswith(name)}
            found |= set(_STATE_ALIASES.get(name, ()))
            if not found:
                known = ", ".join(("ok", "failed", *filter(None, STATES)))
                raise QueryError(
                    f"there is no status {value}", column, f"one of {known}, or an HTTP status as 404 or 4xx"
                )
            states |= found
        if ranges and not self._negated:
            self._kinds.add(EXCHANGE)
        self._volatile = True
        options: list[Term] = [Status(tuple(ranges))] if ranges else []
        options += [Among("state", frozenset(states))] if states else []
        return options[0] if len(options) == 1 else AnyOf(options)
