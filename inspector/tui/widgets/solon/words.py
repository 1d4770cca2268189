"""What is said of a remote skill: its card, its verdict, its steps, all prompts side by side. All texts are safe."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from textual.content import Content

from inspector.base import numbers
from inspector.base.text import clip, counted, duration
from inspector.lenses.solon.activation import Activation, Step
from inspector.lenses.solon.clients import Client
from inspector.lenses.solon.metadata import KNOWN, confusing
from inspector.lenses.solon.offer import Offer, has_gateway
from inspector.lenses.solon.verdicts import Exposure, instruction_remark
from inspector.protocol.solon import GATEWAY, INSTRUCTION
from inspector.tui import guard
from inspector.tui.registry import spoken
from inspector.tui.solon_model import Kept, SolonModel
from inspector.tui.widgets.text.facts import Part, fact, fit, heading
from inspector.workspace.solon_skill import Opening, readings

_TOOLS = 8
_READABLE = 24
"""Cells of the columns of all prompts: of the tools, and at least of the instruction."""
_LONG = 2000
"""Characters of an answer that are shown with its step; all of it stands in the traffic."""


def mark(activation: Activation | None) -> tuple[str, str]:
    """A sign for a prompt, and its tone."""
    if activation is None or activation.supported is None:
        return "·", "$quiet"
    if activation.thrown or (not activation.supported and activation.is_wrong):
        return "✗", "$text-error"
    return ("✓", "$text-success") if activation.supported else ("○", "$quiet")


def verdict_parts(model: SolonModel, kept: Kept, exposure: Exposure | None) -> list[Part]:
    """Two lines: which skill this is for whom, and what came of the prompt."""
    opening = model.skill.opening
    name = opening.metadata.name if opening is not None else ""
    parts: list[Part] = [(clip(guard.line(name) or "remote skill", 60), "bold $foreground")]
    parts.append((f"  as a client of Solon AI {model.client.name} sees it\n", "$quiet"))
    if model.trouble:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(model.trouble)}\n", "$foreground")]
    activation = kept.activation
    if activation is None:
        return [*parts, (f"not asked yet; {spoken('solon.run')} asks", "$quiet")]
    sign, tone = mark(activation)
    parts += [(f"{sign} {activation.verdict}", f"bold {tone}")]
    if exposure is not None:
        parts.append((f"  {banner(activation, exposure)}", "$foreground"))
    return parts


def banner(activation: Activation, exposure: Exposure) -> str:
    """The state of the filter: ALL, NONE, n of m, or that it cannot be read."""
    if activation.listed is None:
        return ""
    if activation.listed.state == "unreadable":
        return "UNREADABLE: no tool reaches the model"
    state = {"all": "ALL: ", "none": "NONE: "}.get(activation.listed.state, "")
    return f"{state}{len(exposure.exposed)} of {counted(exposure.visible, 'tool')} that are not hidden"


def brief(activation: Activation | None, exposure: Exposure | None) -> str:
    """The same in a word, for a list."""
    if activation is None:
        return ""
    if activation.listed is None or exposure is None:
        return ""
    return f"{len(exposure.exposed)} of {exposure.visible}" if not activation.thrown else "throws"


# The steps.


def step_parts(activation: Activation | None) -> Iterator[Part]:
    """What was asked, one step after the other, with the texts of the answers."""
    if activation is None:
        yield (
            f"Nothing was asked about this prompt yet. {spoken('solon.run')} runs the chain:\n\n",
            "$quiet",
        )
        yield ("isSupportedMcp, onAttachMcp, getInstructionMcp, getToolsMcp\n\n", "$foreground")
        yield ("It stops where a client would.", "$quiet")
        return
    for step in activation.steps:
        yield from _step(step)
    if activation.thrown:
        yield ("The client throws here, and with it the whole request of the model.\n", "bold $text-error")


def _step(step: Step) -> Iterator[Part]:
    sign, tone = (
        ("✗", "$text-error") if step.is_wrong else ("■", "$quiet") if step.stops else ("✓", "$text-success")
    )
    row = f"  #{step.row}" if step.row >= 0 else ""
    yield (f"{sign} ", tone)
    yield (step.tool, "bold $foreground")
    yield (f"  {duration(step.seconds)}{row}\n", "$quiet")
    yield (f"  {guard.message(step.outcome)}\n", "$foreground" if not step.is_wrong else tone)
    if step.told.text is not None:
        text = step.told.text
        shown = guard.block(clip(text, _LONG)) if text else "(empty text)"
        yield ("".join(f"    {line}\n" for line in shown.split("\n")), "$quiet")


# The filter.


def filter_parts(activation: Activation | None, exposure: Exposure) -> Iterator[Part]:
    """What the skill said of its tools, as it stands and as each version reads it."""
    if has_gateway(row.tool for row in exposure.rows):
        yield (
            f"{', '.join(GATEWAY)}: a gateway, behind which a model finds more tools than are listed\n",
            "$text-accent",
        )
    if activation is None or activation.listed is None:
        yield (
            f"{counted(len(exposure.rows), 'tool')}, of which {exposure.visible} are not hidden. ",
            "$quiet",
        )
        yield ("The skill has listed nothing yet.\n", "$quiet")
        return
    told = activation.told_tools.text if activation.told_tools is not None else None
    raw = "(no text)" if told is None else guard.line(clip(told, 300)) or "(empty text)"
    yield (
        f"{banner(activation, exposure)}\n",
        "bold $foreground" if not activation.thrown else "bold $text-error",
    )
    yield (f"{raw}  ", "$foreground")
    yield (f"{guard.line(activation.listed.why)}\n", "$quiet")
    read = readings(activation)
    if len(set(read.values())) > 1:
        words = ", ".join(f"{name} {state}" for name, state in read.items())
        yield ("▲ ", "$text-warning")
        yield (f"versions differ: {words}\n", "$foreground")


# The card.


def card_parts(
    offer: Offer | None, opening: Opening | None, server: str, client: Client, width: int
) -> Iterator[Part]:
    """The metadata, where it was read and when, and what is missing or odd."""
    if offer is not None and offer.missing:
        yield ("▲ ", "$text-warning")
        yield (f"an incomplete skill, without {', '.join(offer.missing)}\n\n", "$foreground")
    if opening is None:
        yield (f"The metadata was not read yet; {spoken('solon.read')} reads it.\n", "$quiet")
        return
    metadata = opening.metadata
    wrong = opening.failure.message if opening.failure is not None else metadata.problem
    if wrong:
        yield ("✗ ", "$text-error")
        yield (f"no client can make a skill of it: {guard.message(wrong)}\n\n", "$foreground")
    for odd in metadata.odd:
        yield ("▲ ", "$text-warning")
        yield (f"{guard.line(odd)}\n", "$foreground")
    if confusing(metadata, server):
        yield ("▲ ", "$text-warning")
        yield (
            f"the skill is called {guard.line(metadata.name)[:80]}, its server {guard.line(server)[:80]}\n",
            "$foreground",
        )
    for name in (*KNOWN, *metadata.unknown):
        if name in metadata.value:
            value = metadata.value[name]
            shown = value if isinstance(value, str) else numbers.brief(value, 300)
            tone = "$foreground" if name in KNOWN else "$text-accent"
            yield from fact(
                guard.line(clip(name, 40)), guard.line(clip(shown, 600)), tone, indent=12, width=width
            )
    yield ("\n", "")
    yield from fact("at", opening.uri, indent=12)
    at = time.strftime("%H:%M:%S", time.localtime(opening.at))
    yield from fact("read", f"at {at}, in {duration(opening.step.seconds)}", indent=12)
    stale = "a client reads it when it is made and never again: what changed since is not seen"
    yield from fact(
        "stale?", f"{stale}; {spoken('solon.read')} reads it here", "$quiet", indent=12, width=width
    )
    keeps = "the list of tools for 30 s; it pings every 15 s" + (
        ", more rarely while that fails" if client.name == "4.0" else ""
    )
    yield from fact("a client", f"keeps {keeps}", "$quiet", indent=12, width=width)
    if metadata.text:
        yield ("\n", "")
        yield heading("As it was read")
        yield (guard.block(clip(metadata.text, 20_000)), "$quiet")


# All prompts.


def matrix(rows: Sequence[tuple[Kept, Exposure | None]], width: int) -> Content:
    """Every prompt with what came of it: in one line where that is wide enough, what the model gets below it."""
    names = [guard.line(clip(kept.prompt.name, 100)) for kept, _ in rows]
    verdicts = [kept.activation.verdict if kept.activation is not None else "not asked" for kept, _ in rows]
    name = min(max(10, *map(cell_len, names)), max(10, width // 3))
    verdict = max(10, *map(len, verdicts))
    rest = width - name - verdict - _TOOLS - 8
    head = f"  {fit('prompt', name)}  {fit('supported', verdict)}  {fit('tools', _TOOLS)}"
    parts: list[Part] = [(f"{head}{'  instruction' if rest >= _READABLE else ''}\n", "$quiet")]
    for (kept, exposure), named, told in zip(rows, names, verdicts, strict=True):
        activation = kept.activation
        sign, tone = mark(activation)
        parts += [
            (f"{sign} ", tone),
            (f"{fit(named, name)}  ", "$foreground"),
            (f"{fit(told, verdict)}  ", tone),
        ]
        parts.append((fit(brief(activation, exposure), _TOOLS), "$foreground"))
        said = activation.instruction if activation is not None and activation.instruction else ""
        said = guard.line(clip(said, 400), cut=True)
        parts.append((f"  {fit(said, rest)}\n" if rest >= _READABLE else "\n", "$quiet"))
        below = [said] if said and rest < _READABLE else []
        if exposure is not None and exposure.exposed:
            below.insert(0, ", ".join(guard.line(clip(each, 60)) for each in exposure.exposed[:20]))
        parts += [(f"    {fit(line, max(16, width - 4)).rstrip()}\n", "$quiet") for line in below]
    return Content.assemble(*parts).rstrip()


def instruction_note(activation: Activation | None) -> str:
    """What is odd about the instruction, or why there is none."""
    if activation is None:
        return f"Nothing was asked yet; {spoken('solon.run')} asks."
    if activation.instruction is None:
        return "No instruction: the chain did not come so far, or the answer holds no text."
    told = next(step.told for step in activation.steps if step.tool == INSTRUCTION)
    empty = "An empty text: nothing is added to what the model is told."
    return instruction_remark(told) or ("" if activation.instruction else empty)
