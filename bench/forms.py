"""Forms of real tools: how many fields are JSON editors, how long a form takes, and whether arguments come back equal.

`python -m bench.forms FILE_OR_FOLDER...` reads files of tool definitions; without one it looks into ../shared/corpus.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.samples import Sampler, canonical
from inspector.base import numbers
from inspector.schema.document import as_json
from inspector.schema.form import FormModel

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("MCP_INSPECT_SHARED", ROOT.parent / "shared"))
OBJECTS = 10
"""Arguments that are made up for each tool."""


def tools_in(path: Path) -> Iterator[tuple[str, Any]]:
    """Every tool of a file, or of the `.json` files in a folder, with its name; files of other things are passed by."""
    for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
        listing = numbers.spelled(file.read_text("utf-8-sig"))
        tools = listing.get("tools", [listing]) if isinstance(listing, dict) else listing
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and "inputSchema" in tool:
                yield f"{file.name}:{tool.get('name')}", tool


def every_field(documents: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The fields of a form, those inside of others too."""
    for document in documents:
        yield document
        yield from every_field(document.get("fields", []))
        yield from every_field([document[part] for part in ("items", "entry") if part in document])
        for branch in document.get("branches", []):
            yield from every_field(branch["fields"])


def main() -> int:
    paths = [Path(word) for word in sys.argv[1:]] or [SHARED / "corpus"]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        print(
            f"nothing to measure: there is no {', '.join(missing)}; name files or folders of tool definitions"
        )
        return 0
    tools = [tool for path in paths for tool in tools_in(path)]
    fields = raw = bare = made = unmade = 0
    seconds: list[float] = []
    slowest, unlike = "", []
    for name, tool in tools:
        began = time.perf_counter()
        document = as_json(FormModel(tool["inputSchema"]))
        seconds.append(time.perf_counter() - began)
        slowest = name if seconds[-1] == max(seconds) else slowest
        bare += document["rawOnly"]
        for field in every_field(document["fields"]):
            fields += 1
            raw += field["raw"]
    for name, tool in tools:
        sampler, model = Sampler(tool["inputSchema"], name), FormModel(tool["inputSchema"])
        for _ in range(OBJECTS):
            arguments = sampler.arguments()
            if arguments is None:
                unmade += 1
                continue
            made += 1
            model.load(arguments)
            outcome = model.arguments()
            if canonical(outcome.arguments) != canonical(arguments) or outcome.errors:
                unlike.append(name)
    if not tools:
        print("no tools found")
        return 0
    share, median, longest = (
        100 * raw / max(fields, 1),
        1000 * statistics.median(seconds),
        1000 * max(seconds),
    )
    for what, value, bar, fine in (
        ("tools", f"{len(tools)}", "", True),
        ("tools without a form", f"{bare}", "bar: 0", bare == 0),
        ("fields that are JSON editors", f"{share:.2f} % of {fields}", "bar: 2 %", share < 2),
        ("form, median", f"{median:.2f} ms", "bar: 50 ms", median <= 50),
        ("form, slowest", f"{longest:.1f} ms ({slowest})", "bar: 1000 ms", longest <= 1000),
        ("arguments that come back equal", f"{made - len(unlike)} of {made}", "bar: all", not unlike),
        ("arguments that were not found", f"{unmade}", "", True),
    ):
        print(f"{'ok ' if fine else 'NOT'} {what:<32} {value:<40} {bar}")
    for name in sorted(set(unlike))[:20]:
        print(f"    not equal: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
