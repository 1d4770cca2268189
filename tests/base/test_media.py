from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.media import media
from inspector.demo import media as drawn

JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xff\xdb\x00\x03\0"
    b"\xff\xc2\x00\x11\x08" + struct.pack(">HH", 480, 640) + b"\x03" + b"\0" * 9
)
WEBP = {
    "lossy": b"VP8 " + b"\0" * 7 + b"\x9d\x01\x2a" + struct.pack("<HH", 320, 200) + b"\0" * 4,
    "lossless": b"VP8L" + b"\0\0\0\0" + b"\x2f" + struct.pack("<I", 319 | 199 << 14),
    "extended": b"VP8X" + b"\0" * 8 + (319).to_bytes(3, "little") + (199).to_bytes(3, "little"),
}


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        (drawn.book(), "PNG · 128 × 128 pixels"),
        (b"GIF89a" + struct.pack("<HH", 3, 1000), "GIF · 3 × 1,000 pixels"),
        (JPEG, "JPEG · 640 × 480 pixels"),
        (b"BM" + b"\0" * 12 + b"\x28\0\0\0" + struct.pack("<ii", 7, -9), "BMP · 7 × 9 pixels"),
        (b"\xff\xd8\xff", "JPEG"),
        (drawn.chime(), "WAV · 0.5 s"),
        (b"fLaC", "FLAC"),
    ],
)
def test_what_the_first_bytes_say(data: bytes, facts: str) -> None:
    found = media(data)
    assert found is not None and found.facts == facts


@pytest.mark.parametrize("kind", WEBP)
def test_sizes_of_webp(kind: str) -> None:
    found = media(b"RIFF\0\0\0\0WEBP" + WEBP[kind])
    assert found is not None and (found.width, found.height) == (320, 200)


@given(
    st.binary(max_size=60)
    | st.builds(
        lambda head, rest: head + rest,
        st.sampled_from(
            [
                drawn.book()[:20],
                JPEG[:12],
                b"\xff\xd8\xff\xc0",
                b"RIFF\0\0\0\0WEBPVP8L",
                b"RIFF\0\0\0\0WAVEfmt ",
            ]
        ),
        st.binary(max_size=60),
    )
)
def test_no_bytes_are_too_odd(data: bytes) -> None:
    found = media(data)
    assert found is None or found.facts
