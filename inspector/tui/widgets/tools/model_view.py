"""What an agent's model is asked to fill in: the form of the sanitized schema, what was rewritten for it, and whether
what is entered there would pass the schema that the server checks against."""

from __future__ import annotations

from collections import Counter
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from inspector.base.text import clip
from inspector.lenses.paicli import Sanitized
from inspector.schema.field import Issue
from inspector.schema.form import FormModel
from inspector.schema.validate import Checker
from inspector.tui import guard
from inspector.tui.widgets.forms.schema_form import SchemaForm
from inspector.tui.widgets.text.facts import Part
from inspector.tui.widgets.tools.rewrite_list import SIGNS, RewriteList

_WIDE = 100
"""Cells of width from which the report stands beside the form."""
_CALM = 0.15
_TOLD = 3
_TONES = {"error": "$text-error", "warning": "$text-warning", "info": "$quiet"}
_WORDS = {"error": "misleading", "warning": "lossy", "info": "harmless"}


class ModelView(Vertical):
    """`form` has arguments of its own. Posts what `SchemaForm` posts."""

    DEFAULT_CSS = """
    ModelView {
        height: 1fr;
        & > #model-name { height: auto; max-height: 3; padding: 0 1; }
        & > #model-parts { layout: horizontal; height: 1fr; }
        & #model-form { width: 3fr; height: 1fr; }
        & #model-report { width: 2fr; height: 1fr; border-left: vkey $line; }
        & #model-counts { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & RewriteList { height: 1fr; padding: 0 1; }
        & > #model-verdict { height: auto; max-height: 3; padding: 0 1; }
        &.-stacked > #model-parts { layout: vertical; }
        &.-stacked #model-form { width: 1fr; }
        &.-stacked #model-report { width: 1fr; height: 40%; border-left: none; }
    }
    """

    def __init__(self, schema: Any, found: Sanitized, name: Content, *, id: str | None = None) -> None:
        """`name` says in safe content what the tool is called by, and what is wrong with that."""
        super().__init__(id=id)
        self._checker = Checker(schema)
        self._counts = Counter(rewrite.severity for rewrite in found.report)
        self.form = SchemaForm(FormModel(found.schema), id="model-form")
        self._report = RewriteList(found.report)
        self._verdict = Static(id="model-verdict", markup=False)
        self._checking: Timer | None = None
        self._called = Static(name, id="model-name", markup=False)

    def compose(self) -> ComposeResult:
        yield self._called
        with Container(id="model-parts"):
            yield self.form
            with Vertical(id="model-report"):
                yield Static(self._counted(), id="model-counts", markup=False)
                yield self._report
        yield self._verdict

    async def on_mount(self) -> None:
        await self._judge()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < _WIDE, "-stacked")

    def misfits(self, arguments: Any) -> list[Issue]:
        """What the raw schema has against arguments."""
        return self._checker.check(arguments).errors

    @on(SchemaForm.Changed)
    def _changed(self) -> None:
        if self._checking is not None:
            self._checking.stop()
        self._checking = self.set_timer(_CALM, self._judge)

    async def _judge(self) -> None:
        wrong = (await self._checker.check_apart(self.form.model.collect().arguments)).errors
        if not wrong:
            said = Content.assemble(("✓ ", "$text-success"), "The raw schema takes these arguments as well.")
        else:
            listed = "; ".join(
                f"{guard.line(path) or 'the whole'}: {guard.line(text)}" for path, text in wrong[:_TOLD]
            )
            rest = f" and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
            said = Content.assemble(
                ("✗ ", "$text-error"),
                "Not by the raw schema: ",
                (clip(listed, 400) + rest, "$text-error"),
            )
        self._verdict.update(said)

    def _counted(self) -> Content:
        total = self._counts.total()
        if not total:
            return Content("PaiCLI changes nothing")
        parts: list[Part] = [(f"PaiCLI makes {total} change{'' if total == 1 else 's'}", "bold")]
        for severity, sign in SIGNS.items():
            if count := self._counts[severity]:  # type: ignore[index]
                parts.append((f"  {sign} {count} {_WORDS[severity]}", _TONES[severity]))
        return Content.assemble(*parts)
