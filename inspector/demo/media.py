"""Pictures and sounds of the demo servers, made on the spot."""

from __future__ import annotations

import math
import struct
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence

Color = tuple[int, int, int]

_CROISSANT = (
    "................",
    "......oooo......",
    "....oobbbboo....",
    "...obbyybbyyo...",
    "..obyyoyybyoyo..",
    ".obyybboyboobyo.",
    ".obybbbbobbbobo.",
    "obyobb.oooo.bbyo",
    "obbobo......obbo",
    "obyboo......oybo",
    "obbbo........obo",
    ".oybo........oo.",
    ".obo............",
    "..oo............",
    "................",
    "................",
)
_BOOK = (
    "................",
    ".rrrrrrr.rrrrrr.",
    ".rwwwwwwrwwwwwr.",
    ".rwkkkkwrwkkkwr.",
    ".rwwwwwwrwwwwwr.",
    ".rwkkkkwrwkkkwr.",
    ".rwwwwwwrwwwwwr.",
    ".rwkkkwwrwkkwwr.",
    ".rwwwwwwrwwwwwr.",
    ".rwkkkkwrwkkkwr.",
    ".rwwwwwwrwwwwwr.",
    ".rwkkwwwrwwwwwr.",
    ".rwwwwwwrwwwwwr.",
    ".rrrrrrrrrrrrrr.",
    "................",
    "................",
)
_COLORS: Mapping[str, Color] = {
    ".": (250, 244, 232),
    "o": (120, 66, 18),
    "b": (201, 129, 51),
    "y": (240, 187, 99),
    "r": (139, 46, 46),
    "w": (252, 250, 242),
    "k": (90, 90, 90),
}


def croissant() -> bytes:
    """A PNG picture."""
    return png(_CROISSANT, _COLORS)


def book() -> bytes:
    """A PNG picture."""
    return png(_BOOK, _COLORS)


def png(rows: Sequence[str], colors: Mapping[str, Color], scale: int = 8) -> bytes:
    """A PNG picture drawn with letters, each of which becomes a square of `scale` pixels."""
    lines = []
    for row in rows:
        line = b"\0" + b"".join(bytes(colors[letter]) * scale for letter in row)
        lines.append(line * scale)
    head = struct.pack(">IIBBBBB", len(rows[0]) * scale, len(rows) * scale, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(b"".join(lines), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chime() -> bytes:
    """A WAV sound of half a second: the bell over a shop door, two notes."""
    rate, samples = 8000, bytearray()
    for frequency, seconds in ((784.0, 0.2), (587.0, 0.3)):
        for step in range(int(rate * seconds)):
            fading = 1 - step / (rate * seconds)
            samples.append(128 + int(90 * fading * math.sin(2 * math.pi * frequency * step / rate)))
    form = struct.pack("<HHIIHH", 1, 1, rate, rate, 1, 8)
    body = (
        b"WAVEfmt "
        + struct.pack("<I", len(form))
        + form
        + b"data"
        + struct.pack("<I", len(samples))
        + samples
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def icon(emoji: str) -> dict[str, object]:
    """An icon as MCP describes one, with the picture in a data URL."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">'
        f'<text x="24" y="36" font-size="36" text-anchor="middle">{emoji}</text></svg>'
    )
    source = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return {"src": source, "mimeType": "image/svg+xml", "sizes": ["any"]}
