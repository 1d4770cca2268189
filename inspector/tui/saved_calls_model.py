"""A file of saved calls as it is open in the app, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inspector.calls import saved
from inspector.calls.saved import SavedCall
from inspector.workspace.connection import Connection
from inspector.workspace.saved_calls import Calling, Outcome, server_of


@dataclass(eq=False)
class SavedCallsModel:
    """`target` is the server of the calls that name none; `outcomes` are by the name of a call."""

    target: str
    file: Path | None = None
    calls: list[SavedCall] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    run: Calling | None = None
    changed: Callable[[], None] = lambda: None

    @property
    def running(self) -> bool:
        return self.run is not None and self.run.running

    @property
    def report(self) -> list[Outcome]:
        """What has been made, in the order of the file."""
        return [self.outcomes[call.name] for call in self.calls if call.name in self.outcomes]

    def load(self, file: Path) -> None:
        """Raises Failed (io, config), and stays as it was."""
        self.calls = saved.read(file).calls
        self.file = file
        self.outcomes = {}

    def connection_of(self, call: SavedCall, connections: Mapping[str, Connection]) -> Connection:
        """Where a call goes. Raises Failed (config)."""
        names = list(connections)
        if not call.server and self.target in connections:
            return connections[self.target]
        return connections[server_of(call, names, whatever=len(names) == 1)]

    def start(self, calls: Sequence[SavedCall], to: Mapping[str, Connection], denied: set[str]) -> None:
        self.run = Calling(calls, to, denied=denied, outcomes=self.outcomes, changed=lambda: self.changed())
