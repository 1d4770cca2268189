"""Several messages in one array, which 2025-03-26 has and no other version."""

from __future__ import annotations

from inspector.check.framing import both_sides, json_text
from inspector.check.rules import ALL, V03, V06, V07, V11, Findings, Found, also, rule
from inspector.check.talk import Frame, Talk
from inspector.protocol import jsonrpc


@both_sides("J05", on="odd sent")
@rule("J05", "error", (V06, V11, V07), "basic#messages", on="odd")
def batch(frame: Frame, talk: Talk) -> Findings:
    """Messages come in a batch, which this version does not have."""
    if frame.message.kind == "batch":
        yield "a batch was sent; there are none since 2025-06-18"


@both_sides("J06", on="odd sent")
@rule("J06", "error", (V03,), "basic#batching", on="odd")
def mixed_batch(frame: Frame, talk: Talk) -> Findings:
    """A batch is empty, or mixes answers with requests."""
    if frame.message.kind != "batch":
        return
    kinds = [jsonrpc.classify(item) for item in frame.message.value]
    if not kinds:
        yield "the batch is empty"
    elif any(kind.is_answer for kind in kinds) and not all(kind.is_answer for kind in kinds):
        yield "the batch mixes answers with requests or notifications"


@rule("J07", "error", ALL, "2025-03-26/basic/lifecycle#initialization", on="sent")
def batched_handshake(frame: Frame, talk: Talk) -> Findings:
    """The client sends `initialize` in a batch."""
    if frame.at and frame.message.method == "initialize":
        yield Found("the client sends initialize in a batch")


@rule("J08", "error", (V03,), "basic#batching", on="end")
def ignored_batch(talk: Talk) -> Findings:
    """A batch of requests is refused, or gets no answer."""
    waiting = _batched(talk)
    if waiting:
        rows = tuple(dict.fromkeys(waiting.values()))
        yield Found("not all requests of a batch were answered; servers must take batches", "", rows)


@also("J08", on="sent")
def note_batch(frame: Frame, talk: Talk) -> Findings:
    if frame.message.kind == "batch":
        parts = [jsonrpc.classify(item) for item in frame.message.value]
        _batched(talk).update({json_text(part.id): frame.seq for part in parts if part.kind == "request"})
    return ()


@also("J08", on="frame")
def note_answer(frame: Frame, talk: Talk) -> Findings:
    if frame.message.kind == "response" and frame.message.id is not None:
        _batched(talk).pop(json_text(frame.message.id), None)
    return ()


def _batched(talk: Talk) -> dict[str, int]:
    """The requests of batches that have no answer yet, by their ids, with the rows of the batches."""
    return talk.kept("J08", dict)
