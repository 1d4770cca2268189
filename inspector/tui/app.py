"""The app: its start and end, its themes, its dialogs. What is on the screen is the business of the screens."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual._context import active_message_pump
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import LineFilter
from textual.keys import key_to_character
from textual.screen import Screen, SystemModalScreen
from textual.widget import Widget

from inspector.base import crash, tasks
from inspector.base.charset import charset, has_signs
from inspector.base.errors import Failed, Failure
from inspector.base.paths import paths
from inspector.base.saving import save
from inspector.tui import guard, keymap, registry, themes
from inspector.tui.clipboard import CopyRequested, copy
from inspector.tui.hints import ALL, Hints
from inspector.tui.registry import bindings, label, spoken
from inspector.tui.remembered import recall
from inspector.tui.screens.workspace import WorkspaceScreen
from inspector.tui.terminal import can_come_back, terminal_driver
from inspector.tui.typeahead import Typeahead
from inspector.tui.undo import Undo, Undoable
from inspector.tui.widgets.lists.moving import Count

if TYPE_CHECKING:
    from textual.command import Provider

    from inspector.workspace.connection import Connection
    from inspector.workspace.signals import Signals
    from inspector.workspace.workspace import Workspace

_ERRORS = 5
_ERRORS_WITHIN = 10.0
"""So many errors of ours within so many seconds, and the app gives up: it would only flicker on."""
_DYING = 0.1
"""Seconds after an error in which the part that failed has come to its end, if it does."""
_PROBLEMS = 6
_PASTED_LINE = 200_000
_PASTED = 4_000_000
"""Characters of a line and of a whole text that a field still takes without standing still for long."""
_SETTLED = 0.2
"""Seconds after a resume in which the shell has the last word on the terminal."""


class InspectorApp(App[None]):
    """Shows a workspace. Owns no process and no connection: the workspace is opened and closed around it."""

    CSS_PATH = ["styles/app.tcss", "screens/workspace.tcss"]  # noqa: RUF012
    TITLE = "mcp-inspect"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    SCOPE = "app"

    def __init__(self, workspace: Workspace, title: str = "", problems: Sequence[str] = ()) -> None:
        self._line_filters: list[LineFilter] = [guard.HostileTextFilter()]
        self._errors: list[float] = []
        self._given_up: Failure | None = None
        self._reported: Failure | None = None
        super().__init__()
        self.typeahead = Typeahead(self)
        self.count = Count()
        self.undo = Undo()
        self.touched_at = 0.0
        """When the last key was pressed, on the monotonic clock; a mouse counts too."""
        self.workspace = workspace
        self._title_text = title
        self._problems = problems
        guard.keep(workspace.secrets)
        self.survives_errors = not self.is_headless
        # Where the driver writes to.
        terminal = sys.__stderr__ or sys.stderr
        if self.survives_errors and not has_signs(terminal):
            from inspector.tui.narrow import NarrowFilter

            self._line_filters.append(NarrowFilter(charset(terminal)))
        self.register_theme(themes.DARK)
        self.register_theme(themes.LIGHT)
        self._remembered = recall()
        self.hints = Hints(self._remembered.hints)
        chosen = self._remembered.theme
        # Set without its watcher: nothing is painted yet that would have to be styled a second time.
        self.set_reactive(App.theme, chosen if chosen in self.available_themes else self._usual_theme())
        self._refresh_truecolor_filter(self.ansi_theme)
        self.stylesheet.set_variables(self.get_css_variables())
        self.keymap_problems = self._take_keymap()

    def _usual_theme(self) -> str:
        """Ours; in a terminal of 16 colours its own, where ours would all become grey."""
        plain = self.survives_errors and self.console.color_system == "standard" and not self.no_color
        return "ansi-dark" if plain else themes.DARK.name

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._line_filters]

    def get_driver_class(self) -> type[Driver]:
        return terminal_driver(super().get_driver_class())

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**variables, **themes.derived(variables, dark=self.current_theme.dark)}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(themes.PLAIN)

    def get_default_screen(self) -> Screen[Any]:
        return WorkspaceScreen(self.workspace, self._title_text, self._problems)

    @property
    def main(self) -> WorkspaceScreen:
        """The workspace screen, whatever is on top of it; beside a recording there may be a second one."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, WorkspaceScreen))

    def get_command_providers(self) -> Sequence[type[Provider]]:
        from inspector.tui.palette import ActionProvider, McpProvider, PlaceProvider, ThemeProvider

        return (McpProvider, ActionProvider, PlaceProvider, ThemeProvider)

    def action_command_palette(self) -> None:
        from textual.command import CommandPalette

        if isinstance(self.screen, WorkspaceScreen):
            self.push_screen(CommandPalette(self.get_command_providers(), id="--command-palette"))

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent):
            self.touched_at = time.monotonic()
        if isinstance(event, events.Key) and event.key.startswith("alt+"):
            # A terminal sends alt with a letter as escape and the letter, and a field would take the letter as text.
            event.character = None
        if isinstance(event, events.Key) and not event.is_forwarded and self.typeahead.holds(event):
            return
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.count.pressed()
        if isinstance(event, events.Paste) and _too_long(event.text):
            self.notify(
                f"{len(event.text):,} characters are too many for a field, or a line of them is too long. Nothing was"
                f" pasted. The editor takes more ({label('edit_outside')} over a form), and a file any length:"
                " mcp-inspect call --args @FILE.",
                severity="warning",
                timeout=10,
                markup=False,
            )
            return
        await super().on_event(event)

    # The end

    async def action_quit(self) -> None:
        self.action_leave()

    def action_leave(self) -> None:
        """Quits; asks first while calls run."""
        running = self.main.calls_running()
        if not running:
            self.exit()
            return
        if not isinstance(self.screen, WorkspaceScreen):
            return
        from inspector.tui.screens.confirm import ConfirmScreen

        what = "A call is running" if running == 1 else f"{running} calls are running"
        text = Content(f"{what}. Quitting cancels what runs and ends all servers.")
        self.push_screen(ConfirmScreen("Quit?", text, yes="Quit", no="Stay"), self._answered)

    def _answered(self, leave: bool | None) -> None:
        if leave:
            self.exit()

    def action_help_quit(self) -> None:
        self.notify(
            f"{spoken('leave')} quits, {spoken('quit')} also while you type; ctrl+c copies what is selected",
            title="Still here",
            markup=False,
        )

    def action_suspend(self) -> None:
        if can_come_back():
            self.action_suspend_process()
        else:
            self.notify("There is no shell here that could bring it back.", title="Still here", markup=False)

    def give_terminal_back(self) -> None:
        """Does so where the driver did not come to it; may be called in any thread."""
        if (give_back := getattr(self._driver, "give_back", None)) is not None:
            give_back()

    @work(group="dialogs", exclusive=True)
    async def action_edit_keymap(self) -> None:
        """Opens the file of the person's keys in an editor, and takes what it says then."""
        from inspector.tui.editor import edit

        file = paths().keymap
        try:
            before = file.read_text("utf-8") if file.is_file() else keymap.template()
            after = await edit(self, before, file.name)
            if after != before:
                file.parent.mkdir(parents=True, exist_ok=True)
                # Whole or not at all, also where it is a link into a folder of settings.
                save(file.resolve(), after.encode(), replace=True)
        except Failed as failed:
            said = f"{failed.failure.message}; {failed.failure.hint}. The file is {file}"
            self.notify(
                guard.message(said), title="Your keymap", severity="warning", timeout=12, markup=False
            )
            return
        except (OSError, UnicodeError) as error:
            said = f"{file} cannot be used: {error}"
            self.notify(guard.message(said), title="Your keymap", severity="error", timeout=12, markup=False)
            return
        self.keymap_problems = self._take_keymap()
        self.refresh_bindings()
        self._tell_keymap()

    def _tell_keymap(self) -> None:
        if self.keymap_problems:
            self.notify(
                "\n".join(guard.message(problem) for problem in self.keymap_problems[:_PROBLEMS]),
                title="Your keymap",
                severity="warning",
                timeout=15,
                markup=False,
            )

    def _take_keymap(self) -> list[str]:
        """The keys that the person chose, and what is wrong with them."""
        chosen = keymap.load()
        self.set_keymap(registry.use(chosen.keys))
        return chosen.problems

    def on_mount(self) -> None:
        self.hints.shown = not self.is_headless
        self._tell_keymap()
        self.app_resume_signal.subscribe(self, self._resumed)
        if (calls := self.workspace.tool_calls) is not None:
            calls.gate = self._approve
            calls.audit.on_problem = self._trail_broke

    async def _approve(self, connection: Connection, params: dict[str, Any]) -> str:
        from inspector.tui.screens.approve import approve

        return await approve(self, connection, params)

    def _trail_broke(self, problem: str) -> None:
        self.notify(guard.message(problem), title="Audit trail", severity="warning", timeout=15, markup=False)

    def _resumed(self, _: object) -> None:
        # The shell still writes the line of `fg` after Textual has painted: once more, when it has settled.
        self.set_timer(_SETTLED, lambda: self.screen.refresh(layout=True))

    # What is the same everywhere

    def action_help(self) -> None:
        from inspector.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(registry.active(self.screen)))

    def action_explain(self) -> None:
        """Help on the widget with the focus."""
        from inspector.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(registry.active(self.screen), self.screen.focused))

    def action_jump(self) -> None:
        from inspector.tui.screens.jump import JumpScreen, places

        if offered := places(self.screen):
            self.push_screen(JumpScreen(offered))

    def on_undoable(self, event: Undoable) -> None:
        self.undo.did(event)

    @work(group="undo")
    async def action_undo(self) -> None:
        try:
            what = await self.undo.back()
        except (Failed, OSError, LookupError) as error:
            why = f"It could not be undone: {error}"
            self.notify(guard.message(why), severity="error", timeout=8, markup=False)
            return
        self.notify(f"Undone: {what}" if what else "There is nothing to undo.", timeout=4, markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        over = getattr(self.screen, "SCOPE", "") if self._running else ""
        if action in ("help", "explain", "jump", "undo"):
            return over not in ("help", "jump") and not isinstance(self.screen, SystemModalScreen)
        return super().check_action(action, parameters)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        ran = await super().run_action(action, default_namespace, namespaces)
        if ran and isinstance(action, str) and self.hints.followed(default_namespace or self, action):
            self.keep_hints()
        return ran

    def keep_hints(self) -> None:
        """Which hints are gone is known the next time, too."""
        self._remembered.hints = sorted(self.hints.gone)
        self._remembered.keep("hints")
        self.main.tell_hint()

    def action_hints(self) -> None:
        self.hints.gone = set() if ALL in self.hints.gone or not self.hints.here(self.main) else {ALL}
        self.hints.shown = True
        self.keep_hints()
        said = "Hints stand over the keys" if not self.hints.gone else "No hints any more"
        self.notify(said, timeout=3, markup=False)

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """What is typed is never a command, whichever key a person gave to an action that comes before all others."""
        if priority and (focused := self.focused) is not None:
            character = key_to_character(key)
            if character is not None and focused.check_consume_key(key, character):
                return False
        return await super()._check_bindings(key, priority)

    def action_cycle_theme(self) -> None:
        self.choose_theme(themes.next_theme(self.theme))

    def choose_theme(self, name: str) -> None:
        """Takes a theme by its name, and keeps it for the next time."""
        self.theme = self._remembered.theme = name
        self._remembered.keep("theme")
        self.notify(f"{name}; more in the palette: {label('command_palette')} theme", timeout=3, markup=False)

    async def on_copy_requested(self, event: CopyRequested) -> None:
        where = await copy(self, event.text)
        self.notify(f"{event.what} copied to {where}", timeout=3, markup=False)

    # Bugs of ours

    def report(self, where: str, error: BaseException) -> None:
        """Writes a crash report and says so, without ending anything."""
        self._reported = crash.failure(where, error)
        text = f"{guard.message(self._reported.message)}; {self._reported.hint}"
        self.notify(text, title="The session goes on", severity="error", timeout=12, markup=False)

    def _handle_exception(self, error: Exception) -> None:
        """Textual's way of ending the app at any error. Here a part that fails costs itself: it is taken off the
        screen and built anew when it is looked at again; only the app and the screen cannot be done without."""
        if self._exit and self.survives_errors:
            # On the way out parts miss others that are gone already; a traceback is no way to say goodbye.
            return
        pump = active_message_pump.get(None)
        where = type(pump).__name__ if pump is not None else "a task"
        now = time.monotonic()
        self._errors = [moment for moment in self._errors if now - moment < _ERRORS_WITHIN] + [now]
        lost = isinstance(pump, App | Screen) and not pump.is_running
        if not self.survives_errors or lost or len(self._errors) > _ERRORS or not self._running:
            self.give_up(where, error)
            return
        self.report(where, error)
        if not isinstance(pump, Widget):
            return
        if isinstance(pump, Screen) or self.main not in pump.ancestors:
            # What failed may read keys no more, but is still the one that gets them.
            self.set_timer(_DYING, lambda: self._go_on_without(pump, error))
        else:
            self.main.replace_broken(pump)

    def _go_on_without(self, pump: Widget, error: Exception) -> None:
        """Closes the dialog that something failed in, as if it had been left; ends the app where its own screen does
        not answer any more."""
        if pump is self.main:
            if not pump.is_running:
                self.give_up("the screen", error)
            return
        screen = next((one for one in pump.ancestors_with_self if one in self.screen_stack), None)
        while isinstance(screen, Screen) and screen in self.screen_stack:
            self.screen.dismiss(None)

    async def _on_exit_app(self) -> None:
        """Before Textual's own handler: a page that is closed in the browser ends the app by this message alone, while
        parts may still be on their way in."""
        self._exit = True

    def give_up(self, where: str, error: Exception) -> None:
        """Ends the app because of an error of ours."""
        if self._given_up is None:
            self._given_up = crash.failure(where, error)
        super()._handle_exception(error)

    @property
    def crash(self) -> Failure | None:
        """Why the app ended without being asked to."""
        return self._given_up or (None if self._exit else self._reported)

    def panic(self, *renderables: object) -> None:
        """Ends the app. Textual would print its traceback, with the values of local variables, secrets among them."""
        self._close_messages_no_wait()

    _fatal_error = panic


def _too_long(text: str) -> bool:
    return len(text) > _PASTED or any(len(line) > _PASTED_LINE for line in text.split("\n"))


async def run(
    workspace: Workspace, signals: Signals, *, title: str = "", problems: Sequence[str] = ()
) -> int:
    """Opens the app on a workspace that the caller has entered, and returns its exit code when it was left.

    `problems` are told to the person. A signal leaves it in the same way as the user does.
    """
    app = InspectorApp(workspace, title, problems)
    reported = tasks.report
    tasks.report = app.report
    signals.told = app.exit
    signals.forced = app.give_terminal_back
    try:
        await app.run_async()
    except OSError:
        # The terminal is gone (SIGHUP): there is nobody left to paint for, but servers to be ended.
        if signals.code is None:
            raise
    finally:
        app.give_terminal_back()
        tasks.report = reported
    if app.crash is not None:
        raise Failed(app.crash)
    return app.return_code or 0
