"""Adds a call to a file of saved calls, and leaves everything else in it as a person has written it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from inspector.base.errors import fail
from inspector.base.fifo import read_named
from inspector.calls import saved
from inspector.config.plain_yaml import dump, load

_MOST_BYTES = 5_000_000
_WIDTH = 100


def entry_text(entry: dict[str, Any]) -> str:
    """A call as YAML to be looked at and changed."""
    return dump(entry, _WIDTH)


def begun(path: Path) -> bytes | None:
    """What stands in the file; None where there is none yet. Raises Failed (io)."""
    try:
        return read_named(path, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise fail(
            "io", f"{path} cannot be read: {error.strerror or error}", "choose another file"
        ) from error


def names(path: Path) -> set[str]:
    """Of the calls that the file has; none where there is no such file. Raises Failed (io, config)."""
    data = begun(path)
    return {call.name for call in saved.parse(path, data).calls} if data else set()


def free_name(wanted: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken."""
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def added(path: Path, entry: str, target: str = "") -> bytes:
    """The content of the file with one call more, given as YAML. A new file names `target`, the path of a config, as it
    is found from there. Raises Failed: io, and config where the file or the call is none that can be read."""
    import yaml

    data = begun(path)
    call = load(path, entry.encode("utf-8", "surrogatepass"))
    if data is None or not data.strip():
        head = f"target: {json.dumps(_from(path, target))}\n" if target else ""
        text = f"{head}calls:\n{_item(entry, '  ')}"
    elif path.suffix.lower() == ".json" and (value := _json(data)) is not None:
        saved.parse(path, data)
        value["calls"].append(call)
        text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    else:
        saved.parse(path, data)
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        node: Any = yaml.compose(text, yaml.SafeLoader)
        calls = next(value for key, value in node.value if key.value == "calls")
        if calls.flow_style:
            raise fail(
                "config",
                f"{path}: the calls stand in brackets, where none can be added without writing all anew",
                "write them as a list with dashes, or choose another file",
            )
        end = _end_of(calls)
        lines = text.split("\n")
        lines[end + 1 : end + 1] = _item(entry, " " * calls.start_mark.column).rstrip("\n").split("\n")
        text = "\n".join(lines)
        text = text if text.endswith("\n") else f"{text}\n"
    result = text.encode("utf-8", "surrogatepass")
    saved.parse(path, result)
    return result


def _json(data: bytes) -> Any:
    """The value of JSON; None where it is YAML, which a file of any name may hold."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _item(entry: str, indent: str) -> str:
    """One entry of a list with dashes."""
    lines = entry.strip("\n").split("\n")
    return "".join(
        f"{indent}{'- ' if place == 0 else '  '}{line}\n" if line.strip() else "\n"
        for place, line in enumerate(lines)
    )


def _end_of(node: Any) -> int:
    """The last line that a value has text on: where a list ends, YAML sees only when the next thing comes."""
    inner = node.value
    if isinstance(inner, list) and inner and not node.flow_style:
        last = inner[-1]
        return max(_end_of(part) for part in (last if isinstance(last, tuple) else (last,)))
    mark = node.end_mark
    return int(mark.line - 1 if mark.column == 0 and mark.line > node.start_mark.line else mark.line)


def _from(path: Path, target: str) -> str:
    try:
        return os.path.relpath(target, path.parent)
    except ValueError:
        # Another drive.
        return target
