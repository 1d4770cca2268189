"""A form of 300 fields on the screen: processor time from the schema to the first screen full of it.

`python -m bench.form_screen` shows it a few times in an app without a terminal, and tells the median.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

from textual.app import App

from inspector.schema.form import FormModel
from inspector.tui import themes
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.schema_form import SchemaForm

FIELDS = 300
BAR = 0.5
"""Seconds."""
ROUNDS = 7
_KINDS: tuple[dict[str, Any], ...] = (
    {"type": "string"},
    {"type": "integer", "minimum": 0},
    {"enum": ["a", "b", "c"]},
    {"type": "boolean"},
    {"type": "array", "items": {"type": "string"}},
)


class Stage(App[None]):
    """The colours of the app, and nothing else."""

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**variables, **themes.derived(variables)}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(themes.PLAIN)


def schema(fields: int) -> dict[str, Any]:
    members = {
        f"field{number}": {**_KINDS[number % len(_KINDS)], "description": "What it is good for."}
        for number in range(fields)
    }
    return {"type": "object", "properties": members, "required": ["field0"]}


async def shown(rounds: int) -> list[float]:
    """Seconds of processor time for each round."""
    found = []
    app = Stage()
    async with app.run_test(size=(120, 40)) as pilot:
        for _ in range(rounds):
            began = time.process_time()
            form = SchemaForm(FormModel(schema(FIELDS)))
            await app.mount(form)
            await pilot.pause()
            found.append(time.process_time() - began)
            assert form.query(FieldRow)
            await form.remove()
    return found


def main() -> int:
    middle = statistics.median(asyncio.run(shown(ROUNDS)))
    fine = middle <= BAR
    print(
        f"a form of {FIELDS} fields: {middle:.2f} s CPU to the first screen, bar {BAR} s {'ok' if fine else 'MISSED'}"
    )
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
