"""Files of ours that people write: YAML that means what JSON means."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from inspector.base.errors import fail

_SCALARS = (
    ("null", r"^(?:null|~|)$", ["n", "~", ""]), ("bool", r"^(?:true|false)$", ["t", "f"]),
    ("int", r"^-?(?:0|[1-9][0-9]*)$", list("-0123456789")),
    ("float", r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$", list("-0123456789")),
)  # fmt: skip
"""Words without quotes that are no text (YAML 1.2, 10.2: JSON schema)."""
_LIKE_A_NUMBER = r"^[-+]?\.?[0-9].*$"


def dump(value: Any, width: int) -> str:
    """The YAML of a JSON value, which readers of YAML 1.1, 1.2 and `load` all take for this value: `08`, `1e3` and
    `0o17` are texts to the first alone, so texts like them stand in quotes."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    Dumper.add_implicit_resolver("!number", re.compile(_LIKE_A_NUMBER), list("-+.0123456789"))
    text: str = yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=width)
    return text


def load(path: Path, data: bytes) -> Any:
    """The value that the text of a file holds; `path` is what errors name. Raises Failed (config) with line and
    column."""
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML as JSON would have it: `no`, dates and 12:30 are texts, nothing refers to something else, which
        could make a file of a few lines endless, and no member stands there twice, of which one would be lost."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                event = self.peek_event()  # type: ignore[no-untyped-call]
                raise yaml.MarkedYAMLError(None, None, "references (*name) are not read", event.start_mark)
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            names: set[str] = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    if key.value in names:
                        raise yaml.MarkedYAMLError(
                            None, None, f"{key.value!r} stands here twice", key.start_mark
                        )
                    names.add(key.value)
            return super().construct_mapping(node, deep)

    Loader.yaml_implicit_resolvers = {}
    for tag, written, first in _SCALARS:
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(written), first)
    try:
        return yaml.load(data, Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        raise fail("config", f"{path}{place}: {error.problem}", "correct the file") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        # What the library says on further lines names its own parts.
        why = str(error).partition("\n")[0]
        raise fail("config", f"{path} is neither YAML nor JSON: {why}", "correct the file") from error
