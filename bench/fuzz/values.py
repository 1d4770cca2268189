"""JSON text beside the reader of the standard library."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from bench.fuzz.given import chance_of
from inspector.base import deepjson, jsondiff, jsonstream, jsontext, numbers
from inspector.base.jsonstream import TooLarge
from inspector.base.jsontext import Malformed
from inspector.protocol import jsonrpc

_MOST = 1 << 20


class _Reads(BytesIO):
    """Gives no more at once than was drawn, whatever is asked for."""

    most = 1

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(self.most, _MOST if size is None or size < 0 else size))


def stream(data: bytes) -> None:
    source = _Reads(data)
    source.most = chance_of(data).choice((1, 7, 50, 1000)) + len(data) // 50
    path = chance_of(data).choice(((), ("log", "entries"), ("a",)))
    found = []
    broken = False
    try:
        for item in jsonstream.items(source, path, _MOST, {}):
            found.append(item)
    except (Malformed, TooLarge):
        broken = True
    text = data.decode("utf-8-sig", "replace")
    try:
        whole = numbers.spelled(text)
    except ValueError:
        return
    for name in path:
        whole = whole.get(name) if isinstance(whole, dict) else None
    if isinstance(whole, list) and not _twice(text):
        assert not broken, "what is JSON as a whole is none in steps"
        assert numbers.same(found, whole), "other items than the whole has"


def _twice(text: str) -> bool:
    """Whether some object has a member twice, where the last one counts as a whole and each one in steps."""
    twice = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        found = dict(pairs)
        twice = twice or len(found) < len(pairs)
        return found

    try:
        json.loads(text, object_pairs_hook=members)
    except (ValueError, RecursionError):
        return True
    return twice


def deep(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    jsontext.envelope(text)
    jsontext.leading_id(text)
    jsontext.elements(text)
    jsontext.pick(text, "a", 0, "b")
    message = jsonrpc.read(data)
    value, readable, known = None, True, True
    try:
        value = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        known = False
    except ValueError as error:
        readable = "digits" in str(error)
        known = not readable
    try:
        read = deepjson.read(text, int, float)
    except ValueError as error:
        assert not (known and readable) or "digits" in str(error), "JSON that the deep reader does not take"
        return
    assert readable, "no JSON, but the deep reader takes it"
    if known:
        assert numbers.same(read, value), "the deep reader reads another value"
        assert message.readable
    spelled = numbers.spelled(text)
    assert numbers.same(numbers.spelled(numbers.dumps(spelled)), spelled)
    assert numbers.same(numbers.spelled(jsontext.indented(text)), spelled), "folding changes the value"
    start = jsontext.skip_space(text, 0)
    assert jsontext.skip_space(text, jsontext.end_of_value(text, start)) == len(text)
    if text[start] in "{[":
        for child in jsontext.children(text, start):
            numbers.spelled(text[child.start : child.end])
    numbers.brief(spelled)
    numbers.frozen(spelled)


def _refuse(name: str) -> Any:
    raise ValueError(name)


def difference(data: bytes) -> None:
    """Two values on two lines, or the two halves of a list."""
    first, _, second = data.decode("utf-8", "replace").partition("\n")
    try:
        old, new = numbers.spelled(first), numbers.spelled(second)
    except ValueError:
        return
    changes = jsondiff.diff(old, new)
    assert bool(changes) != numbers.same(old, new) or any(change.op == "spelling" for change in changes)
    made = jsondiff.apply(old, changes)
    if (
        not any(change.path and change.path[-1] is jsondiff.INSIDE for change in changes)
        and "\\" not in first + second
    ):
        assert numbers.same(made, new), "the changes do not make the one of the other"
