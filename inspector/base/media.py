"""What pictures and sounds say of themselves in their first bytes, whatever their media type claims."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Media:
    """`format` is a word like `PNG`. Width and height in pixels, length in seconds; None where they are not told."""

    kind: Literal["image", "audio"]
    format: str
    width: int | None = None
    height: int | None = None
    seconds: float | None = None

    @property
    def facts(self) -> str:
        """`PNG · 128 × 64 pixels`, for people."""
        if self.width is not None and self.height is not None:
            return f"{self.format} · {self.width:,} × {self.height:,} pixels"
        return self.format if self.seconds is None else f"{self.format} · {self.seconds:.1f} s"


def media(data: bytes) -> Media | None:
    """The picture or sound that the bytes begin; None where they are none that is known here. Never raises."""
    try:
        return _picture(data) or _sound(data)
    except (struct.error, IndexError):
        return None


def _picture(data: bytes) -> Media | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        size = (
            struct.unpack_from(">II", data, 16)
            if data[12:16] == b"IHDR" and len(data) >= 24
            else (None, None)
        )
        return Media("image", "PNG", *size)
    if data[:6] in (b"GIF87a", b"GIF89a"):
        size = struct.unpack_from("<HH", data, 6) if len(data) >= 10 else (None, None)
        return Media("image", "GIF", *size)
    if data.startswith(b"\xff\xd8\xff"):
        return Media("image", "JPEG", *_jpeg(data))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Media("image", "WebP", *_webp(data))
    if data[:2] == b"BM" and len(data) >= 26 and data[14:18] == b"\x28\0\0\0":
        width, height = struct.unpack_from("<ii", data, 18)
        return Media("image", "BMP", abs(width), abs(height))
    return None


def _jpeg(data: bytes) -> tuple[int | None, int | None]:
    """Goes from marker to marker up to the frame header."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if marker in (0xD9, 0xDA):
            break
        alone = marker == 0x01 or 0xD0 <= marker <= 0xD8
        at += 2 if alone else 2 + max(2, struct.unpack_from(">H", data, at + 2)[0])
    return None, None


def _webp(data: bytes) -> tuple[int | None, int | None]:
    chunk = data[12:16]
    if chunk == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if chunk == b"VP8L" and len(data) >= 25 and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 " and len(data) >= 30 and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None, None


def _sound(data: bytes) -> Media | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return Media("audio", "WAV", seconds=_wav(data))
    if data.startswith(b"OggS"):
        return Media("audio", "Ogg")
    if data.startswith(b"fLaC"):
        return Media("audio", "FLAC")
    if data.startswith(b"ID3") or (len(data) > 2 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2):
        return Media("audio", "MP3")
    return None


def _wav(data: bytes) -> float | None:
    at, rate = 12, 0
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name == b"fmt ":
            rate = struct.unpack_from("<I", data, at + 16)[0]
        if name == b"data":
            return size / rate if rate else None
        at += 8 + size + size % 2
    return None
