"""What the tab for a remote skill works on: prompts by name, what came of each, and as which client it asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from inspector.base import private_json
from inspector.base.paths import paths
from inspector.lenses.solon import saved
from inspector.lenses.solon.activation import Activation
from inspector.lenses.solon.clients import CLIENTS, Client
from inspector.lenses.solon.prompt import Prompt, Said, remarks
from inspector.workspace.solon_skill import SolonSkill

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

FIRST = Prompt([Said("user", "")], {}, name="a prompt")
_keys = count(1)


@dataclass(slots=True)
class Kept:
    """One prompt of the list. `activation` is None as long as nothing was asked about it as it stands."""

    prompt: Prompt
    activation: Activation | None = None
    key: str = field(default_factory=lambda: str(next(_keys)))


class SolonModel:
    """`prompts` are never empty. What is changed is written to a file of ours; `trouble` says why that failed."""

    def __init__(self, connection: Connection) -> None:
        self.skill = SolonSkill(connection)
        self._connection = connection
        self._server = connection.name
        read = saved.kept_of(private_json.read(paths().skill_prompts), self._server)
        self.prompts = [Kept(prompt) for prompt in read] or [Kept(FIRST)]
        self._written = [kept.prompt for kept in self.prompts]
        self.chosen: Client | None = None
        self._agreed_to: object = None
        self.trouble = ""

    @property
    def agreed(self) -> bool:
        """Whether the person knows that asking may change something at the server, as it is reached now."""
        return self._agreed_to is self._connection.entry

    def agree(self) -> None:
        self._agreed_to = self._connection.entry

    @property
    def client(self) -> Client:
        """The one that was chosen, else one that fits what the server lists."""
        offer = self.skill.offer
        return self.chosen or (offer.client if offer is not None else CLIENTS["3.9.3"])

    def next_client(self) -> None:
        """Asks as the next version from now on; what the others were told counts no more."""
        names = list(CLIENTS)
        self.chosen = CLIENTS[names[(names.index(self.client.name) + 1) % len(names)]]
        for kept in self.prompts:
            kept.activation = None

    def find(self, key: str | None) -> Kept:
        """The prompt of a key, else the first."""
        return next((kept for kept in self.prompts if kept.key == key), self.prompts[0])

    def add(self, prompt: Prompt) -> Kept:
        """Puts a prompt behind the others, under a name that none of them has."""
        names = {kept.prompt.name for kept in self.prompts}
        free = (f"{prompt.name} {number}" for number in count(2))
        name = prompt.name if prompt.name not in names else next(name for name in free if name not in names)
        kept = Kept(Prompt(prompt.messages, prompt.attrs, prompt.raw, name))
        self.prompts.append(kept)
        self.save()
        return kept

    def remove(self, kept: Kept) -> None:
        """The last one leaves an empty one behind."""
        self.prompts = [other for other in self.prompts if other is not kept] or [Kept(FIRST)]
        self.save()

    def change(self, kept: Kept, value: Any) -> None:
        """Takes what was entered. Raises Failed (config) where it is no prompt yet."""
        kept.prompt = saved.prompt_of(value, "", kept.prompt.name)
        kept.activation = None

    def save(self) -> None:
        """Writes what has changed. Never raises."""
        prompts = [kept.prompt for kept in self.prompts]
        if prompts == self._written:
            return
        try:
            with private_json.changing(paths().skill_prompts) as known:
                saved.keep(known, self._server, prompts)
            self._written, self.trouble = prompts, ""
        except OSError as error:
            self.trouble = f"the prompts cannot be kept: {error.strerror or error}"

    def risks(self, some: list[Kept]) -> list[str]:
        """What a person must agree to before these are sent."""
        texts = (kept.prompt.raw for kept in some if kept.prompt.raw is not None)
        return list(
            dict.fromkeys(remark.message for text in texts for remark in remarks(text) if remark.is_risk)
        )
