"""What is shown, and what must not be."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from bench.fuzz.given import chance_of, cut
from inspector.base.media import media
from inspector.base.saving import proposed_name
from inspector.base.secrets import Secrets
from inspector.base.text import clip, decode, first_line, visible, visible_block, visible_json
from inspector.base.weblinks import examine
from inspector.traffic.redact import Redaction

_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff\u2060")


def _unsafe(text: str, allowed: str = "") -> list[str]:
    return [
        char
        for char in text
        if char not in allowed and (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _BIDI)
    ]


def text(data: bytes) -> None:
    for foreign in (decode(data), data.decode("utf-8", "surrogateescape"), data.decode("utf-16-le", "surrogatepass")
                    if len(data) % 2 == 0 else ""):  # fmt: skip
        assert not _unsafe(visible(foreign))
        assert not _unsafe(visible_block(foreign), "\n\t")
        assert visible(visible(foreign)) == visible(foreign)
        if not _unsafe(foreign) and foreign.isprintable():
            assert visible(foreign) == foreign
        assert len(clip(foreign, 10)) <= 10
        first_line(foreign)
        shown = visible_json(json.dumps(foreign, ensure_ascii=False))
        assert not _unsafe(shown, "\n\t")
        assert json.loads(shown) == _paired(foreign)
        examine(foreign)
        name = proposed_name(foreign)
        assert name and not _unsafe(name) and "/" not in name and "\\" not in name and name not in (".", "..")
    media(data)


def _paired(foreign: str) -> str:
    """Two halves of a pair that stand side by side are one character to every reader of JSON escapes."""
    found: str = json.loads(json.dumps(foreign))
    return found


def secrets(data: bytes) -> None:
    """The first line is the secret; it stands in the rest where `$S` does, in one of its spellings."""
    first, _, rest = data.partition(b"\n")
    secret = first.decode("utf-8", "surrogateescape").strip()
    known = Secrets([secret])
    around = rest.decode("utf-8", "surrogateescape")
    # What the surroundings or the mask say by themselves is no leak.
    if not 8 <= len(secret) <= 200 or secret in around or secret in "***" or known.mask(secret) != "***":
        return
    if set(secret) <= {"*"} or "*" in secret:
        return
    for spelled in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        text = around.replace("$S", spelled)
        if "$S" not in around or _elsewhere(text, spelled, secret):
            continue
        for shown in (known.mask(text), known.mask_start(text), known.mask_message(text)):
            assert spelled not in shown, "a secret comes through"
        for end in range(1, 4):
            cut_off = text[: text.find(spelled) + len(spelled) - end]
            assert secret[: len(secret) - end] not in known.mask_start(cut_off), (
                "a secret that is cut off comes through"
            )
        raw = text.encode("utf-8", "surrogateescape")
        assert spelled.encode("utf-8", "surrogateescape") not in known.mask_bytes(raw)
        _redacted(known, text, raw, spelled)


def _elsewhere(text: str, spelled: str, secret: str) -> bool:
    """Where the text makes the secret anew out of its surroundings and what is left of it."""
    return secret in text.replace(spelled, "***")


def _redacted(known: Secrets, text: str, raw: bytes, spelled: str) -> None:
    redaction = Redaction(known)
    for channel in range(4):
        row = redaction.row(channel, raw)
        assert spelled.encode("utf-8", "surrogateescape") not in row, (
            f"a secret is recorded in channel {channel}"
        )
    frame = json.dumps({"a": [text, {"b": text}], "c": 1}).encode()
    masked = redaction.row(1, frame)
    json.loads(masked)
    chance = chance_of(raw)
    for piece in cut(frame, chance):
        redaction.row(3, piece)
    facts: dict[str, Any] = {"command": ["x", text], "url": text}
    assert spelled not in json.dumps(redaction.facts(facts), ensure_ascii=False)
