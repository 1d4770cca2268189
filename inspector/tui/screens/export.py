"""Writing frames of the traffic to a file in one of the formats that others read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.worker import Worker

from inspector.base.errors import Failed
from inspector.base.saving import chosen_path
from inspector.base.text import bytes_size
from inspector.traffic.exports import FORMATS, SUFFIXES
from inspector.tui import guard
from inspector.tui.chosen_frames import Frames
from inspector.tui.registry import bindings, spoken
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.screens.save import standing
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.tui.widgets.lists.choices import Choices
from inspector.tui.widgets.lists.moving import Options

if TYPE_CHECKING:
    from inspector.base.secrets import Secrets

_FORMS = ("html", "har", "text", "jsonl", "otlp")
_MASKED = "Mask secrets: known values, secret names, your patterns"
_LOUD = "SECRETS STAY IN THE FILE: tokens, keys and passwords, readable by whoever gets it"


class ExportScreen(Asks[Path | None]):
    """Dismissed with the file that was written; None where none was."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    ExportScreen {
        & > Dialog { width: 88; padding: 0 1; }
        & OptionList { height: auto; background: $surface; }
        & .title { height: 1; color: $quiet; }
        & Input { background: $panel; }
        & Choices { height: 1; }
        & #loud { height: auto; display: none; color: $text-error; text-style: bold; }
        &.-loud #loud { display: block; }
    }
    """
    HELP = "Which frames, in which format, to which file. A file that is there is replaced only after a second yes."

    def __init__(self, offered: Sequence[Frames], secrets: Secrets, environment: Mapping[str, str]) -> None:
        """`environment` has the variables that the URL of a collector may name."""
        super().__init__()
        self._offered, self._secrets, self._environment = list(offered), secrets, environment
        self._which = Options(
            *(
                Content.assemble((each.title, "bold"), (f"  {each.count:,}", "$quiet"))
                for each in self._offered
            ),
            id="which",
            markup=False,
            compact=True,
        )
        self._form = Options(
            *(Content.assemble((f"{name:<6}", "bold"), (f" {FORMATS[name]}", "$quiet")) for name in _FORMS),
            id="form",
            markup=False,
            compact=True,
        )
        self._input = PathInput("", placeholder="name of the file")
        self._mask = Choices(id="mask")
        self._proposed = ""
        self._replaces: Path | None = None
        self._work: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Export")
            yield Static("Frames", classes="title", markup=False)
            yield self._which
            yield Static("Format", classes="title", markup=False)
            yield self._form
            yield Static("File; spans also to the URL of a collector", classes="title", markup=False)
            yield self._input
            yield self._mask
            yield Static(_LOUD, id="loud", markup=False)
            yield from self.buttons("Export")

    def on_mount(self) -> None:
        self._mask.show([Content(_MASKED)], {0})
        self._which.highlighted = self._form.highlighted = 0
        (self._which if len(self._offered) > 1 else self._form).focus()

    @property
    def _chosen(self) -> str:
        return _FORMS[self._form.highlighted or 0]

    @property
    def _masks(self) -> bool:
        return bool(self._mask.chosen)

    @on(OptionList.OptionHighlighted, "#form")
    def _form_chosen(self, event: OptionList.OptionHighlighted) -> None:
        """The name goes with the format, as long as it is the proposed one."""
        event.stop()
        if self._input.value in ("", self._proposed):
            self._proposed = self._input.value = f"session{SUFFIXES[self._chosen]}"

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.focus_next()

    @on(Choices.Changed)
    def _masks_or_not(self, event: Choices.Changed) -> None:
        event.stop()
        self.set_class(not self._masks, "-loud")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._replaces = None
        self.tell("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        if self._work is not None and self._work.is_running:
            return
        typed = self._input.value.strip()
        if self._chosen == "otlp" and typed.lower().startswith(("http://", "https://")):
            self._work = self.run_worker(self._post(typed), group="export")
            return
        try:
            path = chosen_path(typed, Path.cwd())
        except Failed as failed:
            self.complain(failed)
            self._input.focus()
            return
        if self._replaces != path and path.is_file() and not path.is_symlink():
            self._replaces = path
            self.tell(Content.assemble(*standing(path, f"Enter again, or {spoken('dialog.accept')},")))
            self._input.focus()
            return
        self._work = self.run_worker(self._export(path), group="export")

    async def _export(self, path: Path) -> None:
        from inspector.workspace.exporting import export_to

        frames = self._offered[self._which.highlighted or 0]
        self.tell("collecting the frames …; esc gives it up", "$text-warning")
        try:
            size = await export_to(
                path,
                self._chosen,
                frames.traffic,
                frames.rows,
                self._secrets if self._masks else None,
                replace=self._replaces == path,
                told=lambda size: self.tell(
                    f"writing … {bytes_size(size)}; esc gives it up", "$text-warning"
                ),
            )
        except Failed as failed:
            self._replaces = None
            self.complain(failed)
            self._input.focus()
            return
        self._done(path, f"{bytes_size(size)} written to {guard.line(str(path))}")

    async def _post(self, url: str) -> None:
        """Spans can go straight to a collector."""
        from inspector.config.adhoc import from_url
        from inspector.workspace.exporting import post_to

        frames = self._offered[self._which.highlighted or 0]
        self.tell("collecting the frames …; esc gives it up", "$text-warning")
        try:
            count, refused = await post_to(
                from_url(url).resolve(self._environment),
                frames.traffic,
                frames.rows,
                self._secrets if self._masks else None,
                told=lambda spans: self.tell(f"posting … {spans:,} spans; esc gives it up", "$text-warning"),
            )
        except Failed as failed:
            self.complain(failed)
            self._input.focus()
            return
        for said in refused[:3]:
            self.app.notify(
                guard.message(said), title="Refused", severity="warning", timeout=10, markup=False
            )
        self._done(None, f"{count:,} spans sent to {guard.line(url)}")

    def _done(self, path: Path | None, said: str) -> None:
        if self._masks:
            self.app.notify(said, title="Exported", timeout=6, markup=False)
        else:
            said = f"{said}. Secrets are in it."
            self.app.notify(said, title="Exported with secrets", severity="error", timeout=12, markup=False)
        self.dismiss(path)

    def action_leave_dialog(self) -> None:
        if self._work is not None and self._work.is_running:
            self._work.cancel()
            self.tell("given up", "$text-warning")
        else:
            self.dismiss(None)
